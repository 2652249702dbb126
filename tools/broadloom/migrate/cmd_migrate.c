/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom migrate: lists the calls of a program that broadcasting changes, from
 * reports of earlier runs, or from a run that it starts; or writes a patch for them.
 */
#include "baseline.h"
#include "findings.h"
#include "migrate_fix.h"
#include "migrate_run.h"
#include "output.h"

#include <getopt.h>
#include <string.h>

struct request {
    bool json, sarif, html;
    const char *output;   /* NULL: standard output */
    const char *baseline; /* these two NULL: none */
    const char *new_baseline;
    const char *shadow; /* how many calls are computed both ways; NULL: as it is */
    uint32_t fails;     /* bit k set: fail where there is a finding of risk k */
    bool as_it_was, broadcast;
    const char *decisions, *root; /* NULL: none; the current folder */
};

static bl_status read_fails(const char *text, void *place)
{
    for (int risk = 0; risk <= RISK_SHAPE; risk++)
        if (strcmp(text, risk_names[risk]) == 0) {
            *(uint32_t *)place |= UINT32_C(1) << risk;
            return BL_OK;
        }
    return bl_error_set(BL_ERR_ARGUMENT,
                        "unknown risk '%s': there are value, shape and fallback", text);
}

static bl_status read_shadow(const char *text, void *place)
{
    int64_t every;

    if (text && strcmp(text, "auto") != 0)
        TRY(parse_integer("--shadow", text, 1, INT64_MAX, &every));
    *(const char **)place = text ? text : "auto";
    return BL_OK;
}

static const struct flag flags[] = {
    {0, "json", NULL, "one line of JSON instead of the table", read_true, AT(json)},
    {0, "sarif", NULL, "SARIF 2.1.0 instead of the table", read_true, AT(sarif)},
    {0, "html", NULL, "a page for browsers instead of the table", read_true, AT(html)},
    {0, "fail-on", "RISK", "exit with status 1 on value, shape or fallback; may repeat",
     read_fails, AT(fails)},
    {0, "baseline", "FILE", "list, and fail on, places alone that FILE does not have",
     read_text, AT(baseline)},
    {0, "write-baseline", "FILE", "write all places that were found to FILE", read_text,
     AT(new_baseline)},
    {0, "shadow", "[=N]", "with run: compute one in N calls that differ both ways",
     read_shadow, AT(shadow)},
    {0, "as-it-was", NULL, "fix: keep the results of pairing as 1-D", read_true,
     AT(as_it_was)},
    {0, "broadcast", NULL, "fix: expand operands, as broadcasting does", read_true,
     AT(broadcast)},
    {0, "decisions", "FILE", "fix: lines FILE:LINE [OPERATION] DECISION, a place each",
     read_text, AT(decisions)},
    {0, "root", "FOLDER", "fix: paths of the patch start here, not in this folder",
     read_text, AT(root)},
    {'o', "output", "FILE", "write there, not on standard output", read_text,
     AT(output)},
    FLAGS_END,
};

/* Write findings, or the patch if there is one. */
static bl_status write_result(const struct request *request,
                              const struct findings *findings,
                              const struct patch *patch)
{
    struct output output;

    TRY(output_open(request->output, &output));
    if (patch)
        patch_write(patch, output.file);
    else if (request->sarif)
        findings_write_sarif(findings, output.file);
    else if (request->json)
        findings_write_json(findings, output.file);
    else if (request->html)
        findings_write_html(findings, output.file);
    else
        findings_print(findings, output.file);
    return output_close(&output, BL_OK);
}

/* Write a patch; `*result` is TOOL_FAILED where a place is left as it is. */
static bl_status write_patch(const struct request *request,
                             const struct findings *findings, int *result)
{
    const struct fix_request fixes = {request->as_it_was   ? FIX_AS_IT_WAS
                                      : request->broadcast ? FIX_BROADCAST
                                                           : FIX_LEAVE,
                                      request->decisions,
                                      request->root ? request->root : "."};
    struct patch patch = {.count = 0};
    bl_status status = patch_find(&patch, findings, &fixes);

    if (status == BL_OK)
        status = write_result(request, NULL, &patch);
    if (patch.left > 0)
        *result = TOOL_FAILED;
    patch_free(&patch);
    return status;
}

/*
 * Read the reports or run the program; `*result` is the exit status of a program that
 * ran.
 */
static bl_status collect(const struct request *request, char **words,
                         struct findings *findings, int *result)
{
    if (strcmp(words[0], "run") == 0)
        return migrate_run(words + 1, request->shadow, findings, result);
    for (char **path = words + 1; *path; path++)
        TRY(findings_read(findings, *path));
    return BL_OK;
}

static bool is_fix(char **words)
{
    return strcmp(words[0], "fix") == 0;
}

