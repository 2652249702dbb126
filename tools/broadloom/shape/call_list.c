/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports of calls from lists.  The library raises their warnings, and keeps and merges
 * what is found, as it does in the process of a program.
 */
#define _POSIX_C_SOURCE 200809L

#include "call_list.h"

#include "migrate/findings.h"
#include "tokenize.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BAD_LINES = 10, MOST_WORDS = BL_MAX_INPUTS + 2, SHOWN = 80 };

/* ---- a line ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* A lasting copy of a name, one for all equal names; NULL without memory. */
static const char *keep_name(const char *name)
{
    static void *names;
    char *const *found = tfind(name, &names, compare_names);
    char *copy;

    if (found)
        return *found;
    copy = strdup(name);
    if (copy && !tsearch(copy, &names, compare_names)) {
        free(copy);
        return NULL;
    }
    return copy;
}

/* Parse "train.py:41", which is modified. */
static bl_status read_place(char *text, struct shape_query *query)
{
    char *const colon = strrchr(text, ':');
    int64_t line;

    if (!colon || colon == text)
        return bl_error_set(BL_ERR_FORMAT, "'%.80s' where FILE:LINE should stand",
                            text);
    TRY(parse_integer("the line of the call", colon + 1, 1, INT32_MAX, &line));
    *colon = '\0';
    query->line = (int32_t)line;
    query->file = keep_name(text);
    return query->file ? BL_OK
                       : bl_error_set(BL_ERR_MEMORY, "no memory for names of files");
}

/* Raise the warnings of the call in a line, which is modified. */
static bl_status raise_line(const struct shape_query *defaults, char *line)
{
    struct shape_query query = *defaults;
    struct shape_reply reply;
    char *word[MOST_WORDS + 2];
    int count;

    TRY(tokenize_line(line, MOST_WORDS + 2, word, &count));
    if (count < 3)
        return bl_error_set(BL_ERR_FORMAT,
                            "a call is OPERATION SHAPE... FILE:LINE, got %d word%s",
                            count, count == 1 ? "" : "s");
    TRY(shape_op_find(word[0], &query.op));
    query.has_op = true;
    query.inplace = query.inplace ||
                    (query.op.function && strlen(query.op.function) < strlen(word[0]));
    TRY(read_place(word[count - 1], &query));
    return shape_query_answer(&query, count - 2, word + 1, &reply);
}

/* ---- lists ---- */

static bool is_call(const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    return *line != '\0' && *line != '#';
}

/* Raise the warnings of all lines, and count those that are refused. */
static bl_status raise_lines(const struct shape_query *query, const char *name,
                             FILE *file, int *refused)
{
    char *line = NULL, shown[SHOWN + 1], why[512];
    size_t room = 0;
    ssize_t length;
    int64_t number = 0;
    bl_status status = BL_OK;

    while (*refused < MOST_BAD_LINES && (length = getline(&line, &room, file)) >= 0) {
        number++;
        if (!is_call(line))
            continue;
        snprintf(shown, sizeof shown, "%.*s", (int)strcspn(line, "\r\n"), line);
        status = memchr(line, '\0', (size_t)length)
                     ? bl_error_set(BL_ERR_FORMAT, "the line contains a NUL byte")
                     : raise_line(query, line);
        if (status == BL_ERR_MEMORY)
            break;
        if (status != BL_OK) {
            snprintf(why, sizeof why, "%s", bl_error_message());
            fail("%s:%" PRId64 ": '%s': %s", name, number, shown, why);
            ++*refused;
        }
    }
    free(line);
    if (status == BL_ERR_MEMORY)
        return status;
    return ferror(file)
               ? bl_error_set(BL_ERR_IO, "cannot read %s: %s", name, strerror(errno))
               : BL_OK;
}

static bl_status raise_list(const struct shape_query *query, const char *path,
                            int *refused)
{
    const bool is_input = strcmp(path, "-") == 0;
    FILE *const file = is_input ? stdin : fopen(path, "r");
    bl_status status;

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    status = raise_lines(query, is_input ? "standard input" : path, file, refused);
    if (!is_input)
        fclose(file);
    return status;
}

/* ---- the report ---- */

/* Write what the library found as a report. */
static bl_status write_lines(FILE *file)
{
    char path[32];

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot make a file: %s", strerror(errno));
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    return bl_warnings_write(path);
}

static void copy_lines(FILE *from)
{
    char part[4096];
    size_t size;

    while ((size = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, size, stdout);
}

/* Write the findings of a report as they are asked for. */
static bl_status write_findings(FILE *report, enum report_form form)
{
    static void (*const writers[])(const struct findings *, FILE *) = {
        [REPORT_TEXT] = findings_print,
        [REPORT_JSON] = findings_write_json,
        [REPORT_SARIF] = findings_write_sarif,
        [REPORT_HTML] = findings_write_html,
    };
    struct findings findings = {.count = 0};
    bl_status status = findings_read_stream(&findings, "the report", report);

    if (status == BL_OK)
        status = findings_sort(&findings);
    if (status == BL_OK)
        writers[form](&findings, stdout);
    findings_free(&findings);
    return status;
}

bl_status call_list_report(const struct shape_query *query, char *const *paths,
                           enum report_form form)
{
    char name[] = "-", *const input[] = {name, NULL};
    const bl_rules *rules;
    FILE *report;
    bl_status status;
    int refused = 0;

    TRY(choose_rules(query->rules, query->axis, &rules));
    if (rules == bl_rules_paddle())
        return bl_error_set(BL_ERR_RULES, "rules '%s' have no report", rules->name);
    TRY(bl_backcompat_broadcast_warning_set_predicate(
        query->warns ? query->predicate : BL_PREDICATE_PRECISE));
    bl_backcompat_broadcast_warning_set_enabled(true);
    for (char *const *path = paths[0] ? paths : input; *path; path++)
        TRY(raise_list(query, *path, &refused));
    if (refused > 0)
        return bl_error_set(BL_ERR_FORMAT, "no report: %d line%s refused%s", refused,
                            refused == 1 ? " was" : "s were",
                            refused == MOST_BAD_LINES ? ", and others not read" : "");
    report = tmpfile();
    status = write_lines(report);
    if (status == BL_OK && form == REPORT_LINES)
        copy_lines(report);
    else if (status == BL_OK)
        status = write_findings(report, form);
    if (report)
        fclose(report);
    return status;
}
