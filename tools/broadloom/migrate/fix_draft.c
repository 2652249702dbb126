/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Drafts of fixes: texts, names and arguments.
 */
#define _POSIX_C_SOURCE 200809L

#include "fix_draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static void add_formatted(struct draft *draft, char **text, const char *format,
                          va_list arguments, const char *end)
{
    const size_t used = *text ? strlen(*text) : 0;
    va_list again;
    char *grown = NULL;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length >= 0)
        grown = realloc(*text, used + (size_t)length + strlen(end) + 1);
    if (!grown) {
        draft->is_lost = true;
        return;
    }
    vsnprintf(grown + used, (size_t)length + 1, format, arguments);
    strcpy(grown + used + length, end);
    *text = grown;
}

void draft_add(struct draft *draft, char **text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_formatted(draft, text, format, arguments, "");
    va_end(arguments);
}

void draft_before(struct draft *draft, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_formatted(draft, &draft->before, format, arguments, "\n");
    va_end(arguments);
}

void draft_after(struct draft *draft, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_formatted(draft, &draft->after, format, arguments, "\n");
    va_end(arguments);
}

void draft_replace(struct draft *draft, int argument, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    add_formatted(draft, &text, format, arguments, "");
    va_end(arguments);
    free(draft->replaced[argument]);
    draft->replaced[argument] = text;
}

bool draft_refuse(struct draft *draft, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(draft->reason, REASON_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- arguments ---- */

bool draft_is_pure(const struct draft *draft, int argument)
{
    return draft->replaced[argument] ||
           span_is_pure(draft->source, draft->call.argument[argument]);
}

char *draft_text(struct draft *draft, int argument)
{
    char *text = NULL;

    if (draft->replaced[argument]) {
        draft_add(draft, &text, "%s", draft->replaced[argument]);
    } else {
        int length;
        const char *const at =
            span_text(draft->source, draft->call.argument[argument], &length);

        draft_add(draft, &text, "%.*s", length, at);
    }
    return text;
}

/* Whether an argument has a bracket, or is the tensor of a call. */
static bool has_call(const struct draft *draft, int argument)
{
    const struct span span = draft->call.argument[argument];
    struct c_call tensor;

    for (int32_t k = span.begin; k < span.end && !draft->replaced[argument]; k++)
        if (source_is(draft->source, k, "("))
            return !draft_is_call_of(draft, argument, "bl_tensor_array", &tensor) ||
                   !span_is_pure(draft->source, tensor.argument[0]);
    return false;
}

void draft_keep(struct draft *draft, int argument, const char *type)
{
    char name[FIX_NAME], *text;

    if (draft_is_pure(draft, argument) && !has_call(draft, argument))
        return;
    draft_name(draft, argument, "operand", name);
    text = draft_text(draft, argument);
    draft_before(draft, "%s%s = %s;", type, name, text ? text : "");
    draft_replace(draft, argument, "%s", name);
    free(text);
}

bool draft_is_call_of(const struct draft *draft, int argument, const char *name,
                      struct c_call *call)
{
    const struct source *const source = draft->source;
    const struct span span = draft->call.argument[argument];

    return !draft->replaced[argument] && source_is(source, span.begin, name) &&
           source_is(source, span.begin + 1, "(") &&
           source->token[span.begin + 1].mate == span.end - 1 &&
           c_call_read(source, span.begin, span.begin + 1, call);
}

/* ---- names ---- */

/* Whether a name was given before, or the file has it in any place. */
static bool is_taken(const struct draft *draft, const char *name)
{
    const struct fix_file *const file = draft->file;

    return strstr(file->source.text, name) ||
           (file->names && strstr(file->names, name)) ||
           (draft->names && strstr(draft->names, name));
}

void draft_name(struct draft *draft, int argument, const char *suffix,
                char name[FIX_NAME])
{
    const struct source *const source = draft->source;
    const struct span span = draft->call.argument[argument];
    const char *base = "operand";
    int length = 7;

    for (int32_t k = span.end - 1; k >= span.begin; k--)
        if (source_is_kind(source, k, TOKEN_NAME) && source->token[k].length < 24) {
            base = source->text + source->token[k].at;
            length = (int)source->token[k].length;
            break;
        }
    while (length > 1 && base[length - 1] == '_')
        length--;
    snprintf(name, FIX_NAME, "%.*s_%s", length, base, suffix);
    for (int n = 2; is_taken(draft, name) && n < 10000; n++)
        snprintf(name, FIX_NAME, "%.*s_%s%d", length, base, suffix, n);
    draft_add(draft, &draft->names, "%s ", name);
    if (!statement_has_braces(&draft->statement))
        draft_add(draft, &draft->file->names, "%s ", name);
}

/* ---- calls ---- */

bool draft_covers(const struct draft *draft, int32_t first, int32_t last, int64_t line)
{
    const struct token *const token = draft->source->token;

    return last >= first && token[first].line <= line && line <= token[last].line;
}

bool draft_read_call(struct draft *draft, int32_t first, int32_t open, int arguments,
                     int operands, const int *operand)
{
    int effects = 0;

    if (!c_call_read(draft->source, first, open, &draft->call) ||
        draft->call.count != arguments)
        return draft_refuse(draft, "its call does not have %d arguments", arguments);
    for (int k = 0; k < arguments; k++) {
        if (draft->call.argument[k].end == draft->call.argument[k].begin)
            return draft_refuse(draft, "its call has an empty argument");
        effects += !span_is_pure(draft->source, draft->call.argument[k]);
    }
    if (effects > 1)
        return draft_refuse(draft,
                            "%d arguments have side effects, in an order that the "
                            "language leaves open",
                            effects);
    draft->operands = operands;
    memcpy(draft->argument, operand, (size_t)operands * sizeof *operand);
    return true;
}
