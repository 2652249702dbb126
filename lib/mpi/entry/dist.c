/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distance of two tensors over ranks: their difference, over ranks where operands
 * lie otherwise, absolute values raised to the power on each, and one reduction.
 */
#include <broadloom/promote.h>
#include <float.h>
#include <math.h>

#include "mpi/entry/aligned.h"

/* A call while it is made. */
struct distance {
    bl_context *ctx;
    const bl_mpi_tensor *a, *b;
    double p;
    bl_dtype computed, to; /* of differences, and of the result */
    bl_mpi_tensor *wide[2], *difference, *powers;
};

/* ---- arguments ---- */

/* f16 and bf16 are subtracted in f32, as by bl_dist(). */
static bl_status find_dtypes(struct distance *call)
{
    bl_dtype common, other;

    BL_TRY(bl_promote_dtypes(call->a->dtype, call->b->dtype, &common));
    if (!bl_can_cast(BL_DTYPE_F16, common))
        return bl_error_set(BL_ERR_DTYPE,
                            "dist takes floating-point and complex dtypes, not %s",
                            bl_dtype_name(common));
    BL_TRY(bl_reduction_result_dtype(BL_REDUCTION_VAR, common, &call->to));
    BL_TRY(bl_promote_dtypes(common, BL_DTYPE_F32, &other));
    call->computed = other;
    return BL_OK;
}

