/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how a reduction is executed. */
#include "plan/reduce_choose.h"

#include "core/error.h"
#include "plan/cost.h"

/*
 * Elements of at most so many bytes may be in a cache.  Reducing several rows at once,
 * f32[128,128] is summed in 0.63 of the time, f32[6291456] from L3 in 0.75, and
 * f32[67108864], from memory, in 1.3 to 1.4.  Sums of f16 and bf16 wait for each other
 * twice as long for the same bytes: bf16[16777216] takes 0.77 of the time.
 */
#define NEAR_BYTES (3 << 23)

/*
 * The limit for a part of the elements behind others: it is one of many, which together
 * are more than a cache holds.  A first one may be all that a rank has: f32[131072] in
 * 5.0 us instead of 6.7.
 */
#define NEAR_PART (1 << 18)

/*
 * If each result is made of several runs of elements, runs are reduced in place, in
 * partial blocks: f32[32,64,28,28] by channel in 0.4 of the time of gathered blocks.
 * Shorter runs cost more than gathering them, and longer ones contain whole blocks.
 */
#define SHORT_PART 24
#define LONG_PART  (16 * BLI_REDUCE_BLOCK)

/*
 * Nanoseconds on one core per byte, staged element and result; more per element of
 * halves, with 512 bits or fewer, and for products of integers.  Emerald Rapids: sums
 * of bf16[60000] take .106 and .128, f16 .097 and .179, products of i8 .154 and .287.
 */
#define NS_PER_BYTE    0.0125
#define NS_PER_STAGED  0.2
#define NS_PER_RESULT  5.0
#define NS_PER_HALF    0.06
#define NS_PER_NARROW  0.1
#define NS_PER_PRODUCT 0.15

/*
 * Most rows of columns whose lanes are kept in registers, which read short pieces of
 * rows: from memory BLI_REDUCE_STREAMS, of which each is a stream; of arrays in the
 * caches NEAR_ROWS, of those of at most REGISTER_BYTES more, or where pieces of rows
 * are wide WIDE_ROWS.  Zen 3: sums of f32[64,100,64] and f32[16,80,512] along the
 * second axis take .75 to .85 of the time so, from memory f32[800,100,256] 2.5; with
 * 300 to 700 rows and up to 5.6 MB, by two threads, f32 takes .74 to .98, f64 .66 to
 * .93, f32[500,4000], 8 MB, 1.9.  Of whole rows f32[90,300] takes .66, f32[200,5000]
 * 1.0, f32[300,200] 1.1, f32[500,2000], f32[10,300,500] and f32[700,1500] 1.2 to 1.3,
 * f32[512,512] 1.5, but with registers of 128 bits f64[500,1000] .87.  With 512 bits
 * (Zen 4) f32[512,512] and f32[700,1500] take .86 and .77 with REGISTER_ROWS, f32[256,
 * 256] 1.1 with WIDE_ROWS.
 */
#define NEAR_ROWS      256
#define REGISTER_ROWS  704
#define REGISTER_BYTES (6 << 20)
#define WIDE_ROWS      192

/*
 * Registers of 512 bits take so many numbers of a row at once, the last ones again with
 * some of those before.  Narrow rows of which a twentieth is taken twice have no more
 * rows in registers than from memory.  Zen 5: sums of f32[586,33] take .58 of the time
 * so, f32[250,33] .84, f32[100,100] 1.07, f32[586,100] .76, f32[586,200] .75, bf16[130,
 * 33] .80, bf16[40,250,33] .62, f64[586,33] .63, f64[400,70] .53, f64[130,100] .83;
 * bf16[130,250] would take 1.13. With 256 bits, which take half as many, f32[586,33]
 * would take 1.06.
 */
#define AT_ONCE 32
#define NARROW  256
#define TWICE   0.05

static bool is_uneven(const struct bli_reduce_plan *plan, const struct bli_isa *isa)
{
    const int64_t numbers = plan->side * plan->parts;
    const int64_t twice = (AT_ONCE - numbers % AT_ONCE) % AT_ONCE;

    return bli_isa_has_512_bits(isa) && numbers > AT_ONCE && numbers < NARROW &&
           (double)twice > TWICE * (double)numbers;
}

static void choose_register_rows(struct bli_reduce_plan *plan,
                                 const struct bli_isa *isa, double bytes)
{
    plan->register_rows = BLI_REDUCE_STREAMS;
    if (plan->is_near && !is_uneven(plan, isa))
        plan->register_rows = bytes > REGISTER_BYTES ? NEAR_ROWS : REGISTER_ROWS;
    plan->wide_rows =
        plan->is_near && isa->register_bytes == 32 ? WIDE_ROWS : plan->register_rows;
}

