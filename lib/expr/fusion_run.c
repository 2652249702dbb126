/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes fusions: one parallel region, divided as those of calls are. */
#include "expr/fusion_box.h"

#include "call/call.h"
#include "context/context.h"
#include "exec/bind/bind.h"
#include "exec/thread_limits.h"
#include "exec/trace.h"

/* Partial results that justify one more thread to combine them. */
#define GRAIN_PARTIALS (1 << 15)

/* ---- addresses ---- */

/* Whether a result is over an operand that its program reads after the store. */
static bool is_in_place(const struct bli_fusion_binding *binding)
{
    const struct bli_fusion *const fusion = binding->fusion;
    bool is = false;

    for (int32_t r = 0; r < fusion->results; r++)
        for (uint32_t left = fusion->operand[r].read_within; left; left &= left - 1)
            is = is || binding->data[__builtin_ctz(left)] == binding->data[r];
    return is;
}

static void find_addresses(struct bli_fusion_binding *binding,
                           const struct bli_expr_execution *run)
{
    const struct bli_fusion *const fusion = binding->fusion;

    for (int32_t k = 0; k < fusion->operands; k++) {
        const struct bli_fusion_operand *const operand = &fusion->operand[k];
        void *const data = operand->is_kept  ? (void *)(uintptr_t)&operand->kept
                           : operand->number ? (void *)(uintptr_t)operand->number
                                             : bli_expr_address(run, operand->value);

        binding->data[k] = (char *)data + fusion->offset[k];
    }
    /* Lines of an input are in the cache when its result is written over it. */
    binding->streams = fusion->streams;
    for (int32_t r = 0; binding->streams >> r != 0; r++)
        for (int32_t k = fusion->results; k < fusion->operands; k++)
            if (binding->data[k] == binding->data[r])
                binding->streams &= ~(UINT32_C(1) << r);
    binding->is_in_place = is_in_place(binding);
}

/* ---- regions ---- */

struct share {
    const struct bli_fusion_binding *binding;
    const struct bli_staging *staging;
    const struct bli_trace *trace;
};

static void walk(const struct bli_fusion_binding *binding, bl_range range,
                 char *staging)
{
    if (binding->fusion->is_small)
        bli_fusion_run_small(binding, staging);
    else if (binding->fusion->order == BLI_ORDER_BOXES)
        bli_fusion_walk(binding, range, staging);
    else
        bli_fusion_walk_rows(binding, range, staging);
}

/* Run a range with staging memory on the stack. */
BLI_OWN_FRAME static void run_on_stack(const struct bli_fusion_binding *binding,
                                       bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_FUSION_STACK];

    walk(binding, range, staging);
}

static void run_range(const struct bli_fusion_binding *binding,
                      const struct bli_staging *staging, bl_range range, int32_t thread)
{
    if (staging->memory || binding->fusion->staging == 0)
        walk(binding, range, bli_staging_of(staging, thread));
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
    if (fusion->order != BLI_ORDER_BOXES)
        return bli_partition_evenly(partition, team, threads, fusion->items,
                                    fusion->item_bytes, 1);
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

/* ---- reductions ---- */

struct combination {
    const struct bli_fusion_binding *binding;
    const struct bli_fusion_fold *fold;
};

static void combine_share(const void *argument, int32_t thread, bl_range range)
{
    const struct combination *const combination = argument;

    (void)thread;
    bli_fusion_combine(combination->binding, combination->fold, range);
}

/*
 * Combine the blocks of all results.  Nothing can fail where something is written
 * already.
 */
static bl_status combine(const struct bli_fusion_binding *binding,
                         const struct bli_team *team)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const int64_t most = fusion->results > fusion->folds
                             ? 1
                             : fusion->outputs * fusion->blocks / GRAIN_PARTIALS + 1;
    const int32_t threads = bli_team_size(
        team, bli_clamp_threads(most < fusion->outputs ? most : fusion->outputs), NULL);
    struct bli_partition partition;

    for (int32_t f = 0; f < fusion->folds; f++) {
        const struct combination combination = {binding, &fusion->fold[f]};

        BL_TRY(bli_partition_evenly(&partition, team, threads, fusion->outputs,
                                    (int64_t)sizeof(double), 1));
        (void)bli_exec_region(&partition, team, combine_share, &combination);
        bli_partition_free(&partition);
    }
    return BL_OK;
}

