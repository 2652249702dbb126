/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words of an expression.
 */
#ifndef EXPR_LEX_H
#define EXPR_LEX_H

#include "tool.h"

enum token_kind {
    TOKEN_END,
    TOKEN_INTEGER,
    TOKEN_REAL,
    TOKEN_NAME,
    TOKEN_SIGN /* one of the signs below */
};

enum sign { SIGN_NONE, SIGN_OPEN, SIGN_CLOSE, SIGN_COMMA, SIGN_OPERATOR };

/* How operators of two operands bind, loosest first. */
enum level {
    LEVEL_COMPARISON,
    LEVEL_OR,
    LEVEL_XOR,
    LEVEL_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_POWER, /* binds closer than the signs before an operand */
    LEVEL_UNARY  /* it has one operand */
};

struct token {
    enum token_kind kind;
    enum sign sign;
    enum level level; /* of an operator */
    bl_op op;         /* what it does; + and - before an operand are something else */
    size_t at, length;
    int64_t integer;
    bool is_above; /* the integer is 2^63: `integer` is that with a minus before it */
    double real;
};

/*
 * The token at or behind `at`, blanks skipped.  BL_ERR_FORMAT for a character that
 * starts none and for numbers out of range; token->at says where in either case.
 */
bl_status token_read(const char *text, size_t at, struct token *token);

/* BL_ERR_FORMAT for a token of `text` that is an integer out of range. */
bl_status integer_too_large(const char *text, const struct token *token);

#endif
