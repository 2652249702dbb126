/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements in array element order: masks, as PACK and UNPACK, and RESHAPE.
 */
#include "fortran/procedures.h"

/* ---- masks ---- */

static bl_status select_elements(struct blf_call *call, blf_actual a, blf_actual mask,
                                 blf_actual out, int64_t *count)
{
    bl_context *const ctx = blf_context_of(call);
    struct blf_operand *from, *where, *to;
    bl_tensor *result;
    bl_status status = blf_open(call, "a", a, &from);

    if (status == BL_OK)
        status = blf_open_mask(call, "mask", mask, &where);
    if (status == BL_OK)
        status = blf_open_result(call, "out", out, &to);
    if (status == BL_OK)
        status = blf_check_logical(call, blf_is_logical(a), to);
    if (status == BL_OK && to->array.rank != 1)
        status = blf_refuse(call, BL_ERR_SHAPE, "out has rank %d, and the result 1",
                            (int)to->array.rank);
    if (status == BL_OK)
        status = bl_masked_select(ctx, &from->array, &where->array, &result);
    if (status != BL_OK)
        return status;

    const int64_t found = bl_tensor_numel(result);

    /* With `count` the result is the beginning of `out`. */
    if (count && found < to->extent[0])
        to->extent[0] = found;
    status = blf_deliver(call, result, to);
    if (status == BL_OK && count)
        *count = found;
    return status;
}

void blf_masked_select(blf_actual a, blf_actual mask, blf_actual out, int64_t *count,
                       int *stat, blf_actual errmsg, const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_masked_select", (struct blf_end){stat, errmsg, ctx});
    blf_finish(&call, select_elements(&call, a, mask, out, count));
}

/* Scatter `source` into `a`, or into a copy of it that goes to `out`. */
static bl_status scatter(struct blf_call *call, blf_actual a, blf_actual mask,
                         blf_actual source, blf_actual out)
{
    bl_context *const ctx = blf_context_of(call);
    struct blf_operand *field, *where, *from, *to;
    bl_tensor *result;
    bl_status status =
        out ? blf_open(call, "a", a, &field) : blf_open_result(call, "a", a, &field);

    if (status == BL_OK)
        status = blf_open_mask(call, "mask", mask, &where);
    if (status == BL_OK)
        status = blf_open(call, "source", source, &from);
    if (status == BL_OK && out)
        status = blf_open_result(call, "out", out, &to);
    if (status == BL_OK)
        status = blf_check_logical(call, blf_is_logical(a) && blf_is_logical(source),
                                   out ? to : field);
    if (status != BL_OK)
        return status;
    if (!out)
        return bl_masked_scatter_inplace(ctx, &field->array, &where->array,
                                         &from->array);
    status =
        bl_masked_scatter(ctx, &field->array, &where->array, &from->array, &result);
    return status == BL_OK ? blf_deliver(call, result, to) : status;
}

void blf_masked_scatter(blf_actual a, blf_actual mask, blf_actual source,
                        blf_actual out, int *stat, blf_actual errmsg,
                        const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_masked_scatter", (struct blf_end){stat, errmsg, ctx});
    blf_finish(&call, scatter(&call, a, mask, source, out));
}

void blf_masked_scatter_inplace(blf_actual a, blf_actual mask, blf_actual source,
                                int *stat, blf_actual errmsg, const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_masked_scatter_inplace", (struct blf_end){stat, errmsg, ctx});
    blf_finish(&call, scatter(&call, a, mask, source, NULL));
}

static bl_status fill(struct blf_call *call, blf_actual a, blf_actual mask,
                      blf_actual value)
{
    static const char *const names[] = {"mask", "value", "a"};
    bl_options options = BL_OPTIONS_DEFAULT;
    struct blf_operand *field, *where, *from;
    bl_status status = blf_open_result(call, "a", a, &field);

    if (status == BL_OK)
        status = blf_open_mask(call, "mask", mask, &where);
    if (status == BL_OK)
        status = blf_open(call, "value", value, &from);
    if (status == BL_OK)
        status = blf_check_logical(call, blf_is_logical(value), field);
    if (status != BL_OK)
        return status;
    options.names = names;
    return bl_apply(
        blf_context_of(call), BL_OP_WHERE, &field->array, 3,
        (const bl_array *const[]){&where->array, &from->array, &field->array},
        &options);
}

void blf_masked_fill_inplace(blf_actual a, blf_actual mask, blf_actual value, int *stat,
                             blf_actual errmsg, const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_masked_fill_inplace", (struct blf_end){stat, errmsg, ctx});
    blf_finish(&call, fill(&call, a, mask, value));
}

/* ---- reshape ---- */

/* Rules that pair the k-th element of `a` with the k-th of the result, operand 0. */
static bl_status pair_elements(const bl_rules *rules, const bl_rules_query *query,
                               bl_rules_answer *answer)
{
    const bl_shape result = query->operand[0].shape;

    (void)rules;
    answer->rank = result.rank;
    answer->events = 0;
    for (int32_t d = 0; d < result.rank; d++)
        answer->extent[d] = result.extent[d];
    answer->pairing[0] = (bl_pairing){BL_PAIRING_BROADCAST, 0};
    answer->pairing[1] = (bl_pairing){BL_PAIRING_LINEAR, 0};
    return BL_OK;
}

static bl_status reshape(struct blf_call *call, blf_actual a, blf_actual out)
{
    static const bl_rules in_order = {sizeof in_order, "reshape", pair_elements, NULL,
                                      0};
    bl_options options = BL_OPTIONS_DEFAULT;
    struct blf_operand *from, *to;
    int64_t numel = 0, wanted = 0;
    bl_status status = blf_open(call, "a", a, &from);

    if (status == BL_OK)
        status = blf_open_result(call, "out", out, &to);
    if (status == BL_OK)
        status = blf_check_logical(call, blf_is_logical(a), to);
    if (status == BL_OK)
        status = bl_shape_numel(from->array.rank, from->extent, &numel);
    if (status == BL_OK)
        status = bl_shape_numel(to->array.rank, to->extent, &wanted);
    if (status == BL_OK && numel != wanted)
        status = blf_refuse(call, BL_ERR_SHAPE, "a has %lld elements and out %lld",
                            (long long)numel, (long long)wanted);
    if (status != BL_OK)
        return status;
    options.rules = &in_order;
    return bl_apply(blf_context_of(call), BL_OP_COPY, &to->array, 1,
                    (const bl_array *const[]){&from->array}, &options);
}

void blf_reshape(blf_actual a, blf_actual out, int *stat, blf_actual errmsg,
                 const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_reshape", (struct blf_end){stat, errmsg, ctx});
    blf_finish(&call, reshape(&call, a, out));
}
