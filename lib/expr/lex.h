/* SPDX-License-Identifier: BSD-3-Clause */
/* The tokens of an expression's text. */
#ifndef BLI_LEX_H
#define BLI_LEX_H

#include "core/error.h"

enum bli_token_kind {
    BLI_TOKEN_END,
    BLI_TOKEN_INTEGER,
    BLI_TOKEN_REAL,
    BLI_TOKEN_NAME,
    BLI_TOKEN_SIGN /* one of the signs below */
};

enum bli_sign {
    BLI_SIGN_NONE,
    BLI_SIGN_OPEN,
    BLI_SIGN_CLOSE,
    BLI_SIGN_COMMA,
    BLI_SIGN_ASSIGN,
    BLI_SIGN_SEMICOLON,
    BLI_SIGN_OPERATOR
};

/* Precedence of operators, lowest first. */
enum bli_level {
    BLI_LEVEL_COMPARISON,
    BLI_LEVEL_OR,
    BLI_LEVEL_XOR,
    BLI_LEVEL_AND,
    BLI_LEVEL_SHIFT,
    BLI_LEVEL_SUM,
    BLI_LEVEL_PRODUCT,
    BLI_LEVEL_UNARY, /* before an operand */
    BLI_LEVEL_POWER
};

struct bli_token {
    enum bli_token_kind kind;
    enum bli_sign sign;
    enum bli_level level; /* of a binary operator; of ~ UNARY */
    bl_op op;             /* its operator; + and - before an operand have another */
    size_t at, length;
    int64_t integer;
    bool is_above; /* the integer is 2^63: `integer` is its negative */
    double real;
};

/*
 * Read the token at or after `at`, skipping blanks.  BL_ERR_FORMAT for a character that
 * starts no token and for real numbers out of range, BL_ERR_OVERFLOW for integers;
 * token->at is the position in either case.
 */
bl_status bli_token_read(const char *text, size_t at, struct bli_token *token);

/* BL_ERR_OVERFLOW for an integer out of range, the token of `text`. */
bl_status bli_token_too_large(const char *text, const struct bli_token *token);

#endif
