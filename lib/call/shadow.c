/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes calls the other way, and compares results.  Both are seen in the shape that
 * broadcasting gives, and of a large one at every second, third, ... index alone.
 */
#include "call/shadow.h"

#include <broadloom/compat.h>
#include <broadloom/scalar.h>

#include "core/lend.h"
#include "diag/warnings.h"

struct bl_shadow {
    struct bli_site *site;
    bl_tensor *other;
    bool is_flat; /* the call pairs as 1-D: the other result is only what is compared */
    int32_t rank; /* what is compared: indices 0, step, 2 * step, ... */
    int64_t extent[BL_MAX_RANK];
    int64_t step[BL_MAX_RANK];
    int32_t count;
    struct bli_bytes inputs[BL_MAX_INPUTS];
};

/* The array of what is compared, with its extents and strides. */
struct seen {
    bl_array array;
    int64_t stride[BL_MAX_RANK];
};

static bool is_number(const bl_array *array)
{
    return (array->flags & BL_ARRAY_SCALAR) != 0;
}

/* ---- what is compared ---- */

/* Broadcast the shape of an array into what is compared; false where that fails. */
static bool widen(bl_shadow *shadow, const bl_array *array)
{
    while (shadow->rank < array->rank) {
        for (int32_t d = shadow->rank++; d > 0; d--)
            shadow->extent[d] = shadow->extent[d - 1];
        shadow->extent[0] = 1;
    }
    for (int32_t d = 0; d < array->rank; d++) {
        int64_t *const extent = &shadow->extent[shadow->rank - array->rank + d];

        if (*extent != array->extent[d] && *extent != 1 && array->extent[d] != 1)
            return false;
        if (*extent == 1)
            *extent = array->extent[d];
    }
    return true;
}

/* Find the shape of what is compared, of at most BLI_SHADOW_ELEMENTS elements. */
static bool find_shape(bl_shadow *shadow, int32_t count, const bl_array *const *inputs)
{
    double elements = 1;

    shadow->rank = 0;
    for (int32_t k = 0; k < count; k++)
        if (!is_number(inputs[k]) && !widen(shadow, inputs[k]))
            return false;
    for (int32_t d = 0; d < shadow->rank; d++)
        elements *= (double)shadow->extent[d];
    /* From the first dimension on, so that rows stay whole. */
    for (int32_t d = 0; d < shadow->rank; d++) {
        const int64_t extent = shadow->extent[d];
        const double excess = elements / BLI_SHADOW_ELEMENTS;

        shadow->step[d] = excess <= 1               ? 1
                          : excess < (double)extent ? (int64_t)excess + 1
                                                    : extent;
        shadow->extent[d] = (extent - 1) / shadow->step[d] + 1;
        elements = elements / (double)extent * (double)shadow->extent[d];
    }
    return elements > 0;
}

/* See an array, which broadcasts to it, in the shape of what is compared. */
static void see(struct seen *seen, const bl_shadow *shadow, const bl_array *array)
{
    const int32_t shift = shadow->rank - array->rank;
    int64_t compact = 1;

    seen->array = *array;
    seen->array.rank = shadow->rank;
    seen->array.extent = shadow->extent;
    seen->array.stride = seen->stride;
    for (int32_t d = shadow->rank - 1; d >= 0; d--) {
        const int64_t extent = d < shift ? 1 : array->extent[d - shift];
        const int64_t stride = d < shift       ? 0
                               : array->stride ? array->stride[d - shift]
                                               : compact;

        seen->stride[d] = extent == 1 ? 0 : stride * shadow->step[d];
        compact *= extent;
    }
    if (!array->stride)
        seen->array.flags &= ~BL_ARRAY_BYTE_STRIDES;
}

/* ---- the other result ---- */

/* Compute the operation on operands that broadcast. */
static bl_status broadcast(bl_shadow *shadow, bl_context *ctx, bl_dtype dtype,
                           int32_t count, const bl_array *const *inputs,
                           bl_shadow_function function, void *user)
{
    struct seen seen[BL_MAX_INPUTS];
    const bl_array *list[BL_MAX_INPUTS];

    for (int32_t k = 0; k < count; k++) {
        list[k] = inputs[k];
        if (!is_number(inputs[k])) {
            see(&seen[k], shadow, inputs[k]);
            list[k] = &seen[k].array;
        }
    }
    BL_TRY(
        bli_tensor_new(ctx, dtype, shadow->rank, shadow->extent, NULL, &shadow->other));
    return function(user, bl_tensor_array(shadow->other), count, list);
}

/* Free a shadow, and let the thread's calls carry marks again. */
static void drop(bl_shadow *shadow)
{
    bl_warnings_suppress_end();
    bli_shadow_pause(-1);
    bl_tensor_release(shadow->other);
    bli_thread_return(shadow);
}