static bl_status check(struct distance *call, const bl_tensor *const *out)
{
    if (!call->b || !out)
        return bli_mpi_null(call->b ? "out" : "b");
    if (call->b->grid != call->a->grid)
        return bl_error_set(BL_ERR_ARGUMENT, "b is over another grid than a");
    if (isnan(call->p))
        return bl_error_set(BL_ERR_ARGUMENT, "p is NaN");
    if (!call->a->grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    return find_dtypes(call);
}

/* ---- this rank's part ---- */

/* Elements of a tile, of each thread: what is computed from them stays in its cache. */
enum { TILE = 8192 };

static bl_status apply(bl_context *ctx, bl_op op, const bl_array *to, const bl_array *a,
                       const bl_array *b)
{
    const bl_options options = {.size = sizeof options,
                                .rules = bl_rules_modern(),
                                .axis = BL_AXIS_LAST,
                                .max_growth = DBL_MAX};

    return bl_apply(ctx, op, to, b ? 2 : 1, (const bl_array *[]){a, b}, &options);
}

/* Raise numbers that are not negative, as bl_dist() does; `powers` is compact. */
static bl_status raise(const struct distance *call, const bl_array *powers)
{
    const double p = call->p;

    if (p == 2)
        return apply(call->ctx, BL_OP_MUL, powers, powers, powers);
    if (p == 0)
        for (int64_t i = 0; i < powers->extent[0]; i++)
            ((double *)powers->data)[i] = ((double *)powers->data)[i] != 0;
    else if (p != 1 && !isinf(p))
        return apply(
            call->ctx, BL_OP_POW, powers, powers,
            &(bl_array){.data = (void *)(uintptr_t)&call->p, .dtype = BL_DTYPE_F64});
    return BL_OK;
}

/* `count` elements of a compact block from number `first` on. */
static bl_array elements(const bl_array *block, int64_t first, const int64_t *count)
{
    return (bl_array){.data = (char *)block->data +
                              first * (int64_t)bl_dtype_size(block->dtype),
                      .dtype = block->dtype,
                      .rank = 1,
                      .extent = count};
}

/*
 * |a - b|^p of a tile; without `b`, `a` has the differences.  `work` has room for
 * these, and then for their absolute values.
 */
static bl_status raise_tile(const struct distance *call, const bl_array *a,
                            const bl_array *b, const bl_array *powers,
                            const bl_array work[2])
{
    const bl_array *const difference = b ? &work[0] : a;

    if (b)
        BL_TRY(apply(call->ctx, BL_OP_SUB, difference, a, b));
    BL_TRY(apply(call->ctx, BL_OP_ABS, &work[1], difference, NULL));
    BL_TRY(bli_mpi_copy(call->ctx, powers, &work[1]));
    return raise(call, powers);
}

/* Raise this rank's elements, tile by tile; `in` are compact, the second one or NULL.
 */
static bl_status raise_tiles(const struct distance *call, const bl_array *const in[2],
                             bl_tensor *const room[2], int64_t step)
{
    const bl_array *const powers = bl_mpi_local(call->powers);
    const int64_t all = bl_tensor_numel(call->powers->block);

    for (int64_t i = 0; i < all; i += step) {
        const int64_t count = all - i < step ? all - i : step;
        const bl_array a = elements(in[0], i, &count);
        const bl_array b = elements(in[in[1] != NULL], i, &count);
        const bl_array to = elements(powers, i, &count);
        const bl_array work[2] = {elements(bl_tensor_array(room[0]), 0, &count),
                                  elements(bl_tensor_array(room[1]), 0, &count)};

        BL_TRY(raise_tile(call, &a, in[1] ? &b : NULL, &to, work));
    }
    return BL_OK;
}

/* A block of which elements are aligned and behind each other: a tensor's own, or a
 * copy. */
static bl_status compact(const struct distance *call, const bl_mpi_tensor *tensor,
                         bl_tensor **block)
{
    bl_layout layout;

    BL_TRY(bl_array_layout(bl_mpi_local(tensor), &layout));
    if (!bl_layout_is_contiguous(&layout) || bli_mpi_is_unaligned(bl_mpi_local(tensor)))
        return bl_tensor_clone(call->ctx, bl_mpi_local(tensor), block);
    *block = bl_tensor_retain(tensor->block);
    return BL_OK;
}

/* |difference|^p of this rank's elements, in f64. */
static bl_status raise_own(const struct distance *call)
{
    const bl_mpi_tensor *const first = call->difference ? call->difference : call->a;
    const int64_t step = (int64_t)TILE * bl_context_threads(call->ctx);
    bl_tensor *part[2] = {NULL, NULL}, *room[2] = {NULL, NULL};
    bl_dtype real;
    bl_status status;

    BL_TRY(bl_reduction_result_dtype(BL_REDUCTION_VAR, call->computed, &real));
    status = bl_tensor_empty(call->ctx, call->computed, 1, &step, &room[0]);
    if (status == BL_OK)
        status = bl_tensor_empty(call->ctx, real, 1, &step, &room[1]);
    if (status == BL_OK)
        status = compact(call, first, &part[0]);
    if (status == BL_OK && !call->difference)
        status = compact(call, call->b, &part[1]);
    if (status == BL_OK)
        status =
            raise_tiles(call,
                        (const bl_array *[]){bl_tensor_array(part[0]),
                                             part[1] ? bl_tensor_array(part[1]) : NULL},
                        room, step);
    for (int k = 0; k < 2; k++) {
        bl_tensor_release(part[k]);
        bl_tensor_release(room[k]);
    }
    return status;
}

/* ---- all ranks ---- */

static const bl_options modern = {
    .size = sizeof modern, .axis = BL_AXIS_LAST, .max_growth = DBL_MAX};
static const bl_mpi_options no_limits = {.size = sizeof no_limits,
                                         .call = &modern,
                                         .most_bytes = INT64_MAX,
                                         .most_memory = INT64_MAX};

static const bl_mpi_options unlimited = {
    .size = sizeof unlimited, .most_bytes = INT64_MAX, .most_memory = INT64_MAX};

/* An operand in the dtype that differences are computed in. */
static bl_status widen(struct distance *call, int k, bl_mpi_operand *in)
{
    const bl_mpi_tensor *const tensor = k == 0 ? call->a : call->b;

    in->tensor = tensor;
    if (tensor->dtype == call->computed)
        return BL_OK;
    BL_TRY(bl_mpi_like(call->ctx, tensor, call->computed, &call->wide[k]));
    BL_TRY(bl_mpi_apply(call->ctx, BL_OP_COPY, call->wide[k], 1,
                        &(bl_mpi_operand){tensor, NULL}, &no_limits));
    in->tensor = call->wide[k];
    return BL_OK;
}

/*
 * The differences, as a tensor; not where each rank has the same part of both operands
 * in the dtype of differences, of which tiles suffice.
 */
static bl_status subtract(struct distance *call)
{
    bl_mpi_operand in[2] = {{NULL, NULL}, {NULL, NULL}};

    if (call->a->dtype == call->computed && call->b->dtype == call->computed &&
        bli_spread_is_equal(call->a->spread, call->b->spread))
        return BL_OK;
    for (int k = 0; k < 2; k++)
        BL_TRY(widen(call, k, &in[k]));
    return bl_mpi_apply_new(call->ctx, BL_OP_SUB, 2, in, &no_limits, &call->difference);
}

static bl_status combine(struct distance *call, double *value)
{
    const bl_array out = {.data = value, .dtype = BL_DTYPE_F64};
    const bl_reduction op = !isinf(call->p) ? BL_REDUCTION_SUM
                            : call->p > 0   ? BL_REDUCTION_MAX
                                            : BL_REDUCTION_MIN;
    struct bli_ballot ballot;
    int64_t count;

    BL_TRY(subtract(call));
    BL_TRY(bl_mpi_like(call->ctx, call->difference ? call->difference : call->a,
                       BL_DTYPE_F64, &call->powers));
    BL_TRY(bli_mpi_begin(call->a->grid, &ballot, "bl_mpi_dist"));
    BL_TRY(bli_mpi_agree(call->a->grid, &ballot, raise_own(call)));
    BL_TRY(bl_shape_numel(call->powers->spread->rank, call->powers->spread->extent,
                          &count));
    *value = 0;
    if (count == 0 && call->p < 0 && isinf(call->p))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "dist of nothing has no smallest difference");
    return count == 0 ? BL_OK
                      : bl_mpi_reduce(call->ctx, op, &out, call->powers, 0, NULL, false,
                                      NULL, &unlimited);
}

