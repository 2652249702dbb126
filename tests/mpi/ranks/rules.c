/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random calls by other rules than the modern ones: Torch's pairing of unlike shapes in
 * linear order, PaddlePaddle's axis.  Each rank's part has the bits of one process, a
 * refused call is refused by both, and what MPI is asked to send is what the plan said.
 * usage: rules SEED CASES [FIRST]
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { RANK = 4, OPS = 3, ENOUGH = 200 };

static const bl_op ops[OPS] = {BL_OP_ADD, BL_OP_MUL, BL_OP_FLOOR_DIVIDE};
static const char *const names[] = {"legacy", "transitional", "paddle"};

static struct {
    int64_t results, refused, linear, moved;
} seen;

/* A shape of so many elements, divided at random. */
static int32_t divide(struct rng *rng, int64_t numel, int64_t *extent)
{
    const int32_t rank = (int32_t)rng_below(rng, RANK) + 1;

    for (int32_t d = 0; d < rank; d++)
        extent[d] = 1;
    for (int64_t factor = 2; numel > 1;)
        if (numel % factor == 0) {
            extent[rng_below(rng, rank)] *= factor;
            numel /= factor;
        } else
            factor++;
    return rank;
}

/* The shape of the second operand: of equal count, or a part of the first one's. */
static int32_t choose_second(struct rng *rng, bool is_paddle, int64_t numel,
                             int32_t rank, const int64_t *first, int64_t *extent,
                             int32_t *axis)
{
    const int32_t begin = (int32_t)rng_below(rng, rank);
    const int32_t count = (int32_t)rng_below(rng, rank - begin) + 1;

    *axis = BL_AXIS_LAST;
    if (!is_paddle)
        return divide(rng, rng_one_in(rng, 9) ? numel + 7 : numel, extent);
    *axis = begin;
    memcpy(extent, first + begin, (size_t)count * sizeof *extent);
    return count;
}

struct trial {
    bl_op op;
    bl_options call;
    bl_tensor *whole[2], *want;
    bl_mpi_tensor *tensor[2], *out;
    bl_mpi_operand in[2];
    bl_mpi_options options;
};

static void choose(struct rng *rng, struct trial *trial)
{
    static const int64_t numels[] = {1, 24, 60, 210, 720, 1001, 4096, 97};
    const bl_dtype dtype = rng_one_in(rng, 2) ? BL_DTYPE_I32 : BL_DTYPE_F64;
    const int64_t numel = numels[rng_below(rng, 8)];
    const char *const rules = names[rng_below(rng, 3)];
    bl_mpi_grid *const grid = world_grid(rng);
    int64_t extent[2][RANK];
    int32_t rank[2];

    trial->op = ops[rng_below(rng, OPS)];
    trial->call = (bl_options)BL_OPTIONS_DEFAULT;
    trial->call.rules = bl_rules_find(rules);
    rank[0] = divide(rng, numel, extent[0]);
    rank[1] = choose_second(rng, strcmp(rules, "paddle") == 0, numel, rank[0],
                            extent[0], extent[1], &trial->call.axis);
    for (int32_t k = 0; k < 2; k++) {
        trial->whole[k] = world_whole(rng, trial->op, k, dtype, rank[k], extent[k]);
        trial->tensor[k] = world_spread(rng, grid, bl_tensor_array(trial->whole[k]));
        trial->in[k] = (bl_mpi_operand){trial->tensor[k], NULL};
        if (k == 1 && rng_one_in(rng, 6))
            trial->in[k] = (bl_mpi_operand){NULL, bl_tensor_array(trial->whole[k])};
    }
    trial->options = (bl_mpi_options){.size = sizeof trial->options,
                                      .call = &trial->call,
                                      .most_bytes = INT64_MAX,
                                      .most_memory = INT64_MAX};
    trial->out = NULL;
    if (rng_one_in(rng, 3))
        trial->out = trial->tensor[0];
}

