/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of dtypes and operators, expanded from dtypes.def and ops.def.
 */
#include "core/core.h"

#include <string.h>

/* Number of inputs of each kind in ops.def. */
enum {
    COUNT_UNARY = 1,
    COUNT_BINARY = 2,
    COUNT_TERNARY = 3,
    COUNT_QUATERNARY = 4,
    COUNT_SELECT = 3,
    COUNT_CONVERT = 1
};

/* Decimal digits for so many bits; 0.30103 is the logarithm of 2. */
#define DECIMALS(bits) ((bits)*30103 / 100000 + 2)

const struct bli_dtype bli_dtypes[BLI_DTYPES] = {
#define SIGNED_BOOL(type)    false
#define SIGNED_INT(type)     ((type)-1 < (type)1)
#define SIGNED_FLOAT(type)   true
#define SIGNED_COMPLEX(type) true
#define BL_DTYPE(name, value, class, stored, computed, load, store, digits, lowest,    \
                 npy, torch, cxx, text)                                                \
    [value] = {#name,                                                                  \
               npy,                                                                    \
               torch,                                                                  \
               cxx,                                                                    \
               BLI_CLASS_##class,                                                      \
               sizeof(stored),                                                         \
               _Alignof(stored),                                                       \
               digits,                                                                 \
               lowest,                                                                 \
               DECIMALS(digits),                                                       \
               SIGNED_##class(computed)},
#include "core/tables/dtypes.def"
#undef BL_DTYPE
};

const struct bli_op bli_ops[] = {
#define BL_OP(name, value, inputs, domain, result, impl, expression, text)             \
    [value] = {#name,                                                                  \
               text,                                                                   \
               BLI_INPUTS_##inputs,                                                    \
               COUNT_##inputs,                                                         \
               BLI_DOMAIN_##domain,                                                    \
               BLI_RESULT_##result,                                                    \
               BLI_IMPL_##impl},
#include "core/tables/ops.def"
#undef BL_OP
};

const int32_t bli_ops_count = sizeof bli_ops / sizeof *bli_ops;

bool bli_dtype_is_valid(bl_dtype dtype)
{
    return (int32_t)dtype > 0 && (int32_t)dtype < BLI_DTYPES;
}

bl_dtype bli_dtype_widened(bl_dtype dtype)
{
    return bli_dtypes[dtype].class == BLI_CLASS_FLOAT &&
                   bli_dtypes[dtype].size < (int32_t)sizeof(float)
               ? BL_DTYPE_F32
               : dtype;
}

bl_dtype bli_dtype_real(bl_dtype dtype)
{
    return dtype == BL_DTYPE_C64    ? BL_DTYPE_F32
           : dtype == BL_DTYPE_C128 ? BL_DTYPE_F64
                                    : dtype;
}

bool bli_op_is_valid(bl_op op)
{
    return (int32_t)op > 0 && (int32_t)op < bli_ops_count && bli_ops[op].name != NULL;
}

size_t bl_dtype_size(bl_dtype dtype)
{
    return bli_dtype_is_valid(dtype) ? (size_t)bli_dtypes[dtype].size : 0;
}

const char *bl_dtype_name(bl_dtype dtype)
{
    return bli_dtype_is_valid(dtype) ? bli_dtypes[dtype].name : NULL;
}

bl_dtype bl_dtype_find(const char *name)
{
    for (int32_t i = 1; name && i < BLI_DTYPES; i++)
        if (strcmp(name, bli_dtypes[i].name) == 0)
            return (bl_dtype)i;
    return BL_DTYPE_NONE;
}

bl_op bl_op_find(const char *name)
{
    for (int32_t i = 1; name && i < bli_ops_count; i++)
        if (bli_ops[i].name && strcmp(name, bli_ops[i].name) == 0)
            return (bl_op)i;
    return BL_OP_NONE;
}

bl_dtype bli_op_computed(bl_op op, bl_dtype dtype)
{
    const int32_t domain = bli_ops[op].domain;
    const int32_t class = bli_dtypes[dtype].class;

    if (domain & class)
        return dtype;
    /* Like PyTorch's, lerp takes no integers. */
    if ((domain & BLI_CLASS_INT) || !(class & BLI_DOMAIN_BITS) || op == BL_OP_LERP)
        return BL_DTYPE_NONE;
    return BL_DTYPE_F32;
}

bl_dtype bli_op_result(bl_op op, bl_dtype dtype)
{
    if (bli_ops[op].result == BLI_RESULT_BOOL)
        return BL_DTYPE_BOOL;
    return bli_ops[op].result == BLI_RESULT_REAL_PART ? bli_dtype_real(dtype) : dtype;
}

bool bli_op_wants_nearest(bl_op op, bl_dtype dtype)
{
    const int32_t class = bli_dtypes[dtype].class;

    switch (op) {
    case BL_OP_TRUNC_DIVIDE:
    case BL_OP_RSQRT:
    case BL_OP_NEXTAFTER:
    case BL_OP_FLOOR:
    case BL_OP_CEIL:
    case BL_OP_TRUNC:
    case BL_OP_ROUND:
        return true;
    case BL_OP_ABS:
    case BL_OP_SIGN:
    case BL_OP_SQRT:
        return class == BLI_CLASS_COMPLEX;
    default:
        return bli_ops[op].impl >= BLI_IMPL_VECTOR;
    }
}
