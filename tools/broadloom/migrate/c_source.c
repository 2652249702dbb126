/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads source files, and answers questions about their tokens.
 */
#define _POSIX_C_SOURCE 200809L

#include "c_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static bool has_ending(const char *path, const char *const *endings)
{
    const char *const dot = strrchr(path, '.');

    for (; dot && *endings; endings++)
        if (strcmp(dot, *endings) == 0)
            return true;
    return false;
}

/* Read all of a file into memory. */
static bl_status read_text_of(struct source *source, FILE *file)
{
    size_t room = 0, got = 1;

    while (got > 0) {
        if (room - source->length < 2) {
            char *const text = realloc(source->text, room = 2 * room + 65536);

            if (!text)
                return bl_error_set(BL_ERR_MEMORY, "no memory for %s", source->path);
            source->text = text;
        }
        got = fread(source->text + source->length, 1, room - source->length - 1, file);
        source->length += got;
    }
    source->text[source->length] = '\0';
    return ferror(file) ? bl_error_set(BL_ERR_IO, "cannot read %s: %s", source->path,
                                       strerror(errno))
                        : BL_OK;
}

bl_status source_read(struct source *source, const char *path)
{
    static const char *const c[] = {".c", ".h", ".i", ".inc", NULL};
    static const char *const cxx[] = {".cc",  ".cpp", ".cxx", ".c++", ".C",
                                      ".hpp", ".hh",  ".hxx", ".cu",  NULL};
    FILE *const file = fopen(path, "r");
    bl_status status;

    *source = (struct source){.path = strdup(path), .is_cxx = has_ending(path, cxx)};
    if (file && !source->is_cxx && !has_ending(path, c)) {
        fclose(file);
        return bl_error_set(BL_ERR_IO, "its file is neither C nor C++ by its name");
    }
    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    status = source->path ? read_text_of(source, file)
                          : bl_error_set(BL_ERR_MEMORY, "no memory for %s", path);
    fclose(file);
    return status == BL_OK ? source_split(source) : status;
}

void source_free(struct source *source)
{
    free(source->path);
    free(source->text);
    free(source->token);
    *source = (struct source){.count = 0};
}

/* ---- tokens ---- */

bool source_is_kind(const struct source *source, int32_t k, enum token_kind kind)
{
    return k >= 0 && k < source->count && source->token[k].kind == kind;
}

bool source_is(const struct source *source, int32_t k, const char *text)
{
    return k >= 0 && k < source->count && source->token[k].length == strlen(text) &&
           memcmp(source->text + source->token[k].at, text, strlen(text)) == 0;
}

bool source_is_one_of(const struct source *source, int32_t k, const char *const *texts)
{
    for (; *texts; texts++)
        if (source_is(source, k, *texts))
            return true;
    return false;
}

const char *source_newline(const struct source *source)
{
    return strstr(source->text, "\r\n") ? "\r\n" : "\n";
}

int source_indentation(const struct source *source, int32_t k, size_t *at)
{
    size_t begin = source->token[k].at;

    while (begin > 0 && source->text[begin - 1] != '\n')
        begin--;
    *at = begin;
    return (int)strspn(source->text + begin, " \t");
}

int32_t source_find_line(const struct source *source, int64_t line)
{
    int32_t low = 0, high = source->count;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (source->token[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last token that begins at a byte or before it; -1: none. */
static int32_t find_token(const struct source *source, size_t at)
{
    int32_t low = 0, high = source->count;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (source->token[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

void source_position(const struct source *source, size_t at, int64_t *line,
                     int64_t *column)
{
    const int32_t token = find_token(source, at);
    const char *const text = source->text;

    *line = token < 0 ? 1 : source->token[token].line;
    *column = 1;
    for (size_t k = token < 0 ? 0 : source->token[token].at; k < at; k++)
        *line += text[k] == '\n';
    for (size_t k = at; k > 0 && text[k - 1] != '\n'; k--)
        *column += (text[k - 1] & 0xc0) != 0x80;
}
