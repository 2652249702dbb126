/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom shape: the shape of a result, without data; one query on the command line,
 * or one per line of standard input.
 */
#define _POSIX_C_SOURCE 200809L

#include <broadloom/warnings.h>

#include "call_list.h"
#include "output.h"
#include "shape_query.h"
#include "tokenize.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parsed command line. */
struct request {
    struct shape_query query;
    bool batch;
    enum report_form report;
};

static bl_status read_op(const char *text, void *place)
{
    struct shape_query *const query = place;

    TRY(shape_op_find(text, &query->op));
    query->has_op = true;
    return BL_OK;
}

static bl_status read_warn(const char *text, void *place)
{
    struct shape_query *const query = place;

    query->warns = true;
    query->predicate = BL_PREDICATE_EXACT;
    if (strcmp(text, "exact") == 0)
        return BL_OK;
    query->predicate = BL_PREDICATE_PRECISE;
    if (strcmp(text, "precise") == 0)
        return BL_OK;
    return bl_error_set(BL_ERR_ARGUMENT,
                        "unknown predicate '%s': there are exact and precise", text);
}

static bl_status read_report(const char *text, void *place)
{
    static const char *const names[] = {"text", "json", "sarif", "html", "lines"};

    for (int k = 0; k <= REPORT_LINES - REPORT_TEXT; k++)
        if (strcmp(text, names[k]) == 0) {
            *(enum report_form *)place = (enum report_form)(REPORT_TEXT + k);
            return BL_OK;
        }
    return bl_error_set(
        BL_ERR_ARGUMENT,
        "unknown report '%s': there are text, json, sarif, html and lines", text);
}

static const struct flag flags[] = {
    {0, "rules", "NAME", "modern, strict, paddle, transitional or legacy", read_rules,
     AT(query.rules)},
    {0, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1", read_axis,
     AT(query.axis)},
    {0, "op", "NAME", "an operator, or a function as PyTorch names it", read_op,
     AT(query)},
    {0, "inplace", NULL, "the first operand is the result", read_true,
     AT(query.inplace)},
    {0, "warn", "WHICH", "add warnings: exact, as PyTorch, or precise", read_warn,
     AT(query)},
    {0, "batch", NULL, "answer lines of standard input", read_true, AT(batch)},
    {0, "report", "FORM",
     "of a batch of recorded calls: text, json, sarif, html or lines", read_report,
     AT(report)},
    FLAGS_END,
};

/* Answer the query in one line, which is modified. */
static bl_status answer_line(const struct command *command,
                             const struct shape_query *defaults, char *line,
                             struct shape_reply *reply)
{
    enum { MOST_WORDS = 256 };
    struct request request = {.query = *defaults};
    char name[] = "shape";
    char *word[MOST_WORDS + 1] = {name};
    int count;
    bool help;

    TRY(tokenize_line(line, MOST_WORDS, word + 1, &count));
    TRY(flags_parse(command, count + 1, word, &request, &help));
    if (request.batch || request.report || help)
        return bl_error_set(BL_ERR_ARGUMENT, "only for the command line: --%s",
                            request.batch    ? "batch"
                            : request.report ? "report"
                                             : "help");
    return shape_query_answer(&request.query, count + 1 - optind, word + optind, reply);
}

static int answer_lines(const struct command *command,
                        const struct shape_query *defaults)
{
    struct shape_reply reply;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    while ((length = getline(&line, &room, stdin)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        if (memchr(line, '\0', (size_t)length))
            puts("error the line contains a NUL byte");
        else if (answer_line(command, defaults, line, &reply) == BL_OK) {
            fputs("ok ", stdout);
            shape_reply_print(&reply);
        } else
            printf("error %s\n", bl_error_message());
        if (!output_flush())
            break;
    }
    free(line);
    return ferror(stdin) ? fail("cannot read standard input: %s", strerror(errno)) : 0;
}

static bl_status check_request(const struct request *request, bool has_words,
                               const char *word)
{
    const bl_rules *rules;

    if (request->report && !request->batch)
        return bl_error_set(BL_ERR_ARGUMENT, "--report needs --batch");
    if (request->report && request->query.has_op)
        return bl_error_set(BL_ERR_ARGUMENT, "--report takes operators from its lines");
    if (request->batch && has_words && (!request->report || word[0] == '('))
        return bl_error_set(BL_ERR_ARGUMENT, "--batch takes no shapes");
    if (!request->batch && !has_words)
        return bl_error_set(BL_ERR_ARGUMENT, "no shapes given");
    /* Lines of a batch may have others than the defaults. */
    return request->batch && !request->report
               ? BL_OK
               : choose_rules(request->query.rules, request->query.axis, &rules);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {
        .query = {.axis = BL_AXIS_LAST,
                  .warns = bl_backcompat_broadcast_warning_enabled(),
                  .predicate = bl_backcompat_broadcast_warning_predicate()}};
    const int result = flags_read(command, argc, argv, &request);
    struct shape_reply reply;

    if (result >= 0)
        return result;
    if (check_request(&request, optind < argc, argv[optind]) != BL_OK)
        return fail_usage(command);
    if (request.report)
        return call_list_report(&request.query, argv + optind, request.report) == BL_OK
                   ? 0
                   : fail_status(NULL);
    if (request.batch)
        return answer_lines(command, &request.query);
    if (shape_query_answer(&request.query, argc - optind, argv + optind, &reply) !=
        BL_OK)
        return fail_status(NULL);
    shape_reply_print(&reply);
    return 0;
}

const struct command command_shape = {
    .name = "shape",
    .arguments = "SHAPE SHAPE [SHAPE]... | --batch [--report FORM [FILE]...]",
    .text = "Print the shape that operands broadcast to",
    .notes =
        "Shapes are written (5,3,4,1), (3) and (), which is 0-d.  With --batch, each "
        "line of\nstandard input holds the same arguments and is answered by one "
        "line, \"ok SHAPE\" or\n\"error TEXT\"; options on the command line are "
        "defaults for the lines.\nIds of warnings follow the shape after tabs: "
        "W_CHANGED, W_CHANGED_SHAPE (precise alone),\nW_FALLBACK_OUT2, "
        "W_FALLBACK_OUT3, W_FALLBACK_INPLACE.\n"
        "With --report, lines are recorded calls, OPERATION SHAPE... FILE:LINE, of "
        "files or of\nstandard input, as \"add (4,1) (4) train.py:41\".  The answer is "
        "the report of broadloom\nmigrate; in the form lines, what its action report "
        "reads.",
    .flags = flags,
    .run = run,
};
