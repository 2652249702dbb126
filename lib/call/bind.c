/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binds a plan's operands to addresses.  Operands that overlap the result are copied or
 * refused here, so that execution cannot fail.
 */
#include "call/call.h"

#include <inttypes.h>

const char bli_overlap_text[] =
    "unsupported operation: some elements of the input tensor and the written-to "
    "tensor refer to a single memory location. Please clone() the tensor before "
    "performing the operation.";

/* Whether `data` is not null and aligned for elements of operand `k`. */
static inline bool is_address(const struct bl_plan *plan, int32_t k, const void *data)
{
    const uintptr_t below = (uintptr_t)bli_dtypes[plan->dtype[k]].align - 1;

    return data && ((uintptr_t)data & below) == 0;
}

/* Mark the binding as holding memory, so that bli_unbind frees it. */
static void hold(struct bli_bound *bound)
{
    if (bound->holds)
        return;
    bound->holds = true;
    bound->binding.staging.memory = NULL;
    bound->binding.partition.nodes = NULL;
    bound->nest = NULL;
    bound->workspaces = 0;
}

/*
 * Copy operand `k` to a new workspace of `bytes` with the plan `copy`, and bind the
 * operand to it.
 */
static bl_status read_copy(struct bli_bound *bound, const struct bl_plan *plan,
                           int32_t k, bl_context *ctx, const struct bl_plan *copy,
                           int64_t bytes)
{
    struct bli_storage *workspace;
    struct bli_binding binding = {
        .nest = &copy->nest, .layout = &copy->tiling.layout, .method = copy->method};
    bl_status status;

    hold(bound);
    workspace = &bound->workspace[bound->workspaces];
    BL_TRY(bli_storage_make(workspace, ctx, bytes, plan->size[k], &ctx->placement));
    bound->workspaces++;
    binding.data[0] = workspace->data;
    binding.data[1] = bound->binding.data[k];
    status = bli_bind_execution(&binding, copy, &ctx->team);
    if (status == BL_OK)
        bli_exec_run(copy, &binding, &ctx->team);
    bli_binding_free(&binding);
    bound->binding.data[k] = workspace->data;
    return status;
}

/*
 * Give the binding a private nest that may be changed; a copy of the plan's at first.
 * The small-problem fast path has tables for the plan's nest alone.
 */
static bl_status make_nest_private(struct bli_bound *bound, const struct bl_plan *plan)
{
    hold(bound);
    if (bound->nest)
        return BL_OK;
    bound->nest = bli_thread_lend(sizeof *bound->nest);
    if (!bound->nest)
        return BL_ERR_MEMORY;
    bound->nest->nest = *bound->binding.nest;
    bound->binding.nest = &bound->nest->nest;
    bound->binding.method = bli_plan_range_method(plan);
    bound->binding.layout = &bound->nest->layout;
    return BL_OK;
}

/* Copy operand `k`, which overlaps the result. */
static bl_status copy_operand(struct bli_bound *bound, const struct bl_plan *plan,
                              int32_t k, bl_context *ctx)
{
    const bl_event event = {sizeof event,
                            BL_EVENT_OVERLAP_COPIED,
                            plan->op,
                            k - 1,
                            0,
                            "an operand that overlaps the result is copied first"};
    struct bl_plan *copy;
    bl_status status;
    int64_t bytes;

    BL_TRY(bli_observe(ctx, &event));
    copy = bli_thread_lend(sizeof *copy);
    if (!copy)
        return BL_ERR_MEMORY;
    status = make_nest_private(bound, plan);
    if (status == BL_OK) {
        bli_plan_operand_copy(copy, plan, k, &bound->nest->nest, &bytes);
        bli_plan_layout(&bound->nest->layout, plan, &bound->nest->nest);
        status = read_copy(bound, plan, k, ctx, copy, bytes);
    }
    bli_thread_return(copy);
    return status;
}

/*
 * Copy operand `k`, which needs a linear copy.  BL_ERR_UNSUPPORTED without a context.
 */
static bl_status copy_apart(struct bli_bound *bound, const struct bl_plan *plan,
                            int32_t k, bl_context *ctx)
{
    struct bl_plan *copy;
    bl_status status;
    int64_t bytes;

    if (!ctx)
        return bli_fault_operand(
            bl_error_set(BL_ERR_UNSUPPORTED,
                         "input %" PRId32 " of %s is paired as 1-dimensional and does "
                         "not lie evenly in memory: a part of a plan has no "
                         "workspace to copy it to",
                         k - 1, bli_ops[plan->op].name),
            k);
    copy = bli_thread_lend(sizeof *copy);
    if (!copy)
        return BL_ERR_MEMORY;
    bli_plan_apart_copy(copy, plan, k, &bytes);
    status = read_copy(bound, plan, k, ctx, copy, bytes);
    bli_thread_return(copy);
    return status;
}

/* Whether operand `k` shares no byte with the result, or lies exactly where it does. */
static bool is_elsewhere(const struct bl_plan *plan, int32_t k, const char *out,
                         const char *data)
{
    const intptr_t result = (intptr_t)out, input = (intptr_t)data;

    return result + plan->end[0] <= input + plan->begin[k] ||
           input + plan->end[k] <= result + plan->begin[0] ||
           ((plan->same_layout_as_result >> k & 1) && out == data);
}

/* Whether operand `k`, which needs a linear copy, may share memory with the result. */
static bool may_meet(const struct bl_plan *plan, int32_t k, const char *out,
                     const char *data)
{
    const struct bli_logical_order *const own = &plan->logical_order[k];
    intptr_t begin = (intptr_t)data, end = begin + plan->size[k];

    for (int32_t d = 0; d < own->rank; d++) {
        const int64_t reach = own->stride[d] * (own->extent[d] - 1);

        *(reach < 0 ? &begin : &end) += reach;
    }
    return (intptr_t)out + plan->begin[0] < end && begin < (intptr_t)out + plan->end[0];
}

