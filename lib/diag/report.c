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
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct output {
    struct bli_save save;
    bl_status status;
};

/* Bytes of the character of UTF-8 at `at`; 0 where there is none. */
static int character_length(const unsigned char *at)
{
    const int length = at[0] < 0x80   ? 1
                       : at[0] < 0xc2 ? 0
                       : at[0] < 0xe0 ? 2
                       : at[0] < 0xf0 ? 3
                       : at[0] < 0xf5 ? 4
                                      : 0;
    /* Neither a longer form than is needed, nor a surrogate, nor beyond U+10FFFF. */
    const unsigned char least = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : 0xbf;

    if (length > 1 && (at[1] < least || at[1] > most))
        return 0;
    for (int k = 2; k < length; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    return length;
}

/*
 * Append a member whose value is a string, with a comma before it.  Names of files are
 * bytes: one that is no UTF-8 is written as U+DC80 to U+DCFF, as Python does, so that
 * who reads the report finds the file.
 */
static void add_text(struct bli_text *line, const char *key, const char *value)
{
    const unsigned char *at = (const unsigned char *)value;

    bli_text_add(line, ", \"%s\": \"", key);
    while (*at != '\0') {
        const int length = character_length(at);

        if (length == 0)
            bli_text_add(line, "\\udc%02x", *at);
        else if (*at == '"' || *at == '\\' || *at < 0x20)
            bli_text_add(line, "\\u%04x", *at);
        else
            bli_text_add(line, "%.*s", length, (const char *)at);
        at += length > 0 ? length : 1;
    }
    bli_text_add(line, "\"");
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
static void add_place(struct bli_text *line, const bl_warning_site *site)
{
    if (site->file) {
        add_text(line, "file", site->file);
        bli_text_add(line, ", \"line\": %" PRId32, site->line);
    } else if (site->module[0] != '\0') {
        add_text(line, "module", site->module);
        add_text(line, "build_id", site->build_id);
        bli_text_add(line, ", \"offset\": %" PRIu64, site->offset);
    }
}

/* Append a member that is a number, with nine digits, whatever the locale is. */
static void add_number(struct bli_text *line, const char *key, double value)
{
    const int power = value > 0 ? (int)floor(log10(value)) - 8 : 0;
    /* In two steps, as the power of a subnormal number is not finite. */
    const double scaled = value * pow(10, -power / 2) * pow(10, -power + power / 2);

    bli_text_add(line, ", \"%s\": %" PRId64 "e%d", key, (int64_t)(scaled + 0.5), power);
}

/* Append what a shadow run found. */
static void add_shadow(struct bli_text *line, const bl_warning_site *site)
{
    bli_text_add(
        line,
        ", \"compared\": %" PRId64 ", \"unequal\": %" PRId64 ", \"elements\": %" PRId64
        ", \"differ\": %" PRId64 ", \"not_finite\": %" PRId64,
        site->compared, site->unequal, site->elements, site->differ, site->not_finite);
    add_number(line, "max_abs", site->max_abs);
    add_number(line, "max_rel", site->max_rel);
    bli_text_add(line,
                 ", \"max_ulp\": %" PRId64 ", \"spread\": %" PRId64
                 ", \"forgotten\": %" PRId64,
                 site->max_ulp, site->spread, site->forgotten);
    if (site->reads)
        add_text(line, "reads", site->reads);
}

/* Append the line of a site. */
static void add_site(struct bli_text *line, const bl_warning_site *site)
{
    const bool fits = site->growth >= 0.0 && site->growth < 1e15;
    const int64_t milli = fits ? (int64_t)(site->growth * 1000.0 + 0.5) : 0;
    const char *comma = "";

    bli_text_add(line, "{\"class\": \"%s\"", class_of(site));
    add_text(line, "function", site->function);
    add_place(line, site);
    bli_text_add(line, ", \"count\": %" PRId64, site->count);
    add_text(line, "shapes", site->shapes);
    if (strcmp(site->kinds, site->shapes) != 0)
        add_text(line, "kinds", site->kinds);
    /* With a point, whatever the program's locale is. */
    bli_text_add(line, ", \"growth\": %" PRId64 ".%03d, \"expanded_dims\": [",
                 milli / 1000, (int)(milli % 1000));
    for (int d = 0; d < 64; d++)
        if (site->expanded_dims >> d & 1) {
            bli_text_add(line, "%s%d", comma, d);
            comma = ", ";
        }
    bli_text_add(line, "]");
    if (site->compared > 0)
        add_shadow(line, site);
    bli_text_add(line, "}\n");
}

/* Write the line of a site; false, to end the visit, after an error. */
static bool write_site(void *user, const bl_warning_site *site)
{
    struct output *const output = user;
    /* A byte becomes at most six; the rest of a line is short. */
    const size_t size =
        1024 + 6 * (strlen(site->function) + strlen(site->shapes) +
                    strlen(site->kinds) + (site->reads ? strlen(site->reads) : 0) +
                    strlen(site->file ? site->file : site->module));
    char *const memory = malloc(size);
    struct bli_text line;

    if (memory) {
        bli_text_open(&line, memory, size);
        add_site(&line, site);
        output->status =
            bli_save_write(&output->save, memory, (size_t)(line.at - memory));
    } else {
        output->status = bl_error_set(BL_ERR_MEMORY, "no memory for a report");
    }
    free(memory);
    return output->status == BL_OK;
}

/* Write the report to a file, which is complete or unchanged. */
static bl_status write_report(const char *path)
{
    struct output output = {.status = BL_OK};

    BL_TRY(bli_save_open(&output.save, path));
    bl_warnings_visit(write_site, &output);
    if (output.status == BL_OK)
        return bli_save_commit(&output.save);
    bli_save_abandon(&output.save);
    return output.status;
}

static bl_status write_now(const char *path)
{
    const int error = errno;
    char name[BLI_SAVE_PATH];
    bl_status status = bli_path_fill(path, name, sizeof name);

    if (status == BL_OK)
        status = write_report(name);
    errno = error;
    return status;
}

bl_status bl_warnings_write(const char *path)
{
    BLI_RETURN_CALL(write_now(path), "path %s", path);
}

/* ---- at the end of the process ---- */

static char path_at_exit[BLI_SAVE_PATH]; /* "": none; under the lock, as the owner */
static pid_t path_owner;                 /* the process that set it */

/*
 * Write the report that bl_warnings_write_at_exit() asked for.  A forked child without
 * warnings writes none, so that it does not replace its parent's.
 */
static void write_at_exit(void)
{
    char path[BLI_SAVE_PATH];
    bool is_own;

    bli_warnings_enter();
    strcpy(path, path_at_exit);
    is_own = path_owner == getpid();
    bli_warnings_leave();
    if (path[0] != '\0' && (is_own || bl_warnings_count(BL_CHANGE_NONE) > 0))
        BL_IGNORE(bl_warnings_write(path));
}

static bl_status register_report(const char *path)
{
    static bool is_registered; /* under the lock */
    char name[BLI_SAVE_PATH];
    bool is_ready;

    if (path)
        BL_TRY(bli_path_fill(path, name, sizeof name));
    if (path && strlen(path) >= sizeof path_at_exit)
        return bl_error_set(BL_ERR_ARGUMENT, "the path of a report is too long");
    bli_warnings_enter();
    is_registered = is_registered || atexit(write_at_exit) == 0;
    is_ready = is_registered;
    if (is_ready) {
        strcpy(path_at_exit, path ? path : "");
        path_owner = getpid();
    }
    bli_warnings_leave();
    return is_ready ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no room for a call at exit");
}

bl_status bl_warnings_write_at_exit(const char *path)
{
    BLI_RETURN_CALL(register_report(path), "path %s", path);
}