/* Run a fusion with partial results in the execution's memory, on the stack if few. */
BLI_OWN_FRAME static bl_status run_partials(struct bli_fusion_binding *binding,
                                            bl_context *ctx, int32_t threads,
                                            bool is_rehearsal)
{
    _Alignas(BLI_ALIGNMENT) char small[BLI_FUSION_SMALL_PARTIALS];

    if (binding->fusion->partials <= BLI_FUSION_SMALL_PARTIALS)
        binding->partials = small;
    BL_TRY(run_team(binding, &ctx->team, threads, is_rehearsal));
    return is_rehearsal ? BL_OK : combine(binding, &ctx->team);
}

/* ---- parts ---- */

int64_t bli_fusion_partials(const struct bli_fusion *fusion)
{
    return fusion->partials;
}

int64_t bli_fusion_phase_partials(const struct bli_expr_phase *phase)
{
    const int64_t compact = phase->fusion ? phase->fusion->partials : 0;
    const int64_t direct = phase->direct ? phase->direct->partials : 0;

    return compact > direct ? compact : direct;
}

/* What a fusion is divided into. */
static int64_t items_of(const struct bli_fusion *fusion)
{
    return fusion->order == BLI_ORDER_BOXES ? fusion->count : fusion->items;
}

/* Run a part on the calling thread. */
static bl_status run_part(const struct bli_fusion_binding *binding,
                          const struct bli_expr_part *part, bool is_rehearsal)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const int64_t line = fusion->is_small ? fusion->count : fusion->line;
    const bl_range range =
        bli_split_range(items_of(fusion), line, part->part, part->parts);
    struct bli_staging staging;

    BL_TRY(bli_staging_make(&staging, 1, fusion->staging));
    if (!is_rehearsal && range.begin < range.end)
        run_range(binding, &staging, range, 0);
    bli_staging_free(&staging);
    return BL_OK;
}

void bli_fusion_combine_part(const struct bli_fusion *fusion,
                             const struct bli_expr_execution *run)
{
    struct bli_fusion_binding binding = {.fusion = fusion, .partials = run->partials};

    find_addresses(&binding, run);
    for (int32_t f = 0; f < fusion->folds; f++)
        bli_fusion_combine(
            &binding, &fusion->fold[f],
            bli_split_range(fusion->outputs, 1, run->part->part, run->part->parts));
}

/* The threads that a fusion gets. */
static int32_t count_threads(const struct bli_fusion *fusion,
                             const struct bli_team *team)
{
    const int32_t most =
        fusion->order != BLI_ORDER_BOXES && fusion->items < fusion->threads
            ? (int32_t)fusion->items
            : fusion->threads;

    return most > 1 ? bli_team_size_for(team, most, fusion->threads) : 1;
}

bl_status bli_fusion_run(const struct bli_fusion *fusion,
                         const struct bli_expr_execution *run, bool is_rehearsal)
{
    const struct bli_team *const team = &run->ctx->team;
    static const struct bli_staging none = {.memory = NULL};
    struct bli_fusion_binding binding = {.fusion = fusion, .partials = run->partials};

    find_addresses(&binding, run);
    if (run->part)
        return run_part(&binding, run->part, is_rehearsal);
    if (fusion->partials > 0)
        return run_partials(&binding, run->ctx, count_threads(fusion, team),
                            is_rehearsal);
    if (fusion->threads > 1 || fusion->staging > BLI_STACK_BYTES || team->tracer)
        return run_team(&binding, team, count_threads(fusion, team), is_rehearsal);
    if (!is_rehearsal)
        run_range(&binding, &none, (bl_range){0, items_of(fusion)}, 0);
    return BL_OK;
}
