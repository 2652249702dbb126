/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Promotion as pure functions of the columns of dtypes.def: which dtype several dtypes
 * are computed in, and what may be cast to what.  How operators use it is in dtypes.c.
 */
#include "call/call.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * Whether a promotion to `dtype` keeps `other`: it is of a lower category, except that
 * a complex dtype keeps the precision of a real one, or all of its numbers are also of
 * `dtype`.  Classes are numbered in the order of the categories.
 */
static bool keeps(const struct bli_dtype *dtype, const struct bli_dtype *other)
{
    if (dtype->class < other->class)
        return false;
    return (dtype->class > other->class && other->class != BLI_CLASS_FLOAT) ||
           (dtype->digits >= other->digits && dtype->lowest <= other->lowest &&
            dtype->is_signed >= other->is_signed);
}

/*
 * The promotion of two dtypes of equal rank: the narrowest that keeps both; NONE is no
 * dtype yet.  It is PyTorch's promoteTypes, except that f16 and a complex dtype give
 * c64 for want of a complex32.  What PyTorch has no types for follows NumPy's
 * result_type: integers that no integer keeps, u64 with signed ones, give f64.
 */
static bl_dtype promote(bl_dtype a, bl_dtype b)
{
    const struct bli_dtype *const of = bli_dtypes;
    const int32_t class = of[a].class > of[b].class ? of[a].class : of[b].class;
    bl_dtype best = BL_DTYPE_NONE;

    if (keeps(&of[a], &of[b]))
        return a;
    if (keeps(&of[b], &of[a]))
        return b;
    for (int32_t d = 1; d < BLI_DTYPES; d++)
        if (of[d].class == class && keeps(&of[d], &of[a]) && keeps(&of[d], &of[b]) &&
            (best == BL_DTYPE_NONE || of[d].size < of[best].size))
            best = (bl_dtype)d;
    return best != BL_DTYPE_NONE ? best : BL_DTYPE_F64;
}

/* The dtype that a scalar promotes as: the default dtype of its category. */
static bl_dtype number_dtype(bl_dtype dtype)
{
    switch (bli_dtypes[dtype].class) {
    case BLI_CLASS_INT:
        return BL_DTYPE_I64;
    case BLI_CLASS_FLOAT:
        return BL_DTYPE_F32;
    case BLI_CLASS_COMPLEX:
        return BL_DTYPE_C64;
    default:
        return dtype;
    }
}

/*
 * The promotion of `higher`, the dtype of operands of a higher priority, with `lower`,
 * that of operands of a lower one; NONE: there are none.
 */
static bl_dtype combine(bl_dtype higher, bl_dtype lower)
{
    const int32_t class = bli_dtypes[higher].class;

    if (bli_dtypes[lower].class <= class)
        return higher;
    /* A real dtype keeps its width. */
    return promote(higher, class == BLI_CLASS_FLOAT ? BL_DTYPE_C64 : lower);
}

bl_dtype bli_promote(int32_t count, const bl_array *const *arrays)
{
    bl_dtype with_dims = BL_DTYPE_NONE;
    bl_dtype zero_dims = BL_DTYPE_NONE;
    bl_dtype numbers = BL_DTYPE_NONE;

    for (int32_t k = 0; k < count; k++) {
        const bl_array *const array = arrays[k];

        if (array->rank > 0)
            with_dims = promote(with_dims, array->dtype);
        else if (array->flags & BL_ARRAY_SCALAR)
            numbers = promote(numbers, number_dtype(array->dtype));
        else
            zero_dims = promote(zero_dims, array->dtype);
    }
    return combine(with_dims, combine(zero_dims, numbers));
}

static bl_status promote_dtypes(bl_dtype a, bl_dtype b, bl_dtype *result)
{
    BL_TRY(bli_dtype_check("a", a));
    BL_TRY(bli_dtype_check("b", b));
    if (!result)
        return bli_error_null("result");
    *result = promote(a, b);
    return BL_OK;
}

bl_status bl_promote_dtypes(bl_dtype a, bl_dtype b, bl_dtype *result)
{
    BLI_RETURN_CALL(promote_dtypes(a, b, result), "a %t, b %t", a, b);
}

/* Refuse array `k`, which is null or has a dtype or flags that do not exist. */
static bl_status refuse_array(int32_t k, const bl_array *array)
{
    char name[32];

    snprintf(name, sizeof name, "array %" PRId32, k);
    if (!array)
        return bli_error_null(name);
    BL_TRY(bli_dtype_check(name, array->dtype));
    return bli_error_argument(name, "%s: unknown flags 0x%" PRIx32, name,
                              array->flags & ~BLI_ARRAY_FLAGS);
}

static bl_status result_dtype(int32_t count, const bl_array *const *arrays,
                              bl_dtype *result)
{
    if (count < 1)
        return bli_error_argument("count", "count %" PRId32 " is not positive", count);
    if (!arrays || !result)
        return bli_error_null(arrays ? "result" : "arrays");
    for (int32_t k = 0; k < count; k++) {
        const bl_array *const array = arrays[k];

        if (!array || !bli_dtype_is_valid(array->dtype) ||
            (array->flags & ~BLI_ARRAY_FLAGS) != 0)
            return refuse_array(k, array);
    }
    *result = bli_promote(count, arrays);
    return BL_OK;
}

bl_status bl_result_dtype(int32_t count, const bl_array *const *arrays,
                          bl_dtype *result)
{
    BLI_RETURN_CALL(result_dtype(count, arrays, result), "%d arrays", count);
}

bool bl_can_cast(bl_dtype from, bl_dtype to)
{
    /* Classes are numbered in the order of the categories. */
    return bli_dtype_is_valid(from) && bli_dtype_is_valid(to) &&
           bli_dtypes[from].class <= bli_dtypes[to].class;
}
