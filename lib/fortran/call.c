/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a call begins and ends: stat, errmsg and ERROR STOP, as ALLOCATE has them.
 */
#include "fortran/glue.h"

#include <string.h>

void blf_begin(struct blf_call *call, const char *procedure, struct blf_end end)
{
    call->procedure = procedure;
    call->end = end;
    call->count = 0;
    call->is_expression = false;
    call->expr = NULL;
    call->text[0] = '\0';
    call->place[0] = '\0';
}

/* Write text to a character variable, padded with blanks. */
static void assign(blf_actual variable, const char *text)
{
    const size_t length = strlen(text);
    char *const to = variable->base_addr;

    if (length >= variable->elem_len) {
        memcpy(to, text, variable->elem_len);
        return;
    }
    memcpy(to, text, length);
    memset(to + length, ' ', variable->elem_len - length);
}

static void report(const struct blf_call *call, bl_status status)
{
    char text[BLF_TEXT];

    blf_translate(call, status, text, sizeof text);
    /* A place is cited as it was written. */
    if (call->is_expression && call->place[0] == '\0')
        blf_drop_signs(text);
    /* Fortran takes an errmsg that is not allocated as absent. */
    if (call->end.errmsg && call->end.errmsg->base_addr)
        assign(call->end.errmsg, text);
    if (!call->end.stat)
        blf_error_stop(text, (int)strlen(text));
    *call->end.stat = (int)status;
}

void blf_finish(struct blf_call *call, bl_status status)
{
    if (status != BL_OK)
        report(call, status);
    else if (call->end.stat)
        *call->end.stat = 0;
    for (int k = 0; k < call->count; k++)
        if (call->operand[k].converted)
            bl_tensor_release(call->operand[k].converted);
}

/* Check that a result has the shape of the one that was made. */
static bl_status check_shape(struct blf_call *call, const bl_array *made,
                             const struct blf_operand *out)
{
    const int32_t rank = made->rank;

    if (out->array.rank != rank)
        return blf_refuse(call, BL_ERR_SHAPE, "%s has rank %d, and the result %d",
                          out->name, (int)out->array.rank, (int)rank);
    for (int32_t d = rank - 1; d >= 0; d--)
        if (made->extent[d] != out->extent[d])
            return blf_refuse(call, BL_ERR_SHAPE,
                              "%s has extent %lld along dimension %d, and the result "
                              "%lld",
                              out->name, (long long)out->extent[d], (int)(rank - d),
                              (long long)made->extent[d]);
    return BL_OK;
}

bl_status blf_deliver(struct blf_call *call, bl_tensor *result,
                      const struct blf_operand *out)
{
    const bl_array *const made = bl_tensor_array(result);
    bl_status status = check_shape(call, made, out);
    char text[64];

    if (status == BL_OK && !bl_can_cast(made->dtype, out->array.dtype))
        status = blf_refuse(call, BL_ERR_DTYPE, "%s is %s and not %s", out->name,
                            blf_type_name(out->actual, text, sizeof text),
                            blf_dtype_name(made->dtype));
    if (status == BL_OK)
        status = bl_copy_out(blf_context_of(call), &out->array, made);
    bl_tensor_release(result);
    return status;
}
