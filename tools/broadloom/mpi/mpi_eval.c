/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom-mpi eval: evaluates an expression over NPY files, cut over the ranks of
 * MPI.
 */
#define _POSIX_C_SOURCE 200809L

#include "mpi_eval.h"

#include "../eval/outputs.h"
#include "../eval/variables.h"
#include "extra_over_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINT_ALL = 1000, PRINT_EDGE = 6 };

struct request {
    struct outputs outputs;
    const bl_rules *rules;
    const char *grid;
    int64_t axis, most_bytes;
    bool time;
};

static const struct flag flags[] = {
    {'o', "output", "FILE", "write a result as NPY; -o for each", outputs_read,
     AT(outputs)},
    {0, "rules", "NAME", "modern, strict, paddle, transitional or legacy", read_rules,
     AT(rules)},
    {0, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1", read_axis,
     AT(axis)},
    {0, "grid", "N[xN]...", "ranks in a grid; 0 is chosen [one axis]", read_text,
     AT(grid)},
    {0, "most-bytes", "N", "refuse calls for which a rank would receive more",
     read_bytes, AT(most_bytes)},
    {0, "time", NULL, "say on standard error how long it took", read_true, AT(time)},
    FLAGS_END,
};

/* One evaluation: what is freed at its end. */
struct job {
    const struct request *request;
    struct variables variables;
    char *text; /* the expression, in which calls are replaced */
    /* Of each file's array the shape is read; after files, results of calls. */
    const bl_array *described[BL_MAX_SLOTS];
    struct value given[BL_MAX_SLOTS];
    bl_array whole[BL_MAX_SLOTS];
    int64_t extent[BL_MAX_SLOTS][BL_MAX_RANK];
    struct value argument[EXTRA_ARGUMENTS]; /* of the next call */
    struct evaluation evaluation;           /* that parses */
    bl_expr *expr;
    bl_mpi_grid *grid;
    int32_t outputs;
    bool is_misused; /* options do not go together, or not with the expression */
    struct value out[BL_MAX_SLOTS];
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

/*
 * What each rank does alone: the shapes of the files, and the text, unless calls in it
 * are to be made first.
 */
static bl_status prepare(struct job *job)
{
    struct evaluation *const evaluation = &job->evaluation;
    const struct request *const request = job->request;
    struct variables *const variables = &job->variables;

    if (variables->count > BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d files", BL_MAX_SLOTS);
    for (int k = 0; k < variables->count; k++)
        TRY(over_ranks_check_file(variables->file[k]));
    for (int32_t k = 0; k < request->outputs.count; k++)
        TRY(over_ranks_check_file(request->outputs.file[k]));
    for (; evaluation->count < variables->count; evaluation->count++)
        evaluation->name[evaluation->count] = variables->name[evaluation->count];
    job->is_misused =
        evaluation_set_rules(evaluation, request->rules, request->axis) != BL_OK ||
        outputs_check_names(&request->outputs) != BL_OK;
    if (job->is_misused)
        return BL_ERR_ARGUMENT;
    if (!extra_calls_are_in(job->text))
        TRY(parse(job));
    TRY(variables_check(variables, job->text));
    TRY(outputs_check_files(&request->outputs, false));
    for (int k = 0; k < variables->count; k++)
        if (bl_npy_map(NULL, variables->file[k], &variables->tensor[k]) != BL_OK)
            TRY(bl_npy_load(NULL, variables->file[k], &variables->tensor[k]));
    return BL_OK;
}

static bl_mpi_options limits_of(const struct job *job)
{
    const int64_t most = job->request->most_bytes;

    return (bl_mpi_options){.size = sizeof(bl_mpi_options),
                            .most_bytes = most > 0 ? most : INT64_MAX,
                            .most_memory = INT64_MAX};
}

/* Compute the results of an expression over the grid. */
static bl_status evaluate(struct job *job, bl_expr *expr, struct value *out)
{
    struct evaluation *const evaluation = &job->evaluation;
    struct over_ranks run = {.grid = job->grid,
                             .expr = expr,
                             .options = &evaluation->options,
                             .limits = limits_of(job),
                             .described = job->described,
                             .files = job->variables.count,
                             .file = job->variables.file,
                             .given = job->given};
    bl_error_info error = {.size = sizeof error};
    const bl_status status = over_ranks_run(&run, out);

    if (status == BL_OK)
        return BL_OK;
    if (run.position < 0 && bl_error_query(&error) == BL_OK)
        run.position = error.position;
    evaluation->has_place = run.position >= 0;
    evaluation->place = (size_t)run.position;
    return status;
}

/* ---- calls of functions that are no operators ---- */

static bl_status compute_argument(void *user, bl_expr *expr, int32_t k)
{
    struct job *const job = user;

    return evaluate(job, expr, &job->argument[k]);
}

static bl_status call(void *user, enum extra_function function, int32_t count,
                      int32_t slot)
{
    struct job *const job = user;
    struct value *const given = &job->given[slot];
    const bl_mpi_options limits = limits_of(job);
    const bl_status status =
        extra_call_over_ranks(job->grid, &limits, function, job->argument, given);

    for (int32_t k = 0; k < count; k++)
        value_release(&job->argument[k]);
    if (status != BL_OK)
        return status;
    job->whole[slot] = value_describe(given, job->extent[slot]);
    job->described[slot] = &job->whole[slot];
    return BL_OK;
}

static bl_status compute(struct job *job)
{
    const struct extra_backend backend = {job, compute_argument, call};

    TRY(over_ranks_grid(job->request->grid, &job->grid));
    if (!job->expr) {
        TRY(extra_calls_replace(&job->evaluation, &backend, job->text));
        TRY(agree(parse(job)));
    }
    return evaluate(job, job->expr, job->out);
}

/* ---- results ---- */

static bl_status save(const struct value *value, const char *file)
{
    int self;

    if (value->tensor)
        return bl_mpi_npy_save(NULL, file, value->tensor);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    return agree(self == 0 ? bl_npy_save(NULL, file, bl_tensor_array(value->array))
                           : BL_OK);
}

static bl_status print(const struct value *value)
{
    bl_tensor *whole = value->array ? bl_tensor_retain(value->array) : NULL;
    bl_status status = BL_OK;

    if (value->tensor)
        TRY(bl_mpi_gather(NULL, value->tensor, 0, &whole));
    if (whole) {
        const bool all = bl_tensor_numel(whole) <= PRINT_ALL;

        status = bl_array_format(bl_tensor_array(whole), all ? 0 : PRINT_EDGE,
                                 write_file, stdout);
        putchar('\n');
    }
    bl_tensor_release(whole);
    return status;
}

static bl_status deliver(const struct job *job)
{
    const struct outputs *const outputs = &job->request->outputs;

    for (int32_t k = 0; k < job->outputs; k++)
        TRY(outputs->count > 0 ? save(&job->out[k], outputs->file[k])
                               : print(&job->out[k]));
    return BL_OK;
}

static bl_status run_job(struct job *job)
{
    const double start = seconds_now();

    TRY(agree(prepare(job)));
    for (int k = 0; k < job->variables.count; k++)
        job->described[k] = bl_tensor_array(job->variables.tensor[k]);

    const double ready = seconds_now();
    TRY(compute(job));
    const double evaluated = seconds_now();
    TRY(deliver(job));
    if (job->request->time && !tool_is_quiet)
        fprintf(stderr, "prepare %.3f ms, load and evaluate %.3f ms, %s %.3f ms\n",
                1e3 * (ready - start), 1e3 * (evaluated - ready),
                job->request->outputs.count > 0 ? "save" : "print",
                1e3 * (seconds_now() - evaluated));
    return BL_OK;
}

static void free_job(struct job *job)
{
    for (int32_t k = 0; k < BL_MAX_SLOTS; k++) {
        value_release(&job->out[k]);
        value_release(&job->given[k]);
    }
    for (int32_t k = 0; k < EXTRA_ARGUMENTS; k++)
        value_release(&job->argument[k]);
    variables_free(&job->variables);
    bl_expr_destroy(job->expr);
    bl_mpi_grid_release(job->grid);
    free(job->text);
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
    if (agree(job.text ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no memory for a text")) !=
        BL_OK) {
        result = fail_status(NULL);
    } else if (agree(variables_read(count - 1, word + 1, &job.variables)) != BL_OK) {
        result = fail_usage(command);
    } else if (run_job(&job) != BL_OK) {
        result = job.is_misused ? fail_usage(command) : fail_status(NULL);
        if (job.evaluation.has_place && !tool_is_quiet)
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

const struct command command_mpi_eval = {
    .name = "eval",
    .arguments = "EXPR [NAME=FILE.npy]...",
    .text = "Evaluate an expression over NPY files, cut over the ranks of MPI",
    .notes =
        "Expressions are those of broadloom eval, and results have the same bits, for "
        "any number of\nranks.  Each rank reads its part of each file: the outermost "
        "dimension that is long enough\nis cut along each axis of the grid of ranks, "
        "in "
        "all files alike.  Operations are computed one\nafter the other; results that "
        "are not written to files are printed by rank 0.",
    .missing = "no expression given",
    .flags = flags,
    .run = run,
};
