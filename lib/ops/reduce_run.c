/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a resolved reduction: plan, overlap, workspace. */
#include "ops/reduce_run.h"
#include "call/aligned.h"
#include "call/shadow.h"

#include "exec/bind/bind.h"
#include "ops/reduce_cache.h"

/* Partial results of at most so many bytes are on the stack. */
#define SMALL_BYTES 2048

/*
 * Write the result's strides along the array's axes, given those along its own; 0 for
 * reduced axes.
 */
static void spread_strides(const struct bli_reduce_call *call, const int64_t *step,
                           int64_t *stride)
{
    int32_t at = call->rank;

    for (int32_t d = call->in->rank - 1; d >= 0; d--) {
        const bool is_folded = (call->axes >> d & 1) != 0;
        const bool is_there = call->keeps ? d >= call->shift : !is_folded;

        at -= is_there;
        stride[d] = is_there && !is_folded ? step[at] : 0;
    }
}

/*
 * Set `*meets` if the result overlaps the array, so that all of the array has to be
 * read first.  BL_ERR_OVERLAP if the overlap is proven and the context refuses it.
 */
BLI_OWN_FRAME static bl_status check_overlap(const struct bli_reduce_plan *plan,
                                             const bl_context *ctx, const bl_array *in,
                                             const bl_array *out,
                                             const int64_t *out_stride, bool *meets)
{
    const struct bli_strided operand[] = {
        {in->rank, (int32_t)plan->out_size, 1, in->extent, out_stride, {0, 0}},
        bli_array_operand(in, (bl_pairing){0, 0}),
    };
    struct bli_nest nest;
    enum bli_overlap overlap;

    bli_nest_make(&nest, 2, operand);
    overlap =
        bli_overlap_operands(&nest, 1, out->data, plan->out_size, in->data, plan->size);
    *meets = overlap != BLI_OVERLAP_NONE;
    if (overlap == BLI_OVERLAP_PARTIAL && ctx->overlap == BL_OVERLAP_REFUSE)
        return bli_fault_operand(bl_error_set(BL_ERR_OVERLAP, "%s", bli_overlap_text),
                                 1);
    return BL_OK;
}

/* Decide the partition of the blocks, and reduce them. */
static bl_status reduce_blocks(const struct bli_reduce_plan *plan, bl_context *ctx,
                               struct bli_reduce_binding *binding, int32_t threads)
{
    const int64_t items =
        bli_reduce_items(plan, binding->width, binding->partials != NULL);

    BL_TRY(bli_partition_evenly(&binding->partition, &ctx->team,
                                threads < items ? threads : (int32_t)items, items,
                                bli_reduce_item_bytes(plan, items), 1));
    bli_exec_reduce(plan, binding, &ctx->team);
    bli_partition_free(&binding->partition);
    return BL_OK;
}

/* Decide the partition of the results, and combine their partial results. */
static bl_status combine(const struct bli_reduce_plan *plan, bl_context *ctx,
                         struct bli_reduce_binding *binding)
{
    const int32_t threads = bli_team_size(
        &ctx->team, bli_clamp_threads(bli_reduce_combining_threads(plan)), NULL);

    BL_TRY(bli_partition_evenly(&binding->partition, &ctx->team, threads, plan->outputs,
                                plan->out_size, 1));
    bli_exec_combine(plan, binding, &ctx->team);
    bli_partition_free(&binding->partition);
    return BL_OK;
}

/* Allocate workspace in which each of `threads` threads gathers blocks. */
static bl_status make_gathered(const struct bli_reduce_plan *plan, bl_context *ctx,
                               int32_t threads, struct bli_storage *storage)
{
    const int64_t each = bli_reduce_gathered(plan);

    storage->bytes = 0;
    storage->data = NULL;
    if (each == 0)
        return BL_OK;
    return bli_storage_make(storage, ctx, each * threads, plan->tile_size,
                            &ctx->placement);
}

