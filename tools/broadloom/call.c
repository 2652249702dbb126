/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses the call that a command line describes.
 */
#include "call.h"

#include <stdio.h>

bl_status call_read(const char *op, bl_dtype dtype, bool inplace, int count,
                    char *const *word, struct call *call)
{
    bl_op_info info = {.size = sizeof info};

    call->op = bl_op_find(op);
    call->name = op;
    call->count = count;
    call->inplace = inplace;
    if (bl_op_query(call->op, &info) != BL_OK)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown operator '%s'", op);
    /* A malformed operand is reported before a missing one. */
    for (int k = 0; k < count && k < BL_MAX_INPUTS; k++) {
        TRY(operand_parse(word[k], dtype, &call->operand[k]));
        call->array[k] = operand_array(&call->operand[k], NULL);
        call->in[k] = &call->array[k];
        snprintf(call->text[k], sizeof call->text[k], "%s%s",
                 *word[k] == '[' ? bl_dtype_name(call->operand[k].dtype) : "", word[k]);
    }
    if (count != info.inputs)
        return bl_error_set(BL_ERR_ARGUMENT, "%s takes %d operand%s, got %d", op,
                            (int)info.inputs, info.inputs == 1 ? "" : "s", count);
    return BL_OK;
}

bl_status call_plan(const struct call *call, bl_context *ctx, const bl_options *options,
                    bl_plan **plan)
{
    return bl_plan_create(ctx, call->op, call->inplace ? call->in[0] : NULL,
                          call->count, call->in, options, plan);
}

void call_text(const struct call *call, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", call->name);

    for (int32_t k = 0; k < call->count && (size_t)used < size; k++)
        used += snprintf(text + used, size - (size_t)used, " %s", call->text[k]);
    if (call->inplace && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", in place");
}
