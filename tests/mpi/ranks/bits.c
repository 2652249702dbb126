/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random operators over random grids, borders, dtypes and shapes: each rank's part has
 * the bits of one process, a refused call is refused by both, and what MPI is asked to
 * send is what the plan said of that rank.
 * usage: bits SEED CASES [FIRST]
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { RANK = 4, DTYPES = BL_DTYPE_C128, ENOUGH = 50 };

/* A case: the operands as one process has them, and over ranks. */
struct trial {
    bl_mpi_grid *grid;
    bl_op op;
    int32_t count, rank;
    int64_t extent[RANK];
    bl_tensor *whole[BL_MAX_INPUTS];
    bl_mpi_tensor *tensor[BL_MAX_INPUTS]; /* NULL: every rank has the array */
    const bl_array *array[BL_MAX_INPUTS];
    bl_mpi_operand in[BL_MAX_INPUTS];
    bl_mpi_options options;
    bl_tensor *want;    /* NULL: refused */
    bl_mpi_tensor *out; /* NULL: a new one */
};

static struct {
    int64_t results, refused, moved, shared, plans, wrong_sent, wrong_most, staged;
} seen;

static void choose_shape(struct rng *rng, struct trial *trial)
{
    int64_t numel = 1;

    trial->rank = (int32_t)rng_below(rng, RANK + 1);
    for (int32_t d = 0; d < trial->rank; d++) {
        const int64_t most = rng_one_in(rng, 12) ? 3000 : 14;

        trial->extent[d] = numel > 400 ? rng_below(rng, 3) + 1 : rng_below(rng, most);
        numel *= trial->extent[d] > 0 ? trial->extent[d] : 1;
    }
}

static bl_dtype choose_dtype(struct rng *rng)
{
    return (bl_dtype)(1 + rng_below(rng, DTYPES));
}

static void choose_operands(struct rng *rng, struct trial *trial)
{
    const bl_dtype main = choose_dtype(rng);

    for (int32_t k = 0; k < trial->count; k++) {
        const int32_t drop =
            k > 0 && rng_one_in(rng, 2) ? (int32_t)rng_below(rng, trial->rank + 1) : 0;
        bl_dtype dtype = rng_one_in(rng, 6) ? choose_dtype(rng) : main;
        int64_t extent[RANK];

        if (trial->op == BL_OP_WHERE && k == 0)
            dtype = BL_DTYPE_BOOL;
        for (int32_t d = drop; d < trial->rank; d++)
            extent[d - drop] = rng_one_in(rng, 6) ? 1 : trial->extent[d];
        trial->whole[k] =
            world_whole(rng, trial->op, k, dtype, trial->rank - drop, extent);
        trial->array[k] = bl_tensor_array(trial->whole[k]);
        trial->tensor[k] = NULL;
        if (k == 0 || !rng_one_in(rng, 5))
            trial->tensor[k] = world_spread(rng, trial->grid, trial->array[k]);
        trial->in[k] = trial->tensor[k] ? (bl_mpi_operand){trial->tensor[k], NULL}
                                        : (bl_mpi_operand){NULL, trial->array[k]};
    }
}

/* What one process makes, and where it is to go. */
static void choose_result(struct rng *rng, struct trial *trial)
{
    const int64_t way = rng_below(rng, 4);
    const bl_array *inputs[BL_MAX_INPUTS];
    const bl_array *result;

    trial->options = (bl_mpi_options){.size = sizeof trial->options,
                                      .most_bytes = INT64_MAX,
                                      .most_memory = INT64_MAX};
    trial->out = NULL;
    memcpy(inputs, trial->array, sizeof inputs);
    if (way == 0) { /* in place */
        must(bl_tensor_clone(NULL, inputs[0], &trial->want));
        inputs[0] = bl_tensor_array(trial->want);
        trial->out = trial->tensor[0];
        if (bl_apply(NULL, trial->op, inputs[0], trial->count, inputs, NULL) == BL_OK)
            return;
        bl_tensor_release(trial->want);
        trial->want = NULL;
        return;
    }
    if (bl_apply_new(NULL, trial->op, trial->count, inputs, NULL, &trial->want) !=
        BL_OK) {
        trial->want = NULL;
        return;
    }
    result = bl_tensor_array(trial->want);
    if (way == 1)
        trial->out = world_spread(rng, trial->grid, result);
    else if (way == 2)
        trial->options.dims =
            world_dims(rng, trial->grid, result->rank, result->extent);
}

