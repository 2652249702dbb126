/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses expressions by recursive descent and emits the program in postfix order.
 */
#include "expr.h"
#include "expr_lex.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Brackets and signs within each other; keeps the recursion off the end of the stack.
 */
enum { DEEPEST = 200, LONGEST_NAME = 63, MOST_STEPS = 100000 };

struct parser {
    struct expr *expr;
    struct token token; /* the next one */
    int depth;
};

static bl_status parse_comparison(struct parser *parser);

static bl_status advance(struct parser *parser)
{
    return token_read(parser->expr->text, parser->token.at + parser->token.length,
                      &parser->token);
}

static bool is_sign(const struct parser *parser, enum sign sign)
{
    return parser->token.kind == TOKEN_SIGN && parser->token.sign == sign;
}

static bl_status unexpected(const struct parser *parser, const char *wanted)
{
    const struct token *token = &parser->token;

    if (token->kind == TOKEN_END)
        return bl_error_set(BL_ERR_FORMAT, "the expression ends where %s should stand",
                            wanted);
    return bl_error_set(BL_ERR_FORMAT, "'%.*s' where %s should stand",
                        (int)(token->length < 40 ? token->length : 40),
                        parser->expr->text + token->at, wanted);
}

static bl_status expect(struct parser *parser, enum sign sign, const char *wanted)
{
    return is_sign(parser, sign) ? advance(parser) : unexpected(parser, wanted);
}

static bl_status emit(struct parser *parser, struct expr_step step)
{
    struct expr *expr = parser->expr;

    if (expr->count == expr->room) {
        const int32_t room = expr->room ? 2 * expr->room : 16;
        void *more;

        if (room > MOST_STEPS)
            return bl_error_set(BL_ERR_FORMAT, "the expression is too long");
        more = realloc(expr->step, (size_t)room * sizeof *expr->step);
        if (!more)
            return bl_error_set(BL_ERR_MEMORY, "no memory for the expression");
        expr->step = more;
        expr->room = room;
    }
    expr->step[expr->count++] = step;
    return BL_OK;
}

static bl_status emit_apply(struct parser *parser, const struct token *token, bl_op op,
                            int32_t inputs)
{
    return emit(parser, (struct expr_step){.kind = EXPR_APPLY,
                                           .at = token->at,
                                           .length = token->length,
                                           .op = op,
                                           .inputs = inputs});
}

/* "(" has been seen: arguments, ")"; their number. */
static bl_status parse_arguments(struct parser *parser, int32_t *count)
{
    *count = 0;
    TRY(advance(parser));
    if (is_sign(parser, SIGN_CLOSE))
        return advance(parser);
    for (;;) {
        TRY(parse_comparison(parser));
        ++*count;
        if (!is_sign(parser, SIGN_COMMA))
            return expect(parser, SIGN_CLOSE, "',' or ')'");
        TRY(advance(parser));
    }
}

/* A function's name has been seen, and that "(" follows. */
static bl_status parse_call(struct parser *parser, const struct token *name)
{
    bl_op_info info = {.size = sizeof info};
    char text[LONGEST_NAME + 1];
    struct expr_step step = {.kind = EXPR_CAST, .at = name->at, .length = name->length};

    snprintf(text, sizeof text, "%.*s",
             (int)(name->length < LONGEST_NAME ? name->length : LONGEST_NAME),
             parser->expr->text + name->at);
    step.dtype = bl_dtype_find(text);
    step.op = bl_op_find(text);
    if (step.dtype != BL_DTYPE_NONE) {
        info.inputs = 1;
    } else if (bl_op_query(step.op, &info) == BL_OK) {
        step.kind = EXPR_APPLY;
    } else {
        parser->token = *name;
        return bl_error_set(BL_ERR_FORMAT, "unknown function '%s'", text);
    }
    TRY(parse_arguments(parser, &step.inputs));
    if (step.inputs != info.inputs) {
        parser->token = *name;
        return bl_error_set(BL_ERR_FORMAT, "%s takes %d argument%s, got %d", text,
                            (int)info.inputs, info.inputs == 1 ? "" : "s",
                            (int)step.inputs);
    }
    return emit(parser, step);
}

static bl_status parse_primary(struct parser *parser)
{
    const struct token token = parser->token;
    struct expr_step step = {.at = token.at, .length = token.length};

    if (is_sign(parser, SIGN_OPEN)) {
        TRY(advance(parser));
        TRY(parse_comparison(parser));
        return expect(parser, SIGN_CLOSE, "an operator or ')'");
    }
    if (token.kind == TOKEN_END || token.kind == TOKEN_SIGN)
        return unexpected(parser, "an operand");
    TRY(advance(parser));
    if (token.kind == TOKEN_NAME && is_sign(parser, SIGN_OPEN))
        return parse_call(parser, &token);
    step.kind = token.kind == TOKEN_INTEGER ? EXPR_INTEGER
                : token.kind == TOKEN_REAL  ? EXPR_REAL
                                            : EXPR_VARIABLE;
    step.integer = token.integer;
    step.real = token.real;
    return emit(parser, step);
}

static bl_status parse_unary(struct parser *parser)
{
    const struct token token = parser->token;

    if (++parser->depth > DEEPEST)
        return bl_error_set(BL_ERR_FORMAT, "more than %d operations within each other",
                            DEEPEST);
    if (is_sign(parser, SIGN_MINUS)) {
        TRY(advance(parser));
        TRY(parse_unary(parser));
        TRY(emit_apply(parser, &token, BL_OP_NEG, 1));
    } else if (is_sign(parser, SIGN_PLUS)) {
        TRY(advance(parser));
        TRY(parse_unary(parser));
    } else {
        TRY(parse_primary(parser));
    }
    parser->depth--;
    return BL_OK;
}

/* Operands of `operand` with the two signs between them, from left to right. */
static bl_status parse_chain(struct parser *parser,
                             bl_status (*operand)(struct parser *), enum sign first,
                             enum sign second)
{
    TRY(operand(parser));
    while (is_sign(parser, first) || is_sign(parser, second)) {
        const struct token token = parser->token;

        TRY(advance(parser));
        TRY(operand(parser));
        TRY(emit_apply(parser, &token, token.op, 2));
    }
    return BL_OK;
}

static bl_status parse_product(struct parser *parser)
{
    return parse_chain(parser, parse_unary, SIGN_TIMES, SIGN_OVER);
}

static bl_status parse_sum(struct parser *parser)
{
    return parse_chain(parser, parse_product, SIGN_PLUS, SIGN_MINUS);
}

static bl_status parse_comparison(struct parser *parser)
{
    TRY(parse_sum(parser));
    if (is_sign(parser, SIGN_COMPARE)) {
        const struct token token = parser->token;

        TRY(advance(parser));
        TRY(parse_sum(parser));
        TRY(emit_apply(parser, &token, token.op, 2));
    }
    if (is_sign(parser, SIGN_COMPARE))
        return bl_error_set(BL_ERR_FORMAT, "comparisons do not chain; write (a < b) * "
                                           "(b < c)");
    return BL_OK;
}

static bl_status parse_all(struct parser *parser)
{
    TRY(advance(parser));
    TRY(parse_comparison(parser));
    if (parser->token.kind != TOKEN_END)
        return unexpected(parser, "an operator");
    return BL_OK;
}

bl_status expr_parse(const char *text, struct expr *out, size_t *at)
{
    struct parser parser = {.expr = out};
    bl_status status;

    *out = (struct expr){.text = text};
    status = parse_all(&parser);
    *at = parser.token.at;
    return status;
}
