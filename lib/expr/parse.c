/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses one expression, token by token. */
#include "expr/parse.h"

static enum bli_level level_of(const struct bli_pending *pending)
{
    return pending->kind == BLI_PENDING_UNARY ? BLI_LEVEL_UNARY : pending->token.level;
}

static bool is_operator(const struct bli_pending *pending)
{
    return pending && pending->kind <= BLI_PENDING_UNARY;
}

/*
 * Finish the operators on top that bind at least as tight as `level`, a power at this
 * level excepted: it is taken from the right.
 */
static bl_status finish_above(struct bli_parser *parser, enum bli_level level)
{
    while (is_operator(bli_parse_top_of(parser)) &&
           level_of(bli_parse_top_of(parser)) >= level && !(level == BLI_LEVEL_POWER))
        BL_TRY(bli_parse_finish(parser));
    return BL_OK;
}

/* Whether the next token is the word of an option. */
static bool is_option(const struct bli_parser *parser, const char *word)
{
    return parser->token.kind == BLI_TOKEN_NAME &&
           bli_parse_is_text(parser, &parser->token, word);
}

/* Parse the value of "correction =", a number with or without a minus. */
static bl_status parse_correction(struct bli_parser *parser, struct bli_pending *call)
{
    bool is_negative;

    if (!bli_parse_is_sign(parser, BLI_SIGN_ASSIGN))
        return bli_parse_unexpected(parser, "'='");
    BL_TRY(bli_parse_advance(parser));
    is_negative =
        bli_parse_is_sign(parser, BLI_SIGN_OPERATOR) && parser->token.op == BL_OP_SUB;
    if (is_negative)
        BL_TRY(bli_parse_advance(parser));
    if (parser->token.kind != BLI_TOKEN_INTEGER && parser->token.kind != BLI_TOKEN_REAL)
        return bli_parse_unexpected(parser, "a number");
    call->has_correction = true;
    call->correction = parser->token.kind == BLI_TOKEN_REAL
                           ? parser->token.real
                           : (double)parser->token.integer;
    if (is_negative)
        call->correction = -call->correction;
    return bli_parse_advance(parser);
}

/*
 * Parse the options that end a reduction's call, "keepdim" and of var and std
 * "correction = 0", up to its ")"; `*is_there` if there are some.
 */
static bl_status parse_options(struct bli_parser *parser, struct bli_pending *call,
                               bool *is_there)
{
    const bl_reduction op = bli_parse_reduction(parser, call);
    const bool is_variance = op == BL_REDUCTION_VAR || op == BL_REDUCTION_STD;

    *is_there = false;
    for (;;) {
        const bool keeps = op != BL_REDUCTION_NONE && is_option(parser, "keepdim");
        const bool corrects = is_variance && is_option(parser, "correction");

        if (!keeps && !corrects)
            return *is_there ? bli_parse_unexpected(parser, "an option") : BL_OK;
        if (keeps ? call->keepdim : call->has_correction)
            return bl_error_set(BL_ERR_FORMAT, "%s is given twice",
                                keeps ? "keepdim" : "correction");
        *is_there = true;
        BL_TRY(bli_parse_advance(parser));
        if (keeps)
            call->keepdim = true;
        else
            BL_TRY(parse_correction(parser, call));
        if (bli_parse_is_sign(parser, BLI_SIGN_CLOSE))
            return BL_OK;
        if (!is_variance || !bli_parse_is_sign(parser, BLI_SIGN_COMMA))
            return bli_parse_unexpected(parser, is_variance ? "',' or ')'" : "')'");
        BL_TRY(bli_parse_advance(parser));
    }
}

/* Parse ")" or ",", which end the operand of a parenthesis or a call. */
static bl_status parse_end(struct bli_parser *parser, bool *is_complete)
{
    struct bli_pending *const top = bli_parse_top_of(parser);
    struct bli_parsed *const value = &parser->value[parser->values - 1];
    bool has_options;

    if (!top)
        return bli_parse_unexpected(parser, "an operator");
    if (top->kind == BLI_PENDING_OPEN) {
        if (!bli_parse_is_sign(parser, BLI_SIGN_CLOSE))
            return bli_parse_unexpected(parser, "an operator or ')'");
        value->begin = top->token.at;
        value->end = parser->token.at + 1;
        parser->depth--;
        return bli_parse_advance(parser);
    }
    top->arguments++;
    if (bli_parse_is_sign(parser, BLI_SIGN_COMMA)) {
        BL_TRY(bli_parse_advance(parser));
        BL_TRY(parse_options(parser, top, &has_options));
        if (!has_options) {
            *is_complete = false;
            return BL_OK;
        }
    }
    BL_TRY(bli_parse_finish(parser));
    return bli_parse_advance(parser);
}

/* Parse an operator between two operands. */
static bl_status parse_operator(struct bli_parser *parser, bool *is_complete)
{
    const struct bli_token token = parser->token;

    /* A sign binds tighter than what is on its left, and looser than a power. */
    if (token.level != BLI_LEVEL_COMPARISON) {
        BL_TRY(finish_above(parser, token.level));
    } else {
        BL_TRY(finish_above(parser, BLI_LEVEL_OR));
        if (is_operator(bli_parse_top_of(parser)))
            return bl_error_set(BL_ERR_FORMAT,
                                "comparisons do not chain; write (a < b) "
                                "& (b < c)");
    }
    *is_complete = false;
    BL_TRY(bli_parse_push_pending(parser, BLI_PENDING_BINARY, &token));
    return bli_parse_advance(parser);
}

bl_status bli_parse_value(struct bli_parser *parser)
{
    bool is_complete = false;

    for (;;) {
        const struct bli_token *const token = &parser->token;

        if (!is_complete) {
            BL_TRY(bli_parse_operand(parser, &is_complete));
            continue;
        }
        if (token->kind == BLI_TOKEN_SIGN && token->sign == BLI_SIGN_OPERATOR &&
            token->level != BLI_LEVEL_UNARY) {
            BL_TRY(parse_operator(parser, &is_complete));
            continue;
        }
        BL_TRY(finish_above(parser, BLI_LEVEL_COMPARISON));
        if (bli_parse_is_sign(parser, BLI_SIGN_CLOSE) ||
            bli_parse_is_sign(parser, BLI_SIGN_COMMA)) {
            BL_TRY(parse_end(parser, &is_complete));
            continue;
        }
        if (!bli_parse_top_of(parser))
            return BL_OK;
        return bli_parse_unexpected(parser,
                                    bli_parse_top_of(parser)->kind == BLI_PENDING_CALL
                                        ? "',' or ')'"
                                        : "an operator or ')'");
    }
}