static double root(double p, double reduced)
{
    if (p == 0 || p == 1 || isinf(p))
        return reduced;
    return p == 2 ? sqrt(reduced) : pow(reduced, 1 / p);
}

/* Write the distance to the result, which exists, so that this cannot fail. */
static void store(const struct distance *call, double value, bl_tensor *out)
{
    const bl_array from = {.data = &value, .dtype = BL_DTYPE_F64};

    value = root(call->p, value);
    (void)!bli_mpi_copy(call->ctx, bl_tensor_array(out), &from);
}

bl_status bl_mpi_dist(bl_context *ctx, const bl_mpi_tensor *a, const bl_mpi_tensor *b,
                      double p, bl_tensor **out)
{
    struct distance call = {.a = a, .b = b, .p = p};
    struct bli_ballot ballot;
    bl_tensor *made = NULL;
    bl_status status;
    double value;

    if (!a)
        return bli_mpi_null("a");
    BL_TRY(bli_mpi_begin(a->grid, &ballot, __func__));
    call.ctx = bli_mpi_context(ctx, a->grid);
    bli_ballot_bytes(&ballot, &p, sizeof p);
    bli_ballot_spread(&ballot, a->spread);
    if (b)
        bli_ballot_spread(&ballot, b->spread);
    status = check(&call, (const bl_tensor *const *)out);
    if (status == BL_OK)
        status = bl_tensor_empty(call.ctx, call.to, 0, NULL, &made);
    status = bli_mpi_agree(a->grid, &ballot, status);
    if (status == BL_OK)
        status = combine(&call, &value);
    if (status == BL_OK) {
        store(&call, value, made);
        *out = made;
    } else
        bl_tensor_release(made);
    for (int k = 0; k < 2; k++)
        bl_mpi_tensor_release(call.wide[k]);
    bl_mpi_tensor_release(call.difference);
    bl_mpi_tensor_release(call.powers);
    return status;
}
