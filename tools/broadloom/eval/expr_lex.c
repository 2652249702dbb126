/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lexer of expressions.
 */
#include "expr_lex.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    enum sign sign;
    enum level level;
    bl_op op;
} signs[] = {
    /* Longer signs come first. */
    {"<=", SIGN_OPERATOR, LEVEL_COMPARISON, BL_OP_LE},
    {">=", SIGN_OPERATOR, LEVEL_COMPARISON, BL_OP_GE},
    {"==", SIGN_OPERATOR, LEVEL_COMPARISON, BL_OP_EQ},
    {"!=", SIGN_OPERATOR, LEVEL_COMPARISON, BL_OP_NE},
    {"<<", SIGN_OPERATOR, LEVEL_SHIFT, BL_OP_LEFT_SHIFT},
    {">>", SIGN_OPERATOR, LEVEL_SHIFT, BL_OP_RIGHT_SHIFT},
    {"**", SIGN_OPERATOR, LEVEL_POWER, BL_OP_POW},
    {"//", SIGN_OPERATOR, LEVEL_PRODUCT, BL_OP_FLOOR_DIVIDE},
    {"<", SIGN_OPERATOR, LEVEL_COMPARISON, BL_OP_LT},
    {">", SIGN_OPERATOR, LEVEL_COMPARISON, BL_OP_GT},
    {"|", SIGN_OPERATOR, LEVEL_OR, BL_OP_BITWISE_OR},
    {"^", SIGN_OPERATOR, LEVEL_XOR, BL_OP_BITWISE_XOR},
    {"&", SIGN_OPERATOR, LEVEL_AND, BL_OP_BITWISE_AND},
    {"+", SIGN_OPERATOR, LEVEL_SUM, BL_OP_ADD},
    {"-", SIGN_OPERATOR, LEVEL_SUM, BL_OP_SUB},
    {"*", SIGN_OPERATOR, LEVEL_PRODUCT, BL_OP_MUL},
    {"/", SIGN_OPERATOR, LEVEL_PRODUCT, BL_OP_DIV},
    {"%", SIGN_OPERATOR, LEVEL_PRODUCT, BL_OP_REMAINDER},
    {"~", SIGN_OPERATOR, LEVEL_UNARY, BL_OP_BITWISE_NOT},
    {"(", SIGN_OPEN, LEVEL_UNARY, BL_OP_NONE},
    {")", SIGN_CLOSE, LEVEL_UNARY, BL_OP_NONE},
    {",", SIGN_COMMA, LEVEL_UNARY, BL_OP_NONE},
};

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Length of the number at `text`, and whether it is written as an integer. */
static size_t number_length(const char *text, bool *is_integer)
{
    size_t length = digits(text);

    *is_integer = true;
    if (text[length] == '.') {
        length += 1 + digits(text + length + 1);
        *is_integer = false;
    }
    if (text[length] == 'e' || text[length] == 'E') {
        const size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        const size_t power = digits(text + length + 1 + sign);

        if (power > 0) {
            length += 1 + sign + power;
            *is_integer = false;
        }
    }
    return length;
}

bl_status integer_too_large(const char *text, const struct token *token)
{
    return bl_error_set(BL_ERR_FORMAT, "%.*s does not fit in 64 bits",
                        (int)(token->length < 40 ? token->length : 40),
                        text + token->at);
}

static bl_status number_read(const char *text, struct token *token)
{
    enum { LONGEST = 400 };
    char copy[LONGEST + 1];
    bool is_integer;

    token->length = number_length(text, &is_integer);
    if (token->length > LONGEST)
        return bl_error_set(BL_ERR_FORMAT, "a number of more than %d characters",
                            LONGEST);
    memcpy(copy, text, token->length);
    copy[token->length] = '\0';
    errno = 0;
    if (is_integer) {
        token->kind = TOKEN_INTEGER;
        const unsigned long long magnitude = strtoull(copy, NULL, 10);
        const unsigned long long above = 1ull << 63;
        if (errno != 0 || magnitude > above)
            return integer_too_large(text - token->at, token);
        token->is_above = magnitude == above;
        token->integer = token->is_above ? INT64_MIN : (int64_t)magnitude;
        return BL_OK;
    }
    token->kind = TOKEN_REAL;
    token->real = strtod(copy, NULL);
    if (isinf(token->real))
        return bl_error_set(BL_ERR_FORMAT, "%.40s does not fit in f64", copy);
    return BL_OK;
}

static bl_status sign_read(const char *text, struct token *token)
{
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++) {
        const size_t length = strlen(signs[k].text);

        if (strncmp(text, signs[k].text, length) == 0) {
            token->kind = TOKEN_SIGN;
            token->sign = signs[k].sign;
            token->level = signs[k].level;
            token->op = signs[k].op;
            token->length = length;
            return BL_OK;
        }
    }
    if (*text == '=')
        return bl_error_set(BL_ERR_FORMAT, "'=' is no operator; equality is '=='");
    if ((unsigned char)*text < 0x21 || (unsigned char)*text > 0x7e)
        return bl_error_set(BL_ERR_FORMAT, "unexpected byte 0x%02x",
                            (unsigned char)*text);
    return bl_error_set(BL_ERR_FORMAT, "unexpected '%c'", *text);
}

bl_status token_read(const char *text, size_t at, struct token *token)
{
    while (isspace((unsigned char)text[at]))
        at++;
    *token = (struct token){.kind = TOKEN_END, .at = at};
    text += at;
    if (*text == '\0')
        return BL_OK;
    if (isdigit((unsigned char)*text) ||
        (*text == '.' && isdigit((unsigned char)text[1])))
        return number_read(text, token);
    if (isalpha((unsigned char)*text) || *text == '_') {
        token->kind = TOKEN_NAME;
        while (isalnum((unsigned char)text[token->length]) ||
               text[token->length] == '_')
            token->length++;
        return BL_OK;
    }
    return sign_read(text, token);
}
