/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of places where elements that differ left the library, as text.
 */
#define _POSIX_C_SOURCE 200809L

#include "reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = "; ", others[] = "...";

/* Parse "data train.c:80 12" of `length` bytes; false where it is something else. */
static bool parse(const char *text, size_t length, struct read *read)
{
    char entry[READ_SIZE + 32];
    char *place, *count, *end;

    if (length >= sizeof entry)
        return false;
    memcpy(entry, text, length);
    entry[length] = '\0';
    place = strchr(entry, ' ');
    count = strrchr(entry, ' ');
    if (!place || count == place || place - entry >= (ptrdiff_t)sizeof read->how ||
        count - place > (ptrdiff_t)sizeof read->place)
        return false;
    *place++ = *count++ = '\0';
    strcpy(read->how, entry);
    strcpy(read->place, place);
    read->count = strtoll(count, &end, 10);
    return end != count && *end == '\0' && read->count > 0;
}

bool reads_next(const char **at, struct read *read)
{
    for (;;) {
        const char *const text = *at, *const end = strstr(text, between);
        const size_t length = end ? (size_t)(end - text) : strlen(text);

        if (length == 0)
            return false;
        *at = text + length + (end ? strlen(between) : 0);
        if (parse(text, length, read))
            return true;
    }
}

bool reads_has_more(const char *reads)
{
    const size_t length = strlen(reads);

    return length >= strlen(others) &&
           strcmp(reads + length - strlen(others), others) == 0;
}

static int compare(const struct read *a, const struct read *b)
{
    const int order = strcmp(a->how, b->how);

    return order != 0 ? order : strcmp(a->place, b->place);
}

/* Append an entry at the end of a list that has room for it; returns the new end. */
static char *append(char *end, bool follows, const struct read *read)
{
    return end + sprintf(end, "%s%s %s %" PRId64, follows ? between : "", read->how,
                         read->place, read->count);
}

bl_status reads_join(char **reads, const char *more)
{
    /* A sum has at most one digit more than its terms together. */
    char *const joined = malloc(strlen(*reads) + strlen(more) + sizeof between + 8);
    const char *at[2] = {*reads, more};
    struct read read[2];
    bool has[2] = {reads_next(&at[0], &read[0]), reads_next(&at[1], &read[1])};
    bool is_cut = reads_has_more(*reads) || reads_has_more(more);
    char *end = joined;
    int count = 0;

    if (!joined)
        return bl_error_set(BL_ERR_MEMORY, "no memory for findings");
    for (*end = '\0'; has[0] || has[1]; count++) {
        const int order = !has[0] ? 1 : !has[1] ? -1 : compare(&read[0], &read[1]);

        if (count == READS_MOST) {
            is_cut = true;
            break;
        }
        if (order == 0)
            read[0].count += read[1].count;
        end = append(end, count > 0, &read[order > 0]);
        if (order <= 0)
            has[0] = reads_next(&at[0], &read[0]);
        if (order >= 0)
            has[1] = reads_next(&at[1], &read[1]);
    }
    if (is_cut)
        sprintf(end, "%s%s", count > 0 ? between : "", others);
    free(*reads);
    *reads = joined;
    return BL_OK;
}

bl_status reads_sort(char **reads)
{
    char *const given = *reads;
    const char *at = given;
    struct read read;
    char one[READ_SIZE + 64];
    bl_status status = BL_OK;

    *reads = strdup(reads_has_more(given) ? others : "");
    if (!*reads)
        status = bl_error_set(BL_ERR_MEMORY, "no memory for findings");
    while (status == BL_OK && reads_next(&at, &read)) {
        append(one, false, &read);
        status = reads_join(reads, one);
    }
    free(given);
    return status;
}

/* ---- places ---- */

/* The '@' and the "+0x" of a place that is an address; false where it is a line. */
static bool find_parts(const char *place, const char **at, const char **plus)
{
    *at = strrchr(place, '@');
    *plus = *at ? strstr(*at, "+0x") : NULL;
    return *plus != NULL;
}

bool reads_address(const struct read *read, char **module, char **build_id,
                   int64_t *offset)
{
    const char *at, *plus;

    if (!find_parts(read->place, &at, &plus))
        return false;
    *module = strndup(read->place, (size_t)(at - read->place));
    *build_id = strndup(at + 1, (size_t)(plus - at - 1));
    *offset = strtoll(plus + 1, NULL, 16);
    return *module && *build_id;
}

void reads_place(const struct read *read, char *text, size_t size)
{
    const char *at, *plus, *slash;

    if (!find_parts(read->place, &at, &plus)) {
        snprintf(text, size, "%s", read->place);
        return;
    }
    slash = at;
    while (slash > read->place && slash[-1] != '/')
        slash--;
    snprintf(text, size, "%.*s%s", (int)(at - slash), slash, plus);
}

void reads_resolve(char **reads, void (*resolve)(struct read *read))
{
    const char *at = *reads;
    char *resolved = strdup(reads_has_more(*reads) ? others : "");
    char one[READ_SIZE + 64];
    bl_status status = resolved ? BL_OK : BL_ERR_MEMORY;
    struct read read;

    while (status == BL_OK && reads_next(&at, &read)) {
        resolve(&read);
        append(one, false, &read);
        status = reads_join(&resolved, one);
    }
    if (status == BL_OK) {
        free(*reads);
        *reads = resolved;
    } else {
        free(resolved);
    }
}
