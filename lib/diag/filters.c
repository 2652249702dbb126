/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filters: which warnings are reported, refused or ignored.
 */
#define _POSIX_C_SOURCE 200809L

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

/*
 * Cut ":LINE" off the end of a filter's file, "NAME:LINE", and set the line.  False
 * where LINE is not a number or NAME is empty.
 */
static bool split_line(struct filter *filter)
{
    char *const colon = strrchr(filter->file, ':');
    const char *const number = colon + 1;
    const size_t length = colon ? strlen(number) : 0;

    if (!colon)
        return true;
    if (colon == filter->file || length == 0 || length > 18 ||
        strspn(number, "0123456789") < length || strtoll(number, NULL, 10) > INT32_MAX)
        return false;
    filter->line = (int32_t)strtol(number, NULL, 10);
    *colon = '\0';
    return true;
}

/*
 * Insert a new filter before `*first`.  BL_ERR_ARGUMENT for a file that is not NAME or
 * NAME:LINE, which names `source`, the filter as it was written; BL_ERR_MEMORY.
 */
static bl_status push(struct filter **first, bl_warning_action action, bl_change change,
                      const char *file, const char *source)
{
    struct filter *const filter = malloc(sizeof *filter + strlen(file) + 1);

    if (!filter)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a filter");
    *filter = (struct filter){*first, action, change, 0};
    strcpy(filter->file, file);
    if (!split_line(filter)) {
        free(filter);
        return bli_error_argument(
            "file", "'%s': a file is NAME or NAME:LINE, LINE a number", source);
    }
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

static bl_status filter_one(bl_warning_action action, bl_change change,
                            const char *file)
{
    struct filter *filter = NULL;

    if (action < BL_WARNING_DEFAULT || action > BL_WARNING_IGNORE)
        return bli_error_argument("action", "unknown action: %d", (int)action);
    if (change < BL_CHANGE_NONE || change > BL_CHANGE_KEEPDIM)
        return bli_error_argument("change", "unknown change: %d", (int)change);
    file = file ? file : "";

    const bl_status status = push(&filter, action, change, file, file);

    return add(status, filter);
}

bl_status bl_warnings_filter(bl_warning_action action, bl_change change,
                             const char *file)
{
    BLI_RETURN_CALL(filter_one(action, change, file), "action %d, change %d, file %s",
                    (int)action, (int)change, file);
}

void bli_filter_reset(void)
{
    drop(filters);
    filters = NULL;
}

/* ---- filters as text ---- */

/*
 * Which of five words a text begins with, up to a ':' or its end; -1 if none.  Advances
 * the text past them.
 */
static int32_t take_word(const char **text, const char *const words[5])
{
    const char *const word = *text;
    const size_t length = strcspn(word, ":");

    *text += length + (word[length] == ':');
    for (int32_t k = 0; k < 5; k++)
        if (strlen(words[k]) == length && memcmp(words[k], word, length) == 0)
            return k;
    return -1;
}

/*
 * Insert the filter that a text "ACTION[:CHANGE[:FILE[:LINE]]]" describes before
 * `*first`.  BL_ERR_ARGUMENT, BL_ERR_MEMORY.
 */
static bl_status push_text(struct filter **first, const char *text)
{
    static const char *const actions[] = {"default", "always", "once", "error",
                                          "ignore"};
    static const char *const changes[] = {"", "value", "fallback", "shape", "keepdim"};
    const char *file = text;
    const int32_t action = take_word(&file, actions);
    const int32_t change = take_word(&file, changes);

    if (action < 0 || change < 0)
        return bli_error_argument(
            "text", "'%s': unknown %s", text,
            action < 0 ? "action: there are default, always, once, error and ignore"
                       : "change: there are value, shape, fallback and keepdim");
    return push(first, (bl_warning_action)action, (bl_change)change, file, text);
}

static bl_status filter_text(const char *text)
{
    char *const copy = text ? strdup(text) : NULL;
    struct filter *first = NULL;
    bl_status status = BL_OK;

    if (!copy)
        return text ? bl_error_set(BL_ERR_MEMORY, "no memory for a filter")
                    : bli_error_null("text");
    for (char *at = copy, *end; at && status == BL_OK; at = end) {
        end = strchr(at, ',');
        if (end)
            *end++ = '\0';
        if (*at != '\0')
            status = push_text(&first, at);
    }
    free(copy);
    return add(status, first);
}

bl_status bl_warnings_filter_text(const char *text)
{
    BLI_RETURN_CALL(filter_text(text), "text %s", text);
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
