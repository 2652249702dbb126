/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions of texts with Fortran's dimensions: dimension 1, from which operands are
 * paired, is the library's last axis, -1.  So SUM(a, 1, 2) becomes sum(a, -1, -2).
 */
#include "fortran/glue.h"

#include <broadloom/expr_call.h>
#include <broadloom/error.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parentheses that the text is within; of reductions, which argument it is in. */
struct nesting {
    bool is_reduction;
    int commas;
};
enum { DEEPEST = 256 };

static bool is_reduction(const char *word, size_t length)
{
    char name[64];

    if (length >= sizeof name)
        return false;
    memcpy(name, word, length);
    name[length] = '\0';
    return bl_reduction_find(name) != BL_REDUCTION_NONE;
}

/* ASCII's letters alone, in every locale. */
static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether a word that ends before `end` is a function's name: a parenthesis follows. */
static bool is_function(const char *text, size_t end, size_t length)
{
    while (end < length && isspace((unsigned char)text[end]))
        end++;
    return end < length && text[end] == '(';
}

/* Whether a word is an option of reductions, in any case. */
static bool is_option(const char *word, size_t length)
{
    static const char *const options[] = {"keepdim", "correction"};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        size_t k = 0;

        while (k < length && lower_case(word[k]) == options[i][k])
            k++;
        if (k == length && options[i][k] == '\0')
            return true;
    }
    return false;
}

/* The length of a name or a number at the beginning of a text. */
static size_t word_length(const char *text, size_t length)
{
    size_t n = 0;

    while (n < length && (isalnum((unsigned char)text[n]) || text[n] == '_' ||
                          (text[n] == '.' && isdigit((unsigned char)text[0]))))
        n++;
    return n;
}

/*
 * Whether an integer is all of an argument, between commas and parentheses: the digits
 * before `end`, which begin at `at` or, of an axis, after a sign.
 */
static bool is_dimension(const char *text, size_t at, bool has_sign, size_t end,
                         size_t length)
{
    for (size_t k = at + has_sign; k < end; k++)
        if (!isdigit((unsigned char)text[k]))
            return false;
    while (at > 0 && isspace((unsigned char)text[at - 1]))
        at--;
    while (end < length && isspace((unsigned char)text[end]))
        end++;
    return at > 0 && text[at - 1] == ',' && end < length &&
           (text[end] == ',' || text[end] == ')');
}

/* What is done to dimensions. */
enum change { KEEP, ADD_SIGNS, DROP_SIGNS };

/*
 * Copy a text to `to`, which has room for twice its length: names of functions and of
 * options in lower case.  Returns false where parentheses are too deep.
 */
static bool copy_text(const char *text, size_t length, enum change change, char *to)
{
    struct nesting nesting[DEEPEST] = {{false, 0}};
    bool after_reduction = false;
    int depth = 0;

    for (size_t at = 0, n; at < length; at += n) {
        const bool may_be = nesting[depth].is_reduction && nesting[depth].commas > 0;

        n = word_length(text + at, length - at);
        if (n > 0) {
            if (change == ADD_SIGNS && may_be &&
                is_dimension(text, at, false, at + n, length))
                *to++ = '-';
            const bool folds = is_function(text, at + n, length) ||
                               (may_be && is_option(text + at, n));
            for (size_t k = 0; k < n; k++)
                to[k] = folds ? lower_case(text[at + k]) : text[at + k];
            after_reduction = is_reduction(to, n);
            to += n;
            continue;
        }
        n = 1;
        if (change == DROP_SIGNS && may_be && text[at] == '-' &&
            is_dimension(text, at, true,
                         at + 1 + word_length(text + at + 1, length - at - 1), length))
            continue;
        if (text[at] == '(' && ++depth == DEEPEST)
            return false;
        if (text[at] == '(')
            nesting[depth] = (struct nesting){after_reduction, 0};
        else if (text[at] == ')' && depth > 0)
            depth--;
        else if (text[at] == ',')
            nesting[depth].commas++;
        after_reduction = after_reduction && isspace((unsigned char)text[at]);
        *to++ = text[at];
    }
    *to = '\0';
    return true;
}

