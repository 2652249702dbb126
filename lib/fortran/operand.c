/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an actual argument to an array, without a copy.
 */
#include "fortran/glue.h"

/*
 * Whether an input is allocated.  Empty vectors that are values have no address, as
 * [real ::]; all other arrays of gfortran's have one, and extents of what is not
 * allocated are any numbers.
 */
static bool is_allocated(blf_actual actual)
{
    return actual->base_addr || (actual->rank == 1 && actual->dim[0].extent == 0);
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
    if (blf_dtype_of(actual) == BL_DTYPE_NONE)
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
    bl_dtype dtype;

    if (!actual || actual->version != CFI_VERSION)
        return refuse(call, name, actual);
    dtype = blf_dtype_of(actual);
    if (dtype == BL_DTYPE_NONE || !is_allocated(actual) ||
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
        (bl_array){actual->base_addr, dtype,           actual->rank,
                   operand->extent,   operand->stride, BL_ARRAY_BYTE_STRIDES};
    call->count++;
    *out = operand;
    return BL_OK;
}

bl_status blf_open_result(struct blf_call *call, const char *name, blf_actual actual,
                          struct blf_operand **out)
{
    if (!actual || !actual->base_addr)
        return refuse(call, name, actual);
    return blf_open(call, name, actual, out);
}

bl_status blf_open_mask(struct blf_call *call, const char *name, blf_actual actual,
                        struct blf_operand **out)
{
    bl_status status = blf_open(call, name, actual, out);

    if (status != BL_OK || !blf_is_wide_logical(actual))
        return status;

    struct blf_operand *const mask = *out;

    status =
        bl_cast(blf_context_of(call), &mask->array, BL_DTYPE_BOOL, &mask->converted);
    if (status != BL_OK)
        return status;
    /* Elements of a byte.  The extents stay the operand's, which `along` adds to. */
    mask->array.data = bl_tensor_mutable_data(mask->converted);
    mask->array.dtype = BL_DTYPE_BOOL;
    for (int32_t d = 0; d < mask->array.rank; d++)
        mask->stride[d] = bl_tensor_stride(mask->converted, d);
    return BL_OK;
}

bl_status blf_check_logical(struct blf_call *call, bool gives_logical,
                            const struct blf_operand *result)
{
    char text[64];

    if (gives_logical || !blf_is_wide_logical(result->actual))
        return BL_OK;
    return blf_refuse(call, BL_ERR_DTYPE,
                      "%s is %s, which takes logical results alone; logical(c_bool) is "
                      "a dtype",
                      result->name, blf_type_name(result->actual, text, sizeof text));
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