/* What one process makes; NULL where it refuses. */
static void compute_want(struct trial *trial)
{
    const bl_array *in[2] = {bl_tensor_array(trial->whole[0]),
                             bl_tensor_array(trial->whole[1])};
    bl_status status;

    trial->want = NULL;
    if (!trial->out) {
        if (bl_apply_new(NULL, trial->op, 2, in, &trial->call, &trial->want) != BL_OK)
            trial->want = NULL;
        return;
    }
    must(bl_tensor_clone(NULL, in[0], &trial->want));
    in[0] = bl_tensor_array(trial->want);
    status = bl_apply(NULL, trial->op, in[0], 2, in, &trial->call);
    if (status != BL_OK) {
        bl_tensor_release(trial->want);
        trial->want = NULL;
    }
}

/* Whether what was sent is what a plan of the same call says of this rank. */
static bool is_as_planned(const struct trial *trial)
{
    bl_mpi_plan_info info = {.size = sizeof info};
    bl_mpi_plan *plan;
    const struct world_counts sent = world_counts;

    must(bl_mpi_plan_create(NULL, trial->op, trial->out, 2, trial->in, &trial->options,
                            &plan));
    must(bl_mpi_plan_query(plan, world_self, &info));
    bl_mpi_plan_destroy(plan);
    seen.moved += info.bytes;
    return sent.messages == info.messages && sent.bytes == info.bytes &&
           sent.received == info.received_bytes && info.total_bytes >= info.least_bytes;
}

static bool try(struct rng *rng, int64_t number)
{
    bl_mpi_tensor *made = NULL;
    struct trial trial;
    bl_status status;
    bool is_right;

    (void)number;
    choose(rng, &trial);
    compute_want(&trial);
    if (trial.want && !trial.out && rng_one_in(rng, 2)) {
        const bl_array *const want = bl_tensor_array(trial.want);

        trial.options.dims = world_dims(rng, bl_mpi_tensor_grid(trial.tensor[0]),
                                        want->rank, want->extent);
    }
    memset(&world_counts, 0, sizeof world_counts);
    status = trial.out
                 ? bl_mpi_apply(NULL, trial.op, trial.out, 2, trial.in, &trial.options)
                 : bl_mpi_apply_new(NULL, trial.op, 2, trial.in, &trial.options, &made);
    is_right = (status == BL_OK) == (trial.want != NULL);
    if (status == BL_OK && trial.want)
        is_right =
            world_is_part(trial.out ? trial.out : made, bl_tensor_array(trial.want)) &&
            is_as_planned(&trial);
    seen.results += status == BL_OK;
    seen.refused += status != BL_OK;
    seen.linear += status == BL_OK && trial.call.rules != bl_rules_find("paddle");
    if (!is_right)
        fprintf(stderr, "# rank %d: %s, op %d, status %d, %s\n", world_self,
                trial.call.rules->name, (int)trial.op, (int)status,
                status == BL_OK ? "" : bl_error_message());
    bl_mpi_tensor_release(made);
    for (int32_t k = 0; k < 2; k++) {
        bl_mpi_tensor_release(trial.tensor[k]);
        bl_tensor_release(trial.whole[k]);
    }
    bl_tensor_release(trial.want);
    return is_right;
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 60);

    world_make_grids(cases.seed);
    world_ok(world_try(&cases, "rules", try),
             "%d ranks: calls by other rules have the bits of one process",
             world_ranks);
    world_ok(cases.end - cases.first < ENOUGH ||
                 (seen.linear > 0 && seen.results > seen.linear && seen.refused > 0 &&
                  (world_ranks == 1 || !world_all(seen.moved == 0))),
             "%d ranks: pairs in linear order, along an axis, and none", world_ranks);
    if (world_self == 0)
        tap_note("%ld results, %ld refused, %ld bytes sent", (long)seen.results,
                 (long)seen.refused, (long)seen.moved);
    return world_close();
}
