/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of calls at one place: a list of shapes as text, "(4,1) (4) -> (4,4); ...".
 */
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

static bool has_kind(const char *kinds, const char *wanted)
{
    char shapes[KIND_SIZE];

    while (kinds_next(&kinds, shapes))
        if (strcmp(shapes, wanted) == 0)
            return true;
    return false;
}

/* Append a text to a list; false where memory runs out. */
static bool append(char **kinds, const char *text)
{
    const size_t used = strlen(*kinds), room = strlen(text) + sizeof between;
    char *const longer = realloc(*kinds, used + room);

    if (!longer)
        return false;
    *kinds = longer;
    snprintf(longer + used, room, "%s%s", used > 0 ? between : "", text);
    return true;
}

bl_status kinds_join(char **kinds, const char *more)
{
    const char *at = more;
    char shapes[KIND_SIZE];
    bool fits = true;

    while (fits && kinds_next(&at, shapes))
        fits = has_kind(*kinds, shapes) || append(kinds, shapes);
    if (fits && kinds_has_more(more) && !kinds_has_more(*kinds))
        fits = append(kinds, others);
    return fits ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no memory for the findings");
}
