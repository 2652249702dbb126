/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom-mpi eval: evaluates an expression over NPY files, cut over the ranks of
 * MPI.
 */
#define _POSIX_C_SOURCE 200809L

#include "mpi_eval.h"

#include "../eval/extra_calls.h"
#include "../eval/outputs.h"
#include "../eval/variables.h"
#include "over_ranks.h"

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
    const bl_array
        *described[BL_MAX_SLOTS]; /* each file's array, of which the shape is read */
    struct evaluation evaluation; /* that parses */
    bl_expr *expr;
    bl_mpi_grid *grid;
    int32_t outputs;
    struct value out[BL_MAX_SLOTS];
};

/*
 * Agree on what each rank has done alone: the first rank that failed prints, where that
 * is not rank 0.
 */
static bl_status agree(bl_status status)
{
    int self, ranks, first;

    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    first = status == BL_OK ? ranks : self;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks)
        return BL_OK;
    tool_is_quiet = self != first;
    return status != BL_OK ? status
                           : bl_error_set(BL_ERR_UNSUPPORTED, "rank %d failed", first);
}

/* Parse "4x0" to the extents of a grid. */
static bl_status read_grid(const char *text, int64_t *extent, int32_t *axes)
{
    for (*axes = 0; *axes < BL_MPI_MAX_AXES; text++) {
        const size_t digits = strspn(text, "0123456789");
        char number[16] = "";

        if (digits > 0 && digits < sizeof number)
            memcpy(number, text, digits);
        TRY(parse_integer("grid", number, 0, INT32_MAX, &extent[(*axes)++]));
        text += digits;
        if (*text == '\0')
            return BL_OK;
        if (*text != 'x')
            break;
    }
    return bl_error_set(BL_ERR_ARGUMENT, "expected a grid, as 4x2, got '%s'", text);
}

static bl_status make_grid(struct job *job)
{
    int64_t extent[BL_MPI_MAX_AXES];
    bl_mpi_grid_options options = {.size = sizeof options, .axes = 1, .extent = NULL};

    if (job->request->grid) {
        TRY(read_grid(job->request->grid, extent, &options.axes));
        options.extent = extent;
    }
    return bl_mpi_grid_create(MPI_COMM_WORLD, &options, &job->grid);
}

/* What each rank does alone: the text, and the shapes of the files. */
static bl_status prepare(struct job *job, const char *text)
{
    struct evaluation *const evaluation = &job->evaluation;
    const struct request *const request = job->request;
    struct variables *const variables = &job->variables;
    bl_expr_info info = {.size = sizeof info};

    if (variables->count > BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d files", BL_MAX_SLOTS);
    if (extra_calls_are_in(text))
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "distances, sums to a shape and selections by masks are "
                            "not computed over ranks: use broadloom eval");
    evaluation->count = variables->count;
    for (int k = 0; k < variables->count; k++)
        evaluation->name[k] = variables->name[k];
    if (request->rules || request->axis != BL_AXIS_LAST)
        TRY(choose_rules(request->rules, request->axis, &evaluation->options.rules));
    evaluation->options.axis = (int32_t)request->axis;
    TRY(evaluation_parse(evaluation, text, 0, &job->expr));
    TRY(bl_expr_query(job->expr, &info));
    job->outputs = info.outputs;
    TRY(outputs_check(&request->outputs, info.outputs));
    TRY(variables_check(variables, text));
    for (int k = 0; k < variables->count; k++)
        if (bl_npy_map(NULL, variables->file[k], &variables->tensor[k]) != BL_OK)
            TRY(bl_npy_load(NULL, variables->file[k], &variables->tensor[k]));
    return BL_OK;
}

/* Compute the results, over the grid. */
static bl_status evaluate(struct job *job)
{
    struct evaluation *const evaluation = &job->evaluation;
    const int64_t most = job->request->most_bytes;
    struct over_ranks run = {.expr = job->expr,
                             .options = &evaluation->options,
                             .limits = {.size = sizeof run.limits,
                                        .most_bytes = most > 0 ? most : INT64_MAX,
                                        .most_memory = INT64_MAX},
                             .described = job->described,
                             .file = job->variables.file};
    bl_error_info error = {.size = sizeof error};
    bl_status status;

    TRY(make_grid(job));
    run.grid = job->grid;
    status = over_ranks_run(&run, job->out);
    if (status == BL_OK)
        return BL_OK;
    if (run.position < 0 && bl_error_query(&error) == BL_OK)
        run.position = error.position;
    evaluation->has_place = run.position >= 0;
    evaluation->place = (size_t)run.position;
    return status;
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

static bl_status run_job(struct job *job, const char *text)
{
    const double start = seconds_now();

    TRY(agree(prepare(job, text)));
    for (int k = 0; k < job->variables.count; k++)
        job->described[k] = bl_tensor_array(job->variables.tensor[k]);

    const double ready = seconds_now();

    TRY(evaluate(job));

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
    for (int32_t k = 0; k < BL_MAX_SLOTS; k++)
        value_release(&job->out[k]);
    variables_free(&job->variables);
    bl_expr_destroy(job->expr);
    bl_mpi_grid_release(job->grid);
}

/* Evaluate the expression and the NAME=FILE arguments that follow the options. */
static int run_words(const struct command *command, const void *request, int count,
                     char **word)
{
    struct job job = {.request = request,
                      .evaluation = {.options = BL_EXPR_OPTIONS_DEFAULT}};
    const char *const text = word[0] + strspn(word[0], " \t\n");
    int result = 0;

    if (agree(variables_read(count - 1, word + 1, &job.variables)) != BL_OK) {
        result = fail_usage(command);
    } else if (run_job(&job, text) != BL_OK) {
        result = fail_status(NULL);
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
