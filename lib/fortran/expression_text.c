/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of an expression with Fortran's dimensions: dimension 1, from which operands
 * are paired, is the library's last axis, -1.  So sum(a, 1, 2) becomes sum(a, -1, -2).
 */
#include "fortran/glue.h"

#include <ctype.h>
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

/* The length of a name or a number at the beginning of a text. */
static size_t word_length(const char *text, size_t length)
{
    size_t n = 0;

    while (n < length && (isalnum((unsigned char)text[n]) || text[n] == '_' ||
                          (text[n] == '.' && isdigit((unsigned char)text[0]))))
        n++;
    return n;
}

/* Whether a word is all of an argument: an integer between commas and parentheses. */
static bool is_dimension(const char *text, size_t begin, size_t end, size_t length)
{
    for (size_t k = begin; k < end; k++)
        if (!isdigit((unsigned char)text[k]))
            return false;
    while (begin > 0 && isspace((unsigned char)text[begin - 1]))
        begin--;
    while (end < length && isspace((unsigned char)text[end]))
        end++;
    return begin > 0 && text[begin - 1] == ',' && end < length &&
           (text[end] == ',' || text[end] == ')');
}

bl_status blf_axes_of_text(struct blf_call *call, const char *text, size_t length,
                           char *to)
{
    struct nesting nesting[DEEPEST] = {{false, 0}};
    bool after_reduction = false;
    int depth = 0;

    while (length > 0 && text[length - 1] == ' ')
        length--;
    for (size_t at = 0, n; at < length; at += n) {
        n = word_length(text + at, length - at);
        if (n > 0) {
            if (nesting[depth].is_reduction && nesting[depth].commas > 0 &&
                is_dimension(text, at, at + n, length)) {
                if (n == 1 && text[at] == '0')
                    return blf_refuse(call, BL_ERR_ARGUMENT,
                                      "dimensions count from 1, not 0");
                *to++ = '-';
            }
            after_reduction = is_reduction(text + at, n);
            memcpy(to, text + at, n);
            to += n;
            continue;
        }
        n = 1;
        if (text[at] == '(' && ++depth == DEEPEST)
            return blf_refuse(call, BL_ERR_UNSUPPORTED,
                              "more than %d parentheses within each other", DEEPEST);
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
    return BL_OK;
}
