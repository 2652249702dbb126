/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs reductions.  var and std are several: the means into a workspace, there the sums
 * of the squares of distances from them, then these into the result.
 */
#include "ops/reduce_run.h"

#include "exec/bind/bind.h"

/*
 * Both passes are made over parts of the array of so many bytes for each thread, so
 * that the second one reads from cache.
 */
#define PART_BYTES (1 << 18)

/* Elements that lie side by side are cut into runs of at least so many bytes. */
#define RUN_BYTES 1024

struct variance {
    bl_context *ctx;
    const struct bli_reduce_call *call;
    struct bli_reduce_call part; /* of the part of the array that is `in` */
    bl_array in;
    int64_t extent[BL_MAX_RANK], step[BL_MAX_RANK]; /* of `in`, in bytes */
    bl_dtype dtype;                                 /* of the means: f64 or c128 */
    int64_t mean_step[BL_MAX_RANK];
    char *means;
    double divisor;
    int64_t bytes; /* of a part */
};

/* Make both passes over one part. */
static bl_status run_passes(struct variance *v)
{
    bl_array means = {.data = v->means,
                      .dtype = v->dtype,
                      .rank = v->part.rank,
                      .extent = v->part.extent,
                      .stride = v->mean_step,
                      .flags = BL_ARRAY_BYTE_STRIDES};

    v->part.op = BL_REDUCTION_MEAN;
    v->part.to = means.dtype;
    v->part.is_centred = false;
    BL_TRY(bli_reduce_pass(&v->part, v->ctx, &means));
    v->part.op = v->call->op;
    v->part.to = means.dtype = BL_DTYPE_F64;
    v->part.is_centred = true;
    v->part.divisor = v->divisor;
    return bli_reduce_pass(&v->part, v->ctx, &means);
}

/* The axis of the result that an axis of the array is. */
static int32_t result_axis(const struct variance *v, int32_t axis)
{
    int32_t at = 0;

    for (int32_t d = 0; d < axis; d++)
        at += v->part.keeps || (v->part.axes >> d & 1) == 0;
    return at;
}

static int64_t magnitude(int64_t step)
{
    return step < 0 ? -step : step;
}

/*
 * The axis along which a part of so many bytes is cut into pieces of `*count`: the
 * outermost one in memory.  -1: the part stays whole.
 */
static int32_t find_cut(const struct variance *v, int64_t bytes, int64_t *count)
{
    int32_t axis = -1;
    int64_t step = 0;

    for (int32_t d = 0; bytes > v->bytes && d < v->in.rank; d++)
        if ((v->part.axes >> d & 1) == 0 && v->extent[d] > 1 &&
            magnitude(v->step[d]) > step) {
            step = magnitude(v->step[d]);
            axis = d;
        }
    if (axis < 0)
        return -1;

    const int64_t fits = v->bytes / (bytes / v->extent[axis] + 1);
    const int64_t least = (RUN_BYTES - 1) / step + 1;

    *count = fits > least ? fits : least;
    return *count < v->extent[axis] ? axis : -1;
}

/* Make both passes over a part of so many bytes, in pieces that stay in cache. */
static bl_status run_part(struct variance *v, int64_t bytes)
{
    int64_t count;
    const int32_t d = find_cut(v, bytes, &count);

    if (d < 0)
        return run_passes(v);

    const int32_t at = result_axis(v, d);
    const int64_t all = v->extent[d];
    char *const data = v->in.data, *const means = v->means;
    bl_status status = BL_OK;

    for (int64_t i = 0; i < all && status == BL_OK; i += count) {
        v->extent[d] = v->part.extent[at] = count < all - i ? count : all - i;
        v->in.data = data + i * v->step[d];
        v->means = means + i * v->mean_step[at];
        status = run_part(v, bytes / all * v->extent[d]);
    }
    v->extent[d] = v->part.extent[at] = all;
    v->in.data = data;
    v->means = means;
    return status;
}

