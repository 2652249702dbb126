/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom bench: times the workloads of a file, one line each, and the machine's
 * memory.
 */
#define _POSIX_C_SOURCE 200809L

#include "bandwidth.h"
#include "output.h"
#include "time_run.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    double seconds;
    int64_t threads;
    const char *only, *name; /* NULL: all */
    bool limits, unfused;
};

static bl_status read_seconds(const char *text, void *place)
{
    double *const seconds = place;
    char *end;

    *seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(*seconds >= 0) || isinf(*seconds))
        return bl_error_set(BL_ERR_ARGUMENT, "bad number of seconds '%s'", text);
    return BL_OK;
}

static const struct flag flags[] = {
    {0, "seconds", "S", "how long to try for a best time, each; 0.5", read_seconds,
     AT(seconds)},
    {0, "threads", "N", "at most N threads", read_threads, AT(threads)},
    {0, "only", "TEXT", "only workloads whose name contains TEXT", read_text, AT(only)},
    {0, "name", "NAME", "only the workload of this name", read_text, AT(name)},
    {0, "unfused", NULL, "compute each operator of an expression by a call of its own",
     read_true, AT(unfused)},
    {0, "limits", NULL, "print the memory's bandwidth instead", read_true, AT(limits)},
    FLAGS_END,
};

static int fail_malformed(const char *file, int64_t number)
{
    fail("%s:%" PRId64 ": %s", file, number, bl_error_message());
    return TOOL_USAGE;
}

/*
 * Time one line of the file; returns 0 or an exit status.  Unsupported workloads are
 * skipped.  `*found` is set where the line is one that is asked for.
 */
static int run_row(bl_context *ctx, const struct request *request, const char *file,
                   int64_t number, char *line, bool *found)
{
    struct workload workload;
    struct time_run_result result;
    bl_status status;

    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#')
        return 0;
    if (workload_parse(line, &workload) != BL_OK)
        return fail_malformed(file, number);
    if ((request->only && !strstr(workload.name, request->only)) ||
        (request->name && strcmp(workload.name, request->name) != 0))
        return 0;
    *found = true;
    if (workload.is_expression)
        status = time_run_expression(ctx, &workload, request->seconds, request->unfused,
                                     &result);
    else
        status = time_run_workload(ctx, &workload, request->seconds, &result);
    if (status == BL_ERR_UNSUPPORTED || status == BL_ERR_DTYPE) {
        fail("%s left out: %s", workload.name, bl_error_message());
        return 0;
    }
    if (status == BL_ERR_FORMAT)
        return fail_malformed(file, number);
    if (status != BL_OK)
        return fail_status(workload.name);
    printf("%s\t%.1f\t%.0f\n", workload.name, result.nanoseconds, result.bytes);
    return output_flush() ? 0 : TOOL_FAILED;
}

/* Refuse a name that no line has: a mistake in it would go unnoticed. */
static int fail_absent(const struct request *request, const char *path)
{
    if (request->name)
        return fail("%s: no workload named '%s'%s%s%s", path, request->name,
                    request->only ? " that has '" : "",
                    request->only ? request->only : "", request->only ? "'" : "");
    return fail("%s: no workload whose name has '%s'", path, request->only);
}

static int run_file(bl_context *ctx, const struct request *request, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int64_t number = 0;
    bool found = false;
    int result = 0;

    if (!file)
        return fail("cannot read %s: %s", path, strerror(errno));
    while (result != TOOL_USAGE && getline(&line, &room, file) >= 0) {
        const int one = run_row(ctx, request, path, ++number, line, &found);

        result = one ? one : result;
    }
    if (ferror(file))
        result = fail("cannot read %s: %s", path, strerror(errno));
    else if (result == 0 && !found && (request->name || request->only))
        result = fail_absent(request, path);
    free(line);
    fclose(file);
    return result;
}

/*
 * Print four lines, each with a mix of reads and writes and its bytes per nanosecond.
 */
static int print_limits(bl_context *ctx)
{
    struct limit limit[LIMITS];

    if (bandwidth_measure(ctx, limit) != BL_OK)
        return fail_status(NULL);
    for (int k = 0; k < LIMITS; k++)
        printf("%s\t%.3f\n", limit[k].name, limit[k].bandwidth);
    return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.seconds = 0.5};
    int result = flags_read(command, argc, argv, &request);
    bl_context *ctx;

    if (result >= 0)
        return result;
    if (optind != argc - !request.limits) {
        (void)bl_error_set(BL_ERR_ARGUMENT, request.limits
                                                ? "--limits takes no file"
                                                : "one file of workloads is needed");
        return fail_usage(command);
    }
    if (context_open(request.threads, &ctx) != BL_OK)
        return fail_status(NULL);
    result = request.limits ? print_limits(ctx) : run_file(ctx, &request, argv[optind]);
    bl_context_destroy(ctx);
    return result;
}

const struct command command_bench = {
    .name = "bench",
    .arguments = "FILE",
    .text = "Time the workloads of a file",
    .notes =
        "Each line of the file is a workload: name, function, mode (out, inplace, new, "
        "plan,\nfirst or run) and operands as of the plan command, with tabs between.  "
        "Functions are the\nlibrary's operators, PyTorch's and NumPy's names for them, "
        "sum_to and chain5, which is\n(a * b + c) * d - b call by call; or an "
        "expression as of the eval command, of the operands\na, b, c, ... in order.  "
        "Prints the name, the best nanoseconds of a call and the bytes that\nmust "
        "move; what the library lacks is named on standard error and left out.\n\n"
        "With --limits and no file: bytes in a nanosecond that plain loops fill, copy, "
        "add and\nread.",
    .flags = flags,
    .run = run,
};