/*
 * List or fix what was found, or what is new of it.  The baseline to write may be the
 * one to read; none is written for a program that failed, which may have left places
 * out.
 */
static bl_status conclude(const struct request *request, char **words,
                          struct findings *findings, int *result)
{
    const bool has_failed = *result != 0;
    struct baseline baseline = {.count = 0};
    bl_status status;

    findings_resolve(findings);
    status = findings_sort(findings);
    if (status == BL_OK && request->baseline)
        status = baseline_read(&baseline, request->baseline);
    if (status == BL_OK && request->new_baseline && !has_failed)
        status = baseline_write(findings, request->new_baseline);
    if (status == BL_OK && request->baseline)
        status = baseline_apply(&baseline, findings);
    baseline_free(&baseline);
    if (status != BL_OK)
        return status;
    return is_fix(words) ? write_patch(request, findings, result)
                         : write_result(request, findings, NULL);
}

static int answer(const struct request *request, char **words)
{
    struct findings findings = {.count = 0};
    int result = 0;
    bl_status status = collect(request, words, &findings, &result);

    if (status == BL_OK)
        status = conclude(request, words, &findings, &result);
    if (result == 0 && request->baseline && !is_fix(words) && request->fails == 0 &&
        findings.count > 0)
        result = TOOL_FAILED;
    for (int risk = 0; risk < RISKS && result == 0; risk++)
        if (request->fails >> risk & 1 && findings_count(&findings, (enum risk)risk))
            result = TOOL_FAILED;
    findings_free(&findings);
    if (status != BL_OK)
        fail_status(NULL);
    return status != BL_OK && result == 0 ? TOOL_FAILED : result;
}

/* Check the words and options against each other. */
static bl_status check(const struct request *request, char **words)
{
    const bool has_decision =
        request->as_it_was || request->broadcast || request->decisions;

    if (strcmp(words[0], "report") != 0 && strcmp(words[0], "run") != 0 &&
        !is_fix(words))
        return bl_error_set(BL_ERR_ARGUMENT, "unknown action '%s'", words[0]);
    if (!words[1])
        return bl_error_set(BL_ERR_ARGUMENT, "no %s given",
                            strcmp(words[0], "run") == 0 ? "program" : "reports");
    if (request->shadow && strcmp(words[0], "run") != 0)
        return bl_error_set(BL_ERR_ARGUMENT, "--shadow is for run, not for %s",
                            words[0]);
    if (request->json + request->sarif + request->html > 1)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "--json, --sarif and --html exclude each other");
    if (request->as_it_was && request->broadcast)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "--as-it-was and --broadcast exclude each other");
    if (is_fix(words) && !has_decision)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "no decision given: --as-it-was, --broadcast "
                            "or --decisions FILE");
    if (is_fix(words) && (request->json || request->sarif || request->html ||
                          request->fails || request->new_baseline))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "fix takes no --json, --sarif, --html, --fail-on and "
                            "--write-baseline");
    if (!is_fix(words) && (has_decision || request->root))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "%s takes no --as-it-was, --broadcast, "
                            "--decisions and --root",
                            words[0]);
    return BL_OK;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.json = false};
    const int result = flags_read(command, argc, argv, &request);
    char **const words = argv + optind;

    if (result >= 0)
        return result;
    return check(&request, words) == BL_OK ? answer(&request, words)
                                           : fail_usage(command);
}

const struct command command_migrate = {
    .name = "migrate",
    .arguments = "report FILE... | run -- PROGRAM [ARGUMENT]... | fix FILE...",
    .text = "List the calls of a program that broadcasting changes",
    .notes =
        "Reads reports that programs wrote with BROADLOOM_COMPAT_REPORT=FILE in their "
        "environment,\nor runs a program and reads its own.  The worst comes first: "
        "other values, then operands\nthat only pair as 1-D, then other shapes; below "
        "each, what to write instead.  The exit\nstatus is the program's where that "
        "failed: 127 where it is not found, 126 where it cannot be\nrun, 128 and the "
        "signal's number where one ended it.  No report at all is a failure, too.\n"
        "--shadow computes calls whose result differs both ways, and adds by how much, "
        "and where such\nnumbers leave the library; without N as many as cost at most "
        "three times their time.\n"
        "fix writes a unified diff, for git apply or patch -p1, of the places that a "
        "person decided,\nall or by a file of decisions; those that are left as they "
        "are, because their call is of\nno form that it understands, are listed on "
        "standard error, and the status is 1.\n"
        "A baseline knows a place by its file's name, function, risk, operation and "
        "the "
        "text of the\nline, so that places survive moved lines.",
    .missing = "no action is given: report, run or fix",
    .flags = flags,
    .run = run,
};
