/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call that is refused, as the public function that the program called, with its
 * arguments.
 */
#include "call/call.h"

#include "diag/shadow.h"

#include <broadloom/compat.h>
#include <broadloom/paddle.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A function of <broadloom/paddle.h>, and its operator, also of integers. */
struct paddle {
    const char *name;
    bl_op op, op_of_integers;
};

static const struct paddle paddle[] = {
#define BL_PADDLE(name, op, op_of_integers, text)                                      \
    {"paddle_elementwise_" #name, BL_OP_##op, BL_OP_##op_of_integers},
#include "rules/paddle.def"
#undef BL_PADDLE
};

/*
 * Whether a call is one of <broadloom/paddle.h>, by its rules and operands' names: a
 * call of the program's that has the same is taken for one.
 */
static bool is_paddle(const struct bli_call *call)
{
    const bl_options *const options = call->options;

    return options && options->rules == bl_rules_paddle() && options->names &&
           call->count == 2 && options->names[0] && options->names[1] &&
           strcmp(options->names[0], "x") == 0 && strcmp(options->names[1], "y") == 0;
}

/* The only function of <broadloom/paddle.h> that has a call's operator, else NULL. */
static const char *find_paddle(const struct bli_call *call)
{
    const bool is_integer =
        BL_PADDLE_IS_INTEGER(call->inputs[0]) && BL_PADDLE_IS_INTEGER(call->inputs[1]);
    const char *name = NULL;

    for (size_t k = 0; k < sizeof paddle / sizeof paddle[0]; k++)
        if (call->op == (is_integer ? paddle[k].op_of_integers : paddle[k].op)) {
            if (name)
                return NULL; /* div of integers is floordiv */
            name = paddle[k].name;
        }
    return name;
}

/* Write the operands; returns the number that the result is listed with. */
static int32_t add_operands(struct bli_text *text, const struct bli_call *call,
                            enum bli_named_form form)
{
    if (form == BLI_FORM_MASKED_FILL) {
        bli_error_operand(text, 3, bli_input_name(call, 2), call->inputs[2]);
        bli_error_operand(text, 1, bli_input_name(call, 0), call->inputs[0]);
        bli_error_operand(text, 2, bli_input_name(call, 1), call->inputs[1]);
        return 3;
    }
    if (form == BLI_FORM_OUT || form == BLI_FORM_FILL)
        bli_error_operand(text, 0, bli_call_result(call), call->out);
    for (int32_t k = 0; k < call->count; k++)
        bli_error_operand(text, 1 + k, bli_input_name(call, k), call->inputs[k]);
    return form == BLI_FORM_IN_PLACE ? 1 : 0;
}

/* Write the options that decide about shapes and dtypes, where they are set. */
static void add_options(struct bli_text *text, const bl_options *options,
                        enum bli_named_form form, bool has_axis)
{
    if (!options)
        return;
    if (options->rules && options->rules->name && !has_axis)
        bli_text_add(text, ", rules %.40s", options->rules->name);
    if (options->axis != BL_AXIS_LAST || has_axis)
        bli_text_add(text, ", axis %d", (int)options->axis);
    if (options->dtype != BL_DTYPE_NONE && form != BLI_FORM_MASKED_FILL)
        bli_text_add(text, ", dtype %s",
                     bli_dtype_is_valid(options->dtype) ? bl_dtype_name(options->dtype)
                                                        : "unknown");
    if (options->alpha) {
        const bl_array alpha = bl_scalar_array(options->alpha);

        bli_error_operand(text, 3, "alpha", &alpha);
    }
}

/* The operator that the program gave. */
static bl_op op_of(const struct bli_call *call)
{
    if (!call->is_alpha_call)
        return call->op;
    return call->op == BL_OP_ADD_SCALED ? BL_OP_ADD : BL_OP_SUB;
}

/* The name of the public function that has the call's arguments. */
static const char *function_of(const struct bli_call *call, enum bli_named_form form,
                               const char *operator_name, char *buffer, size_t size)
{
    static const char *const suffix[] = {
        [BLI_FORM_NEW] = "", [BLI_FORM_OUT] = "_out", [BLI_FORM_IN_PLACE] = "_inplace"};

    if (form == BLI_FORM_FILL)
        return "bl_fill";
    if (form == BLI_FORM_MASKED_FILL)
        return call->out || call->lacks_out ? "bl_masked_fill_inplace"
                                            : "bl_masked_fill";
    snprintf(buffer, size, "bl_%s%s", operator_name, suffix[form]);
    return buffer;
}

bl_status bli_refuse_call(bl_status status, const struct bli_call *call,
                          const char *function)
{
    const bool is_op = bli_op_is_valid(call->op);
    struct bli_text text;
    int32_t result = 0;
    char name[64];

    /* It may have been due to be compared: not the next one. */
    (void)bli_shadow_take(false);
    if (bli_call_has_inputs(call)) {
        const enum bli_named_form form = bli_call_form(call);
        const char *const of_paddle =
            !function && is_paddle(call) ? find_paddle(call) : NULL;

        bli_error_open(
            &text, status,
            function ? function
                     : function_of(call, form,
                                   of_paddle ? of_paddle : bli_ops[op_of(call)].name,
                                   name, sizeof name));
        if (function && is_op)
            bli_text_add(&text, "%s, ", bli_ops[call->op].name);
        result = add_operands(&text, call, form);
        add_options(&text, call->options, form, of_paddle != NULL);
    } else {
        bli_error_open(&text, status,
                       function                       ? function
                       : call->out || call->lacks_out ? "bl_apply"
                                                      : "bl_apply_new");
        if (is_op)
            bli_text_add(&text, "%s, ", bli_ops[call->op].name);
        else if (call->op != BL_OP_NONE)
            bli_text_add(&text, "op %d, ", (int)call->op);
        bli_text_add(&text, "%d inputs%s", (int)call->count,
                     call->inputs ? "" : " at null");
    }
    bli_error_op(is_op ? op_of(call) : BL_OP_NONE);
    bli_error_close(&text, result);
    return status;
}

bl_status bli_refuse_address(const struct bl_plan *plan, int32_t k, const void *data)
{
    if (plan->nest.count == 0)
        return BL_OK;
    if (!data)
        (void)bl_error_set(BL_ERR_ARGUMENT, "%s %" PRId32 " of %s: data is null",
                           k == 0 ? "result" : "input", k == 0 ? 0 : k - 1,
                           bli_ops[plan->op].name);
    else
        (void)bl_error_set(BL_ERR_ARGUMENT,
                           "%s %" PRId32 " of %s: data is not aligned to %" PRId32
                           " bytes",
                           k == 0 ? "result" : "input", k == 0 ? 0 : k - 1,
                           bli_ops[plan->op].name, bli_dtypes[plan->dtype[k]].align);
    return bli_fault_operand(BL_ERR_ARGUMENT, k);
}