static void release(struct trial *trial)
{
    for (int32_t k = 0; k < trial->count; k++) {
        if (trial->out != trial->tensor[k])
            bl_mpi_tensor_release(trial->tensor[k]);
        bl_tensor_release(trial->whole[k]);
    }
    bl_mpi_tensor_release(trial->out);
    bl_tensor_release(trial->want);
}

/* ---- calls ---- */

/* Whether all ranks together give and take what a plan said. */
static bool adds_up(const bl_mpi_plan_info *info)
{
    int64_t sum[3] = {info->bytes + info->shared_bytes, info->shared_bytes,
                      info->shared_received_bytes};

    PMPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum[0] == info->total_bytes && sum[1] == sum[2];
}

/* Whether all was sent and received as a plan said of this rank. */
static bool is_as_planned(const bl_mpi_plan_info *info, int64_t votes)
{
    const int64_t first = world_votes_are_shared() ? 0 : votes,
                  last = first + (first > 0);
    const bool is_right = world_counts.messages == info->messages &&
                          world_counts.bytes == info->bytes &&
                          world_counts.received == info->received_bytes &&
                          world_counts.votes >= first && world_counts.votes <= last;

    seen.moved += info->bytes;
    seen.shared += info->shared_bytes;
    seen.staged += info->total_bytes > info->least_bytes;
    if (!is_right)
        fprintf(stderr, "# rank %d: %ld messages, %ld bytes, %ld received, %ld votes\n",
                world_self, (long)world_counts.messages, (long)world_counts.bytes,
                (long)world_counts.received, (long)world_counts.votes);
    memset(&world_counts, 0, sizeof world_counts);
    return is_right;
}

/* Execute a plan to the trial's result. */
static bl_status execute(struct trial *trial, const bl_mpi_plan *plan)
{
    const void *data[BL_MAX_INPUTS];

    for (int32_t k = 0; k < trial->count; k++)
        data[k] = trial->tensor[k] ? bl_mpi_local(trial->tensor[k])->data
                                   : trial->array[k]->data;
    return bl_mpi_plan_execute(NULL, plan, bl_mpi_local(trial->out)->data, data);
}

/* Make the call over ranks, once; `*is_planned`: MPI did what a plan said. */
static bl_status call(struct rng *rng, struct trial *trial, bool *is_planned)
{
    const bool by_plan = rng_one_in(rng, 3) && trial->out;
    bl_mpi_plan_info info = {.size = sizeof info};
    bl_mpi_tensor *made;
    bl_mpi_plan *plan;
    bl_status status = bl_mpi_plan_create(NULL, trial->op, trial->out, trial->count,
                                          trial->in, &trial->options, &plan);

    *is_planned = true;
    if (status != BL_OK)
        return status;
    must(bl_mpi_plan_query(plan, world_self, &info));
    memset(&world_counts, 0, sizeof world_counts);
    if (by_plan)
        status = execute(trial, plan);
    else if (trial->out)
        status = bl_mpi_apply(NULL, trial->op, trial->out, trial->count, trial->in,
                              &trial->options);
    else {
        status = bl_mpi_apply_new(NULL, trial->op, trial->count, trial->in,
                                  &trial->options, &made);
        if (status == BL_OK)
            trial->out = made;
    }
    if (status == BL_OK)
        *is_planned = adds_up(&info) && is_as_planned(&info, 1);
    seen.plans += by_plan;
    bl_mpi_plan_destroy(plan);
    return status;
}

