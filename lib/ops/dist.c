/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported distance of two arrays.
 */
#include "ops/ops.h"
#include "call/aligned.h"
#include "call/shadow.h"

#include <broadloom/compat.h>
#include <broadloom/reduce.h>

#include <math.h>

#include "exec/bind/bind.h"
#include "exec/reduce/dist.h"
#include "core/float_control.h"

/* Blocks that justify one more thread: each costs about 1 us. */
#define GRAIN_BLOCKS 4

static bl_status resolve_dtype(const bl_array *const *in, bl_dtype *common)
{
    *common = bli_promote(2, in);
    if ((bli_dtypes[*common].class & BLI_DOMAIN_INEXACT) == 0)
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "dist takes floating-point and complex dtypes, not %s",
                         bl_dtype_name(*common)),
            NULL, *common, BL_DTYPE_NONE);
    return BL_OK;
}

/*
 * Make the loops over operand k's elements in the order of the pairs: row-major in the
 * shape that both broadcast to, or in the operand's shape if it is paired linearly.
 */
static void make_nest(struct bli_dist *dist, int32_t k, const bl_array *in,
                      const bl_rules_answer *answer)
{
    const bool is_flat = answer->pairing[k].kind == BL_PAIRING_LINEAR;
    const bl_pairing own = {BL_PAIRING_BROADCAST, 0};
    const struct bli_strided operand[] = {
        {is_flat ? in->rank : answer->rank,
         dist->size,
         dist->size,
         is_flat ? in->extent : answer->extent,
         NULL,
         {0, 0}},
        bli_array_operand(in, is_flat ? own : answer->pairing[k]),
    };

    bli_nest_make(&dist->nest[k], 2, operand);
    dist->data[k] = in->data;
}

static void choose_kernels(struct bli_dist *dist, const bl_context *ctx,
                           const bl_array *const *in, bl_dtype computed)
{
    const struct bli_isa *const isa = bli_isa_pick(ctx->isa);
    const bl_dtype real = bli_dtype_real(computed);
    const enum bli_fold fold = !isinf(dist->p) ? BLI_REDUCE_OP_SUM
                               : dist->p > 0   ? BLI_REDUCE_OP_MAX
                                               : BLI_REDUCE_OP_MIN;

    for (int32_t k = 0; k < 2; k++)
        dist->stage[k] = bli_isa_kernel(isa, BL_OP_COPY, in[k]->dtype, computed);
    dist->sub = bli_isa_kernel(isa, BL_OP_SUB, computed, computed);
    dist->abs = bli_isa_kernel(isa, BL_OP_ABS, computed, real);
    dist->widen = real == BL_DTYPE_F64
                      ? NULL
                      : bli_isa_kernel(isa, BL_OP_COPY, real, BL_DTYPE_F64);
    dist->pow = bli_isa_kernel(isa, BL_OP_POW, BL_DTYPE_F64, BL_DTYPE_F64);
    dist->reducer = bli_reducer(bli_isa_reducers(isa), fold, BL_DTYPE_F64);
}

/* Decide on how many threads the blocks are reduced, and reserve their staging. */
static bl_status bind(struct bli_dist *dist, const struct bli_team *team)
{
    const int32_t threads =
        bli_team_size(team, bli_clamp_threads(dist->blocks / GRAIN_BLOCKS + 1), NULL);

    BL_TRY(bli_staging_make(&dist->staging, threads, bli_dist_staging(dist)));
    return bli_partition_result(&dist->partition, team, threads, dist->blocks,
                                BLI_ALIGNMENT);
}

static bl_status compute(bl_context *ctx, const bl_array *const *in, bl_dtype common,
                         double p, const bl_rules_answer *answer, double *value)
{
    const bl_dtype computed = bli_dtype_widened(common);
    struct bli_dist dist = {.p = p, .size = bli_dtypes[computed].size};
    struct bli_storage storage;
    bl_status status;

    BL_TRY(bl_shape_numel(answer->rank, answer->extent, &dist.count));
    *value = 0;
    if (dist.count == 0)
        return p < 0 && isinf(p)
                   ? bli_error_argument("p",
                                        "dist of nothing has no smallest difference")
                   : BL_OK;
    dist.blocks = (dist.count - 1) / BLI_REDUCE_BLOCK + 1;
    for (int32_t k = 0; k < 2; k++)
        make_nest(&dist, k, in[k], answer);
    choose_kernels(&dist, ctx, in, computed);
    BL_TRY(bli_storage_make(&storage, ctx, dist.blocks * (int64_t)sizeof(double),
                            sizeof(double), &ctx->placement));
    dist.partial = storage.data;
    status = bind(&dist, &ctx->team);
    if (status == BL_OK)
        *value = bli_exec_dist(&dist, &ctx->team);
    bli_staging_free(&dist.staging);
    bli_partition_free(&dist.partition);
    bli_storage_free(&storage, &ctx->allocator);
    return status;
}

