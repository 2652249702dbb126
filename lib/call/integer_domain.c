/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches for values that integer operators refuse, before anything is written:
 * divisors of 0, and negative scalar exponents.
 */
#include "call/call.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "exec/loops/loop_nest.h"

/*
 * Elements searched at a time: as many as fit in L1 if they are contiguous, else as
 * many as fit in the staging buffer.
 */
#define RUN       8192
#define SHORT_ROW 64
#define TILE      1024

/*
 * Elements that justify another thread: 2^18 of i32 take one thread 28 us, two 16 us.
 */
#define GRAIN (1 << 18)

/* A search for zeros among an operand's elements, after conversion. */
struct search {
    struct bli_nest nest; /* of the operand alone */
    char *data[1];        /* its address */
    const struct bli_isa *isa;
    bli_kernel *stage; /* copies to a staging buffer, in the common dtype */
    bool narrows;      /* if conversion may lose bits, else in the operand's dtype */
    int64_t size;      /* bytes of an element in the staging buffer */
    atomic_bool *has_found;
};

/* Whether a block of `inner` by `outer` elements, at most TILE, has a zero. */
static bool has_zero(const struct search *search, const char *at, int64_t inner,
                     int64_t outer, const int64_t step[2])
{
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{search->size, step[0]},
                                                 {search->size * inner, step[1]}};
    _Alignas(8) char tile[TILE * sizeof(int64_t)];
    char *const data[BLI_MAX_OPERANDS] = {tile, (char *)(uintptr_t)at};

    bli_kernel_run(search->stage, data, stride, inner, outer, NULL);
    return search->isa->has_zero(tile, search->size, inner * outer);
}

/* A kernel that searches operand 0; `params` points to the search. */
static void search_rows(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                        int64_t inner, int64_t outer, const void *params,
                        bli_kernel *kernel)
{
    const struct search *const search = params;
    const int64_t step[2] = {stride[0][0], stride[1][0]};
    const bool is_run = !search->narrows && (inner >= SHORT_ROW || outer == 1) &&
                        (inner == 1 || step[0] == search->size);
    const int64_t most = is_run ? RUN : TILE;
    const int64_t width = inner < most ? inner : most;
    const int64_t height = is_run ? 1 : TILE / width;

    (void)kernel;
    for (int64_t i = 0; i < outer; i += height)
        for (int64_t j = 0; j < inner; j += width) {
            const char *const at = data[0] + i * step[1] + j * step[0];
            const int64_t columns = inner - j < width ? inner - j : width;
            const int64_t rows = outer - i < height ? outer - i : height;

            if (atomic_load_explicit(search->has_found, memory_order_relaxed))
                return;
            if (is_run ? search->isa->has_zero(at, search->size, columns)
                       : has_zero(search, at, columns, rows, step))
                atomic_store_explicit(search->has_found, true, memory_order_relaxed);
        }
}

static bli_kernel search_kernel = {search_rows};

static void search_range(const void *argument, int32_t thread, bl_range range)
{
    const struct search *const search = argument;

    (void)thread;
    bli_walk(&search->nest, &search_kernel, search, search->data, range);
}

/*
 * Make the plan's nest for operand `k` alone.  If all of the nest is searched, loops
 * that repeat the operand are left out, so that each element is searched once.
 */
static void make_nest(struct bli_nest *nest, const struct bli_nest *from, int32_t k,
                      bool is_whole)
{
    int32_t loops = 0;

    nest->operands = 1;
    nest->needs_linear_copy = 0;
    nest->count = 1;
    nest->offset[0] = from->offset[k];
    for (int32_t i = 0; i < from->loops; i++) {
        if (is_whole && from->stride[i][k] == 0)
            continue;
        nest->extent[loops] = from->extent[i];
        nest->stride[loops][0] = from->stride[i][k];
        nest->count *= from->extent[i];
        loops++;
    }
    for (; loops < 2; loops++) {
        nest->extent[loops] = 1;
        nest->stride[loops][0] = 0;
    }
    nest->loops = loops;
}

/*
 * Set `*is_found` if input 1 of a plan (counted from 0), the divisor, has a zero in a
 * range of iterations.  BL_ERR_MEMORY.
 */
static bl_status find_zero(const struct bl_plan *plan,
                           const struct bli_binding *binding,
                           const struct bli_team *team, bl_range range, bool *is_found)
{
    const bl_dtype dtype = plan->dtype[2];
    const bool is_whole = range.begin == 0 && range.end == plan->nest.count;
    const bool narrows = bli_dtypes[plan->common].size < bli_dtypes[dtype].size;
    const bl_dtype searched = narrows ? plan->common : dtype;
    atomic_bool has_found;
    struct search search;

    make_nest(&search.nest, binding->nest, 2, is_whole);
    if (is_whole)
        range.end = search.nest.count;
    search.data[0] = binding->data[2]; /* only read */
    search.isa = plan->isa;
    search.stage = bli_isa_kernel(plan->isa, BL_OP_COPY, dtype, searched);
    search.narrows = narrows;
    search.size = bli_dtypes[searched].size;
    search.has_found = &has_found;
    atomic_init(&has_found, false);

    const int32_t threads = bli_clamp_threads((range.end - range.begin) / GRAIN + 1);
    bl_status status = BL_OK;

    if (threads == 1 || !team)
        search_range(&search, 0, range);
    else
        status = bli_run_ranges(team, threads, range.end, search.size, search_range,
                                &search);
    *is_found = atomic_load_explicit(&has_found, memory_order_relaxed);
    return status;
}

static bool is_negative(bl_dtype dtype, const void *number)
{
    static const int64_t stride[2][BLI_MAX_OPERANDS];
    int64_t value;
    char *const data[BLI_MAX_OPERANDS] = {(char *)&value, (char *)(uintptr_t)number};

    if (!bli_dtypes[dtype].is_signed)
        return false;
    bli_kernel_run(bli_isa_kernel(bli_isa_pick(NULL), BL_OP_COPY, dtype, BL_DTYPE_I64),
                   data, stride, 1, 1, NULL);
    return value < 0;
}

bl_status bli_integer_domain_refuse(bl_op op)
{
    if (op == BL_OP_POW)
        (void)bl_error_set(BL_ERR_ARGUMENT,
                           "Integers to negative integer powers are not allowed.");
    else
        (void)bl_error_set(BL_ERR_ARGUMENT,
                           "ZeroDivisionError: the divisor of %s has a 0",
                           bli_ops[op].name);
    return bli_fault_operand(BL_ERR_ARGUMENT, 2);
}

bl_status bli_integer_domain_check(const struct bl_plan *plan,
                                   const struct bli_binding *binding,
                                   const struct bli_team *team, bl_range range)
{
    bool is_found;

    if (range.begin >= range.end)
        return BL_OK;
    if (plan->op == BL_OP_POW) {
        /* Tensor exponents that are negative have defined results: see ops.def. */
        return (plan->scalars & 2) && is_negative(plan->dtype[2], binding->data[2])
                   ? bli_integer_domain_refuse(plan->op)
                   : BL_OK;
    }
    BL_TRY(find_zero(plan, binding, team, range, &is_found));
    return is_found ? bli_integer_domain_refuse(plan->op) : BL_OK;
}