/* Keep a shadow whose other result has been computed, until bl_shadow_end(). */
static bl_shadow *keep(bl_shadow *shadow, bl_status status)
{
    if (status == BL_OK)
        return shadow;
    drop(shadow);
    return NULL;
}

/*
 * The shadow of a call at a site; NULL where it cannot be compared.  Until it is
 * dropped, calls of the thread raise no warnings and carry no marks.
 */
static bl_shadow *make(struct bli_site *site, bool is_flat, int32_t count,
                       const bl_array *const *inputs)
{
    bl_shadow *const shadow = bli_thread_lend(sizeof *shadow);

    if (!shadow)
        return NULL;
    bli_shadow_pause(1);
    bl_warnings_suppress_begin();
    shadow->site = site;
    shadow->other = NULL;
    shadow->is_flat = is_flat;
    shadow->count = count;
    for (int32_t k = 0; k < count; k++)
        shadow->inputs[k] = bli_array_bytes(inputs[k]);
    if (find_shape(shadow, count, inputs))
        return shadow;
    drop(shadow);
    return NULL;
}

bl_shadow *bl_shadow_begin(bl_context *ctx, bl_dtype dtype, int32_t count,
                           const bl_array *const *inputs, bl_shadow_function function,
                           void *user)
{
    struct bli_site *const site = bli_shadow_take(true);
    bl_shadow *shadow;

    if (!site || !function || count < 1 || count > BL_MAX_INPUTS)
        return NULL;
    shadow = make(site, true, count, inputs);
    if (!shadow)
        return NULL;
    return keep(shadow, broadcast(shadow, ctx, dtype, count, inputs, function, user));
}

/* A call of an operator, as `user` of a bl_shadow_function. */
struct operation {
    bl_context *ctx;
    const struct bli_call *call;
    const struct bli_shadow_functions *functions;
    bl_options options;
};

static bl_status apply(void *user, const bl_array *out, int32_t count,
                       const bl_array *const *inputs)
{
    const struct operation *const operation = user;

    return operation->functions->apply(operation->ctx, operation->call->op, out, count,
                                       inputs, &operation->options);
}

bl_shadow *bli_shadow_open(bl_context *ctx, const struct bli_call *call, bl_dtype dtype,
                           const struct bli_shadow_functions *functions)
{
    const bl_rules *const rules =
        call->options && call->options->rules ? call->options->rules : ctx->rules;
    const bool is_flat = rules == bl_rules_legacy();
    struct bli_site *const site = bli_shadow_take(false);
    struct operation operation = {ctx, call, functions, BL_OPTIONS_DEFAULT};
    bl_shadow *shadow;

    if (!site)
        return NULL;
    shadow = make(site, is_flat, call->count, call->inputs);
    if (!shadow)
        return NULL;
    operation.options.rules = is_flat ? bl_rules_modern() : bl_rules_legacy();
    operation.options.dtype = dtype;
    return keep(shadow,
                is_flat ? broadcast(shadow, ctx, dtype, call->count, call->inputs,
                                    apply, &operation)
                        : functions->apply_new(ctx, call->op, call->count, call->inputs,
                                               &operation.options, &shadow->other));
}

bl_shadow *bli_shadow_open_number(bl_context *ctx, bl_dtype dtype, int32_t count,
                                  const bl_array *const *inputs,
                                  bl_shadow_function function, void *user)
{
    struct bli_site *const site = bli_shadow_take(false);
    bl_shadow *const shadow = site ? make(site, true, count, inputs) : NULL;
    bl_status status;

    if (!shadow)
        return NULL;
    shadow->rank = 0;
    status = bli_tensor_new(ctx, dtype, 0, NULL, NULL, &shadow->other);
    if (status == BL_OK)
        status = function(user, bl_tensor_array(shadow->other), count, inputs);
    return keep(shadow, status);
}

/* ---- afterwards ---- */

/* Compare one number, which was computed of all elements; false if of some. */
static bool narrow(bl_shadow *shadow)
{
    bool is_whole = true;

    for (int32_t d = 0; d < shadow->rank; d++)
        is_whole = is_whole && shadow->step[d] == 1;
    shadow->rank = 0;
    return is_whole;
}

void bl_shadow_end(bl_shadow *shadow, const bl_array *result)
{
    struct bli_difference difference;
    struct bli_bytes span;
    struct seen seen, other;

    if (!shadow)
        return;
    if (result && result->rank <= shadow->rank &&
        (result->rank > 0 || narrow(shadow))) {
        span = bli_array_bytes(result);
        other.array = *bl_tensor_array(shadow->other);
        if (shadow->rank == 0)
            other.array.rank = 0;
        if (!shadow->is_flat)
            see(&other, shadow, bl_tensor_array(shadow->other));
        see(&seen, shadow, result);
        bli_difference_find(&difference, &seen.array, &other.array);
        bli_shadow_add(shadow->site, &difference, &span, shadow->count, shadow->inputs);
    }
    drop(shadow);
}
