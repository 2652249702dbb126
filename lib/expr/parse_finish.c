/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finishes operations of a text: numbers alone are computed, everything else becomes a
 * node.
 */
#include "expr/literals.h"
#include "expr/functions.h"
#include "expr/parse.h"

#include <stdio.h>
#include <string.h>

/* Make a node that was built a value of the text from `begin` on; `*value` is it. */
static bl_status take(const struct bli_parser *parser, bl_node node, size_t begin,
                      size_t end, const struct bli_token *token,
                      struct bli_parsed *value)
{
    if (node == BL_NODE_NONE)
        return bl_expr_status(parser->expr, NULL);
    bli_expr_set_span(
        parser->expr, node,
        (struct bli_span){(int64_t)begin, (int64_t)end, (int64_t)token->at});
    *value = (struct bli_parsed){.node = node, .begin = begin, .end = end};
    return BL_OK;
}

/* Apply an operator to its inputs. */
static bl_status apply(struct bli_parser *parser, bl_op op, int32_t count,
                       const struct bli_parsed *in, size_t begin, size_t end,
                       const struct bli_token *token, struct bli_parsed *value)
{
    bl_scalar number[BL_MAX_INPUTS];
    bl_node node[BL_MAX_INPUTS];
    bool is_number = true;

    for (int32_t k = 0; k < count; k++) {
        number[k] = in[k].number;
        is_number = is_number && in[k].node == BL_NODE_NONE;
    }
    if (is_number) {
        *value = (struct bli_parsed){.node = BL_NODE_NONE, .begin = begin, .end = end};
        return bli_literals_apply(parser->ctx, op, count, number, &value->number);
    }
    for (int32_t k = 0; k < count; k++)
        node[k] = bli_parse_node(parser, &in[k]);
    return take(parser, bl_expr_apply(parser->expr, op, count, node, NULL), begin, end,
                token, value);
}

/* ---- calls ---- */

/* Read the arguments after a reduction's operand as axes. */
static bl_status read_axes(const char *name, int32_t count,
                           const struct bli_parsed *argument, int32_t *axis)
{
    if (count > BL_MAX_RANK)
        return bl_error_set(BL_ERR_ARGUMENT, "more than %d dimensions", BL_MAX_RANK);
    for (int32_t k = 0; k < count; k++) {
        const bl_scalar number = argument[k].number;

        if (argument[k].node != BL_NODE_NONE || number.dtype != BL_DTYPE_I64 ||
            number.value.i64 < INT32_MIN || number.value.i64 > INT32_MAX)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s takes an array and the numbers of its dimensions",
                                name);
        axis[k] = (int32_t)number.value.i64;
    }
    return BL_OK;
}

/* What a call's name stands for. */
struct callee {
    char name[BLI_EXPR_NAME];
    bl_dtype dtype;
    bl_reduction reduction;
    bool is_function; /* of so many arguments */
    int32_t takes;    /* arguments, if not of so many; 0: none is known */
    struct bli_function function;
};

static void find_callee(const struct bli_parser *parser, const struct bli_pending *call,
                        struct callee *callee)
{
    snprintf(callee->name, sizeof callee->name, "%.*s",
             (int)(call->token.length < 60 ? call->token.length : 60),
             parser->text + call->token.at);
    callee->dtype = bl_dtype_find(callee->name);
    callee->reduction = bl_reduction_find(callee->name);
    callee->is_function = bli_function_find(callee->name, call->arguments,
                                            &callee->function, &callee->takes);
}

bl_reduction bli_parse_reduction(const struct bli_parser *parser,
                                 const struct bli_pending *call)
{
    struct callee callee;

    find_callee(parser, call, &callee);
    return callee.reduction;
}

static bl_status refuse_call(const struct callee *callee, int32_t arguments)
{
    const bool is_other = callee->takes > 0 && callee->reduction == BL_REDUCTION_NONE;
    const int32_t takes = is_other ? callee->takes : 1;

    if (!is_other && callee->dtype == BL_DTYPE_NONE &&
        callee->reduction == BL_REDUCTION_NONE)
        return bl_error_set(BL_ERR_UNSUPPORTED, "unknown function '%s'", callee->name);
    return bl_error_set(BL_ERR_ARGUMENT, "%s takes %d argument%s, got %d", callee->name,
                        (int)takes,
                        callee->reduction != BL_REDUCTION_NONE ? " or more"
                        : takes == 1                           ? ""
                                                               : "s",
                        (int)arguments);
}

