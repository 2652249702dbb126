/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which warnings are told.
 */
#include "warnings.h"

#include <stdlib.h>
#include <string.h>

struct filter {
    struct filter *next; /* added before */
    bl_warning_action action;
    bl_difference difference; /* BL_DIFFERENCE_NONE: all */
    char file[];              /* "": all */
};

static struct filter *filters;

bl_status bl_warnings_filter(bl_warning_action action, bl_difference difference,
                             const char *file)
{
    const size_t length = file ? strlen(file) : 0;
    struct filter *filter;

    if (action < BL_WARNING_DEFAULT || action > BL_WARNING_IGNORE)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown action: %d", (int)action);
    if (difference < BL_DIFFERENCE_NONE || difference > BL_DIFFERENCE_KEEPDIM)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown difference: %d", (int)difference);
    filter = malloc(sizeof *filter + length + 1);
    if (!filter)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a filter");
    filter->action = action;
    filter->difference = difference;
    memcpy(filter->file, file ? file : "", length + 1);
    pthread_mutex_lock(&bli_warnings_lock);
    filter->next = filters;
    filters = filter;
    atomic_fetch_add_explicit(&bli_warnings_state, 2, memory_order_relaxed);
    pthread_mutex_unlock(&bli_warnings_lock);
    return BL_OK;
}

void bli_filter_reset(void)
{
    while (filters) {
        struct filter *const next = filters->next;

        free(filters);
        filters = next;
    }
}

/* Whether a path is that file, or ends in it behind a slash. */
static bool ends_in(const char *path, const char *file)
{
    const size_t length = strlen(path), end = strlen(file);

    return length >= end && strcmp(path + length - end, file) == 0 &&
           (length == end || path[length - end - 1] == '/');
}

static bool is_about(const struct filter *filter, const bl_warning *warning)
{
    if (filter->difference != BL_DIFFERENCE_NONE &&
        (int32_t)filter->difference != warning->difference)
        return false;
    return filter->file[0] == '\0' ||
           (warning->file && ends_in(warning->file, filter->file));
}

/* The first of what is the same is told, if there is somebody to tell. */
static bl_warning_action tell_once(struct bli_site *site, bool has_handler)
{
    if (!site || site->was_told || !has_handler)
        return BL_WARNING_IGNORE;
    site->was_told = true;
    return BL_WARNING_ALWAYS;
}

bl_warning_action bli_filter_decide(const bl_warning *warning, struct bli_site *site,
                                    bool has_handler)
{
    bl_warning_action action = BL_WARNING_DEFAULT;

    for (const struct filter *filter = filters; filter; filter = filter->next)
        if (is_about(filter, warning)) {
            action = filter->action;
            break;
        }
    if (action == BL_WARNING_DEFAULT)
        return tell_once(site, has_handler);
    if (action == BL_WARNING_ONCE)
        return tell_once(bli_site_anywhere(&site->key), has_handler);
    if (action == BL_WARNING_ALWAYS && !has_handler)
        return BL_WARNING_IGNORE;
    return action;
}
