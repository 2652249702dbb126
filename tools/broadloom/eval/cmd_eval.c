/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom eval: evaluates an expression over NPY files and datasets of HDF5 files.
 */
#define _POSIX_C_SOURCE 200809L

#include "variables.h"
#include "dataset.h"
#include "extra_calls.h"
#include "outputs.h"
#include "piecewise.h"

#include <broadloom/warnings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Results with more elements are printed with the middle left out, and this many at
 * each end.
 */
enum { PRINT_ALL = 1000, PRINT_EDGE = 6 };

struct request {
    struct outputs outputs;
    const bl_rules *rules;
    int64_t axis, threads, memory;
    bool replace, time, explain, unfused;
};

static const struct flag flags[] = {
    {'o', "output", "FILE",
     "write a result as NPY, or to FILE.h5:/DATASET; -o for each", outputs_read,
     AT(outputs)},
    {0, "replace", NULL, "replace a dataset that exists", read_true, AT(replace)},
    {0, "rules", "NAME", "modern, strict, paddle, transitional or legacy", read_rules,
     AT(rules)},
    {0, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1", read_axis,
     AT(axis)},
    {0, "threads", "N", "at most N threads", read_threads, AT(threads)},
    {0, "memory", "BYTES", "reduce larger files in pieces, in so much memory",
     read_bytes, AT(memory)},
    {0, "explain", NULL,
     "print what would be computed in which order, and compute none", read_true,
     AT(explain)},
    {0, "unfused", NULL, "compute every operation by a call of its own", read_true,
     AT(unfused)},
    {0, "time", NULL, "say on standard error how long it took", read_true, AT(time)},
    FLAGS_END,
};

/* One evaluation: what is freed at its end. */
struct job {
    const struct request *request;
    struct variables variables;
    struct evaluation evaluation;
    char *text; /* the expression, in which calls are replaced */
    bl_expr *expr;
    int32_t outputs;
    bool is_misused; /* options do not go together, or not with the expression */
    bl_tensor *out[BL_MAX_SLOTS];
    double loaded, evaluated; /* seconds */
};

static bl_status parse(struct job *job)
{
    bl_expr_info info = {.size = sizeof info};

    TRY(evaluation_parse(&job->evaluation, job->text, &job->expr));
    TRY(bl_expr_query(job->expr, &info));
    job->outputs = info.outputs;
    job->is_misused = outputs_check(&job->request->outputs, info.outputs) != BL_OK;
    return job->is_misused ? BL_ERR_ARGUMENT : BL_OK;
}

/* Parse the expression and open its files; calls of extra functions need the files. */
static bl_status prepare(struct job *job)
{
    struct variables *const variables = &job->variables;
    struct evaluation *const evaluation = &job->evaluation;
    const bool has_extra = extra_calls_are_in(job->text);

    if (variables->count > BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d files", BL_MAX_SLOTS);
    for (; evaluation->count < variables->count; evaluation->count++)
        evaluation->name[evaluation->count] = variables->name[evaluation->count];
    if (has_extra && job->request->explain)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "--explain computes nothing, and calls of dist, "
                            "masked_scatter, masked_select and sum_to are computed "
                            "before the rest is planned");
    if (!has_extra)
        TRY(parse(job));
    if (!job->request->explain)
        TRY(outputs_check_files(&job->request->outputs, job->request->replace));
    TRY(variables_check(variables, job->text));
    TRY(variables_load(evaluation->ctx, variables));
    for (int k = 0; k < variables->count; k++)
        evaluation->tensor[k] = bl_tensor_retain(variables->tensor[k]);
    if (!has_extra)
        return BL_OK;
    TRY(extra_calls_replace_here(evaluation, job->text));
    return parse(job);
}

static bl_status choose_options(struct job *job)
{
    struct evaluation *const evaluation = &job->evaluation;
    const struct request *const request = job->request;

    evaluation->options.flags = request->unfused ? BL_EXPR_UNFUSED : 0;
    job->is_misused =
        evaluation_set_rules(evaluation, request->rules, request->axis) != BL_OK ||
        outputs_check_names(&request->outputs) != BL_OK;
    return job->is_misused ? BL_ERR_ARGUMENT : BL_OK;
}