/* Redistribute, gather and scatter the result. */
static bool is_whole(struct rng *rng, const struct trial *trial)
{
    const bl_array *const want = bl_tensor_array(trial->want);
    const int32_t root = (int32_t)rng_below(rng, world_ranks + 1) - 1;
    bl_mpi_tensor *other, *scattered;
    bl_tensor *all;
    bool is_right;

    must(bl_mpi_redistribute(NULL, trial->out,
                             world_dims(rng, trial->grid, want->rank, want->extent),
                             &other));
    is_right = world_is_part(other, want);
    must(bl_mpi_gather(NULL, other, root, &all));
    is_right = is_right && (root >= 0 && root != world_self
                                ? all == NULL
                                : arrays_are_same(bl_tensor_array(all), want));
    must(bl_mpi_zeros(NULL, trial->grid, want->dtype, want->rank, want->extent,
                      world_dims(rng, trial->grid, want->rank, want->extent),
                      &scattered));
    const int32_t from = root < 0 ? 0 : root;

    must(bl_mpi_scatter(NULL, scattered, from,
                        from == world_self ? bl_tensor_array(all) : NULL));
    is_right = is_right && world_is_part(scattered, want);
    bl_tensor_release(all);
    bl_mpi_tensor_release(other);
    bl_mpi_tensor_release(scattered);
    return is_right;
}

/* Operators are numbered from 1. */
static int64_t operators(void)
{
    bl_op_info info = {.size = sizeof info};
    int64_t count = 0;

    while (bl_op_query((bl_op)(count + 1), &info) == BL_OK)
        count++;
    return count;
}

static bool try(struct rng *rng, int64_t number)
{
    struct trial trial = {.grid = world_grid(rng)};
    bl_op_info op = {.size = sizeof op};
    bool is_right, is_planned;

    (void)number;
    trial.op = (bl_op)(1 + rng_below(rng, operators()));
    must(bl_op_query(trial.op, &op));
    trial.count = op.inputs;
    choose_shape(rng, &trial);
    choose_operands(rng, &trial);
    choose_result(rng, &trial);

    const bl_status status = call(rng, &trial, &is_planned);

    is_right = world_refused_alike(status) && (status == BL_OK) == (trial.want != NULL);
    if (status == BL_OK && is_right)
        is_right = world_is_part(trial.out, bl_tensor_array(trial.want)) && is_planned;
    if (status == BL_OK && is_right && rng_one_in(rng, 4))
        is_right = is_whole(rng, &trial);
    seen.results += status == BL_OK;
    seen.refused += status != BL_OK;
    if (!is_right)
        fprintf(stderr, "# rank %d: %s f%d, %d inputs, status %d %s\n", world_self,
                op.name, (int)trial.array[0]->dtype, (int)trial.count, (int)status,
                status == BL_OK ? "" : bl_error_message());
    release(&trial);
    return is_right;
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 120);
    const int64_t many = cases.end - cases.first;

    must(bl_context_set_threads(NULL, 1));
    world_make_grids(cases.seed);
    world_ok(world_try(&cases, "bits", try),
             "%d ranks: the bits of one process, sent as planned", world_ranks);
    world_ok(many < ENOUGH ||
                 (seen.results > many / 2 && (world_ranks == 1 || seen.plans > 0)),
             "%d ranks: most calls have results", world_ranks);
    if (world_self == 0)
        tap_note("%ld results, %ld refused, %ld by plans, %ld bytes sent by rank 0, "
                 "%ld shared, %ld plans pass on within nodes",
                 (long)seen.results, (long)seen.refused, (long)seen.plans,
                 (long)seen.moved, (long)seen.shared, (long)seen.staged);
    return world_close();
}