/* Whether operand `k` of a result that others are added to may be where that is. */
static bool may_be_result(const struct bli_bound *bound, const struct bl_plan *plan,
                          int32_t k)
{
    return k < 2 || !plan->adds_to_result ||
           ((plan->same_layout_as_result & 2) != 0 &&
            bound->binding.data[1] == bound->binding.data[0]);
}

static bl_status bind_operand(struct bli_bound *bound, const struct bl_plan *plan,
                              int32_t k, bl_context *ctx)
{
    const enum bli_overlap overlap =
        bli_overlap_operands(&plan->nest, k, bound->binding.data[0], plan->size[0],
                             bound->binding.data[k], plan->size[k]);

    if (overlap == BLI_OVERLAP_NONE ||
        (overlap == BLI_OVERLAP_EXACT && may_be_result(bound, plan, k)))
        return BL_OK;
    if (!ctx)
        return bli_fault_operand(bl_error_set(BL_ERR_OVERLAP,
                                              "input %" PRId32
                                              " of %s overlaps the result: a part of a "
                                              "plan has no workspace to copy it to",
                                              k - 1, bli_ops[plan->op].name),
                                 k);
    if (overlap == BLI_OVERLAP_PARTIAL && ctx->overlap == BL_OVERLAP_REFUSE)
        return bli_fault_operand(bl_error_set(BL_ERR_OVERLAP, "%s", bli_overlap_text),
                                 k);
    if (plan->is_sequential) {
        bound->binding.method = BLI_METHOD_SEQUENTIAL;
        return BL_OK;
    }
    return copy_operand(bound, plan, k, ctx);
}

/*
 * Bind a result whose elements overlap, which a sequential plan allows.  Refused for a
 * part of a plan, and if the context refuses overlap now.
 */
static bl_status bind_repeated(struct bli_bound *bound, const struct bl_plan *plan,
                               const bl_context *ctx)
{
    if (!ctx || ctx->overlap == BL_OVERLAP_REFUSE)
        return bli_plan_check_result(&plan->nest, plan->size[0]);
    bound->binding.method = BLI_METHOD_SEQUENTIAL;
    return BL_OK;
}

/*
 * Bind a sequential plan to the inputs themselves: it reads them in logical order, and
 * linear copies served only to check their values.
 */
static void read_inputs_in_place(struct bli_bound *bound, const struct bl_plan *plan,
                                 const void *const *data)
{
    bound->binding.nest = &plan->nest;
    for (int32_t k = 1; k <= plan->inputs; k++)
        bound->binding.data[k] = (char *)(uintptr_t)data[k - 1];
}

/*
 * Decide the rest of a binding: what the plan has decided, unless it depends on the
 * addresses, the team or the machine.
 */
static bl_status bind_execution(struct bli_bound *bound, const struct bl_plan *plan,
                                const struct bli_team *team)
{
    struct bli_binding *const binding = &bound->binding;

    if (binding->nest == &plan->nest)
        binding->layout = &plan->tiling.layout;
    if (binding->method != BLI_METHOD_SEQUENTIAL && !plan->binds_late && team) {
        binding->non_temporal = false;
        binding->partition.threads = 1;
        if (binding->method == BLI_METHOD_TILES) {
            binding->staged = plan->tiling.staged;
            binding->staging.memory = NULL;
        }
        return BL_OK;
    }
    hold(bound);
    return bli_bind_execution(binding, plan, team);
}

bl_status bli_bind(struct bli_bound *bound, const struct bl_plan *plan, bl_context *ctx,
                   void *out, const void *const *data)
{
    bl_status status =
        is_address(plan, 0, out) ? BL_OK : bli_refuse_address(plan, 0, out);

    bound->binding.nest = &plan->nest;
    bound->binding.data[0] = out;
    bound->binding.params = NULL;
    bound->binding.method = plan->method;
    bound->allocator = ctx ? &ctx->allocator : NULL;
    bound->holds = false;
    for (int32_t k = 1; status == BL_OK && k <= plan->inputs; k++) {
        /* Inputs are only read, but share the kernels' array of addresses. */
        bound->binding.data[k] = (char *)(uintptr_t)data[k - 1];
        if (!is_address(plan, k, data[k - 1]))
            status = bli_refuse_address(plan, k, data[k - 1]);
    }
    if (status == BL_OK && plan->self_overlaps)
        status = bind_repeated(bound, plan, ctx);
    for (int32_t k = 1; status == BL_OK && k <= plan->inputs; k++) {
        if (plan->nest.needs_linear_copy >> k & 1) {
            status = copy_apart(bound, plan, k, ctx);
            if (plan->is_sequential && may_meet(plan, k, out, data[k - 1]))
                bound->binding.method = BLI_METHOD_SEQUENTIAL;
        } else if (!is_elsewhere(plan, k, out, data[k - 1]))
            status = bind_operand(bound, plan, k, ctx);
    }
    if (status == BL_OK && ctx && !plan->is_checked && bli_has_integer_domain(plan))
        status = bli_integer_domain_check(plan, &bound->binding, &ctx->team,
                                          (bl_range){0, plan->nest.count});
    if (bound->binding.method == BLI_METHOD_SEQUENTIAL)
        read_inputs_in_place(bound, plan, data);
    if (status == BL_OK && (bound->binding.method != BLI_METHOD_SMALL || !ctx))
        status = bind_execution(bound, plan, ctx ? &ctx->team : NULL);
    if (status != BL_OK)
        bli_unbind(bound);
    return status;
}
