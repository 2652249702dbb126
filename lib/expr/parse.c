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

/* Parse ")" or ",", which end the operand of a parenthesis or a call. */
static bl_status parse_end(struct bli_parser *parser, bool *is_complete)
{
    struct bli_pending *const top = bli_parse_top_of(parser);
    struct bli_parsed *const value = &parser->value[parser->values - 1];

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
        top->keepdim = parser->token.kind == BLI_TOKEN_NAME &&
                       bli_parse_is_text(parser, &parser->token, "keepdim") &&
                       bli_parse_is_reduction(parser, top);
        if (!top->keepdim) {
            *is_complete = false;
            return BL_OK;
        }
        BL_TRY(bli_parse_advance(parser));
        if (!bli_parse_is_sign(parser, BLI_SIGN_CLOSE))
            return bli_parse_unexpected(parser, "')'");
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