static const char *const names[] = {"a", "b"};

/* Write a number to an array of one element, rounded to its dtype. */
static void store(const bl_context *ctx, double value, const bl_array *out)
{
    char *const data[BLI_MAX_OPERANDS] = {out->data, (char *)&value};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{0}};
    struct bli_float_control own;
    const bool is_set = bli_float_enter_nearest(&own);

    bli_kernel_run(
        bli_isa_kernel(bli_isa_pick(ctx->isa), BL_OP_COPY, BL_DTYPE_F64, out->dtype),
        data, stride, 1, 1, NULL);
    if (is_set)
        bli_float_control_set(own);
}

/* A call, as `user` of a bl_shadow_function. */
struct distance {
    bl_context *ctx;
    const struct bli_call *call;
    bl_dtype common;
    double p;
};

/* Compute a distance by the other rules: a broadcast one of so many pairs at most. */
static bl_status compute_other(void *user, const bl_array *out, int32_t count,
                               const bl_array *const *in)
{
    const struct distance *const distance = user;
    const bool is_flat = distance->ctx->rules == bl_rules_legacy();
    bl_options options = BL_OPTIONS_DEFAULT;
    struct bli_call call = *distance->call;
    bl_rules_answer answer;
    int64_t pairs;
    double value;

    (void)count;
    options.rules = is_flat ? bl_rules_modern() : bl_rules_legacy();
    call.options = &options;
    call.is_quiet = true;
    BL_TRY(bli_broadcast_call(&answer, distance->ctx, &call));
    BL_TRY(bl_shape_numel(answer.rank, answer.extent, &pairs));
    if (pairs > BLI_SHADOW_ELEMENTS)
        return BL_ERR_UNSUPPORTED;
    BL_TRY(compute(distance->ctx, in, distance->common, distance->p, &answer, &value));
    store(distance->ctx, value, out);
    return BL_OK;
}

/* The distance of arrays that are aligned, for a call that returns to `address`. */
static bl_status dist_from(const void *address, bl_context *ctx,
                           const bl_array *const *in, double p, bl_tensor **out)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    const struct bli_call call = {.op = BL_OP_NONE,
                                  .count = 2,
                                  .inputs = in,
                                  .options = &options,
                                  .address = address,
                                  .has_default_names = true,
                                  .can_compare = true,
                                  .function = "dist"};
    struct distance distance = {.ctx = bli_context(ctx), .call = &call, .p = p};
    bl_rules_answer answer;
    bl_shadow *shadow;
    bl_tensor *result;
    bl_status status;
    double value;

    BL_TRY(resolve_dtype(in, &distance.common));
    ctx = distance.ctx;
    options.names = names;
    BL_TRY(bli_broadcast_call(&answer, ctx, &call));

    const bl_dtype to = bli_dtype_real(distance.common);

    shadow = bli_shadow_has_due()
                 ? bli_shadow_open_number(ctx, to, 2, in, compute_other, &distance)
                 : NULL;
    status = compute(ctx, in, distance.common, p, &answer, &value);
    if (status == BL_OK)
        status = bli_tensor_new(ctx, to, 0, NULL, NULL, &result);
    if (status == BL_OK) {
        store(ctx, value, bl_tensor_array(result));
        if (!shadow)
            bli_shadow_carry(bl_tensor_array(result), 2, in);
        *out = result;
    }
    bl_shadow_end(shadow, status == BL_OK ? bl_tensor_array(result) : NULL);
    return status;
}

/* Check the arguments, and run on aligned arrays. */
static bl_status dist_aligned(const void *address, bl_context *ctx, const bl_array *a,
                              const bl_array *b, double p, bl_tensor **out)
{
    const bl_array *const in[] = {a, b};
    struct bli_aligned aligned;

    if (!out)
        return bli_error_null("out");
    if (isnan(p))
        return bli_error_argument("p", "p is NaN");
    for (int32_t k = 0; k < 2; k++)
        BL_TRY(bli_array_check(in[k], names[k], true));
    BL_TRY(bli_aligned_open(&aligned, ctx, names, NULL, NULL, 2, in, false));
    return bli_aligned_close(&aligned, dist_from(address, ctx, aligned.inputs, p, out));
}

bl_status bl_dist(bl_context *ctx, const bl_array *a, const bl_array *b, double p,
                  bl_tensor **out)
{
    BLI_RETURN_CALL(dist_aligned(BLI_RETURN_ADDRESS, ctx, a, b, p, out), "%A%A, p %g",
                    "a", a, "b", b, p);
}