/* Write the finished means to the result: sums of one element each. */
BLI_OWN_FRAME static bl_status store(const struct variance *v, const bl_array *out)
{
    const bl_array means = {.data = v->means,
                            .dtype = BL_DTYPE_F64,
                            .rank = v->call->rank,
                            .extent = v->call->extent,
                            .stride = v->mean_step,
                            .flags = BL_ARRAY_BYTE_STRIDES};
    struct bli_reduce_call call = *v->call;

    call.op = BL_REDUCTION_SUM;
    call.in = &means;
    call.axes = 0;
    call.as = BL_DTYPE_F64;
    call.keeps = true;
    return bli_reduce_pass(&call, v->ctx, out);
}

static bl_dtype mean_dtype(bl_dtype dtype)
{
    return bli_dtype_real(dtype) != dtype ? BL_DTYPE_C128 : BL_DTYPE_F64;
}

/* Describe the array and the means. */
static void prepare(struct variance *v)
{
    const bl_array *const in = v->call->in;
    int64_t count = 1, bytes;

    v->dtype = mean_dtype(in->dtype);
    bytes = bli_dtypes[v->dtype].size;
    for (int32_t d = v->call->rank - 1; d >= 0; d--) {
        v->mean_step[d] = bytes;
        bytes *= v->call->extent[d];
    }
    bli_array_steps(in, v->step);
    for (int32_t d = 0; d < in->rank; d++) {
        v->extent[d] = in->extent[d];
        if (v->call->axes >> d & 1)
            count *= in->extent[d];
    }
    v->in = *in;
    v->in.extent = v->extent;
    v->in.stride = v->step;
    v->in.flags |= BL_ARRAY_BYTE_STRIDES;
    v->part = *v->call;
    v->part.in = &v->in;
    v->divisor = (double)count - v->call->correction;
    v->divisor = v->divisor > 0 ? v->divisor : 0;
}

/* Bytes of a workspace, with the means behind `own` bytes; INT64_MAX for more. */
static int64_t workspace(const struct bli_reduce_call *call, int64_t own)
{
    int64_t bytes;

    if (bli_shape_numel(call->rank, call->extent, &bytes) &&
        bli_mul_i64(bytes, bli_dtypes[mean_dtype(call->in->dtype)].size, &bytes) &&
        bli_add_i64(bytes, own, &bytes))
        return bytes;
    return INT64_MAX;
}

static bl_status run_passes_and_store(struct variance *v, const bl_array *out)
{
    const bl_array *const in = v->call->in;
    int64_t all;

    if (!bli_shape_numel(in->rank, in->extent, &all) ||
        !bli_mul_i64(all, bli_dtypes[in->dtype].size, &all))
        all = INT64_MAX;
    prepare(v);
    v->bytes = PART_BYTES *
               (int64_t)bli_team_size(&v->ctx->team,
                                      bli_clamp_threads(all / PART_BYTES + 1), NULL);
    BL_TRY(run_part(v, all));
    return store(v, out);
}

/* Run with all memory in a workspace: two reductions need the stack. */
static bl_status run(const struct bli_reduce_call *call, bl_context *ctx,
                     const bl_array *out)
{
    const int64_t own = bli_align_up(sizeof(struct variance));
    struct bli_storage storage = {.bytes = 0};
    struct variance *v;
    bl_status status;

    BL_TRY(bli_storage_make(&storage, ctx, workspace(call, own), BLI_ALIGNMENT,
                            &ctx->placement));
    v = (struct variance *)(void *)storage.data;
    *v = (struct variance){
        .ctx = ctx, .call = call, .means = (char *)storage.data + own};
    status = run_passes_and_store(v, out);
    bli_storage_free(&storage, &ctx->allocator);
    return status;
}

bl_status bli_reduce_run(const struct bli_reduce_call *call, bl_context *ctx,
                         const bl_array *out)
{
    return bli_reductions[call->op].result == BLI_REDUCED_REAL_PART
               ? run(call, ctx, out)
               : bli_reduce_pass(call, ctx, out);
}
