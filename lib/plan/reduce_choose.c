/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which reducer a reduction takes, and the dtypes on the way to its result. */
#include "plan/reduce_choose.h"

#include "core/error.h"

static const enum bli_fold operations[] = {
#define BL_REDUCTION(name, value, domain, result, fold, text)                          \
    [value] = BLI_REDUCE_OP_##fold,
#include "core/tables/reductions.def"
#undef BL_REDUCTION
};

/*
 * The operation that reduces elements of `dtype`: maximum and minimum of booleans are
 * any and all.
 */
static enum bli_fold operation_of(bl_reduction op, bl_dtype dtype)
{
    const enum bli_fold operation = operations[op];

    if (dtype != BL_DTYPE_BOOL)
        return operation;
    return operation == BLI_REDUCE_OP_MAX   ? BLI_REDUCE_OP_ANY
           : operation == BLI_REDUCE_OP_MIN ? BLI_REDUCE_OP_ALL
                                            : operation;
}

/* Whether the dtype is bool or an integer. */
static bool is_whole(bl_dtype dtype)
{
    return (bli_dtypes[dtype].class & BLI_DOMAIN_BITS) != 0;
}

/*
 * The dtype in which elements are reduced.  If converting them to the requested dtype
 * changes no value that matters, they are reduced as they are: a wider dtype of the
 * same class, any integer, as sums and products wrap, and integers of a byte, of which
 * any but 0 are true.
 */
static bl_dtype reduced_dtype(const struct bli_reduce_problem *problem)
{
    const bl_dtype from = problem->from, as = problem->as;
    const bool is_wider = bli_dtypes[from].class == bli_dtypes[as].class &&
                          bli_dtypes[from].size <= bli_dtypes[as].size;
    const bool wraps = is_whole(from) && is_whole(as) && as != BL_DTYPE_BOOL;

    if (problem->is_centred)
        return bli_dtypes[from].class == BLI_CLASS_COMPLEX ? BL_DTYPE_C128
                                                           : BL_DTYPE_F64;
    if (operations[problem->op] == BLI_REDUCE_OP_ANY ||
        operations[problem->op] == BLI_REDUCE_OP_ALL)
        return is_whole(from) && bli_dtypes[from].size == 1 ? from : BL_DTYPE_BOOL;
    if (operations[problem->op] == BLI_REDUCE_OP_PROD && from == BL_DTYPE_BOOL &&
        is_whole(as))
        return BL_DTYPE_U8; /* as 0 and 1 */
    return is_wider || wraps ? from : bli_dtype_widened(as);
}

/*
 * The dtype that partial results are stored as: bytes of any and all, of which any but
 * 0 means true, as the one that is not copied.
 */
static bl_dtype stored_as(bl_dtype partial, const struct bli_reduce_problem *problem)
{
    return partial == BL_DTYPE_U8 && problem->to == BL_DTYPE_U8 &&
                   bli_reductions[problem->op].result == BLI_REDUCED_TRUTH
               ? BL_DTYPE_BOOL
               : partial;
}

/*
 * Whether rows are reduced by 256 bits where those of 512 are two passes: f32 that is
 * widened, in the caches, as two instructions widen as much as one, and real numbers
 * that are not, from memory.  Zen 4, one thread: sums of f32[256,256] by rows take .66
 * of the time, f32[1000,1000] .74, f32[262144] .83, f32[16384] .9, expressions with
 * sums of rows .94, from memory f32[33554432] 1.1; f64[16777216] takes .97, with two
 * threads .78, f64[16777,1000] .98 and .89, f64[167772,100] .92 and .88, largest .85 to
 * .93 and .61 to .94, of f32 .84 to 1.0 and .86 to .94, in the caches 1.0 to 1.1;
 * halves 1.0 to 1.6, columns .85 to 1.2.
 */
static bool is_halved(const struct bli_reducer *reducer, bl_dtype reduced, bool is_near)
{
    const bool is_real = reduced == BL_DTYPE_F32 || reduced == BL_DTYPE_F64;

    return is_real && is_near == (reducer->partial != reduced);
}