/*
 * Most columns that are reduced together, of which the lanes take half of L2 where they
 * are read from memory: each piece of a row is long, and best is the whole row.  Zen 3,
 * L2 of 512 KiB, one thread: sums of f32[4096,4096] take .65 of the time with 4096
 * columns that they take with 1024, of f32[10000,1500] .6, of f64[4096,2048] .7, of
 * f32[2000,10000] .98; in the caches f32[200,5000] takes .9 with 2048, and no less with
 * 4096.  With 512 bits (Zen 4, L2 of 1 MiB) the first three take .6 to .7 with 4096,
 * but f32[200,5000] and f32[500,4000] 1.07 with 2048.
 */
#define NEAR_WIDTH (2 * BLI_REDUCE_WIDTH)

static int64_t far_width(const struct bli_reduce_problem *problem)
{
    const int64_t fits = bli_caches_second(problem->caches) / 2 / BLI_REDUCE_LANES;

    return bli_least(bli_most(fits, BLI_REDUCE_WIDTH), BLI_REDUCE_MOST_WIDTH);
}

/*
 * Most staged columns, wider where all their rows fit in half of the staging buffer.
 * Zen 4, one thread: any of f32[1,1,674343] along the second axis takes .53 of the time
 * with AVX2 and .50 with AVX-512, of f32[3,10000] along the first .70 and .66, sums of
 * u8[1000,1,600], every second one, .64 and .57, of f32[2500,4,4] .85; in all of the
 * buffer f32[2500,8,2] would take 1.33.
 */
static int64_t staged_width(const struct bli_reduce_plan *plan)
{
    return plan->count * plan->tile_size <= BLI_COLUMN_TILE / 2 / BLI_REDUCE_WIDTH
               ? BLI_REDUCE_WIDTH
               : BLI_REDUCE_STAGED_WIDTH;
}

static int64_t most_width(const struct bli_reduce_plan *plan,
                          const struct bli_reduce_problem *problem)
{
    if (plan->centre)
        return BLI_REDUCE_CENTRED_WIDTH;
    if (plan->is_staged)
        return staged_width(plan);
    if (plan->is_near || !plan->by_columns)
        return bli_isa_has_512_bits(problem->isa) ? BLI_REDUCE_WIDTH : NEAR_WIDTH;
    return far_width(problem);
}

/* Choose rows or columns, and whether elements have to be staged. */
static void choose_order(struct bli_reduce_plan *plan, bool is_converted)
{
    const int64_t along = plan->reduced.stride[0][1];
    const int64_t across = plan->outer.stride[0][BLI_REDUCE_IN];
    const int64_t run = plan->reduced.extent[0], side = plan->outer.extent[0];
    const bool is_row = along == plan->size;

    if (plan->outputs == 1)
        plan->by_columns = false;
    else if (plan->count == 1)
        plan->by_columns = side > 1;
    else if (is_row)
        plan->by_columns = run < plan->reducer->short_row && side > 1;
    else
        plan->by_columns = across == plan->size ||
                           bli_reduce_distance(across) < bli_reduce_distance(along);
    plan->by_partial_blocks = !plan->by_columns && !is_converted && is_row &&
                              side > 1 && run < plan->count && run >= SHORT_PART &&
                              run < LONG_PART;
    plan->by_columns = plan->by_columns || plan->by_partial_blocks;
    if (plan->by_columns)
        plan->is_staged = !plan->by_partial_blocks && side > 1 && across != plan->size;
    else
        plan->is_staged = run > 1 && !is_row;
    plan->is_staged = plan->is_staged || is_converted;
}

/*
 * Bytes of the staging buffer: for several blocks if there are several, but no more
 * than all elements take.
 */
static int64_t tile_bytes(const struct bli_reduce_plan *plan)
{
    const int64_t one = BLI_REDUCE_TILE * plan->tile_size;
    const int64_t most = plan->by_columns    ? BLI_COLUMN_TILE
                         : plan->blocks == 1 ? one
                                             : BLI_REDUCE_TILE * BLI_REDUCE_WIDEST;
    const int64_t all = plan->outputs * plan->count;
    const bool is_run = plan->by_columns || bli_reduce_is_one_run(plan);

    if (plan->gathered > 0 || (!plan->is_staged && is_run))
        return 0;
    if (plan->centre && plan->by_columns)
        return most; /* the means are in it, too */
    return all < most / plan->tile_size ? all * plan->tile_size : most;
}

/* Nanoseconds of an element. */
static double element_ns(const struct bli_reduce_plan *plan, bl_dtype reduced,
                         bool has_512_bits)
{
    const bool is_whole = (bli_dtypes[reduced].class & BLI_DOMAIN_BITS) != 0;
    double ns = NS_PER_BYTE * (double)plan->size;

    if (plan->is_staged)
        ns += NS_PER_STAGED;
    if (bli_dtype_widened(reduced) != reduced)
        ns += has_512_bits ? NS_PER_HALF : NS_PER_NARROW;
    if (is_whole && plan->op == BL_REDUCTION_PROD)
        ns += NS_PER_PRODUCT;
    return ns;
}

