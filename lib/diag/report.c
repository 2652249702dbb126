/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report: every warning site with what was found there, one JSON object a line, as
 * `broadloom migrate` reads it.
 */
#define _POSIX_C_SOURCE 200809L

#include "diag/warnings.h"

#include "core/save.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 4096 }; /* what a pipe takes in one write */

/* A file being written, through the buffer `text`. */
struct output {
    struct bli_save save;
    bl_status status; /* not BL_OK: the rest is dropped */
    size_t length;
    char text[BUFFER_SIZE];
};

/* Write the buffer to the file; after an error, drop it. */
static void flush(struct output *output)
{
    if (output->status == BL_OK)
        output->status = bli_save_write(&output->save, output->text, output->length);
    output->length = 0;
}

/* Append formatted text, at most 200 bytes, and flush where it might not fit. */
BL_PRINTF(2, 3) static void add(struct output *output, const char *format, ...)
{
    va_list arguments;
    int length;

    if (BUFFER_SIZE - output->length < 200)
        flush(output);
    va_start(arguments, format);
    length = vsnprintf(output->text + output->length, 200, format, arguments);
    va_end(arguments);
    if (length > 0)
        output->length += length < 200 ? (size_t)length : 199;
}

/* Append a member whose value is a string, with a comma before it. */
static void add_text(struct output *output, const char *key, const char *value)
{
    add(output, ", \"%s\": \"", key);
    for (; *value != '\0'; value++)
        if (*value == '"' || *value == '\\' || (unsigned char)*value < 0x20)
            add(output, "\\u%04x", (unsigned)*value);
        else
            add(output, "%c", *value);
    add(output, "\"");
}

/*
 * The class of a finding, as `broadloom migrate` names it: fallback, keepdim, value,
 * shape or none.
 */
static const char *class_of(const bl_warning_site *site)
{
    if (site->change == BL_CHANGE_FALLBACK)
        return "fallback";
    if (site->change == BL_CHANGE_KEEPDIM)
        return "keepdim";
    return site->effect == BL_CHANGE_VALUE   ? "value"
           : site->effect == BL_CHANGE_SHAPE ? "shape"
                                             : "none";
}

/* Append the call site: file and line, or the loaded file and offset; if known. */
static void add_place(struct output *output, const bl_warning_site *site)
{
    if (site->file) {
        add_text(output, "file", site->file);
        add(output, ", \"line\": %" PRId32, site->line);
    } else if (site->module[0] != '\0') {
        add_text(output, "module", site->module);
        add_text(output, "build_id", site->build_id);
        add(output, ", \"offset\": %" PRIu64, site->offset);
    }
}

/* Append the growth to three places, with a point whatever the program's locale is. */
static void add_growth(struct output *output, double growth)
{
    const bool fits = growth >= 0.0 && growth < 1e15;
    const int64_t milli = fits ? (int64_t)(growth * 1000.0 + 0.5) : 0;

    add(output, ", \"growth\": %" PRId64 ".%03d", milli / 1000, (int)(milli % 1000));
}

/* Append the line of a site; false, to end the visit, after an error. */
static bool add_site(void *user, const bl_warning_site *site)
{
    struct output *const output = user;
    const char *comma = "";

    add(output, "{\"class\": \"%s\"", class_of(site));
    add_text(output, "function", site->function);
    add_place(output, site);
    add(output, ", \"count\": %" PRId64, site->count);
    add_text(output, "shapes", site->shapes);
    if (strcmp(site->kinds, site->shapes) != 0)
        add_text(output, "kinds", site->kinds);
    add_growth(output, site->growth);
    add(output, ", \"expanded_dims\": [");
    for (int d = 0; d < 64; d++)
        if (site->expanded_dims >> d & 1) {
            add(output, "%s%d", comma, d);
            comma = ", ";
        }
    add(output, "]}\n");
    return output->status == BL_OK;
}

/* Write the report to a file, which is complete or unchanged.  BL_ERR_IO. */
static bl_status write_report(const char *path)
{
    struct output output = {.length = 0};

    output.status = bli_save_open(&output.save, path);
    if (output.status != BL_OK)
        return output.status;
    bl_warnings_visit(add_site, &output);
    flush(&output);
    if (output.status == BL_OK)
        return bli_save_commit(&output.save);
    bli_save_abandon(&output.save);
    return output.status;
}

bl_status bl_warnings_write(const char *path)
{
    const int error = errno;
    char name[BLI_SAVE_PATH];
    bl_status status = bli_path_fill(path, name, sizeof name);

    if (status == BL_OK)
        status = write_report(name);
    errno = error;
    return status;
}

/* ---- at the end of the process ---- */

static char *path_at_exit; /* NULL: none; under the lock, as the owner */
static pid_t path_owner;   /* the process that set it */

/*
 * Write the report that bl_warnings_write_at_exit() asked for.  A forked child without
 * warnings writes none, so that it does not replace its parent's.
 */
static void write_at_exit(void)
{
    bool is_own;
    char *path;

    bli_warnings_enter();
    path = path_at_exit;
    path_at_exit = NULL;
    is_own = path_owner == getpid();
    bli_warnings_leave();
    if (path && (is_own || bl_warnings_count(BL_CHANGE_NONE) > 0))
        (void)!bl_warnings_write(path);
    free(path);
}

bl_status bl_warnings_write_at_exit(const char *path)
{
    static bool is_registered; /* under the lock */
    char name[BLI_SAVE_PATH];
    char *copy = NULL;
    bool is_ready;

    if (path) {
        const bl_status status = bli_path_fill(path, name, sizeof name);

        if (status != BL_OK)
            return status;
        copy = malloc(strlen(path) + 1);
        if (!copy)
            return bl_error_set(BL_ERR_MEMORY, "no memory for the path of a report");
        strcpy(copy, path);
    }
    bli_warnings_enter();
    is_registered = is_registered || atexit(write_at_exit) == 0;
    is_ready = is_registered;
    if (is_ready) {
        char *const old = path_at_exit;

        path_at_exit = copy;
        path_owner = getpid();
        copy = old;
    }
    bli_warnings_leave();
    free(copy);
    return is_ready ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no room for a call at exit");
}
