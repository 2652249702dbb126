/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Promotion as pure functions over a table: which dtype several dtypes are computed in,
 * and what may be cast to what.  How operators use it is in dtypes.c.
 */
#include "call/call.h"

#include <inttypes.h>
#include <stdio.h>

/* Short names for the table; NO: no dtype yet. */
enum {
    NO = BL_DTYPE_NONE,
    TF = BL_DTYPE_BOOL,
    U1 = BL_DTYPE_U8,
    I1 = BL_DTYPE_I8,
    U2 = BL_DTYPE_U16,
    I2 = BL_DTYPE_I16,
    U4 = BL_DTYPE_U32,
    I4 = BL_DTYPE_I32,
    U8 = BL_DTYPE_U64,
    I8 = BL_DTYPE_I64,
    F2 = BL_DTYPE_F16,
    B2 = BL_DTYPE_BF16,
    F4 = BL_DTYPE_F32,
    F8 = BL_DTYPE_F64,
    C4 = BL_DTYPE_C64,
    C8 = BL_DTYPE_C128
};

/*
 * The promotion of two dtypes of equal rank: PyTorch's promoteTypes, except that f16
 * and a complex dtype give c64 for want of a complex32.  What PyTorch has no types for
 * follows NumPy's result_type.
 */
/* clang-format off */
static const uint8_t promoted[BLI_DTYPES][BLI_DTYPES] = {
    /*       NO  TF  U1  I1  U2  I2  U4  I4  U8  I8  F2  B2  F4  F8  C4  C8 */
    [NO] = { NO, TF, U1, I1, U2, I2, U4, I4, U8, I8, F2, B2, F4, F8, C4, C8 },
    [TF] = { TF, TF, U1, I1, U2, I2, U4, I4, U8, I8, F2, B2, F4, F8, C4, C8 },
    [U1] = { U1, U1, U1, I2, U2, I2, U4, I4, U8, I8, F2, B2, F4, F8, C4, C8 },
    [I1] = { I1, I1, I2, I1, I4, I2, I8, I4, F8, I8, F2, B2, F4, F8, C4, C8 },
    [U2] = { U2, U2, U2, I4, U2, I4, U4, I4, U8, I8, F2, B2, F4, F8, C4, C8 },
    [I2] = { I2, I2, I2, I2, I4, I2, I8, I4, F8, I8, F2, B2, F4, F8, C4, C8 },
    [U4] = { U4, U4, U4, I8, U4, I8, U4, I8, U8, I8, F2, B2, F4, F8, C4, C8 },
    [I4] = { I4, I4, I4, I4, I4, I4, I8, I4, F8, I8, F2, B2, F4, F8, C4, C8 },
    [U8] = { U8, U8, U8, F8, U8, F8, U8, F8, U8, F8, F2, B2, F4, F8, C4, C8 },
    [I8] = { I8, I8, I8, I8, I8, I8, I8, I8, F8, I8, F2, B2, F4, F8, C4, C8 },
    [F2] = { F2, F2, F2, F2, F2, F2, F2, F2, F2, F2, F2, F4, F4, F8, C4, C8 },
    [B2] = { B2, B2, B2, B2, B2, B2, B2, B2, B2, B2, F4, B2, F4, F8, C4, C8 },
    [F4] = { F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F8, C4, C8 },
    [F8] = { F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, C8, C8 },
    [C4] = { C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C8, C4, C8 },
    [C8] = { C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8 },
};
/* clang-format on */

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
    return (bl_dtype)promoted[higher][class == BLI_CLASS_FLOAT ? C4 : lower];
}

bl_dtype bli_promote(int32_t count, const bl_array *const *arrays)
{
    bl_dtype with_dims = BL_DTYPE_NONE;
    bl_dtype zero_dims = BL_DTYPE_NONE;
    bl_dtype numbers = BL_DTYPE_NONE;

    for (int32_t k = 0; k < count; k++) {
        const bl_array *const array = arrays[k];

        if (array->rank > 0)
            with_dims = (bl_dtype)promoted[with_dims][array->dtype];
        else if (array->flags & BL_ARRAY_SCALAR)
            numbers = (bl_dtype)promoted[numbers][number_dtype(array->dtype)];
        else
            zero_dims = (bl_dtype)promoted[zero_dims][array->dtype];
    }
    return combine(with_dims, combine(zero_dims, numbers));
}

static bl_status promote_dtypes(bl_dtype a, bl_dtype b, bl_dtype *result)
{
    BL_TRY(bli_dtype_check("a", a));
    BL_TRY(bli_dtype_check("b", b));
    if (!result)
        return bli_error_null("result");
    *result = (bl_dtype)promoted[a][b];
    return BL_OK;
}

bl_status bl_promote_dtypes(bl_dtype a, bl_dtype b, bl_dtype *result)
{
    BLI_RETURN_CALL(promote_dtypes(a, b, result), "a %t, b %t", a, b);
}

static bl_status result_dtype(int32_t count, const bl_array *const *arrays,
                              bl_dtype *result)
{
    char name[32];

    if (count < 1)
        return bli_error_argument("count", "count %" PRId32 " is not positive", count);
    if (!arrays || !result)
        return bli_error_null(arrays ? "result" : "arrays");
    for (int32_t k = 0; k < count; k++) {
        snprintf(name, sizeof name, "array %" PRId32, k);
        if (!arrays[k])
            return bli_error_null(name);
        BL_TRY(bli_dtype_check(name, arrays[k]->dtype));
        if (arrays[k]->flags & ~BLI_ARRAY_FLAGS)
            return bli_error_argument(name, "%s: unknown flags 0x%" PRIx32, name,
                                      arrays[k]->flags & ~BLI_ARRAY_FLAGS);
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