/*
 * Whether rows in the caches are reduced so, of at least LONG_ROW bytes, LONG_ROWS in
 * all: largest and smallest elements of 4 and 8 bytes, and sums of 8, which wait for L2
 * and L3.  Zen 4, one and two threads: largest of f32[1000000] take .85 of the time, of
 * f64 .81, of i32 and i64 .82, in L2 .87 to 1.06, of f32[300,2000] .81 and .91, f64
 * .87; sums of i64[1000000] .79, in L2 .87.  In L1 largest of i64 take 1.15, of
 * f64 1.04; rows of 300 elements .95 to 1.1, of 100 1.07 to 1.35, largest of u64 1.04
 * of L3, bytes and halves 1.04 to 1.18, sums of f64 in L2 1.1.
 */
#define LONG_ROW  3072
#define LONG_ROWS 65536

static bool is_halved_long(enum bli_fold fold, bl_dtype reduced)
{
    switch (reduced) {
    case BL_DTYPE_F32:
    case BL_DTYPE_F64:
    case BL_DTYPE_I32:
    case BL_DTYPE_U32:
        return fold == BLI_REDUCE_OP_MAX || fold == BLI_REDUCE_OP_MIN;
    case BL_DTYPE_I64:
        return fold != BLI_REDUCE_OP_PROD;
    default:
        return reduced == BL_DTYPE_U64 && fold == BLI_REDUCE_OP_SUM;
    }
}

bl_status bli_reduce_choose(struct bli_reduce_choice *choice,
                            const struct bli_reduce_problem *problem)
{
    const struct bli_reducers *const reducers = bli_isa_reducers(problem->isa);
    const bl_dtype as = reduced_dtype(problem);
    const enum bli_fold operation = operation_of(problem->op, as);
    const bl_dtype reduced =
        bli_reducer(reducers, operation, as) ? as : bli_dtype_widened(as);
    /* Booleans that were converted are 0 and 1, squares of complex numbers are real. */
    const bool is_product = operation == BLI_REDUCE_OP_PROD && reduced == BL_DTYPE_BOOL;
    const bl_dtype taken = is_product            ? BL_DTYPE_U8
                           : problem->is_centred ? bli_dtype_real(reduced)
                                                 : reduced;
    const struct bli_reducer *halved;

    choice->reduced = reduced;
    choice->reducer = bli_reducer(reducers, operation, taken);
    if (!choice->reducer)
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE, "%s does not take %s",
                                             bli_reductions[problem->op].name,
                                             bl_dtype_name(problem->from)),
                                "in", problem->from, BL_DTYPE_NONE);
    choice->is_sum = operation == BLI_REDUCE_OP_SUM;
    halved = bli_reducer(bli_isa_reducers(bli_isa_for_memory(problem->isa)), operation,
                         taken);
    choice->near_rows =
        is_halved(choice->reducer, taken, true) ? halved : choice->reducer;
    choice->far_rows =
        is_halved(choice->reducer, taken, false) ? halved : choice->reducer;
    choice->long_rows = is_halved_long(operation, taken) ? halved : NULL;
    choice->few_rows = bli_reducer(bli_isa_reducers(bli_isa_of_256_bits(problem->isa)),
                                   operation, taken);
    choice->added = choice->is_sum && !is_whole(taken) && bli_dtypes[taken].size > 2 &&
                            !bli_machine_is_amd()
                        ? choice->few_rows
                        : NULL;
    choice->widened = bli_reducer(reducers, operation, bli_dtype_widened(taken));
    choice->stored = stored_as(choice->reducer->partial, problem);
    choice->finalize =
        (operation == BLI_REDUCE_OP_SUM || operation == BLI_REDUCE_OP_PROD) &&
                !is_whole(reduced)
            ? reducers->finalize[choice->is_sum]
            : NULL;
    return BL_OK;
}

/* Whether a partial result ends as an element of the array's own dtype, narrower. */
static bool is_narrow(const struct bli_reduce_plan *plan, bl_dtype reduced, bl_dtype to)
{
    return plan->finalize && to == reduced &&
           (to == BL_DTYPE_F32 || to == BL_DTYPE_C64);
}

void bli_reduce_choose_finish(struct bli_reduce_plan *plan,
                              const struct bli_reduce_choice *choice,
                              const struct bli_reduce_problem *problem)
{
    const struct bli_nest *const outer = &plan->outer;
    const bool is_same = problem->part || choice->stored == problem->to;

    plan->finalize = problem->part ? NULL : choice->finalize;
    plan->finish.divisor = problem->is_centred                ? problem->divisor
                           : problem->op == BL_REDUCTION_MEAN ? (double)plan->count
                                                              : 1.0;
    plan->finish.is_narrow = is_narrow(plan, choice->reduced, problem->to);
    plan->is_root = problem->is_centred && problem->op == BL_REDUCTION_STD;
    plan->stores_columns = plan->by_columns && !plan->centre &&
                           (is_same || plan->finish.is_narrow) &&
                           outer->stride[0][BLI_REDUCE_OUT] == plan->out_size &&
                           (plan->packed == 1 || outer->stride[1][BLI_REDUCE_OUT] ==
                                                     outer->extent[0] * plan->out_size);
}