static bl_status deliver(struct job *job)
{
    const struct outputs *const outputs = &job->request->outputs;

    TRY(outputs_save(outputs, job->evaluation.ctx, job->out, job->request->replace));
    for (int32_t k = 0; outputs->count == 0 && k < job->outputs; k++) {
        const bool all = bl_tensor_numel(job->out[k]) <= PRINT_ALL;

        TRY(bl_array_format(bl_tensor_array(job->out[k]), all ? 0 : PRINT_EDGE,
                            write_file, stdout));
        putchar('\n');
    }
    return BL_OK;
}

/*
 * Whether every call is one of the modern rules that warns of nothing: rules and
 * warnings are asked about whole operands.
 */
static bool is_plain(const struct job *job)
{
    return !job->evaluation.options.rules &&
           bl_context_rules(job->evaluation.ctx) == bl_rules_modern() &&
           !bl_backcompat_broadcast_warning_enabled() &&
           !bl_backcompat_keepdim_warning_enabled();
}

/* Compute the results: in pieces, where that is one reduction of large files. */
static bl_status evaluate(struct job *job)
{
    struct evaluation *const evaluation = &job->evaluation;
    int64_t limit = job->request->memory, memory;
    bool is_mapped[BL_MAX_SLOTS] = {false};
    struct piecewise piecewise;
    bl_status status;

    for (int k = 0; k < job->variables.count; k++)
        is_mapped[k] = job->variables.is_mapped[k];
    if (job->request->explain || !is_plain(job))
        return evaluation_run(evaluation, job->expr,
                              job->request->explain ? write_file : NULL, job->out);
    if (limit == 0) {
        TRY(memory_find(&memory));
        limit = memory / 2;
    }
    status = piecewise_read(&piecewise, evaluation, is_mapped, job->text, limit)
                 ? piecewise_run(&piecewise, job->out)
                 : evaluation_run(evaluation, job->expr, NULL, job->out);
    piecewise_free(&piecewise);
    return status;
}

static bl_status run_job(struct job *job)
{
    const double start = seconds_now();
    bl_status status;

    TRY(context_open(job->request->threads, &job->evaluation.ctx));
    TRY(choose_options(job));
    TRY(prepare(job));
    job->loaded = seconds_now();
    TRY(evaluate(job));
    if (job->request->explain)
        return BL_OK;
    job->evaluated = seconds_now();
    status = deliver(job);
    if (status == BL_OK && job->request->time)
        fprintf(stderr, "load %.3f ms, evaluate %.3f ms, %s %.3f ms\n",
                1e3 * (job->loaded - start), 1e3 * (job->evaluated - job->loaded),
                job->request->outputs.count > 0 ? "save" : "print",
                1e3 * (seconds_now() - job->evaluated));
    return status;
}

static void free_job(struct job *job)
{
    struct evaluation *const evaluation = &job->evaluation;

    for (int32_t k = 0; k < BL_MAX_SLOTS; k++) {
        bl_tensor_release(job->out[k]);
        bl_tensor_release(evaluation->tensor[k]);
    }
    variables_free(&job->variables);
    bl_expr_destroy(job->expr);
    free(job->text);
    bl_context_destroy(evaluation->ctx);
}

/* Evaluate the expression and the NAME=FILE arguments that follow the options. */
static int run_words(const struct command *command, const void *request, int count,
                     char **word)
{
    struct job job = {.request = request,
                      .evaluation = {.options = BL_EXPR_OPTIONS_DEFAULT}};
    const char *const text = word[0] + strspn(word[0], " \t\n");
    int result = 0;

    job.text = strdup(text);
    if (!job.text || variables_read(count - 1, word + 1, &job.variables) != BL_OK) {
        result = fail_usage(command);
    } else if (run_job(&job) != BL_OK) {
        result = job.is_misused ? fail_usage(command) : fail_status(NULL);
        if (job.evaluation.has_place)
            evaluation_mark(text, job.evaluation.place);
    }
    free_job(&job);
    return result;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.axis = BL_AXIS_LAST};

    return flags_read_expression(command, argc, argv, &request, run_words);
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
        "\nStatements are separated by ; and may name a value, as in d = a - b; d * d. "
        " "
        "Operands of\nseveral dtypes are promoted as PyTorch does.",
    .missing = "no expression given",
    .flags = flags,
    .run = run,
};
