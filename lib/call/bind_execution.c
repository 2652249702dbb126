/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides what depends on addresses and on the machine now: how a bound plan's result
 * is stored, on how many threads it runs, which of them works on what.  Execution only
 * obeys.
 */
#include "call/call.h"

#include "exec/bind/bind.h"
#include "exec/sequential.h"

/*
 * Decide whether the result is written with non-temporal stores: if the plan says so,
 * and no input is at the same address, so that its lines are in the cache.
 */
static void bind_stores(struct bli_binding *binding, const struct bl_plan *plan)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    bool non_temporal = tiling->non_temporal;

    for (int32_t k = 1; non_temporal && k <= plan->inputs; k++)
        non_temporal = binding->data[k] != binding->data[0];
    binding->non_temporal = non_temporal;
    binding->staged =
        tiling->staged | (non_temporal && tiling->stages_result_for_nt ? 1 : 0);
    binding->params = non_temporal && !(binding->staged & 1) ? BLI_NT_STORES : NULL;
}

/* Set the loops over an operand's elements in its logical order. */
static void order_operand(struct bli_sequence_operand *operand,
                          const struct bli_logical_order *order)
{
    operand->loops = order->rank;
    for (int32_t i = 0; i < order->rank; i++) {
        const int32_t d = order->rank - 1 - i;

        operand->extent[i] = order->extent[d];
        operand->stride[i] = order->stride[d];
        operand->index[i] = 0;
    }
}

/* Decide how a sequential binding goes from element to element. */
static bl_status bind_sequence(struct bli_binding *binding, const struct bl_plan *plan)
{
    struct bli_sequence *sequence;

    binding->non_temporal = false;
    BL_TRY(bli_staging_make(&binding->staging, 1, sizeof *sequence));
    sequence = (struct bli_sequence *)(void *)binding->staging.memory;
    bli_plan_single(&sequence->single, plan);
    for (int32_t k = 0; k <= plan->inputs; k++)
        order_operand(&sequence->operand[k], &plan->logical_order[k]);
    return BL_OK;
}

bl_status bli_bind_execution(struct bli_binding *binding, const struct bl_plan *plan,
                             const struct bli_team *team)
{
    int32_t threads = 1;

    binding->staging.memory = NULL;
    binding->partition.threads = 1;
    binding->partition.nodes = NULL;
    if (binding->method == BLI_METHOD_SEQUENTIAL)
        return bind_sequence(binding, plan);
    if (plan->threads > 1 && team)
        threads = bli_team_size_for(team, plan->threads, plan->threads);
    if (threads > 1 || !team)
        binding->method = bli_plan_range_method(plan);
    bind_stores(binding, plan);
    BL_TRY(bli_staging_make(&binding->staging, threads, plan->tiling.staging));
    return threads == 1
               ? BL_OK
               : bli_partition_plan(&binding->partition, plan, binding, team, threads);
}

void bli_binding_free(const struct bli_binding *binding)
{
    bli_staging_free(&binding->staging);
    bli_partition_free(&binding->partition);
}

void bli_bound_free(struct bli_bound *bound)
{
    for (int32_t i = 0; i < bound->workspaces; i++)
        bli_storage_free(&bound->workspace[i], bound->allocator);
    bli_binding_free(&bound->binding);
    if (bound->nest)
        bli_thread_return(bound->nest);
    bound->holds = false;
}

bl_status bli_run_ranges(const struct bli_team *team, int32_t wanted, int64_t count,
                         int64_t size, bli_body *body, const void *argument)
{
    const int32_t threads = bli_team_size(team, wanted, NULL);
    struct bli_partition partition;

    BL_TRY(bli_partition_result(&partition, team, threads, count, size));
    (void)bli_exec_region(&partition, team, body, argument);
    bli_partition_free(&partition);
    return BL_OK;
}
