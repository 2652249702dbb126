/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom shape: the shape of a result, without data; one question on the command
 * line, or one a line on standard input.
 */
#define _POSIX_C_SOURCE 200809L

#include "shape_query.h"
#include "words.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAG_RULES = FLAG_FIRST, FLAG_AXIS, FLAG_OP, FLAG_INPLACE, FLAG_BATCH };

static const struct flag flags[] = {
    {FLAG_RULES, "rules", "NAME", "modern, strict or paddle"},
    {FLAG_AXIS, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1"},
    {FLAG_OP, "op", "NAME", "an operator, or a function as PyTorch names it"},
    {FLAG_INPLACE, "inplace", NULL, "the first operand is the result"},
    {FLAG_BATCH, "batch", NULL, "answer lines of standard input"},
    FLAGS_END,
};

/* What a command line asks for. */
struct request {
    struct shape_query query;
    bool batch;
    bool help;
};

static bl_status read_flags(const struct command *command, int argc, char **argv,
                            struct request *request)
{
    struct shape_query *query = &request->query;
    int key;

    optind = 0;
    while ((key = flag_next(command, argc, argv)) != -1) {
        switch (key) {
        case FLAG_RULES:
            TRY(parse_rules(optarg, &query->rules));
            break;
        case FLAG_AXIS:
            TRY(parse_integer("axis", optarg, INT32_MIN, INT32_MAX, &query->axis));
            break;
        case FLAG_OP:
            TRY(shape_op_find(optarg, &query->op));
            query->has_op = true;
            break;
        case FLAG_INPLACE:
            query->inplace = true;
            break;
        case FLAG_BATCH:
            request->batch = true;
            break;
        case FLAG_HELP:
            request->help = true;
            break;
        default:
            return BL_ERR_ARGUMENT;
        }
    }
    return BL_OK;
}

/* The answer to one line, which is changed. */
static bl_status answer_line(const struct command *command,
                             const struct shape_query *defaults, char *line,
                             struct shape *shape)
{
    enum { MOST_WORDS = 256 };
    struct request request = {.query = *defaults};
    char name[] = "shape";
    char *word[MOST_WORDS + 1] = {name};
    int count;

    TRY(words_split(line, MOST_WORDS, word + 1, &count));
    TRY(read_flags(command, count + 1, word, &request));
    if (request.batch || request.help)
        return bl_error_set(BL_ERR_ARGUMENT, "only for the command line: --%s",
                            request.batch ? "batch" : "help");
    return shape_query_answer(&request.query, count + 1 - optind, word + optind, shape);
}

static int answer_lines(const struct command *command,
                        const struct shape_query *defaults)
{
    char text[SHAPE_TEXT];
    struct shape shape;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    while ((length = getline(&line, &room, stdin)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        if (memchr(line, '\0', (size_t)length))
            puts("error the line contains a NUL byte");
        else if (answer_line(command, defaults, line, &shape) == BL_OK)
            printf("ok %s\n", shape_text(&shape, text, sizeof text));
        else
            printf("error %s\n", bl_error_message());
        if (fflush(stdout) != 0)
            break;
    }
    free(line);
    return ferror(stdin) ? fail("cannot read standard input") : 0;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.query.axis = BL_AXIS_LAST};
    char text[SHAPE_TEXT];
    struct shape shape;

    if (read_flags(command, argc, argv, &request) != BL_OK)
        return fail_usage(command);
    if (request.help) {
        command_help(command);
        return 0;
    }
    if (request.batch != (optind == argc)) {
        (void)bl_error_set(BL_ERR_ARGUMENT, request.batch ? "--batch takes no shapes"
                                                          : "no shapes given");
        return fail_usage(command);
    }
    if (request.batch)
        return answer_lines(command, &request.query);
    if (shape_query_answer(&request.query, argc - optind, argv + optind, &shape) !=
        BL_OK)
        return fail_status(NULL);
    puts(shape_text(&shape, text, sizeof text));
    return 0;
}

const struct command command_shape = {
    .name = "shape",
    .arguments = "SHAPE SHAPE [SHAPE]...",
    .text = "Print the shape that operands broadcast to",
    .notes =
        "Shapes are written (5,3,4,1), (3) and (), which is 0-d.  With --batch, each "
        "line of\nstandard input holds the same arguments and is answered by one "
        "line, \"ok SHAPE\" or\n\"error TEXT\"; options on the command line are "
        "defaults for the lines.",
    .flags = flags,
    .run = run,
};
