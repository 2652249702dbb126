/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes edits of a draft: of the arguments of its call, and around its statement.
 */
#include "fix_draft.h"

#include <stdio.h>
#include <string.h>

static void add_edit(struct fix *fix, size_t at, size_t length, char *text)
{
    fix->edit[fix->count++] = (struct fix_edit){at, length, text};
}

static size_t end_of(const struct source *source, int32_t k)
{
    return source->token[k].at + source->token[k].length;
}

/* Edit the arguments alone. */
static void edit_arguments(struct draft *draft, struct fix *fix)
{
    const struct source *const source = draft->source;

    for (int k = 0; k < draft->call.count; k++)
        if (draft->replaced[k]) {
            const struct span span = draft->call.argument[k];
            const size_t at = source->token[span.begin].at;

            add_edit(fix, at, end_of(source, span.end - 1) - at, draft->replaced[k]);
            draft->replaced[k] = NULL;
        }
}

/* Append the call's text with its arguments as they are replaced. */
static void add_call(struct draft *draft, char **text)
{
    const struct source *const source = draft->source;
    size_t at = source->token[draft->call.first].at;

    for (int k = 0; k < draft->call.count; k++)
        if (draft->replaced[k]) {
            const struct span span = draft->call.argument[k];

            draft_add(draft, text, "%.*s%s", (int)(source->token[span.begin].at - at),
                      source->text + at, draft->replaced[k]);
            at = end_of(source, span.end - 1);
        }
    draft_add(draft, text, "%.*s", (int)(end_of(source, draft->call.close) - at),
              source->text + at);
}

/* How the lines of a statement begin and end. */
struct lines {
    char margin[80], inner[96]; /* before it, and before those added around it */
    const char *newline;
    bool has_braces;
};

static void find_lines(const struct draft *draft, const struct statement *statement,
                       struct lines *lines)
{
    size_t at;
    const int length = source_indentation(draft->source, statement->first, &at);

    lines->has_braces = statement_has_braces(statement);
    lines->newline = source_newline(draft->source);
    snprintf(lines->margin, sizeof lines->margin, "%.*s", length,
             draft->source->text + at);
    snprintf(lines->inner, sizeof lines->inner, "%s%s", lines->margin,
             !lines->has_braces            ? ""
             : strchr(lines->margin, '\t') ? "\t"
                                           : "    ");
}

/* Append lines, each after a newline or before one, with the inner indentation. */
static void add_lines(struct draft *draft, char **text, const struct lines *lines,
                      const char *added, bool is_after)
{
    for (; added && *added != '\0'; added += strcspn(added, "\n") + 1) {
        const int length = (int)strcspn(added, "\n");

        if (is_after)
            draft_add(draft, text, "%s%s%.*s", lines->newline, lines->inner, length,
                      added);
        else
            draft_add(draft, text, "%.*s%s%s", length, added, lines->newline,
                      lines->inner);
    }
}

/*
 * Append the call as a statement that keeps its value in a variable, and what is due
 * after it.  With a status, it is made if that is BL_OK.
 */
static void add_value(struct draft *draft, char **text, const struct lines *lines)
{
    char value[FIX_NAME];

    if (draft->status[0] != '\0') {
        draft_add(draft, text, "if (%s == BL_OK)%s%s    %s = ", draft->status,
                  lines->newline, lines->inner, draft->status);
    } else {
        draft_name(draft, draft->argument[0], "value", value);
        draft_add(draft, text, "%s %s = ", draft->value_type, value);
    }
    add_call(draft, text);
    draft_add(draft, text, ";%s%s", lines->newline, lines->inner);
    add_lines(draft, text, lines, draft->after, false);
    if (draft->status[0] == '\0')
        snprintf(draft->status, sizeof draft->status, "%s", value);
}

/* Edit the statement: lines before and after it, and the call or its arguments. */
static bool edit_statement(struct draft *draft, struct fix *fix)
{
    const struct source *const source = draft->source;
    const struct statement statement = draft->statement;
    struct lines lines;
    char *before = NULL, *after = NULL, *call = NULL;
    bool needs_value;

    if (draft->unplaced[0] != '\0')
        return draft_refuse(draft, "%s", draft->unplaced);
    needs_value = draft->status[0] != '\0' || statement.place == CALL_RETURNED ||
                  statement.place == CALL_CONDITION;
    if (needs_value && draft->value_type[0] == '\0')
        return draft_refuse(draft, "the type of its call's value is not known");
    find_lines(draft, &statement, &lines);
    if (lines.has_braces)
        draft_add(draft, &before, "{%s%s", lines.newline, lines.inner);
    add_lines(draft, &before, &lines, draft->before, false);
    if (needs_value)
        add_value(draft, &before, &lines);
    add_edit(fix, source->token[statement.first].at, 0, before);
    if (needs_value) {
        const size_t at = source->token[draft->call.first].at;

        draft_add(draft, &call, "%s%s", statement.is_call ? "(void)" : "",
                  draft->status);
        add_edit(fix, at, end_of(source, draft->call.close) - at, call);
    } else {
        edit_arguments(draft, fix);
        add_lines(draft, &after, &lines, draft->after, true);
    }
    if (lines.has_braces)
        draft_add(draft, &after, "%s%s}", lines.newline, lines.margin);
    if (after)
        add_edit(fix, end_of(source, statement.last), 0, after);
    fix->begin = source->token[statement.first].at;
    fix->end = end_of(source, statement.last);
    return true;
}

bool draft_edit(struct draft *draft, struct fix *fix)
{
    const struct token *const token = draft->source->token;

    fix->begin = token[draft->call.first].at;
    fix->end = end_of(draft->source, draft->call.close);
    if (draft->before || draft->after)
        return edit_statement(draft, fix);
    edit_arguments(draft, fix);
    return fix->count > 0 ||
           draft_refuse(draft, "its operands have the right shapes already");
}
