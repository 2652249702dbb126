/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of a call's operands in messages, and which form of its operator it is.
 *
 * bl_apply() does not know which named form called it.  A call is taken for the form
 * that has its arguments: in place where the result is the first input.
 */
#include "call/call.h"

/* Default names of inputs, by bli_inputs, for callers that give none. */
static const char *const default_names[][BL_MAX_INPUTS] = {
    [BLI_INPUTS_UNARY] = {"a"},
    [BLI_INPUTS_BINARY] = {"a", "b"},
    [BLI_INPUTS_TERNARY] = {"a", "b", "c"},
    [BLI_INPUTS_QUATERNARY] = {"a", "b", "c", "d"},
    [BLI_INPUTS_SELECT] = {"c", "a", "b"},
    [BLI_INPUTS_CONVERT] = {"a"},
};

/* The inputs of bl_masked_fill(), which is where(mask, value, a), and of bl_fill(). */
static const char *const masked_names[] = {"mask", "value", "a"};
static const char *const fill_names[] = {"value"};

static bool is_scalar(const bl_array *array)
{
    return array && (array->flags & BL_ARRAY_SCALAR);
}

/* Whether an operator has a form in place, as the generated headers have it. */
static bool has_in_place(bl_op op)
{
    const struct bli_op *const row = &bli_ops[op];

    return row->inputs != BLI_INPUTS_CONVERT && row->inputs != BLI_INPUTS_SELECT &&
           (row->result == BLI_RESULT_SAME ||
            (row->result == BLI_RESULT_BOOL && row->inputs == BLI_INPUTS_BINARY));
}

/* Whether the inputs of where are those of bl_masked_fill() or its form in place. */
static bool is_masked_fill(const struct bli_call *call)
{
    const bl_array *const self = call->inputs[2];

    if (!is_scalar(call->inputs[1]) || is_scalar(self))
        return false;
    if (call->out || call->lacks_out)
        return call->out == self;
    return call->options &&
           call->options->dtype == (self ? self->dtype : BL_DTYPE_NONE);
}

bool bli_call_has_inputs(const struct bli_call *call)
{
    if (!call->inputs)
        return false;
    if (call->op == BL_OP_NONE)
        return call->options && call->options->names && call->count >= 1 &&
               call->count <= BL_MAX_INPUTS;
    return bli_op_is_valid(call->op) && call->count == bli_ops[call->op].count;
}

enum bli_named_form bli_call_form(const struct bli_call *call)
{
    const bool is_new = !call->out && !call->lacks_out;

    if (call->op == BL_OP_WHERE && is_masked_fill(call))
        return BLI_FORM_MASKED_FILL;
    if (is_new)
        return BLI_FORM_NEW;
    if (call->op == BL_OP_COPY && is_scalar(call->inputs[0]))
        return BLI_FORM_FILL;
    return call->op != BL_OP_NONE && call->out == call->inputs[0] &&
                   has_in_place(call->op)
               ? BLI_FORM_IN_PLACE
               : BLI_FORM_OUT;
}

const char *const *bli_op_names(bl_op op)
{
    return default_names[bli_ops[op].inputs];
}

/* The names of the inputs where the options have none. */
static const char *const *names_of(const struct bli_call *call)
{
    if (call->op == BL_OP_WHERE && is_masked_fill(call))
        return masked_names;
    if (call->op == BL_OP_COPY && (call->out || call->lacks_out) &&
        is_scalar(call->inputs[0]))
        return fill_names;
    return bli_op_names(call->op);
}

const char *bli_input_name(const struct bli_call *call, int32_t k)
{
    const bl_options *const options = call->options;

    return options && options->names && options->names[k] ? options->names[k]
                                                          : names_of(call)[k];
}

const char *bli_call_result(const struct bli_call *call)
{
    if (!bli_call_has_inputs(call))
        return "out";
    switch (bli_call_form(call)) {
    case BLI_FORM_IN_PLACE:
        return bli_input_name(call, 0);
    case BLI_FORM_FILL:
    case BLI_FORM_MASKED_FILL:
        return "a";
    default:
        return "out";
    }
}
