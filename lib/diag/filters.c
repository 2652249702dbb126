/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filters: which warnings are reported, refused or ignored.
 */
#include "diag/warnings.h"

#include <stdlib.h>
#include <string.h>

struct filter {
    struct filter *next; /* the one added before it */
    bl_warning_action action;
    bl_change change; /* BL_CHANGE_NONE: all */
    int32_t line;     /* 0: all */
    char file[];      /* "": all */
};

static struct filter *filters;

/* ---- one filter ---- */

/* A part of a text, not terminated. */
struct piece {
    const char *at;
    size_t length;
};

/*
 * Cut the part up to the first `mark` off the front of a text, with the mark, and
 * return it without the mark; all of the text where there is none.
 */
static struct piece take(struct piece *from, char mark)
{
    const char *const end = memchr(from->at, mark, from->length);
    const struct piece first = {from->at,
                                end ? (size_t)(end - from->at) : from->length};
    const size_t step = first.length + (end != NULL);

    from->at += step;
    from->length -= step;
    return first;
}

/*
 * Cut ":LINE" off the end of "NAME:LINE"; `*line` is 0, for all lines, without one.
 * False where LINE is not a number.
 */
static bool split_line(struct piece *file, int32_t *line)
{
    size_t start = file->length;
    int64_t number = 0;

    *line = 0;
    while (start > 0 && file->at[start - 1] != ':')
        start--;
    if (start == 0)
        return true;
    for (size_t k = start; k < file->length && number <= INT32_MAX; k++) {
        if (file->at[k] < '0' || file->at[k] > '9')
            return false;
        number = 10 * number + (file->at[k] - '0');
    }
    if (start < 2 || start == file->length || number > INT32_MAX)
        return false;
    *line = (int32_t)number;
    file->length = start - 1;
    return true;
}

/*
 * Insert a new filter before `*first`.  BL_ERR_ARGUMENT for a file that is not NAME or
 * NAME:LINE, which names `source`, the filter as it was written; BL_ERR_MEMORY.
 */
static bl_status push(struct filter **first, bl_warning_action action, bl_change change,
                      struct piece file, struct piece source)
{
    struct filter *filter;
    int32_t line;

    if (!split_line(&file, &line))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "'%.*s': a file is NAME or NAME:LINE, LINE a number",
                            (int)source.length, source.at);
    filter = malloc(sizeof *filter + file.length + 1);
    if (!filter)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a filter");
    *filter = (struct filter){*first, action, change, line};
    memcpy(filter->file, file.at, file.length);
    filter->file[file.length] = '\0';
    *first = filter;
    return BL_OK;
}

/* Free a list of filters. */
static void drop(struct filter *filter)
{
    while (filter) {
        struct filter *const next = filter->next;

        free(filter);
        filter = next;
    }
}

/*
 * Put a list of new filters before those in use.  Where `status` says that making them
 * failed, free them and return it.
 */
static bl_status add(bl_status status, struct filter *first)
{
    struct filter **end = &first;

    if (status != BL_OK || !first) {
        drop(first);
        return status;
    }
    while (*end)
        end = &(*end)->next;
    bli_warnings_enter();
    *end = filters;
    filters = first;
    bli_warnings_change(0, 0);
    bli_warnings_leave();
    return BL_OK;
}

bl_status bl_warnings_filter(bl_warning_action action, bl_change change,
                             const char *file)
{
    const struct piece name = {file ? file : "", file ? strlen(file) : 0};
    struct filter *filter = NULL;

    if (action < BL_WARNING_DEFAULT || action > BL_WARNING_IGNORE)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown action: %d", (int)action);
    if (change < BL_CHANGE_NONE || change > BL_CHANGE_KEEPDIM)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown change: %d", (int)change);

    const bl_status status = push(&filter, action, change, name, name);

    return add(status, filter);
}

void bli_filter_reset(void)
{
    drop(filters);
    filters = NULL;
}

/* ---- filters as text ---- */

/* The index of the word that a piece is; -1 if it is none of them. */
static int32_t word_of(struct piece piece, const char *const words[5])
{
    for (int32_t k = 0; k < 5; k++)
        if (strlen(words[k]) == piece.length &&
            memcmp(words[k], piece.at, piece.length) == 0)
            return k;
    return -1;
}

/*
 * Insert the filter that a text "ACTION[:CHANGE[:FILE[:LINE]]]" describes before
 * `*first`.  BL_ERR_ARGUMENT, BL_ERR_MEMORY.
 */
static bl_status push_text(struct filter **first, struct piece text)
{
    static const char *const actions[] = {"default", "always", "once", "error",
                                          "ignore"};
    static const char *const changes[] = {"", "value", "fallback", "shape", "keepdim"};
    const struct piece source = text;
    const int32_t action = word_of(take(&text, ':'), actions);
    const int32_t change = word_of(take(&text, ':'), changes);

    if (action < 0 || change < 0)
        return bl_error_set(
            BL_ERR_ARGUMENT, "'%.*s': unknown %s", (int)source.length, source.at,
            action < 0 ? "action: there are default, always, once, error and ignore"
                       : "change: there are value, shape, fallback and keepdim");
    return push(first, (bl_warning_action)action, (bl_change)change, text, source);
}

bl_status bl_warnings_filter_text(const char *text)
{
    struct piece rest = {text, text ? strlen(text) : 0};
    struct filter *first = NULL;
    bl_status status = BL_OK;

    if (!text)
        return bl_error_set(BL_ERR_ARGUMENT, "text is null");
    while (rest.length > 0 && status == BL_OK) {
        const struct piece piece = take(&rest, ',');

        if (piece.length > 0)
            status = push_text(&first, piece);
    }
    return add(status, first);
}

/* ---- what is done with a warning ---- */

/* Whether a path is `file`, or ends in it after a slash. */
static bool ends_in(const char *path, const char *file)
{
    const size_t length = strlen(path), end = strlen(file);

    return length >= end && strcmp(path + length - end, file) == 0 &&
           (length == end || path[length - end - 1] == '/');
}

/* Whether a filter applies to warnings with this key, by change, line and file. */
static bool is_about(const struct filter *filter, const struct bli_key *key)
{
    return (filter->change == BL_CHANGE_NONE ||
            (int32_t)filter->change == key->change) &&
           (filter->line == 0 || filter->line == key->at.line) &&
           (filter->file[0] == '\0' ||
            (key->at.file && ends_in(key->at.file, filter->file)));
}

bl_warning_action bli_filter_decide(const struct bli_key *key, struct bli_site *site,
                                    bool has_handler)
{
    const struct bli_key unlocated = {
        .change = key->change, .op = key->op, .function = key->function};
    const struct filter *filter = filters;
    bl_warning_action action;

    while (filter && !is_about(filter, key))
        filter = filter->next;
    action = filter ? filter->action : BL_WARNING_DEFAULT;
    if (action == BL_WARNING_ERROR)
        return action;
    if (!has_handler)
        return BL_WARNING_IGNORE;
    if (action == BL_WARNING_ONCE)
        site = bli_site_find(&unlocated); /* one for all calls of the function */
    if (action == BL_WARNING_DEFAULT || action == BL_WARNING_ONCE) {
        action = site && !site->was_emitted ? BL_WARNING_ALWAYS : BL_WARNING_IGNORE;
        if (site)
            site->was_emitted = true;
    }
    return action;
}
