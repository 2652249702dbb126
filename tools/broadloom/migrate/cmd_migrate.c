/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom migrate: lists the calls of a program that broadcasting changes, from
 * reports of earlier runs, or from a run that it starts.
 */
#include "baseline.h"
#include "findings.h"
#include "migrate_run.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

struct request {
    bool json, sarif;
    const char *output;   /* NULL: standard output */
    const char *baseline; /* these two NULL: none */
    const char *new_baseline;
    uint32_t fails; /* bit k set: fail where there is a finding of risk k */
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

static const struct flag flags[] = {
    {0, "json", NULL, "one line of JSON instead of the table", read_true, AT(json)},
    {0, "sarif", NULL, "SARIF 2.1.0 instead of the table", read_true, AT(sarif)},
    {0, "fail-on", "RISK", "exit with status 1 on value, shape or fallback; may repeat",
     read_fails, AT(fails)},
    {0, "baseline", "FILE", "list, and fail on, places alone that FILE does not have",
     read_text, AT(baseline)},
    {0, "write-baseline", "FILE", "write all places that were found to FILE", read_text,
     AT(new_baseline)},
    {'o', "output", "FILE", "write there, not on standard output", read_text,
     AT(output)},
    FLAGS_END,
};

static bl_status write_findings(const struct request *request,
                                const struct findings *findings)
{
    FILE *const file = request->output ? fopen(request->output, "w") : stdout;
    bool is_lost;

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot write %s: %s", request->output,
                            strerror(errno));
    if (request->sarif)
        findings_write_sarif(findings, file);
    else if (request->json)
        findings_write_json(findings, file);
    else
        findings_print(findings, file);
    if (!request->output)
        return BL_OK;
    is_lost = ferror(file) != 0;
    if (fclose(file) != 0 || is_lost)
        return bl_error_set(BL_ERR_IO, "cannot write %s", request->output);
    return BL_OK;
}

/*
 * Read the reports or run the program; `*result` is the exit status of a program that
 * ran.
 */
static bl_status collect(char **words, struct findings *findings, int *result)
{
    if (strcmp(words[0], "run") == 0)
        return migrate_run(words + 1, findings, result);
    for (char **path = words + 1; *path; path++)
        TRY(findings_read(findings, *path));
    return BL_OK;
}

/*
 * List what was found, or what is new of it.  The baseline to write may be the one to
 * read; none is written for a program that failed, which may have left places out.
 */
static bl_status conclude(const struct request *request, struct findings *findings,
                          bool has_failed)
{
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
    return status == BL_OK ? write_findings(request, findings) : status;
}

static int answer(const struct request *request, char **words)
{
    struct findings findings = {.count = 0};
    int result = 0;
    bl_status status = collect(words, &findings, &result);

    if (status == BL_OK)
        status = conclude(request, &findings, result != 0);
    if (result == 0 && request->baseline && request->fails == 0 && findings.count > 0)
        result = TOOL_FAILED;
    for (int risk = 0; risk < RISKS && result == 0; risk++)
        if (request->fails >> risk & 1 && findings_count(&findings, (enum risk)risk))
            result = TOOL_FAILED;
    findings_free(&findings);
    if (status != BL_OK)
        fail_status(NULL);
    return status != BL_OK && result == 0 ? TOOL_FAILED : result;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.json = false};
    const int result = flags_read(command, argc, argv, &request);
    char **const words = argv + optind;
    bl_status status = BL_OK;

    if (result >= 0)
        return result;
    if (strcmp(words[0], "report") != 0 && strcmp(words[0], "run") != 0)
        status = bl_error_set(BL_ERR_ARGUMENT, "unknown action '%s'", words[0]);
    else if (!words[1])
        status = bl_error_set(BL_ERR_ARGUMENT, "no %s given",
                              strcmp(words[0], "run") == 0 ? "program" : "reports");
    else if (request.json && request.sarif)
        status = bl_error_set(BL_ERR_ARGUMENT, "--json and --sarif exclude each other");
    return status == BL_OK ? answer(&request, words) : fail_usage(command);
}

const struct command command_migrate = {
    .name = "migrate",
    .arguments = "report FILE... | run -- PROGRAM [ARGUMENT]...",
    .text = "List the calls of a program that broadcasting changes",
    .notes =
        "Reads reports that programs wrote with BROADLOOM_COMPAT_REPORT=FILE in their "
        "environment,\nor runs a program and reads its own.  The worst comes first: "
        "other values, then operands\nthat only pair as 1-D, then other shapes; below "
        "each, what to write instead.  The exit\nstatus is the program's where that "
        "failed: 127 where it is not found, 126 where it cannot be\nrun, 128 and the "
        "signal's number where one ended it.  No report at all is a failure, too.\n"
        "A baseline knows a place by its file's name, function, risk, operation and "
        "the "
        "text of the\nline, so that places survive moved lines.",
    .missing = "neither report nor run is given",
    .flags = flags,
    .run = run,
};