/* Number of threads by the cost model, for so many nanoseconds an element. */
static void count_threads(struct bli_reduce_plan *plan, double ns)
{
    const double elements = (double)plan->outputs * (double)plan->count;

    plan->grains =
        bli_threads_for(elements * ns + (double)plan->outputs * NS_PER_RESULT);
    plan->threads = (int32_t)bli_least(bli_reduce_most_threads(plan), plan->grains);
}

/* Check that elements of a result with the caller's strides do not overlap. */
static bl_status check_result(const struct bli_reduce_plan *plan)
{
    struct bli_nest nest = plan->outer;

    nest.operands = 1;
    for (int32_t i = 0; i < nest.loops; i++)
        nest.stride[i][0] = plan->outer.stride[i][BLI_REDUCE_OUT];
    nest.offset[0] = plan->outer.offset[BLI_REDUCE_OUT];
    return bli_plan_check_result(&nest, plan->out_size);
}

/*
 * Restrict a plan to elements of each result: to a nest of its own where they are one
 * run, else to a range of the nest.
 */
static void narrow(struct bli_reduce_plan *plan, bl_range part)
{
    struct bli_nest *const nest = &plan->reduced;
    const int64_t run = nest->extent[0];

    plan->count = part.end - part.begin;
    plan->origin = part.begin;
    if (plan->count == nest->count || part.begin / run != (part.end - 1) / run)
        return;
    plan->origin = 0;
    for (int32_t i = 0; i < nest->loops; i++) {
        nest->offset[1] += part.begin % nest->extent[i] * nest->stride[i][1];
        part.begin /= nest->extent[i];
    }
    nest->loops = 2;
    nest->count = nest->extent[0] = plan->count;
    nest->extent[1] = 1;
}

bl_status bli_reduce_plan_make(struct bli_reduce_plan *plan,
                               const struct bli_reduce_problem *problem)
{
    struct bli_reduce_choice choice;
    bl_dtype to;
    double bytes;
    bool is_converted;

    BL_TRY(bli_reduce_choose(&choice, problem));
    to = problem->part ? choice.reducer->partial : problem->to;
    plan->op = problem->op;
    plan->reducer = choice.reducer;
    plan->store = problem->isa->convert[problem->part ? to : choice.stored][to];
    plan->size = bli_dtypes[problem->from].size;
    plan->tile_size = bli_dtypes[choice.reduced].size;
    plan->partial_size = bli_dtypes[plan->reducer->partial].size;
    plan->out_size = bli_dtypes[to].size;
    bli_reduce_outer_nest(&plan->outer, &problem->folding, (int32_t)plan->size,
                          (int32_t)plan->out_size);
    bli_reduce_reduced_nest(&plan->reduced, &problem->folding, (int32_t)plan->size,
                            (int32_t)plan->tile_size, plan->reducer->is_free);
    bli_reduce_choose_stage(plan, problem, choice.reduced);
    plan->outputs = plan->outer.count;
    plan->count = plan->reduced.count;
    plan->origin = 0;
    if (problem->part)
        narrow(plan, *problem->part);
    /* Where a loop runs backwards through the array, or not from its first element. */
    plan->outer.offset[BLI_REDUCE_IN] += plan->reduced.offset[1];
    plan->reduced.offset[1] = 0;
    plan->blocks =
        plan->count / BLI_REDUCE_BLOCK + (plan->count % BLI_REDUCE_BLOCK > 0);
    plan->blocks += plan->blocks == 0;
    plan->parts = plan->reducer->partial == BL_DTYPE_C128 ? 2 : 1;
    plan->centre =
        problem->is_centred
            ? bli_isa_reducers(problem->isa)->centre[choice.reduced == BL_DTYPE_C128]
            : NULL;
    is_converted = choice.reduced != problem->from || problem->is_centred;
    choose_order(plan, is_converted);
    bli_reduce_choose_packing(plan);
    bli_reduce_choose_finish(plan, &choice, problem);
    bytes = (double)plan->outputs * (double)plan->count * (double)plan->size;
    plan->is_near =
        bytes <= (problem->part && !problem->is_first ? NEAR_PART : NEAR_BYTES) *
                     (plan->size == 2 ? 2.0 : 1.0);
    choose_register_rows(plan, problem->isa, bytes);
    plan->width = most_width(plan, problem);
    bli_reduce_choose_runs(plan, is_converted, plan->is_near ? 0 : far_width(problem));
    bli_reduce_choose_registers(plan, &choice);
    plan->tile = tile_bytes(plan);
    count_threads(plan,
                  element_ns(plan, choice.reduced, bli_isa_has_512_bits(problem->isa)));
    return problem->is_compact ? BL_OK : check_result(plan);
}
