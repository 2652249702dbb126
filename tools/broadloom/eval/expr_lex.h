/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tokens of an expression.
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

/* Precedence of binary operators, lowest first. */
enum level {
    LEVEL_COMPARISON,
    LEVEL_OR,
    LEVEL_XOR,
    LEVEL_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_POWER, /* binds tighter than a sign before an operand */
    LEVEL_UNARY  /* it is unary */
};

struct token {
    enum token_kind kind;
    enum sign sign;
    enum level level; /* of a binary operator */
    bl_op op;         /* its operator; + and - before an operand have another */
    size_t at, length;
    int64_t integer;
    bool is_above; /* the integer is 2^63: `integer` is its negative */
    double real;
};

/*
 * Read the token at or after `at`, skipping blanks.  BL_ERR_FORMAT for a character that
 * starts no token and for numbers out of range; token->at is the position in either
 * case.
 */
bl_status token_read(const char *text, size_t at, struct token *token);

/*
 * Returns BL_ERR_FORMAT, with the token of `text`, an integer out of range, in the
 * message.
 */
bl_status integer_too_large(const char *text, const struct token *token);

#endif
