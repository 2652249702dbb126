/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions that are calls.  The thread lends what they need besides the workspace, as
 * it does for staging: an execution allocates nothing for them.
 */
#include "expr/execute.h"

#include "context/context.h"
#include "core/lend.h"

/* Most bytes that a reduction is lent for its partial results. */
#define LENT_BYTES (1 << 20)

static void *lend(void *user, size_t bytes, size_t alignment)
{
    (void)user, (void)alignment;
    return bli_thread_lend(bytes);
}

static void take_back(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    bli_thread_return(memory);
}

/*
 * Whether partial results of 16 bytes, for each block and each result, and the means of
 * variances are few.
 */
static bool needs_little(const bl_array *in, const bl_array *out)
{
    int64_t elements, results;

    return bli_shape_numel(in->rank, in->extent, &elements) &&
           bli_shape_numel(out->rank, out->extent, &results) &&
           results <= LENT_BYTES / 64 && elements / BLI_REDUCE_BLOCK <= LENT_BYTES / 32;
}

bl_status bli_expr_run_reduce(const struct bli_expr_execution *run, int32_t s,
                              bool is_direct)
{
    const struct bli_expr_step *const step = &run->plan->step[s];
    const struct bli_expr_value *const value = &run->plan->value[step->value];
    struct bli_reduce_call call = *step->reduce;
    const bl_array in = bli_expr_value_array(run->plan, step->operand[0],
                                             bli_expr_address(run, step->operand[0]));
    bl_array out = {
        .dtype = value->dtype, .rank = value->rank, .extent = value->extent};
    bl_context ctx = *run->ctx;

    if (needs_little(&in, &out))
        ctx.allocator = (bl_allocator){lend, take_back, NULL};
    call.in = &in;
    if (is_direct)
        out = run->plan->out[value->output].array;
    out.data = bli_expr_address(run, step->value);
    return bli_reduce_run(&call, &ctx, &out);
}
