/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses a text: statements, and the names of their values. */
#include "expr/parse.h"

#include <string.h>

/* Read "name =" if a statement begins with it; `*name` has no length otherwise. */
static bl_status parse_target(struct bli_parser *parser, struct bli_token *name)
{
    const struct bli_token first = parser->token;
    const char *const text = parser->text + first.at;

    *name = (struct bli_token){.length = 0};
    if (first.kind != BLI_TOKEN_NAME)
        return BL_OK;
    BL_TRY(bli_parse_advance(parser));
    if (!bli_parse_is_sign(parser, BLI_SIGN_ASSIGN)) {
        parser->token = first;
        return BL_OK;
    }
    if (bli_expr_find_input(parser->expr, text, first.length) >= 0)
        return bl_error_set(BL_ERR_FORMAT,
                            "%.*s is an input and keeps its value; equality is '=='",
                            bli_parse_quoted(&first), text);
    for (int32_t k = 0; k < parser->names; k++)
        if (parser->name[k].length == first.length &&
            memcmp(parser->text + parser->name[k].at, text, first.length) == 0)
            return bl_error_set(BL_ERR_FORMAT,
                                "%.*s has a value and keeps it; equality is '=='",
                                bli_parse_quoted(&first), text);
    *name = first;
    return bli_parse_advance(parser);
}

/* Take the statement's value from the stack: for its name, and as an output. */
static bl_status end_statement(struct bli_parser *parser, const struct bli_token *name,
                               bool is_output)
{
    struct bli_parsed *const value = &parser->value[--parser->values];

    if (is_output) {
        bl_expr_output(parser->expr, bli_parse_node(parser, value));
        BL_TRY(bl_expr_status(parser->expr, NULL));
    }
    if (name->length == 0)
        return BL_OK;
    if (parser->names == BLI_PARSE_NAMES)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d names", BLI_PARSE_NAMES);
    parser->name[parser->names].at = name->at;
    parser->name[parser->names].length = name->length;
    parser->name[parser->names++].value = *value;
    return BL_OK;
}

static bl_status parse_statements(struct bli_parser *parser)
{
    struct bli_token name;
    bool is_last = false;

    BL_TRY(bli_parse_advance(parser));
    while (!is_last) {
        BL_TRY(parse_target(parser, &name));
        BL_TRY(bli_parse_value(parser));
        if (bli_parse_is_sign(parser, BLI_SIGN_SEMICOLON))
            BL_TRY(bli_parse_advance(parser));
        else if (parser->token.kind != BLI_TOKEN_END)
            return bli_parse_unexpected(parser, "an operator");
        is_last = parser->token.kind == BLI_TOKEN_END;
        BL_TRY(end_statement(parser, &name, is_last || name.length == 0));
    }
    return BL_OK;
}

/* ---- entry point ---- */

static bl_status parse_into(struct bli_parser *parser, int32_t count,
                            const char *const *names)
{
    bl_status status;

    for (int32_t k = 0; names && k < count; k++) {
        if (!names[k])
            return bli_error_null("names");
        if (bl_expr_input(parser->expr, names[k]) == BL_NODE_NONE)
            return bli_fault_argument(bl_expr_status(parser->expr, NULL), "names");
    }
    status = parse_statements(parser);
    return status == BL_OK
               ? BL_OK
               : bli_fault_position(
                     status, BL_NODE_NONE,
                     (int64_t)(parser->has_at ? parser->at : parser->token.at));
}

static bl_status parse(bl_context *ctx, const char *text, int32_t count,
                       const char *const *names, bl_expr **expr)
{
    struct bli_parser *parser;
    bl_expr *made = NULL;
    bl_status status;

    if (!text)
        return bli_error_null("text");
    if (names && (count < 0 || count > BL_MAX_SLOTS))
        return bli_error_argument("count", "%d inputs; there may be %d", (int)count,
                                  BL_MAX_SLOTS);
    if (!expr)
        return bli_error_null("expr");
    ctx = bli_context(ctx);
    BL_TRY(bli_expr_make(ctx, text, &made));
    parser = bli_allocate(&ctx->allocator, sizeof *parser);
    if (!parser) {
        bl_expr_destroy(made);
        return BL_ERR_MEMORY;
    }
    parser->ctx = ctx;
    parser->expr = made;
    parser->text = made->text;
    parser->takes_names = !names;
    parser->token = (struct bli_token){.kind = BLI_TOKEN_END};
    parser->has_at = false;
    parser->depth = parser->values = parser->names = 0;
    status = parse_into(parser, count, names);
    bli_release(&ctx->allocator, parser, sizeof *parser);
    if (status == BL_OK)
        *expr = made;
    else
        bl_expr_destroy(made);
    return status;
}

bl_status bl_expr_parse(bl_context *ctx, const char *text, int32_t count,
                        const char *const *names, bl_expr **expr)
{
    BLI_RETURN_CALL(parse(ctx, text, count, names, expr), "%s", text);
}
