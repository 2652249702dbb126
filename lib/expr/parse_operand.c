/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses operands: numbers, names, signs and parentheses before them, calls. */
#include "expr/parse.h"

#include <math.h>
#include <string.h>

static bl_status push_value(struct bli_parser *parser, struct bli_parsed value)
{
    if (parser->values == BLI_PARSE_VALUES)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "more than %d operands wait for their operators",
                            BLI_PARSE_VALUES);
    parser->value[parser->values++] = value;
    return BL_OK;
}

static bl_status push_number(struct bli_parser *parser, const struct bli_token *token,
                             size_t begin, bl_scalar number)
{
    return push_value(parser, (struct bli_parsed){.node = BL_NODE_NONE,
                                                  .number = number,
                                                  .begin = begin,
                                                  .end = token->at + token->length});
}

/* Push an input as a value of the text; where it is first, that is the node's text. */
static bl_status push_input(struct bli_parser *parser, bl_node node,
                            struct bli_parsed value)
{
    const int64_t begin = (int64_t)value.begin;

    if (bli_expr_node(parser->expr, node)->begin < 0)
        bli_expr_set_span(parser->expr, node,
                          (struct bli_span){begin, (int64_t)value.end, begin});
    value.node = node;
    return push_value(parser, value);
}

/* Names that are numbers unless an input or a value has them. */
static const struct {
    const char *name;
    double number;
    bool may_be_input; /* where names without a value are inputs, it is one */
} constants[] = {
    {"inf", (double)INFINITY, false},
    {"nan", (double)NAN, false},
    {"pi", 3.141592653589793, false},
    {"e", 2.718281828459045, true},
};

static bl_status parse_name(struct bli_parser *parser, const struct bli_token *token)
{
    struct bli_parsed value = {
        .node = BL_NODE_NONE, .begin = token->at, .end = token->at + token->length};
    const char *const text = parser->text + token->at;
    const int32_t slot = bli_expr_find_input(parser->expr, text, token->length);
    const struct bli_pending *const top = bli_parse_top_of(parser);
    char name[BLI_INPUT_NAME + 1];

    /* Python's axis=0: that axis is no input would say too little. */
    if (top && top->kind == BLI_PENDING_CALL &&
        bli_parse_is_sign(parser, BLI_SIGN_ASSIGN))
        return bli_parse_unexpected(parser, "','");
    for (int32_t k = 0; k < parser->names; k++)
        if (parser->name[k].length == token->length &&
            memcmp(parser->text + parser->name[k].at, text, token->length) == 0) {
            value.node = parser->name[k].value.node;
            value.number = parser->name[k].value.number;
            return push_value(parser, value);
        }
    for (bl_node n = 0; slot >= 0 && n < parser->expr->nodes; n++)
        if (parser->expr->node[n].kind == BLI_NODE_INPUT &&
            parser->expr->node[n].what == slot)
            return push_input(parser, n, value);
    for (size_t k = 0; k < sizeof constants / sizeof constants[0]; k++)
        if (bli_parse_is_text(parser, token, constants[k].name) &&
            (!constants[k].may_be_input || !parser->takes_names)) {
            value.number = bl_scalar_f64(constants[k].number);
            return push_value(parser, value);
        }
    if (!parser->takes_names)
        return bli_parse_fail(
            parser,
            bl_error_set(BL_ERR_ARGUMENT, "'%.*s' is no input",
                         (int)(token->length < 60 ? token->length : 60), text),
            token);
    if (token->length > BLI_INPUT_NAME)
        return bli_parse_fail(parser,
                              bl_error_set(BL_ERR_UNSUPPORTED,
                                           "a name of more than %d characters",
                                           BLI_INPUT_NAME),
                              token);
    memcpy(name, text, token->length);
    name[token->length] = '\0';
    value.node = bl_expr_input(parser->expr, name);
    if (value.node == BL_NODE_NONE)
        return bli_parse_fail(parser, bl_expr_status(parser->expr, NULL), token);
    return push_input(parser, value.node, value);
}

/* Parse an integer; 2^63 has to stand after a minus, with which it is one number. */
static bl_status parse_integer(struct bli_parser *parser, const struct bli_token *token)
{
    const struct bli_pending *const top = bli_parse_top_of(parser);
    size_t begin = token->at;

    if (token->is_above) {
        const bool is_power = parser->token.kind == BLI_TOKEN_SIGN &&
                              parser->token.level == BLI_LEVEL_POWER;

        if (!top || top->kind != BLI_PENDING_UNARY || top->token.op != BL_OP_SUB ||
            is_power)
            return bli_parse_fail(parser, bli_token_too_large(parser->text, token),
                                  token);
        begin = top->token.at;
        parser->depth--;
    }
    return push_number(parser, token, begin, bl_scalar_i64(token->integer));
}

bl_status bli_parse_operand(struct bli_parser *parser, bool *is_complete)
{
    const struct bli_token token = parser->token;

    *is_complete = false;
    if (token.kind == BLI_TOKEN_SIGN) {
        const bool is_prefix = token.sign == BLI_SIGN_OPERATOR &&
                               (token.op == BL_OP_SUB || token.op == BL_OP_ADD ||
                                token.op == BL_OP_BITWISE_NOT);

        if (!is_prefix && token.sign != BLI_SIGN_OPEN)
            return bli_parse_unexpected(parser, "an operand");
        BL_TRY(bli_parse_push_pending(
            parser, is_prefix ? BLI_PENDING_UNARY : BLI_PENDING_OPEN, &token));
        return bli_parse_advance(parser);
    }
    if (token.kind == BLI_TOKEN_END)
        return bli_parse_unexpected(parser, "an operand");
    BL_TRY(bli_parse_advance(parser));
    if (token.kind == BLI_TOKEN_NAME && bli_parse_is_sign(parser, BLI_SIGN_OPEN)) {
        BL_TRY(bli_parse_push_pending(parser, BLI_PENDING_CALL, &token));
        BL_TRY(bli_parse_advance(parser));
        if (!bli_parse_is_sign(parser, BLI_SIGN_CLOSE))
            return BL_OK;
        *is_complete = true;
        BL_TRY(bli_parse_finish(parser));
        return bli_parse_advance(parser);
    }
    *is_complete = true;
    if (token.kind == BLI_TOKEN_NAME)
        return parse_name(parser, &token);
    if (token.kind == BLI_TOKEN_INTEGER)
        return parse_integer(parser, &token);
    return push_number(parser, &token, token.at, bl_scalar_f64(token.real));
}