/*
 * Whether columns of few rows, in the caches, are reduced by 256 bits, of numbers whose
 * rows are: of at most so many rows, unless they are in few places of L1, or where one
 * register is more than all columns.  Zen 4, one thread: sums of f32[13,15384] take .89
 * of the time, f32[20,10000] .83, f32[16,16,1000] .95, products of f32[20,10000] .77,
 * sums of f32[400,60,4] .35; but f32[16,16,1024] 1.19, f32[33,48,2048] 1.5 and
 * f32[64,64,1000] 1.16.  Emerald Rapids: of sums, only what is narrower than a
 * register, in one block: f32[400,60,4] .37, f64[400,60,4] .38, f64[400,60,7] .54,
 * c64[400,60,3] .48, but f64[30000,5] 1.13, i32[400,60,4] 1.09, bf16 1.14.
 */
#define FEW_COUNT   32
#define FEW_PLACES  2048
#define LEAST_WIDTH 8

/* The reducer of columns in the caches. */
static const struct bli_reducer *near_columns(const struct bli_reduce_plan *plan,
                                              const struct bli_reduce_choice *choice)
{
    const bool is_narrow = plan->side < LEAST_WIDTH;
    const bool is_few =
        plan->count <= FEW_COUNT && plan->reduced.stride[0][1] % FEW_PLACES != 0;

    if (plan->side * plan->reducer->numbers < LEAST_WIDTH && plan->blocks == 1 &&
        choice->added)
        return choice->added;
    return is_narrow || is_few ? choice->near_rows : plan->reducer;
}

/*
 * Whether rows in the caches, one run each of so many numbers, are added by 256 bits
 * where the machine adds beside the conversions.  Emerald Rapids, one thread: f32[8000]
 * takes .80 of the time, f32[256000] .89, f32[312,128] .92, f32[400,100] .99, c64[8000]
 * .73, c64[256000] .94; but f32[800,50] 1.06, f32[1600,25] 1.19, rows of several runs,
 * f32[16,20,5,25], 1.63, f64[256000], which is not converted, 1.15.
 */
#define LEAST_ADDED 100

static bool is_added(const struct bli_reduce_plan *plan,
                     const struct bli_reduce_choice *choice)
{
    return choice->added && plan->reducer->partial_size > plan->reducer->size &&
           bli_reduce_is_one_run(plan) &&
           plan->reduced.extent[0] * plan->reducer->numbers >= LEAST_ADDED;
}

/*
 * Rows side by side that fill fewer groups are taken by groups of 256 bits: a block
 * that goes on in the next row needs one more than a group.  Zen 4: f32[200000,8],
 * transposed, takes .18 of the time, f64 .15, f16 .35, f32[100000,9] .75,
 * f64[100000,12] .9, but f32[50000,40] 1.17.
 */
#define FEW_GROUPS 2

void bli_reduce_choose_registers(struct bli_reduce_plan *plan,
                                 const struct bli_reduce_choice *choice)
{
    const bool is_by_rows = !plan->by_columns || plan->by_partial_blocks;
    const int64_t row = plan->reduced.extent[0] * plan->tile_size;
    const bool is_long =
        plan->is_near && row >= LONG_ROW &&
        (double)plan->outputs * (double)(plan->count * plan->tile_size) >= LONG_ROWS;

    if (plan->strips == 0 && is_by_rows)
        plan->reducer = is_long && choice->long_rows              ? choice->long_rows
                        : plan->is_near && is_added(plan, choice) ? choice->added
                        : plan->is_near                           ? choice->near_rows
                                                                  : choice->far_rows;
    else if (!is_by_rows && plan->is_near)
        plan->reducer = near_columns(plan, choice);
    if (plan->is_beside &&
        plan->reduced.extent[plan->strips] < FEW_GROUPS * plan->reducer->abreast)
        plan->reducer = choice->few_rows;
}