/* Check the dimensions of a reduction, and that each is an axis in `made`. */
static bl_status check_reduction(struct blf_call *call, const bl_expr_call *given,
                                 const bl_expr_call *made)
{
    for (int32_t i = 0; i < given->axes_count; i++) {
        if (given->axes[i] < 1)
            return blf_refuse(call, BL_ERR_ARGUMENT, "dimensions count from 1, not %d",
                              (int)given->axes[i]);
        if (made->axes[i] != -given->axes[i])
            return blf_refuse(call, BL_ERR_ARGUMENT,
                              "dimension %d is not written as a number alone",
                              (int)given->axes[i]);
        for (int32_t k = 0; k < i; k++)
            if (given->axes[k] == given->axes[i])
                return blf_refuse(call, BL_ERR_ARGUMENT, "dimension %d is named twice",
                                  (int)given->axes[i]);
    }
    return BL_OK;
}

/*
 * Check that `made` is the expression `given` with axes in place of its dimensions: a
 * text may compute one, and copy_text() knows words alone.
 */
static bl_status check_axes(struct blf_call *call, const bl_expr *given,
                            const bl_expr *made)
{
    bl_expr_info info = {.size = sizeof info};
    bl_status status = bl_expr_query(given, &info);

    for (bl_node n = 0; status == BL_OK && n < info.nodes; n++) {
        bl_expr_call was = {.size = sizeof was}, is = {.size = sizeof is};

        status = bl_expr_node_call(given, n, &was);
        if (status == BL_OK)
            status = bl_expr_node_call(made, n, &is);
        if (status == BL_OK && was.kind == BL_NODE_REDUCE)
            status = check_reduction(call, &was, &is);
        else if (status == BL_OK && was.kind == BL_NODE_NUMBER &&
                 was.number->value.i64 != is.number->value.i64)
            status = blf_refuse(call, BL_ERR_UNSUPPORTED,
                                "of two numbers, write maximum() or minimum()");
    }
    return status;
}

/* The length of a text without the blanks at its end. */
static size_t trimmed(blf_actual text)
{
    size_t length = blf_length(text);

    while (length > 0 && ((const char *)text->base_addr)[length - 1] == ' ')
        length--;
    return length;
}

/*
 * Say which column of a text the library refuses, and what stands around it.  The
 * library has parsed the text with its words where they are.
 */
static void cite(struct blf_call *call, blf_actual text)
{
    enum { BEFORE = 40, MOST = 80 };
    const size_t length = trimmed(text);
    bl_error_info info = {.size = sizeof info};

    if (bl_error_query(&info) != BL_OK || info.position < 0 ||
        (size_t)info.position > length)
        return;

    const size_t at = (size_t)info.position, begin = at > BEFORE ? at - BEFORE : 0;
    const size_t shown = length - begin < MOST ? length - begin : MOST;

    snprintf(call->place, sizeof call->place, ", at column %zu of '%s%.*s%s'", at + 1,
             begin > 0 ? "..." : "", (int)shown,
             length > 0 ? (const char *)text->base_addr + begin : "",
             begin + shown < length ? "..." : "");
}

static bl_status parse(struct blf_call *call, blf_actual text, enum change change,
                       char *copy, bl_expr **made)
{
    const size_t length = trimmed(text);

    if (!copy_text(text->base_addr, length, change, copy))
        return blf_refuse(call, BL_ERR_UNSUPPORTED,
                          "more than %d parentheses within each other", DEEPEST);
    return bl_expr_parse(blf_context_of(call), copy, 0, NULL, made);
}

bl_status blf_parse(struct blf_call *call, blf_actual text, bl_expr **made)
{
    char *const copy = malloc(2 * blf_length(text) + 1);
    bl_expr *given = NULL;
    bl_status status;

    if (!copy)
        return blf_refuse(call, BL_ERR_MEMORY, "no memory for the text");
    status = parse(call, text, KEEP, copy, &given);
    if (status != BL_OK && call->text[0] == '\0')
        cite(call, text);
    if (status == BL_OK)
        status = parse(call, text, ADD_SIGNS, copy, made);
    if (status == BL_OK)
        status = check_axes(call, given, *made);
    bl_expr_destroy(given);
    free(copy);
    return status;
}

void blf_drop_signs(char *text)
{
    char copy[BLF_TEXT];
    const size_t length = strlen(text);

    memcpy(copy, text, length + 1);
    if (!copy_text(copy, length, DROP_SIGNS, text))
        memcpy(text, copy, length + 1);
}
