/* SPDX-License-Identifier: BSD-3-Clause */
/* The lexer of expressions; the same in every locale. */
#include "expr/lex.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    enum bli_sign sign;
    enum bli_level level;
    bl_op op;
} signs[] = {
    /* Longer signs come first. */
    {"<=", BLI_SIGN_OPERATOR, BLI_LEVEL_COMPARISON, BL_OP_LE},
    {">=", BLI_SIGN_OPERATOR, BLI_LEVEL_COMPARISON, BL_OP_GE},
    {"==", BLI_SIGN_OPERATOR, BLI_LEVEL_COMPARISON, BL_OP_EQ},
    {"!=", BLI_SIGN_OPERATOR, BLI_LEVEL_COMPARISON, BL_OP_NE},
    {"<<", BLI_SIGN_OPERATOR, BLI_LEVEL_SHIFT, BL_OP_LEFT_SHIFT},
    {">>", BLI_SIGN_OPERATOR, BLI_LEVEL_SHIFT, BL_OP_RIGHT_SHIFT},
    {"**", BLI_SIGN_OPERATOR, BLI_LEVEL_POWER, BL_OP_POW},
    {"//", BLI_SIGN_OPERATOR, BLI_LEVEL_PRODUCT, BL_OP_FLOOR_DIVIDE},
    {"<", BLI_SIGN_OPERATOR, BLI_LEVEL_COMPARISON, BL_OP_LT},
    {">", BLI_SIGN_OPERATOR, BLI_LEVEL_COMPARISON, BL_OP_GT},
    {"|", BLI_SIGN_OPERATOR, BLI_LEVEL_OR, BL_OP_BITWISE_OR},
    {"^", BLI_SIGN_OPERATOR, BLI_LEVEL_XOR, BL_OP_BITWISE_XOR},
    {"&", BLI_SIGN_OPERATOR, BLI_LEVEL_AND, BL_OP_BITWISE_AND},
    {"+", BLI_SIGN_OPERATOR, BLI_LEVEL_SUM, BL_OP_ADD},
    {"-", BLI_SIGN_OPERATOR, BLI_LEVEL_SUM, BL_OP_SUB},
    {"*", BLI_SIGN_OPERATOR, BLI_LEVEL_PRODUCT, BL_OP_MUL},
    {"/", BLI_SIGN_OPERATOR, BLI_LEVEL_PRODUCT, BL_OP_DIV},
    {"%", BLI_SIGN_OPERATOR, BLI_LEVEL_PRODUCT, BL_OP_REMAINDER},
    {"~", BLI_SIGN_OPERATOR, BLI_LEVEL_UNARY, BL_OP_BITWISE_NOT},
    {"(", BLI_SIGN_OPEN, BLI_LEVEL_UNARY, BL_OP_NONE},
    {")", BLI_SIGN_CLOSE, BLI_LEVEL_UNARY, BL_OP_NONE},
    {",", BLI_SIGN_COMMA, BLI_LEVEL_UNARY, BL_OP_NONE},
    {"=", BLI_SIGN_ASSIGN, BLI_LEVEL_UNARY, BL_OP_NONE},
    {";", BLI_SIGN_SEMICOLON, BLI_LEVEL_UNARY, BL_OP_NONE},
};

enum { LONGEST_NUMBER = 400 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

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

bl_status bli_token_too_large(const char *text, const struct bli_token *token)
{
    return bl_error_set(BL_ERR_OVERFLOW, "%.*s does not fit in 64 bits",
                        (int)(token->length < 40 ? token->length : 40),
                        text + token->at);
}

static bl_status read_integer(const char *text, struct bli_token *token)
{
    const uint64_t above = UINT64_C(1) << 63;
    uint64_t magnitude = 0;

    token->kind = BLI_TOKEN_INTEGER;
    for (size_t k = 0; k < token->length; k++) {
        const uint64_t digit = (uint64_t)(text[k] - '0');

        if (magnitude > (above - digit) / 10)
            return bli_token_too_large(text - token->at, token);
        magnitude = magnitude * 10 + digit;
    }
    token->is_above = magnitude == above;
    token->integer = token->is_above ? INT64_MIN : (int64_t)magnitude;
    return BL_OK;
}

/* An exponent that makes any number 0 or infinite stands for all larger ones. */
static long clamp(long power)
{
    return power < -9999 ? -9999 : power > 9999 ? 9999 : power;
}

/*
 * The value of a number that is no integer.  Its digits are passed on without the
 * point, which strtod() reads as the locale has it.
 */
static double read_real(const char *text, size_t length)
{
    const int saved = errno;
    char copy[LONGEST_NUMBER + 16];
    size_t used = 0, k = 0;
    long power = 0;
    double real;

    for (; k < length && text[k] != 'e' && text[k] != 'E'; k++)
        if (text[k] != '.')
            copy[used++] = text[k];
        else
            power = -(long)digits(text + k + 1);
    if (k < length)
        power += clamp(strtol(text + k + 1, NULL, 10));
    snprintf(copy + used, sizeof copy - used, "e%ld", power);
    real = strtod(copy, NULL);
    errno = saved;
    return real;
}

static bl_status read_number(const char *text, struct bli_token *token)
{
    bool is_integer;

    token->length = number_length(text, &is_integer);
    if (token->length > LONGEST_NUMBER)
        return bl_error_set(BL_ERR_FORMAT, "a number of more than %d characters",
                            LONGEST_NUMBER);
    if (is_integer)
        return read_integer(text, token);
    token->kind = BLI_TOKEN_REAL;
    token->real = read_real(text, token->length);
    if (isinf(token->real))
        return bl_error_set(BL_ERR_FORMAT, "%.*s does not fit in f64",
                            (int)(token->length < 40 ? token->length : 40), text);
    return BL_OK;
}

static bl_status read_sign(const char *text, struct bli_token *token)
{
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++) {
        const size_t length = strlen(signs[k].text);

        if (strncmp(text, signs[k].text, length) == 0) {
            token->kind = BLI_TOKEN_SIGN;
            token->sign = signs[k].sign;
            token->level = signs[k].level;
            token->op = signs[k].op;
            token->length = length;
            return BL_OK;
        }
    }
    if ((unsigned char)*text < 0x21 || (unsigned char)*text > 0x7e)
        return bl_error_set(BL_ERR_FORMAT, "unexpected byte 0x%02x",
                            (unsigned char)*text);
    return bl_error_set(BL_ERR_FORMAT, "unexpected '%c'", *text);
}

bl_status bli_token_read(const char *text, size_t at, struct bli_token *token)
{
    while (is_blank(text[at]))
        at++;
    *token = (struct bli_token){.kind = BLI_TOKEN_END, .at = at};
    text += at;
    if (*text == '\0')
        return BL_OK;
    if (is_digit(*text) || (*text == '.' && is_digit(text[1])))
        return read_number(text, token);
    if (is_letter(*text)) {
        token->kind = BLI_TOKEN_NAME;
        while (is_letter(text[token->length]) || is_digit(text[token->length]))
            token->length++;
        return BL_OK;
    }
    return read_sign(text, token);
}