/*
 * Whether a call of a reduction's name is one: max(a, b) of two arrays or two numbers
 * is an operator.
 */
static bool is_reduction(const struct callee *callee, const struct bli_pending *call,
                         const struct bli_parsed *argument)
{
    if (callee->reduction == BL_REDUCTION_NONE || call->arguments == 0)
        return false;
    return call->arguments == 1 || !callee->is_function || call->keepdim ||
           (argument[0].node != BL_NODE_NONE && argument[1].node == BL_NODE_NONE);
}

static bl_status reduce(struct bli_parser *parser, const struct callee *callee,
                        const struct bli_pending *call,
                        const struct bli_parsed *argument, size_t end,
                        struct bli_parsed *value)
{
    int32_t axis[BL_MAX_RANK];
    const int32_t count = call->arguments - 1;
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;

    if (call->has_correction)
        options.correction = call->correction;
    BL_TRY(read_axes(callee->name, count, argument + 1, axis));
    return take(parser,
                bli_expr_reduce(parser->expr, callee->reduction,
                                bli_parse_node(parser, &argument[0]), count, axis,
                                call->keepdim, &options),
                call->token.at, end, &call->token, value);
}

static bl_status call_function(struct bli_parser *parser,
                               const struct bli_pending *call,
                               const struct bli_parsed *argument, size_t end,
                               struct bli_parsed *value)
{
    struct bli_parsed in[BL_MAX_INPUTS];
    struct callee callee;

    find_callee(parser, call, &callee);
    if (callee.dtype != BL_DTYPE_NONE && call->arguments == 1)
        return take(parser,
                    bl_expr_cast(parser->expr, bli_parse_node(parser, &argument[0]),
                                 callee.dtype),
                    call->token.at, end, &call->token, value);
    if (is_reduction(&callee, call, argument))
        return reduce(parser, &callee, call, argument, end, value);
    if (!callee.is_function)
        return refuse_call(&callee, call->arguments);

    const bl_op op = callee.function.op;

    for (int32_t k = 0; k < bli_ops[op].count; k++) {
        const bl_scalar *number;
        const int32_t from = bli_function_input(&callee.function, k, &number);

        in[k] = number ? (struct bli_parsed){.node = BL_NODE_NONE, .number = *number}
                       : argument[from];
    }
    return apply(parser, op, bli_ops[op].count, in, call->token.at, end, &call->token,
                 value);
}

bl_status bli_parse_finish(struct bli_parser *parser)
{
    const struct bli_pending *const top = &parser->pending[parser->depth - 1];
    const int32_t count = top->kind == BLI_PENDING_CALL     ? top->arguments
                          : top->kind == BLI_PENDING_BINARY ? 2
                                                            : 1;
    struct bli_parsed *const argument = &parser->value[parser->values - count];
    const size_t end =
        top->kind == BLI_PENDING_CALL ? parser->token.at + 1 : argument[count - 1].end;
    struct bli_parsed value = {.node = BL_NODE_NONE};
    bl_op op = top->token.op;
    bl_status status = BL_OK;

    if (top->kind == BLI_PENDING_CALL)
        status = call_function(parser, top, argument, end, &value);
    else if (top->kind == BLI_PENDING_UNARY && op == BL_OP_ADD)
        value = argument[0];
    else if (top->kind == BLI_PENDING_UNARY)
        status = apply(parser, op == BL_OP_SUB ? BL_OP_NEG : op, 1, argument,
                       top->token.at, end, &top->token, &value);
    else
        status =
            apply(parser, op, 2, argument, argument[0].begin, end, &top->token, &value);
    if (status != BL_OK)
        return bli_parse_fail(parser, status, &top->token);
    parser->depth--;
    parser->values -= count;
    parser->value[parser->values++] = value;
    return BL_OK;
}
