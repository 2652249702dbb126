/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of calls at one place: a list of shapes as text, "(4,1) (4) -> (4,4); ...".
 */
#define _POSIX_C_SOURCE 200809L

#include "kinds.h"

#include <stdlib.h>
#include <string.h>

static const char between[] = "; ", others[] = "...";

bool kinds_next(const char **at, char shapes[KIND_SIZE])
{
    do {
        const char *const text = *at, *const end = strstr(text, between);
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        const size_t fits = length < KIND_SIZE ? length : KIND_SIZE - 1;

        if (length == 0)
            return false;
        memcpy(shapes, text, fits);
        shapes[fits] = '\0';
        *at = text + length + (end ? strlen(between) : 0);
    } while (strcmp(shapes, others) == 0);
    return true;
}

int kinds_count(const char *kinds)
{
    char shapes[KIND_SIZE];
    int count = 0;

    while (kinds_next(&kinds, shapes))
        count++;
    return count;
}

bool kinds_has_more(const char *kinds)
{
    return strstr(kinds, others) != NULL;
}

/* Append a text at the end of a list that has room for it; returns the new end. */
static char *append(char *end, bool follows, const char *text)
{
    return stpcpy(follows ? stpcpy(end, between) : end, text);
}

bl_status kinds_join(char **kinds, const char *more)
{
    const char *at[2] = {*kinds, more};
    char shapes[2][KIND_SIZE];
    bool has[2] = {kinds_next(&at[0], shapes[0]), kinds_next(&at[1], shapes[1])};
    bool is_cut = kinds_has_more(*kinds) || kinds_has_more(more);
    char *const joined = malloc(strlen(*kinds) + strlen(more) + sizeof between + 8);
    char *end = joined;
    int count = 0;

    if (!joined)
        return bl_error_set(BL_ERR_MEMORY, "no memory for findings");
    for (*end = '\0'; has[0] || has[1]; count++) {
        const int order = !has[0] ? 1 : !has[1] ? -1 : strcmp(shapes[0], shapes[1]);

        if (count == KINDS_MOST) {
            is_cut = true;
            break;
        }
        end = append(end, count > 0, shapes[order > 0]);
        if (order <= 0)
            has[0] = kinds_next(&at[0], shapes[0]);
        if (order >= 0)
            has[1] = kinds_next(&at[1], shapes[1]);
    }
    if (is_cut)
        append(end, count > 0, others);
    free(*kinds);
    *kinds = joined;
    return BL_OK;
}

bl_status kinds_sort(char **kinds)
{
    char *const given = *kinds;
    const char *at = given;
    char shapes[KIND_SIZE];
    bl_status status = BL_OK;

    *kinds = strdup(kinds_has_more(given) ? others : "");
    if (!*kinds)
        status = bl_error_set(BL_ERR_MEMORY, "no memory for findings");
    while (status == BL_OK && kinds_next(&at, shapes))
        status = kinds_join(kinds, shapes);
    free(given);
    return status;
}
