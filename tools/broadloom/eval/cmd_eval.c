/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom eval: evaluates an expression over NPY files and datasets of HDF5 files.
 */
#include "variables.h"
#include "dataset.h"
#include "evaluate.h"
#include "progress.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Results with more elements are printed with the middle left out, and this many at
 * each end.
 */
enum { PRINT_ALL = 1000, PRINT_EDGE = 6 };

struct request {
    const char *output; /* NULL: print */
    const bl_rules *rules;
    int64_t axis, threads;
    bool replace, time;
};

static const struct flag flags[] = {
    {'o', "output", "FILE", "write the result as NPY, or to FILE.h5:/DATASET",
     read_text, AT(output)},
    {0, "replace", NULL, "replace a dataset that exists", read_true, AT(replace)},
    {0, "rules", "NAME", "modern, strict, paddle, transitional or legacy", read_rules,
     AT(rules)},
    {0, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1", read_axis,
     AT(axis)},
    {0, "threads", "N", "at most N threads", read_threads, AT(threads)},
    {0, "time", NULL, "say on standard error how long it took", read_true, AT(time)},
    FLAGS_END,
};

/* One evaluation: what is freed at its end, and where a failure occurred. */
struct job {
    const struct request *request;
    bl_context *ctx;
    struct variables variables;
    struct expr expr;
    bl_tensor *result;
    struct progress *progress;
    const char *marked; /* the expression, where the failure has a position in it */
    size_t at;
    double loaded, evaluated; /* seconds */
};

static void step_done(void *user, int32_t steps)
{
    progress_update(user, steps);
}

static bool is_named(const struct expr *expr, int variable)
{
    for (int32_t k = 0; k < expr->count; k++)
        if (expr->step[k].kind == EXPR_VARIABLE && expr->step[k].integer == variable)
            return true;
    return false;
}

/* Parse the expression and open its files. */
static bl_status prepare(struct job *job, const char *text)
{
    struct variables *const variables = &job->variables;

    job->marked = text;
    TRY(expr_parse(text, &job->expr, &job->at));
    TRY(expr_bind(&job->expr, variables->count, (const char *const *)variables->name,
                  &job->at));
    job->marked = NULL;
    for (int k = 0; k < variables->count; k++)
        if (!is_named(&job->expr, k))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%.60s=%.200s is given, but the expression does not "
                                "name %.60s",
                                variables->name[k], variables->file[k],
                                variables->name[k]);
    return variables_load(job->ctx, variables);
}

static bl_status compute(struct job *job)
{
    struct evaluation how = {.ctx = job->ctx,
                             .axis = job->request->axis,
                             .variable = job->variables.tensor,
                             .done = step_done,
                             .user = job->progress};

    if (job->request->rules || job->request->axis != BL_AXIS_LAST)
        TRY(choose_rules(job->request->rules, job->request->axis, &how.rules));
    else
        how.rules = bl_context_rules(job->ctx);
    job->marked = job->expr.text;
    TRY(evaluate(&how, &job->expr, &job->result, &job->at));
    job->marked = NULL;
    return BL_OK;
}

static bl_status deliver(struct job *job)
{
    const bl_array *array = bl_tensor_array(job->result);
    const bool all = bl_tensor_numel(job->result) <= PRINT_ALL;

    if (job->request->output && dataset_is_named(job->request->output))
        return dataset_save(job->ctx, job->request->output, array,
                            job->request->replace);
    if (job->request->output)
        return bl_npy_save(job->ctx, job->request->output, array);
    TRY(bl_array_format(array, all ? 0 : PRINT_EDGE, write_file, stdout));
    putchar('\n');
    return BL_OK;
}

static bl_status run_job(struct job *job, const char *text)
{
    const double start = seconds_now();
    bl_status status;

    TRY(context_open(job->request->threads, &job->ctx));
    TRY(prepare(job, text));
    job->loaded = seconds_now();
    job->progress = progress_start(job->expr.count + 1);
    status = compute(job);
    job->evaluated = seconds_now();
    /* A progress bar would disturb a result that is printed. */
    if (status != BL_OK || !job->request->output) {
        progress_finish(job->progress);
        job->progress = NULL;
    }
    if (status == BL_OK)
        status = deliver(job);
    progress_finish(job->progress);
    if (status == BL_OK && job->request->time)
        fprintf(stderr, "load %.3f ms, evaluate %.3f ms, %s %.3f ms\n",
                1e3 * (job->loaded - start), 1e3 * (job->evaluated - job->loaded),
                job->request->output ? "save" : "print",
                1e3 * (seconds_now() - job->evaluated));
    return status;
}

