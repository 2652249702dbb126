/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings as SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS,
 * which editors and continuous integration show at the lines.
 */
#include "suggestions.h"
#include "findings.h"
#include "fix.h"
#include "json.h"
#include "shadow_write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { TEXT_SIZE = 8192 };

static const char *const levels[RISKS] = {
    [RISK_VALUE] = "error",  [RISK_FALLBACK] = "warning", [RISK_SHAPE] = "warning",
    [RISK_KEEPDIM] = "note", [RISK_NONE] = "note",
};

static const char *const rule_ids[RISKS] = {
    [RISK_VALUE] = "broadcast-value", [RISK_FALLBACK] = "broadcast-fallback",
    [RISK_SHAPE] = "broadcast-shape", [RISK_KEEPDIM] = "keepdim-default",
    [RISK_NONE] = "broadcast-none",
};

static void write_text(struct json *json, const char *key, const char *text)
{
    json_open(json, key, '{');
    json_string(json, "text", text);
    json_close(json, '}');
}

static void write_rules(struct json *json)
{
    json_open(json, "rules", '[');
    for (int risk = 0; risk < RISKS; risk++) {
        json_open(json, NULL, '{');
        json_string(json, "id", rule_ids[risk]);
        write_text(json, "shortDescription", risk_texts[risk]);
        json_open(json, "defaultConfiguration", '{');
        json_string(json, "level", levels[risk]);
        json_close(json, '}');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_tool(struct json *json)
{
    json_open(json, "tool", '{');
    json_open(json, "driver", '{');
    json_string(json, "name", "broadloom");
    json_string(json, "fullName", bl_config_string());
    json_string(json, "version", bl_version());
    write_rules(json);
    json_close(json, '}');
    json_close(json, '}');
}

/*
 * Write a path as a URI: absolute paths with their scheme, special bytes
 * percent-encoded.
 */
static void write_uri(struct json *json, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~/+";
    char uri[4096];
    size_t used = 0;

    if (path[0] == '/')
        used = (size_t)snprintf(uri, sizeof uri, "file://");
    for (; *path != '\0' && used + 4 < sizeof uri; path++)
        used += (size_t)snprintf(uri + used, sizeof uri - used,
                                 strchr(plain, *path) ? "%c" : "%%%02X",
                                 (unsigned char)*path);
    uri[used] = '\0';
    json_open(json, "artifactLocation", '{');
    json_string(json, "uri", uri);
    json_close(json, '}');
}

/* Write the location. Consumers refuse results without one, so there always is one. */
static void write_location(struct json *json, const struct finding *finding)
{
    const bool has_file = finding->file[0] != '\0';
    const int64_t number = has_file ? finding->line : finding->offset;

    json_open(json, NULL, '{');
    json_open(json, "physicalLocation", '{');
    write_uri(json, has_file                     ? finding->file
                    : finding->module[0] != '\0' ? finding->module
                                                 : "unknown-place");
    /* Lines start at 1; a file or a module alone has no region. */
    if (number > 0) {
        json_open(json, has_file ? "region" : "address", '{');
        json_integer(json, has_file ? "startLine" : "relativeAddress", number);
        json_close(json, '}');
    }
    json_close(json, '}');
    json_close(json, '}');
}

/* Append to a text, truncated where it is full. */
BL_PRINTF(2, 3) static void add(char text[TEXT_SIZE], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
    va_end(arguments);
}

static void add_suggestion(char text[TEXT_SIZE], const struct suggestion *suggestion)
{
    if (suggestion->keep[0] != '\0')
        add(text, " For the result as it was: %s.", suggestion->keep);
    if (suggestion->broadcast[0] != '\0')
        add(text, " To broadcast: %s.", suggestion->broadcast);
}

static void write_message(struct json *json, const struct finding *finding)
{
    const int kinds = kinds_count(finding->kinds);
    const char *at = finding->kinds;
    struct suggestion suggestion;
    char text[TEXT_SIZE] = "", shapes[KIND_SIZE];

    suggestion_find(finding, &suggestion);
    add(text, "%.64s %.160s: %s %" PRId64 " %s.", finding->function, finding->shapes,
        risk_texts[finding->risk], finding->count,
        finding->count == 1 ? "call" : "calls");
    add_suggestion(text, &suggestion);
    if (kinds > 1)
        add(text, " This is the worst of %d kinds of calls%s.", kinds,
            kinds_has_more(finding->kinds) ? " or more" : "");
    while (kinds > 1 && suggestion_next(finding, &at, shapes, &suggestion)) {
        add(text, " Of %s:", shapes);
        add_suggestion(text, &suggestion);
    }
    write_text(json, "message", text);
}

/* ---- fixes ---- */

/* Write an edit; text that is only inserted has an empty region. */
static void write_edit(struct json *json, const struct source *source,
                       const struct fix_edit *edit)
{
    static const char *const keys[2][2] = {{"startLine", "startColumn"},
                                           {"endLine", "endColumn"}};
    const size_t ends[2] = {edit->at, edit->at + edit->length};

    json_open(json, NULL, '{');
    json_open(json, "deletedRegion", '{');
    for (int k = 0; k < 2; k++) {
        int64_t line, column;

        source_position(source, ends[k], &line, &column);
        json_integer(json, keys[k][0], line);
        json_integer(json, keys[k][1], column);
    }
    json_close(json, '}');
    write_text(json, "insertedContent", edit->text);
    json_close(json, '}');
}

static void write_fix(struct json *json, const struct fix *fix, const char *path,
                      const char *description)
{
    json_open(json, NULL, '{');
    write_text(json, "description", description);
    json_open(json, "artifactChanges", '[');
    json_open(json, NULL, '{');
    write_uri(json, path);
    json_open(json, "replacements", '[');
    for (int k = 0; k < fix->count; k++)
        write_edit(json, fix->source, &fix->edit[k]);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
}

/* Write the fixes of a place: for the result as it was, and to broadcast. */
static void write_fixes(struct json *json, struct fix_files *files,
                        const struct findings *findings, size_t k)
{
    static const char *const descriptions[FIX_CHOICES] = {
        [FIX_AS_IT_WAS] = "Keep the result as it was.",
        [FIX_BROADCAST] = "Broadcast, and say so.",
    };
    bool is_open = false;

    for (int choice = FIX_AS_IT_WAS; choice < FIX_CHOICES; choice++) {
        struct fix fix;

        if (fix_find(files, findings, k, (enum fix_choice)choice, &fix) != BL_OK)
            continue;
        if (fix.count > 0 && !is_open)
            json_open(json, "fixes", '[');
        is_open = is_open || fix.count > 0;
        if (fix.count > 0)
            write_fix(json, &fix, findings->at[k].file, descriptions[choice]);
        fix_free(&fix);
    }
    if (is_open)
        json_close(json, ']');
}

static void write_result(struct json *json, struct fix_files *files,
                         const struct findings *findings, size_t k)
{
    const struct finding *const finding = &findings->at[k];

    json_open(json, NULL, '{');
    json_string(json, "ruleId", rule_ids[finding->risk]);
    json_integer(json, "ruleIndex", finding->risk);
    json_string(json, "level", levels[finding->risk]);
    write_message(json, finding);
    json_open(json, "locations", '[');
    write_location(json, finding);
    json_close(json, ']');
    if (findings->has_baseline)
        json_string(json, "baselineState", "new");
    if (finding->shadow.compared > 0) {
        json_open(json, "properties", '{');
        shadow_write_json(json, finding);
        json_close(json, '}');
    }
    json_integer(json, "occurrenceCount", finding->count > 0 ? finding->count : 1);
    write_fixes(json, files, findings, k);
    json_close(json, '}');
}

void findings_write_sarif(const struct findings *findings, FILE *file)
{
    struct json json = {.file = file};
    struct fix_files files = {.count = 0};

    json_open(&json, NULL, '{');
    json_string(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_string(&json, "version", "2.1.0");
    json_open(&json, "runs", '[');
    json_open(&json, NULL, '{');
    write_tool(&json);
    json_string(&json, "columnKind", "unicodeCodePoints");
    json_open(&json, "results", '[');
    for (size_t k = 0; k < findings->count; k++)
        write_result(&json, &files, findings, k);
    json_close(&json, ']');
    json_close(&json, '}');
    json_close(&json, ']');
    json_close(&json, '}');
    fputc('\n', file);
    fix_files_free(&files);
}
