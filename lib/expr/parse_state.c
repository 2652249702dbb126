/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the parser share: its next token and its stacks. */
#include "expr/parse.h"

#include <string.h>

bl_status bli_parse_advance(struct bli_parser *parser)
{
    return bli_token_read(parser->text, parser->token.at + parser->token.length,
                          &parser->token);
}

bool bli_parse_is_sign(const struct bli_parser *parser, enum bli_sign sign)
{
    return parser->token.kind == BLI_TOKEN_SIGN && parser->token.sign == sign;
}

bool bli_parse_is_text(const struct bli_parser *parser, const struct bli_token *token,
                       const char *text)
{
    return token->length == strlen(text) &&
           memcmp(parser->text + token->at, text, token->length) == 0;
}

bl_status bli_parse_unexpected(const struct bli_parser *parser, const char *wanted)
{
    const struct bli_token *const token = &parser->token;

    if (token->kind == BLI_TOKEN_END)
        return bl_error_set(BL_ERR_FORMAT, "the expression ends where %s should stand",
                            wanted);
    if (bli_parse_is_sign(parser, BLI_SIGN_ASSIGN) && parser->depth > 0 &&
        parser->pending[parser->depth - 1].kind == BLI_PENDING_CALL)
        return bl_error_set(BL_ERR_FORMAT,
                            "'=' in a call: arguments have no names but correction of "
                            "var and std, as in sum(x, 0, keepdim); equality is '=='");
    if (bli_parse_is_sign(parser, BLI_SIGN_ASSIGN))
        return bl_error_set(BL_ERR_FORMAT,
                            "'=' stands after the name of a new value; equality is "
                            "'=='");
    return bl_error_set(BL_ERR_FORMAT, "'%.*s' where %s should stand",
                        bli_parse_quoted(token), parser->text + token->at, wanted);
}

bl_status bli_parse_push_pending(struct bli_parser *parser, enum bli_pending_kind kind,
                                 const struct bli_token *token)
{
    if (parser->depth == BLI_PARSE_DEPTH)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "more than %d operations within each other",
                            BLI_PARSE_DEPTH);
    parser->pending[parser->depth++] =
        (struct bli_pending){.kind = kind, .token = *token};
    return BL_OK;
}

int bli_parse_quoted(const struct bli_token *token)
{
    return (int)(token->length < 40 ? token->length : 40);
}

struct bli_pending *bli_parse_top_of(struct bli_parser *parser)
{
    return parser->depth > 0 ? &parser->pending[parser->depth - 1] : NULL;
}

bl_node bli_parse_node(struct bli_parser *parser, const struct bli_parsed *value)
{
    const int64_t begin = (int64_t)value->begin, end = (int64_t)value->end;
    bl_node node = value->node;

    if (node != BL_NODE_NONE)
        return node;
    node = bli_expr_literal(parser->expr, &value->number);
    /* A number that a function implies has no text. */
    if (node != BL_NODE_NONE && end > begin)
        bli_expr_set_span(parser->expr, node, (struct bli_span){begin, end, begin});
    return node;
}

bl_status bli_parse_fail(struct bli_parser *parser, bl_status status,
                         const struct bli_token *token)
{
    parser->at = token->at;
    parser->has_at = true;
    return status;
}
