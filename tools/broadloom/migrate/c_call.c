/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads calls, and the statements around them, by their brackets and separators.
 */
#include "c_call.h"

#include <string.h>

static bool is_name(const struct source *source, int32_t k)
{
    return source_is_kind(source, k, TOKEN_NAME);
}

static char mark_of(const struct source *source, int32_t k)
{
    return source_is_kind(source, k, TOKEN_MARK) && source->token[k].length == 1
               ? source->text[source->token[k].at]
               : '\0';
}

static bool is_bracket(char mark, const char *kinds)
{
    return mark != '\0' && strchr(kinds, mark) != NULL;
}

/* ---- calls ---- */

bool c_call_read(const struct source *source, int32_t first, int32_t open,
                 struct c_call *call)
{
    const int32_t close = source->token[open].mate;
    int32_t begin = open + 1;

    *call = (struct c_call){source, first, close, 0, {{0, 0}}};
    if (close < 0)
        return false;
    for (int32_t k = begin; k <= close; k++) {
        const char mark = mark_of(source, k);

        if (is_bracket(mark, "([{")) {
            k = source->token[k].mate;
            if (k < 0)
                return false;
        } else if (mark == ',' || k == close) {
            if (call->count == CALL_ARGUMENTS)
                return false;
            if (k > begin || mark == ',' || call->count > 0)
                call->argument[call->count++] = (struct span){begin, k};
            begin = k + 1;
        } else if (source_is_kind(source, k, TOKEN_DIRECTIVE)) {
            return false;
        }
    }
    return true;
}

const char *span_text(const struct source *source, struct span span, int *length)
{
    const struct token *const first = &source->token[span.begin];
    const struct token *const last = &source->token[span.end - 1];

    *length = span.end > span.begin ? (int)(last->at + last->length - first->at) : 0;
    return source->text + first->at;
}

bool span_is_same(const struct source *source, struct span a, struct span b)
{
    if (a.end - a.begin != b.end - b.begin)
        return false;
    for (int32_t k = 0; k < a.end - a.begin; k++) {
        const struct token *const one = &source->token[a.begin + k];
        const struct token *const other = &source->token[b.begin + k];

        if (one->length != other->length ||
            memcmp(source->text + one->at, source->text + other->at, one->length) != 0)
            return false;
    }
    return true;
}

/* Whether a bracket at `k` is that of a call, or of a macro that is used as one. */
static bool opens_call(const struct source *source, int32_t k)
{
    static const char *const words[] = {"sizeof", "return", NULL};

    return k > 0 && !source_is_one_of(source, k - 1, words) &&
           (is_name(source, k - 1) || is_bracket(mark_of(source, k - 1), ")]"));
}

bool span_is_pure(const struct source *source, struct span span)
{
    static const char *const harmless[] = {"bl_tensor_array", "BL_VIEW",   "BL_VIEW_AS",
                                           "BL_STRIDED_VIEW", "BL_LIST",   "view",
                                           "BL_FIELD_VIEW",   "THTensor_", NULL};
    static const char *const writing[] = {
        "=",  "++",  "--",  "+=", "-=",  "*=",     "/=",    "%=",       "&=", "|=",
        "^=", "<<=", ">>=", ";",  "new", "delete", "throw", "co_await", NULL};

    for (int32_t k = span.begin; k < span.end; k++)
        if (source_is_one_of(source, k, writing) ||
            source_is_kind(source, k, TOKEN_DIRECTIVE) || mark_of(source, k) == '{' ||
            (mark_of(source, k) == '(' && k > span.begin && opens_call(source, k) &&
             !source_is_one_of(source, k - 1, harmless)))
            return false;
    return span.end > span.begin;
}

bool span_is_primary(const struct source *source, struct span span)
{
    int32_t k = span.begin;

    if (mark_of(source, k) == '(')
        k = source->token[k].mate + 1;
    else if (is_name(source, k))
        k++;
    else
        return false;
    while (k > 0 && k < span.end)
        if (is_bracket(mark_of(source, k), "(["))
            k = source->token[k].mate + 1;
        else if ((mark_of(source, k) == '.' || source_is(source, k, "->") ||
                  source_is(source, k, "::")) &&
                 is_name(source, k + 1))
            k += 2;
        else
            return false;
    return k == span.end;
}
