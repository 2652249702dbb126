/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads excerpts: the findings are taken in the order of files and lines, so that each
 * file is read once, and of one file a window moves over its lines.
 */
#define _POSIX_C_SOURCE 200809L

#include "excerpt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_SOURCE = 64 << 20 };

/* A file, and the line that begins at `at`. */
struct source {
    char *text, *at, *end;
    int64_t line;
};

/* ---- files ---- */

/* Read all of a regular file; false where that is not possible. */
static bool source_read(const char *path, struct source *source)
{
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat found;
    size_t size = 0;
    ssize_t got = 1;

    *source = (struct source){.line = 1};
    if (file < 0)
        return false;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_size <= LARGEST_SOURCE)
        source->text = malloc((size_t)found.st_size + 1);
    while (source->text && got > 0) {
        got = read(file, source->text + size, (size_t)found.st_size - size);
        size += got > 0 ? (size_t)got : 0;
    }
    close(file);
    source->at = source->text;
    source->end = source->text ? source->text + size : NULL;
    return source->text != NULL;
}

/* The begin of the line after the one at `at`; the end after the last one. */
static char *next_line(const struct source *source, char *at)
{
    char *const end = memchr(at, '\n', (size_t)(source->end - at));

    return end ? end + 1 : source->end;
}

/* ---- excerpts ---- */

/* Copy the lines of a window, cut where they are long. BL_ERR_MEMORY. */
static bl_status cut_out(const struct source *source, const struct finding *finding,
                         struct excerpt *excerpt)
{
    const int64_t last = finding->line + LINES_AFTER;
    int64_t line = source->line;
    size_t begin = 0, end = 0;
    char *const text = malloc((LINES_BEFORE + LINES_AFTER + 1) * (LINE_MOST + 4));

    if (!text)
        return bl_error_set(BL_ERR_MEMORY, "no memory for sources");
    *excerpt = (struct excerpt){.text = text, .first = line};
    for (char *at = source->at, *next; at < source->end && line <= last;
         at = next, line++) {
        size_t size;

        next = next_line(source, at);
        size = (size_t)(next - at);
        while (size > 0 && (at[size - 1] == '\n' || at[size - 1] == '\r'))
            size--;
        begin = line == finding->line ? excerpt->size : begin;
        memcpy(text + excerpt->size, at, size < LINE_MOST ? size : LINE_MOST);
        excerpt->size += size < LINE_MOST ? size : LINE_MOST;
        if (size > LINE_MOST)
            excerpt->size += (size_t)sprintf(text + excerpt->size, "\xe2\x80\xa6");
        end = line == finding->line ? excerpt->size : end;
        text[excerpt->size++] = '\n';
    }
    if (line > finding->line) {
        excerpt_find_call(excerpt, begin, end, finding->function);
        return BL_OK;
    }
    free(text); /* the file is shorter */
    excerpt->text = NULL;
    return BL_OK;
}

/* Go on to the first line of a finding's window. */
static void advance(struct source *source, int64_t line)
{
    while (source->line < line - LINES_BEFORE && source->at < source->end) {
        source->at = next_line(source, source->at);
        source->line++;
    }
}

/* A finding, in the order of files and lines. */
struct place {
    const struct finding *finding;
    size_t index;
};

static int compare_places(const void *left, const void *right)
{
    const struct finding *const a = ((const struct place *)left)->finding;
    const struct finding *const b = ((const struct place *)right)->finding;
    const int order = strcmp(a->file, b->file);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Read the excerpts of sorted places. */
static bl_status read_places(const struct place *place, size_t count,
                             struct excerpt *excerpt)
{
    struct source source = {.text = NULL};
    bl_status status = BL_OK;

    for (size_t k = 0; k < count && status == BL_OK; k++) {
        const struct finding *const finding = place[k].finding;

        if (k == 0 || strcmp(finding->file, place[k - 1].finding->file) != 0) {
            free(source.text);
            if (finding->file[0] == '\0' || !source_read(finding->file, &source))
                source = (struct source){.text = NULL};
        }
        if (!source.text || finding->line < 1)
            continue;
        advance(&source, finding->line);
        status = cut_out(&source, finding, &excerpt[place[k].index]);
    }
    free(source.text);
    return status;
}

bl_status excerpts_read(const struct finding *finding, size_t count,
                        struct excerpt *excerpt)
{
    struct place *const place = malloc((count + 1) * sizeof *place);
    bl_status status;

    memset(excerpt, 0, count * sizeof *excerpt);
    if (!place)
        return bl_error_set(BL_ERR_MEMORY, "no memory for sources");
    for (size_t k = 0; k < count; k++)
        place[k] = (struct place){&finding[k], k};
    if (count > 0)
        qsort(place, count, sizeof *place, compare_places);
    status = read_places(place, count, excerpt);
    free(place);
    return status;
}

void excerpts_free(struct excerpt *excerpt, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free(excerpt[k].text);
}
