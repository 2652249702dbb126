/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an actual argument to an array, without a copy.
 */
#include "glue.h"

#include <stdio.h>

/* Fortran's types that have a dtype, the most frequent first. */
static const struct type {
    int code;
    bl_dtype dtype;
    size_t bytes;
    const char *name;
} types[] = {
    {CFI_type_double, BL_DTYPE_F64, 8, "real(8)"},
    {CFI_type_float, BL_DTYPE_F32, 4, "real(4)"},
    {CFI_type_int32_t, BL_DTYPE_I32, 4, "integer(4)"},
    {CFI_type_Bool, BL_DTYPE_BOOL, 1, "logical(c_bool)"},
    {CFI_type_double_Complex, BL_DTYPE_C128, 16, "complex(8)"},
    {CFI_type_float_Complex, BL_DTYPE_C64, 8, "complex(4)"},
    {CFI_type_int64_t, BL_DTYPE_I64, 8, "integer(8)"},
    {CFI_type_int16_t, BL_DTYPE_I16, 2, "integer(2)"},
    {CFI_type_int8_t, BL_DTYPE_I8, 1, "integer(1)"},
/*
 * The standard has a code for logical(c_bool) alone, GCC's header a class of types.
 * Where a compiler has none, other logicals are what it says.
 */
#ifdef CFI_type_Logical
#define WIDE_LOGICAL(bytes) (CFI_type_Logical + (bytes << CFI_type_kind_shift))
    {WIDE_LOGICAL(4), BL_DTYPE_I32, 4, "logical(4)"},
    {WIDE_LOGICAL(2), BL_DTYPE_I16, 2, "logical(2)"},
    {WIDE_LOGICAL(8), BL_DTYPE_I64, 8, "logical(8)"},
#endif
};

#define TYPES (sizeof types / sizeof types[0])

/* NULL for a type without a dtype. */
static inline const struct type *type_of(blf_actual actual)
{
    for (size_t i = 0; i < TYPES; i++)
        if (actual->type == types[i].code)
            return actual->elem_len == types[i].bytes ? &types[i] : NULL;
    return NULL;
}

bool blf_is_wide_logical(blf_actual actual)
{
#ifdef CFI_type_Logical
    return (actual->type & CFI_type_mask) == CFI_type_Logical && actual->elem_len > 1;
#else
    (void)actual;
    return false;
#endif
}

const char *blf_dtype_name(bl_dtype dtype)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].dtype == dtype)
            return types[i].name;
    return bl_dtype_name(dtype);
}

const char *blf_type_name(blf_actual actual, char *text, size_t size)
{
    const struct type *const type = type_of(actual);
    const char *word = NULL;
    size_t kind = actual->elem_len;

    if (type)
        return type->name;
#ifdef CFI_type_Logical
    switch (actual->type & CFI_type_mask) {
    case CFI_type_Integer:
        word = "integer";
        break;
    case CFI_type_Logical:
        word = "logical";
        break;
    case CFI_type_Character:
        word = "character";
        break;
    case CFI_type_Real:
    case CFI_type_Complex:
        word = (actual->type & CFI_type_mask) == CFI_type_Real ? "real" : "complex";
        kind = (size_t)(actual->type >> CFI_type_kind_shift);
        break;
    default:
        break;
    }
#endif
    if (!word)
        return actual->type == CFI_type_struct ? "a derived type" : "of another type";
    snprintf(text, size, "%s(%zu)", word, kind);
    return text;
}

/* Whether an actual argument has no elements, and needs no memory. */
static bool is_empty(blf_actual actual)
{
    bool empty = false;

    for (int k = 0; k < actual->rank; k++) {
        if (actual->dim[k].extent < 0)
            return false;
        empty = empty || actual->dim[k].extent == 0;
    }
    return empty;
}

/* Why an actual argument is refused. */
static bl_status refuse(struct blf_call *call, const char *name, blf_actual actual)
{
    char text[64];

    if (!actual)
        return blf_refuse(call, BL_ERR_ARGUMENT, "%s is absent", name);
    if (actual->version != CFI_VERSION)
        return blf_refuse(call, BL_ERR_UNSUPPORTED,
                          "%s is described in version %d of another Fortran compiler, "
                          "the library was built for version %d",
                          name, actual->version, CFI_VERSION);
    if (!type_of(actual))
        return blf_refuse(call, BL_ERR_DTYPE, "%s is %s, which has no dtype", name,
                          blf_type_name(actual, text, sizeof text));
    if (!actual->base_addr)
        return blf_refuse(call, BL_ERR_ARGUMENT, "%s is not allocated", name);
    return blf_refuse(call, BL_ERR_ARGUMENT,
                      "%s is of assumed size: pass a section, as %s(1:n)", name, name);
}

bl_status blf_open(struct blf_call *call, const char *name, blf_actual actual,
                   struct blf_operand **out)
{
    struct blf_operand *const operand = &call->operand[call->count];
    const struct type *type;

    if (!actual || actual->version != CFI_VERSION)
        return refuse(call, name, actual);
    type = type_of(actual);
    if (!type || (!actual->base_addr && !is_empty(actual)) ||
        (actual->rank > 0 && actual->dim[actual->rank - 1].extent < 0))
        return refuse(call, name, actual);
    operand->name = name;
    operand->actual = actual;
    operand->converted = NULL;
    for (int k = 0; k < actual->rank; k++) {
        operand->extent[actual->rank - 1 - k] = actual->dim[k].extent;
        operand->stride[actual->rank - 1 - k] = actual->dim[k].sm;
    }
    operand->array =
        (bl_array){actual->base_addr, type->dtype,     actual->rank,
                   operand->extent,   operand->stride, BL_ARRAY_BYTE_STRIDES};
    call->count++;
    *out = operand;
    return BL_OK;
}

bl_status blf_open_mask(struct blf_call *call, const char *name, blf_actual actual,
                        struct blf_operand **out)
{
    bl_status status = blf_open(call, name, actual, out);
    struct blf_operand *const mask = *out;

    if (status != BL_OK || !blf_is_wide_logical(actual))
        return status;
    status =
        bl_cast(blf_context_of(call), &mask->array, BL_DTYPE_BOOL, &mask->converted);
    if (status == BL_OK)
        mask->array = *bl_tensor_array(mask->converted);
    return status;
}

bl_status blf_align(struct blf_call *call, const int *along, const bl_array *result)
{
    if (!along || *along == 1)
        return BL_OK;
    if (*along < 1 || *along > result->rank)
        return blf_refuse(call, BL_ERR_ARGUMENT,
                          "along is %d, but the result has dimensions 1 to %d", *along,
                          (int)result->rank);
    for (int k = 0; k < call->count; k++) {
        bl_array *const array = &call->operand[k].array;
        const int32_t rank = array->rank + *along - 1;

        if (array->rank == 0 || array->rank >= result->rank)
            continue;
        if (rank > result->rank)
            return blf_refuse(
                call, BL_ERR_SHAPE,
                "%s has rank %d and does not fit along dimensions from %d "
                "of a result of rank %d",
                call->operand[k].name, (int)array->rank, *along, (int)result->rank);
        for (; array->rank < rank; array->rank++) {
            call->operand[k].extent[array->rank] = 1;
            call->operand[k].stride[array->rank] = 0;
        }
    }
    return BL_OK;
}