/* Reduce by way of partial results: nothing is written before all is read. */
BLI_OWN_FRAME static bl_status run_partials(const struct bli_reduce_plan *plan,
                                            bl_context *ctx,
                                            struct bli_reduce_binding *binding,
                                            int32_t threads)
{
    _Alignas(BLI_ALIGNMENT) char small[SMALL_BYTES];
    const int64_t bytes = bli_reduce_bytes(plan);
    struct bli_storage partials = {.bytes = 0}, gathered;
    bl_status status = make_gathered(plan, ctx, threads, &gathered);

    if (status != BL_OK)
        return status;
    binding->gathered = gathered.data;
    binding->partials = small;
    if (bytes > SMALL_BYTES) {
        status = bli_storage_make(&partials, ctx, bytes, plan->partial_size,
                                  &ctx->placement);
        if (status != BL_OK)
            goto free_gathered;
        binding->partials = partials.data;
    }
    status = reduce_blocks(plan, ctx, binding, threads);
    if (status == BL_OK)
        status = combine(plan, ctx, binding);
    bli_storage_free(&partials, &ctx->allocator);

free_gathered:
    bli_storage_free(&gathered, &ctx->allocator);
    return status;
}

/* Run a reduction on aligned copies of its array and result. */
BLI_OWN_FRAME static bl_status run_copied(const struct bli_reduce_call *call,
                                          bl_context *ctx, const bl_array *out)
{
    static const char *const names[] = {"in"};
    struct bli_reduce_call inner = *call;
    struct bli_aligned aligned;

    BL_TRY(bli_aligned_open(&aligned, ctx, names, "out", out, 1, &call->in, false));
    inner.in = aligned.inputs[0];
    return bli_aligned_close(&aligned, bli_reduce_pass(&inner, ctx, aligned.out));
}

/*
 * Reduce by a plan.  `stride` and `step` are the array's and the result's own strides
 * in bytes, `out_stride` the latter along the array's axes.
 */
static bl_status run_plan(const struct bli_reduce_plan *plan, bl_context *ctx,
                          const bl_array *in, const bl_array *out,
                          const int64_t *stride, const int64_t *step,
                          const int64_t *out_stride)
{
    struct bli_reduce_binding binding = {.in = in->data, .out = out->data};
    const int32_t threads = bli_team_size_for(&ctx->team, plan->threads, plan->grains);
    bool meets = false;
    bl_status status;

    if (plan->count > 0 && bli_arrays_may_meet(in, stride, out, step))
        BL_TRY(check_overlap(plan, ctx, in, out, out_stride, &meets));
    if (bli_reduce_is_staging(plan)) {
        binding.width = bli_reduce_width(plan, threads);
        binding.lanes = bli_reduce_lanes(plan, threads);
        BL_TRY(bli_staging_make(&binding.staging, threads,
                                bli_reduce_staging(plan, threads)));
    }
    status = meets || (plan->blocks > 1 && !bli_reduce_is_by_rows(plan, threads))
                 ? run_partials(plan, ctx, &binding, threads)
                 : reduce_blocks(plan, ctx, &binding, threads);
    bli_staging_free(&binding.staging);
    bli_shadow_carry(out, 1, &in);
    return status;
}

bl_status bli_reduce_pass(const struct bli_reduce_call *call, bl_context *ctx,
                          const bl_array *out)
{
    int64_t stride[BL_MAX_RANK], step[BL_MAX_RANK], out_stride[BL_MAX_RANK];
    const bl_array *const in = call->in;
    const struct bli_reduce_problem problem = {
        call->op,
        bli_isa_pick(ctx->isa),
        in->dtype,
        call->as,
        out->dtype,
        out->stride == NULL,
        call->is_centred,
        call->divisor,
        {in->rank, call->axes, in->extent, stride, out_stride},
        call->part,
        call->is_first,
        bli_team_caches(&ctx->team),
    };
    struct bli_reduce_plan own;
    struct bli_reduce_loan loan;
    bl_status status;
    int64_t outputs;

    if (bli_array_is_unaligned(in) || bli_array_is_unaligned(out))
        return run_copied(call, ctx, out);
    if (bli_shape_numel(call->rank, call->extent, &outputs) && outputs == 0)
        return BL_OK;
    bli_array_steps(in, stride);
    bli_array_steps(out, step);
    spread_strides(call, step, out_stride);
    BL_TRY(bli_reduce_cache_find(&problem, &own, &loan));
    status = run_plan(loan.plan, ctx, in, out, stride, step, out_stride);
    bli_reduce_cache_release(&loan);
    return status;
}
