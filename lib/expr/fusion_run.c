/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes fusions: one parallel region, divided as those of calls are. */
#include "expr/fusion_box.h"

#include "call/call.h"
#include "context/context.h"
#include "exec/bind/bind.h"
#include "exec/thread_limits.h"
#include "exec/trace.h"

/* ---- addresses ---- */

static void find_addresses(struct bli_fusion_binding *binding,
                           const struct bli_expr_execution *run)
{
    const struct bli_fusion *const fusion = binding->fusion;

    for (int32_t k = 0; k < fusion->operands; k++) {
        const struct bli_fusion_operand *const operand = &fusion->operand[k];
        void *const data = operand->number ? (void *)(uintptr_t)operand->number
                                           : bli_expr_address(run, operand->value);

        binding->data[k] = (char *)data + fusion->offset[k];
    }
    /* Lines of an input are in the cache when its result is written over it. */
    binding->streams = fusion->streams;
    for (int32_t r = 0; binding->streams >> r != 0; r++)
        for (int32_t k = fusion->results; k < fusion->operands; k++)
            if (binding->data[k] == binding->data[r])
                binding->streams &= ~(UINT32_C(1) << r);
}

/* ---- regions ---- */

struct share {
    const struct bli_fusion_binding *binding;
    const struct bli_staging *staging;
    const struct bli_trace *trace;
};

/* Run a range with staging memory on the stack. */
BLI_OWN_FRAME static void run_on_stack(const struct bli_fusion_binding *binding,
                                       bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];

    bli_fusion_walk(binding, range, staging);
}

static void run_range(const struct bli_fusion_binding *binding,
                      const struct bli_staging *staging, bl_range range, int32_t thread)
{
    if (staging->memory || binding->fusion->staging == 0)
        bli_fusion_walk(binding, range, bli_staging_of(staging, thread));
    else
        run_on_stack(binding, range);
}

static void run_share(const void *argument, int32_t thread, bl_range range)
{
    const struct share *const share = argument;
    const int64_t begin = bli_trace_clock(share->trace);

    run_range(share->binding, share->staging, range, thread);
    bli_trace_slice(share->trace, thread, range, begin);
}

/* Run a partition, or only give back what it holds. */
static void run_partition(const struct bli_fusion_binding *binding,
                          const struct bli_staging *staging,
                          const struct bli_partition *partition,
                          const struct bli_team *team)
{
    struct bli_trace trace = {.team = NULL};
    const struct share share = {binding, staging, &trace};
    int32_t threads;

    if (team->tracer)
        bli_trace_open(&trace, team, BL_OP_NONE);

    const int64_t begin = bli_trace_clock(&trace);

    threads = bli_exec_region(partition, team, run_share, &share);
    bli_trace_region(&trace, threads, (bl_range){0, partition->count}, begin);
}

/* Divide the iterations among threads: the last step that may fail. */
static bl_status divide(struct bli_partition *partition,
                        const struct bli_fusion_binding *binding,
                        const struct bli_team *team, int32_t threads)
{
    const struct bli_fusion *const fusion = binding->fusion;
    struct bli_binding lead = {.nest = fusion->lead ? &fusion->lead->nest : NULL};

    partition->threads = 1;
    partition->is_locked = false;
    partition->count = fusion->count;
    partition->nodes = NULL;
    if (threads == 1)
        return BL_OK;
    lead.data[0] = lead.data[1] = binding->data[0] - fusion->offset[0];
    BL_TRY(bli_partition_plan(partition, fusion->lead, &lead, team, threads));
    partition->line = fusion->line;
    return BL_OK;
}

static bl_status run_team(const struct bli_fusion_binding *binding,
                          const struct bli_team *team, int32_t threads,
                          bool is_rehearsal)
{
    struct bli_partition partition;
    struct bli_staging staging;
    bl_status status;

    BL_TRY(bli_staging_make(&staging, threads, binding->fusion->staging));
    status = divide(&partition, binding, team, threads);
    if (status == BL_OK && is_rehearsal)
        bli_thread_limits_release(partition.threads > 1 && partition.is_locked);
    else if (status == BL_OK)
        run_partition(binding, &staging, &partition, team);
    if (status == BL_OK)
        bli_partition_free(&partition);
    bli_staging_free(&staging);
    return status;
}

bl_status bli_fusion_run(const struct bli_fusion *fusion,
                         const struct bli_expr_execution *run, bool is_rehearsal)
{
    const struct bli_team *const team = &run->ctx->team;
    static const struct bli_staging none = {.memory = NULL};
    struct bli_fusion_binding binding = {.fusion = fusion};

    find_addresses(&binding, run);
    if (fusion->threads > 1 || fusion->staging > BLI_STACK_BYTES || team->tracer)
        return run_team(&binding, team,
                        fusion->threads > 1 ? bli_team_size(team, fusion->threads, NULL)
                                            : 1,
                        is_rehearsal);
    if (!is_rehearsal)
        run_range(&binding, &none, (bl_range){0, fusion->count}, 0);
    return BL_OK;
}
