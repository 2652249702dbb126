/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits source files in C and C++ into tokens.
 */
#include "c_source.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- one token: each function returns the byte after it ---- */

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '$' || (byte & 0x80);
}

/* Length of a spliced line's end at `at`, a backslash and a newline; 0: there is none.
 */
static size_t splice_length(const char *at)
{
    return at[0] != '\\'                    ? 0
           : at[1] == '\n'                  ? 2
           : at[1] == '\r' && at[2] == '\n' ? 3
                                            : 0;
}

/* After a comment that begins at `at`; NULL where there is none. */
static const char *skip_comment(const char *at)
{
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
        return NULL;
    if (at[1] == '*') {
        const char *const end = strstr(at + 2, "*/");

        return end ? end + 2 : strchr(at, '\0');
    }
    while (*at != '\0' && *at != '\n')
        at += splice_length(at) > 0 ? splice_length(at) : 1;
    return at;
}

/* After a string or character constant whose quote is at `at`; not past its line. */
static const char *skip_quoted(const char *at)
{
    const char quote = *at++;

    while (*at != '\0' && *at != '\n' && *at != quote)
        if (splice_length(at) > 0)
            at += splice_length(at);
        else
            at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

/* After a raw string of C++, R"x(...)x", whose quote is at `at`. */
static const char *skip_raw(const char *at)
{
    char close[20] = ")";
    const size_t length = strcspn(at + 1, "(\n");
    const char *end;

    if (at[1 + length] != '(' || length > sizeof close - 3)
        return skip_quoted(at);
    memcpy(close + 1, at + 1, length);
    strcpy(close + 1 + length, "\"");
    end = strstr(at, close);
    return end ? end + strlen(close) : strchr(at, '\0');
}

/* After a name, or the string that it is the prefix of. */
static const char *skip_name(const char *at, bool is_cxx, enum token_kind *kind)
{
    const char *end = at;

    while (is_word(*end))
        end++;
    *kind = TOKEN_NAME;
    if ((*end != '"' && *end != '\'') || end - at > 3)
        return end;
    for (const char *byte = at; byte < end; byte++)
        if (!strchr("uUL8R", *byte))
            return end;
    *kind = TOKEN_TEXT;
    return is_cxx && end[-1] == 'R' && *end == '"' ? skip_raw(end) : skip_quoted(end);
}

static const char *skip_number(const char *at)
{
    while (is_word(*at) || *at == '.' || (*at == '\'' && is_word(at[1])) ||
           ((*at == '+' || *at == '-') && strchr("eEpP", at[-1])))
        at++;
    return at;
}

static const char *skip_mark(const char *at)
{
    static const char *const marks[] = {
        "<<=", ">>=", "...", "->", "++", "--", "&&", "||", "::", "<<", "==",
        "!=",  "<=",  ">=",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
        if (strncmp(at, marks[k], strlen(marks[k])) == 0)
            return at + strlen(marks[k]);
    return at + 1;
}

/* After a directive: the end of its line, or of the last that is spliced to it. */
static const char *skip_directive(const char *at)
{
    while (*at != '\0' && *at != '\n') {
        const char *const after = skip_comment(at);

        if (after)
            at = after;
        else if (splice_length(at) > 0)
            at += splice_length(at);
        else
            at = *at == '"' ? skip_quoted(at) : at + 1;
    }
    return at;
}

static const char *skip_token(const char *at, const struct source *source,
                              enum token_kind *kind)
{
    *kind = TOKEN_MARK;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        *kind = TOKEN_NUMBER;
        return skip_number(at);
    }
    if (is_word(*at))
        return skip_name(at, source->is_cxx, kind);
    if (*at == '"' || *at == '\'') {
        *kind = TOKEN_TEXT;
        return skip_quoted(at);
    }
    return skip_mark(at);
}

/* ---- all tokens ---- */

static bl_status add_token(struct source *source, struct token token)
{
    if (source->count == source->room) {
        const int32_t room = source->room > 0 ? 2 * source->room : 1024;
        struct token *const at =
            source->room > INT32_MAX / 4
                ? NULL
                : realloc(source->token, (size_t)room * sizeof *at);

        if (!at)
            return bl_error_set(BL_ERR_MEMORY, "no memory for the tokens of %s",
                                source->path);
        source->token = at;
        source->room = room;
    }
    source->token[source->count++] = token;
    return BL_OK;
}

static bl_status split(struct source *source)
{
    const char *at = source->text;
    const char *const end = source->text + source->length;
    struct token token = {.line = 1, .mate = -1};
    bool is_first = true; /* on its line */

    while (at < end) {
        const char *const begin = at, *after = skip_comment(at);

        if (!after && splice_length(at) > 0)
            after = at + splice_length(at);
        if (after || isspace((unsigned char)*at) || *at == '\0') {
            is_first = is_first || *at == '\n';
            at = after ? after : at + 1;
        } else {
            token.kind = TOKEN_DIRECTIVE;
            at = is_first && *at == '#' ? skip_directive(at)
                                        : skip_token(at, source, &token.kind);
            token.at = (size_t)(begin - source->text);
            token.length = (size_t)(at - begin);
            TRY(add_token(source, token));
            is_first = false;
        }
        for (const char *byte = begin; byte < at; byte++)
            token.line += *byte == '\n';
    }
    return BL_OK;
}

/*
 * Find the partners of brackets.  One that closes another kind than is open has none,
 * nor have those that branches of #if leave open.
 */
static bl_status pair_brackets(struct source *source)
{
    static const char opening[] = "([{", closing[] = ")]}";
    int32_t *const open = calloc((size_t)source->count + 1, sizeof *open);
    int32_t depth = 0;

    if (!open)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the tokens of %s",
                            source->path);
    for (int32_t k = 0; k < source->count; k++) {
        struct token *const token = &source->token[k];
        const char byte = source->text[token->at];
        const char *const close = strchr(closing, byte);

        if (token->kind != TOKEN_MARK || byte == '\0')
            continue;
        if (strchr(opening, byte)) {
            open[depth++] = k;
        } else if (close && depth > 0 &&
                   source->text[source->token[open[depth - 1]].at] ==
                       opening[close - closing]) {
            depth--;
            token->mate = open[depth];
            source->token[open[depth]].mate = k;
        }
    }
    free(open);
    return BL_OK;
}

bl_status source_split(struct source *source)
{
    TRY(split(source));
    return pair_brackets(source);
}
