/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds calls by their names in lines of any language that writes name(arguments).
 */
#include "excerpt.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/*
 * How well a name of `length` bytes fits an operation: 2 where it is a word of it, as
 * in bl_add_out; 1 where a word begins or ends with it, as in cadd and ltTensor; else
 * 0.
 */
static int fit(const char *name, size_t length, const char *operation)
{
    const size_t wanted = strlen(operation);
    int best = 0;

    for (size_t at = 0; wanted > 0 && at + wanted <= length; at++) {
        const bool begins = at == 0 || name[at - 1] == '_';
        const bool ends = at + wanted == length || name[at + wanted] == '_';
        size_t same = 0;

        while (same < wanted && tolower((unsigned char)name[at + same]) ==
                                    tolower((unsigned char)operation[same]))
            same++;
        if (same == wanted && begins + ends > best)
            best = begins + ends;
    }
    return best;
}

/* The bracket that opens the arguments after a name, as of THTensor_(cadd)(; or NULL.
 */
static const char *find_arguments(const char *at, const char *end)
{
    if (at < end && *at == ')')
        at++;
    while (at < end && *at == ' ')
        at++;
    return at < end && *at == '(' ? at : NULL;
}

/* The byte after the bracket that closes the one at `at`; NULL where there is none. */
static const char *find_close(const char *at, const char *end)
{
    int depth = 0;
    char quote = '\0';

    for (; at < end; at++) {
        if (quote != '\0' && *at == '\\')
            at++;
        else if (quote != '\0')
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* The bracket that opens the arguments among which a name at `at` is; or NULL. */
static const char *find_enclosing(const char *line, const char *at)
{
    int depth = 0;

    while (at > line && depth >= 0) {
        at--;
        depth += *at == ')' ? 1 : *at == '(' ? -1 : 0;
    }
    return depth < 0 ? at : NULL;
}

/* The begin of what is called with the bracket at `open`: a name, or THTensor_(cadd).
 */
static const char *find_callee(const char *line, const char *open)
{
    const char *at = open;

    while (at > line && at[-1] == ' ')
        at--;
    if (at > line && at[-1] == ')')
        for (at--; at > line && *at != '(';)
            at--;
    while (at > line && is_name(at[-1]))
        at--;
    return at;
}

/* Mark a line, without the blanks around it and a comment that ends it. */
static void mark_line(struct excerpt *excerpt, size_t begin, size_t end)
{
    const char *const text = excerpt->text;

    while (begin < end && isspace((unsigned char)text[begin]))
        begin++;
    for (size_t at = begin + 1; at + 1 < end; at++)
        if (text[at] == '/' && (text[at + 1] == '*' || text[at + 1] == '/'))
            end = at;
    while (end > begin && isspace((unsigned char)text[end - 1]))
        end--;
    excerpt->begin = begin;
    excerpt->end = end;
}

void excerpt_find_call(struct excerpt *excerpt, size_t line, size_t line_end,
                       const char *operation)
{
    const char *const begin = excerpt->text + line, *const end =
                                                        excerpt->text + line_end;
    int best = 0;

    mark_line(excerpt, line, line_end);
    for (const char *at = begin, *name = at; at < end; name = ++at) {
        const char *open, *close;
        int fits;

        while (at < end && is_name(*at))
            at++;
        fits = fit(name, (size_t)(at - name), operation);
        open = fits > 0 ? find_arguments(at, end) : NULL;
        fits = open ? 2 * fits + 1 : 2 * fits;
        if (!open && fits == 4)
            open = find_enclosing(begin, name);
        close = open ? find_close(open, excerpt->text + excerpt->size) : NULL;
        if (!close || fits <= best)
            continue;
        best = fits;
        excerpt->begin = (size_t)(find_callee(begin, open) - excerpt->text);
        excerpt->end = (size_t)(close - excerpt->text);
    }
}