/*
 * Print the expression's line, or a part of it, and a caret under position `at`.  The
 * text before that position has been parsed, and is ASCII.
 */
static void print_mark(const char *text, size_t at)
{
    enum { WIDTH = 72 };
    size_t from = 0, to, first, end;

    if (text[at] == '\0')
        while (at > 0 && isspace((unsigned char)text[at - 1]))
            at--;
    for (size_t k = 0; k < at; k++)
        if (text[k] == '\n')
            from = k + 1;
    to = at + strcspn(text + at, "\n");
    first = from;
    end = to;
    if (to - from > WIDTH) {
        first = at - from > WIDTH / 2 ? at - WIDTH / 2 : from;
        end = to - first > WIDTH ? first + WIDTH : to;
        first = end - first < WIDTH ? end - WIDTH : first;
        while (end < to && ((unsigned char)text[end] & 0xc0) == 0x80)
            end++;
    }
    fprintf(stderr, "    %s", first > from ? "..." : "");
    for (size_t k = first; k < end; k++)
        fputc(iscntrl((unsigned char)text[k]) ? ' ' : text[k], stderr);
    fprintf(stderr, "%s\n%*s^\n", end < to ? "..." : "",
            (int)(at - first) + (first > from ? 7 : 4), "");
}

/*
 * Protect an expression that starts with a minus from getopt_long, which would take it
 * for an option: the first word with a single dash that is none of our options gets a
 * leading blank.  `*copy` is the changed word, which the caller frees.
 */
static bl_status shield_minus(int argc, char **argv, char **copy)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        const char *word = argv[k];
        size_t size;

        if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0 ||
            strcmp(word, "--rules") == 0 || strcmp(word, "--axis") == 0 ||
            strcmp(word, "--threads") == 0) {
            k++;
            continue;
        }
        if (word[0] != '-' || word[1] == '-' || word[1] == 'o' || word[1] == '\0')
            continue;
        size = strlen(word) + 2;
        *copy = malloc(size);
        if (!*copy)
            return bl_error_set(BL_ERR_MEMORY, "no memory for the expression");
        snprintf(*copy, size, " %s", word);
        argv[k] = *copy;
        return BL_OK;
    }
    return BL_OK;
}

/* Evaluate the expression and the NAME=FILE arguments that follow the options. */
static int run_words(const struct command *command, const struct request *request,
                     int count, char **word)
{
    struct job job = {.request = request};
    const char *text = word[0] + strspn(word[0], " \t\n");
    int result = 0;

    if (variables_read(count - 1, word + 1, &job.variables) != BL_OK) {
        result = fail_usage(command);
    } else if (run_job(&job, text) != BL_OK) {
        result = fail_status(NULL);
        if (job.marked)
            print_mark(job.marked, job.at);
    }
    bl_tensor_release(job.result);
    variables_free(&job.variables);
    expr_free(&job.expr);
    bl_context_destroy(job.ctx);
    return result;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.axis = BL_AXIS_LAST};
    char *copy = NULL;
    int result;

    if (shield_minus(argc, argv, &copy) != BL_OK)
        return fail_usage(command);
    result = flags_read(command, argc, argv, &request);
    if (result < 0)
        result = run_words(command, &request, argc - optind, argv + optind);
    free(copy);
    return result;
}

const struct command command_eval = {
    .name = "eval",
    .arguments = "EXPR [NAME=FILE.npy | NAME=FILE.h5:/DATASET]...",
    .text = "Evaluate an expression over NPY files and datasets of HDF5 files",
    .notes =
        "Expressions have + - * / // % ** & | ^ ~ << >>, comparisons, parentheses, "
        "numbers, names of\nfiles, and functions by the names of operators, as in "
        "where(a < 0, -a, a), or as PyTorch and\nNumPy call them; reductions, as in "
        "sum(a, 0, -1, keepdim); and conversions by the names of\ndtypes, as in f32(a)."
        "  Operands of several dtypes are promoted as PyTorch does.",
    .missing = "no expression given",
    .flags = flags,
    .run = run,
};
