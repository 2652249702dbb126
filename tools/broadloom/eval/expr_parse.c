/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses expressions by recursive descent and emits the program in postfix order.
 */
#include "expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_lex.h"
#include "shape/extra_functions.h"

/* Limits. DEEPEST bounds nesting, so that recursion does not overflow the stack. */
enum { DEEPEST = 200, LONGEST_NAME = 63, MOST_STEPS = 100000 };

struct parser {
    struct expr *expr;
    struct token token; /* the next one */
    int depth;
};

static bl_status parse_comparison(struct parser *parser);
static bl_status parse_unary(struct parser *parser);

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

/* Emit an operator whose sign and operands have been parsed. */
static bl_status emit_sign(struct parser *parser, const struct token *token, bl_op op,
                           int32_t inputs)
{
    return emit(parser, (struct expr_step){.kind = EXPR_APPLY,
                                           .at = token->at,
                                           .length = token->length,
                                           .function = function_of_op(op, inputs),
                                           .inputs = inputs});
}

/* Copy the text of a token, truncated to the longest name. */
static void copy_text(const struct parser *parser, const struct token *token,
                      char text[LONGEST_NAME + 1])
{
    snprintf(text, LONGEST_NAME + 1, "%.*s",
             (int)(token->length < LONGEST_NAME ? token->length : LONGEST_NAME),
             parser->expr->text + token->at);
}

/* Parse the word keepdim, if it is next. */
static bl_status parse_keepdim(struct parser *parser, bool *keepdim)
{
    char text[LONGEST_NAME + 1];

    copy_text(parser, &parser->token, text);
    *keepdim = parser->token.kind == TOKEN_NAME && strcmp(text, "keepdim") == 0;
    return *keepdim ? advance(parser) : BL_OK;
}

/*
 * Parse arguments and ")", after "("; their count goes into the step.  The last
 * argument of a reduction may be the word keepdim.
 */
static bl_status parse_arguments(struct parser *parser, struct expr_step *step)
{
    TRY(advance(parser));
    if (is_sign(parser, SIGN_CLOSE))
        return advance(parser);
    for (;;) {
        TRY(parse_comparison(parser));
        step->inputs++;
        if (!is_sign(parser, SIGN_COMMA))
            return expect(parser, SIGN_CLOSE, "',' or ')'");
        TRY(advance(parser));
        if (step->reduction)
            TRY(parse_keepdim(parser, &step->keepdim));
        if (step->keepdim)
            return expect(parser, SIGN_CLOSE, "')'");
    }
}

/* Choose the function `name` for the step's number of inputs. */
static bl_status choose_function(const char *name, struct expr_step *step)
{
    const bl_status found = function_find(name, step->inputs, &step->function);

    step->kind = EXPR_APPLY;
    step->extra = extra_function_find(name, step->inputs);
    if (step->dtype != BL_DTYPE_NONE && step->inputs == 1)
        step->kind = EXPR_CAST;
    else if (step->reduction && step->inputs > 0)
        step->kind =
            EXPR_REDUCE; /* or the function, if its other arguments are arrays */
    else if (step->extra)
        step->kind = EXPR_UNPAIRED;
    else if (step->dtype != BL_DTYPE_NONE)
        return bl_error_set(BL_ERR_FORMAT, "%s takes 1 argument, got %d", name,
                            (int)step->inputs);
    else
        return found;
    return BL_OK;
}

/* Parse a call: the function's name has been read, and "(" is next. */
static bl_status parse_call(struct parser *parser, const struct token *name)
{
    struct expr_step step = {.at = name->at, .length = name->length};
    char text[LONGEST_NAME + 1];
    bl_status status;

    copy_text(parser, name, text);
    step.dtype = bl_dtype_find(text);
    step.reduction = bl_reduction_find(text);
    TRY(parse_arguments(parser, &step));
    status = choose_function(text, &step);
    if (status == BL_OK)
        return emit(parser, step);
    parser->token = *name;
    return status;
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
    if (token.is_above)
        return integer_too_large(parser->expr->text, &parser->token);
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

/* Parse a power, which binds tighter than a sign before it, not than one after it. */
static bl_status parse_power(struct parser *parser)
{
    const struct token *const token = &parser->token;

    TRY(parse_primary(parser));
    if (token->kind == TOKEN_SIGN && token->level == LEVEL_POWER) {
        const struct token sign = *token;

        TRY(advance(parser));
        TRY(parse_unary(parser));
        TRY(emit_sign(parser, &sign, sign.op, 2));
    }
    return BL_OK;
}

/* Parse 2^63 after a minus: one number, unless a power binds tighter. */
static bl_status parse_least(struct parser *parser, const struct token *minus)
{
    const struct token number = parser->token;

    TRY(advance(parser));
    if (parser->token.kind == TOKEN_SIGN && parser->token.level == LEVEL_POWER) {
        parser->token = number;
        return integer_too_large(parser->expr->text, &parser->token);
    }
    return emit(parser,
                (struct expr_step){.kind = EXPR_INTEGER,
                                   .at = minus->at,
                                   .length = number.at + number.length - minus->at,
                                   .integer = number.integer});
}

static bl_status parse_unary(struct parser *parser)
{
    const struct token token = parser->token;
    const bl_op op = token.kind == TOKEN_SIGN ? token.op : BL_OP_NONE;

    if (++parser->depth > DEEPEST)
        return bl_error_set(BL_ERR_FORMAT, "more than %d operations within each other",
                            DEEPEST);
    if (op == BL_OP_SUB || op == BL_OP_BITWISE_NOT) {
        TRY(advance(parser));
        if (op == BL_OP_SUB && parser->token.is_above) {
            TRY(parse_least(parser, &token));
        } else {
            TRY(parse_unary(parser));
            TRY(emit_sign(parser, &token, op == BL_OP_SUB ? BL_OP_NEG : op, 1));
        }
    } else if (op == BL_OP_ADD) {
        TRY(advance(parser));
        TRY(parse_unary(parser));
    } else {
        TRY(parse_power(parser));
    }
    parser->depth--;
    return BL_OK;
}

/* Parse operands joined by operators of one precedence level, left-associative. */
static bl_status parse_level(struct parser *parser, enum level level)
{
    const struct token *const token = &parser->token;

    if (level == LEVEL_POWER)
        return parse_unary(parser);
    TRY(parse_level(parser, level + 1));
    while (token->kind == TOKEN_SIGN && token->level == level) {
        const struct token sign = *token;

        TRY(advance(parser));
        TRY(parse_level(parser, level + 1));
        TRY(emit_sign(parser, &sign, sign.op, 2));
        if (level == LEVEL_COMPARISON)
            break;
    }
    return BL_OK;
}

static bl_status parse_comparison(struct parser *parser)
{
    TRY(parse_level(parser, LEVEL_COMPARISON));
    if (parser->token.kind == TOKEN_SIGN && parser->token.level == LEVEL_COMPARISON)
        return bl_error_set(BL_ERR_FORMAT, "comparisons do not chain; write (a < b) & "
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
