/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that are made again and again, of a few tensors: plans that the grid remembers
 * give the bits of new ones, which a context of the program's has, and are found; with
 * faults of one rank, which are the same error on all, and the next call is right.
 * usage: again SEED CASES [FIRST]
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { SPREADS = 3, ALIKE = 3, OPS = 4, REDUCTIONS = 5, ROWS = 37, COLUMNS = 29 };
enum kind { APPLY, IN_PLACE, APPLY_NEW, REDUCE, REDUCE_NEW, KINDS };
enum fault { NONE, OTHER, MEMORY, NULL_ARGUMENT, FAULTS };

static const bl_op ops[OPS] = {BL_OP_ADD, BL_OP_MUL, BL_OP_SUB, BL_OP_MAXIMUM};
static const bl_reduction reductions[REDUCTIONS] = {BL_REDUCTION_SUM, BL_REDUCTION_MEAN,
                                                    BL_REDUCTION_MAX, BL_REDUCTION_STD,
                                                    BL_REDUCTION_PROD};

static bl_mpi_grid *grid;
static bl_context *own; /* whose calls are planned each time */
static bl_mpi_tensor *tensor[SPREADS][ALIKE];
static double number;
static const bl_array number_array = {.data = &number, .dtype = BL_DTYPE_F64};

static struct {
    int64_t refused, done;
} seen;

/* A call, and what came of it. */
struct trial {
    enum kind kind;
    enum fault fault; /* of this rank */
    int op;
    const bl_mpi_tensor *out;
    bl_mpi_operand in[2];
    int32_t axes_count, axis;
    bool keepdim;
    bl_mpi_tensor *made;
    bl_tensor *array;
};

/* ---- blocks ---- */

static bl_tensor *copy_of(const bl_array *array)
{
    bl_tensor *copy;

    must(bl_tensor_empty(NULL, array->dtype, array->rank, array->extent, &copy));
    must(bl_apply(NULL, BL_OP_COPY, bl_tensor_array(copy), 1,
                  (const bl_array *[]){array}, NULL));
    return copy;
}

static void copy_to(const bl_array *array, const bl_tensor *from)
{
    must(bl_apply(NULL, BL_OP_COPY, array, 1,
                  (const bl_array *[]){bl_tensor_array(from)}, NULL));
}

/* ---- calls ---- */

static bl_status reduce(bl_context *ctx, struct trial *trial, bl_reduction op)
{
    const bl_mpi_tensor *const in =
        trial->fault == NULL_ARGUMENT && world_ranks == 1 ? NULL : trial->in[0].tensor;

    if (trial->kind == REDUCE_NEW)
        return bl_mpi_reduce_new(ctx, op, in, trial->axes_count, &trial->axis,
                                 trial->keepdim, NULL, NULL,
                                 trial->fault == NULL_ARGUMENT ? NULL : &trial->made);
    return bl_mpi_reduce(
        ctx, op, trial->fault == NULL_ARGUMENT ? NULL : bl_tensor_array(trial->array),
        in, trial->axes_count, &trial->axis, trial->keepdim, NULL, NULL);
}

static bl_status call(bl_context *ctx, struct trial *trial)
{
    const int other = trial->fault == OTHER;
    bl_mpi_operand in[2] = {trial->in[0], trial->in[1]};

    if (trial->kind >= REDUCE)
        return reduce(ctx, trial, reductions[(trial->op + other) % REDUCTIONS]);
    if (trial->fault == NULL_ARGUMENT)
        in[1] = (bl_mpi_operand){NULL, NULL};
    if (trial->kind == APPLY_NEW)
        return bl_mpi_apply_new(ctx, ops[(trial->op + other) % OPS], 2, in, NULL,
                                &trial->made);
    return bl_mpi_apply(ctx, ops[(trial->op + other) % OPS], trial->out, 2, in, NULL);
}

static const bl_array *result_of(const struct trial *trial)
{
    return trial->made    ? bl_mpi_local(trial->made)
           : trial->array ? bl_tensor_array(trial->array)
                          : bl_mpi_local(trial->out);
}

/* ---- cases ---- */

static const bl_mpi_tensor *draw_tensor(struct rng *rng, int64_t spread)
{
    return tensor[rng_one_in(rng, 9) ? rng_below(rng, SPREADS) : spread]
                 [rng_below(rng, ALIKE - 1)];
}

static void draw(struct rng *rng, struct trial *trial)
{
    const int64_t spread = rng_below(rng, SPREADS);
    int64_t extent[2] = {ROWS, COLUMNS}, results[2];
    int32_t rank = 0;

    memset(trial, 0, sizeof *trial);
    trial->kind = (enum kind)rng_below(rng, KINDS);
    trial->op = (int)rng_below(rng, trial->kind >= REDUCE ? REDUCTIONS : OPS);
    trial->in[0].tensor = draw_tensor(rng, spread);
    if (rng_one_in(rng, 4))
        trial->in[1].array = &number_array;
    else
        trial->in[1].tensor = draw_tensor(rng, spread);
    trial->out =
        trial->kind == IN_PLACE ? trial->in[0].tensor : tensor[spread][ALIKE - 1];
    trial->axes_count = (int32_t)rng_below(rng, 2);
    trial->axis = (int32_t)rng_below(rng, 2);
    trial->keepdim = rng_one_in(rng, 2);
    number = (double)rng_below(rng, 100);
    if (trial->kind != REDUCE)
        return;
    for (int32_t d = 0; d < 2; d++) {
        const bool is_reduced = trial->axes_count == 0 || trial->axis == d;

        if (!is_reduced || trial->keepdim)
            results[rank++] = is_reduced ? 1 : extent[d];
    }
    must(bl_tensor_zeros(NULL, BL_DTYPE_F64, rank, results, &trial->array));
}

/* Make a call; returns a copy of its results, in place of which is then what was. */
static bl_tensor *make(bl_context *ctx, struct trial *trial, bl_status *status)
{
    bl_tensor *const before =
        trial->kind >= REDUCE ? NULL : copy_of(bl_mpi_local(trial->out));
    bl_tensor *result = NULL;

    *status = call(ctx, trial);
    if (*status == BL_OK)
        result = copy_of(result_of(trial));
    if (before)
        copy_to(bl_mpi_local(trial->out), before);
    bl_tensor_release(before);
    bl_mpi_tensor_release(trial->made);
    trial->made = NULL;
    return result;
}

/* The call with a fault of one rank: refused by all or by none. */
static bool try_fault(struct rng *rng, struct trial *trial, const bl_tensor *want)
{
    const enum fault fault = (enum fault)rng_below(rng, FAULTS);
    const int victim = (int)rng_below(rng, world_ranks);
    const int64_t place = rng_below(rng, 12) + 1;
    bl_status status;
    bl_tensor *got;
    bool is_right;

    trial->fault = world_self == victim ? fault : NONE;
    world_fail_allocation(trial->fault == MEMORY ? place : 0);
    got = make(NULL, trial, &status);
    world_fail_allocation(0);
    trial->fault = NONE;
    is_right = world_refused_alike(status);
    if (fault == NONE || (fault == OTHER && world_ranks == 1))
        is_right = is_right && (status == BL_OK || fault == OTHER);
    else
        is_right =
            is_right && (fault == MEMORY ? status == BL_OK || status == BL_ERR_MEMORY
                                         : status == BL_ERR_ARGUMENT);
    if (got && fault != OTHER)
        is_right =
            is_right && arrays_are_same(bl_tensor_array(got), bl_tensor_array(want));
    seen.refused += status != BL_OK;
    bl_tensor_release(got);
    return is_right;
}

static bool try(struct rng *rng, int64_t case_number)
{
    struct trial trial;
    bl_status status[3];
    bl_tensor *result[3];
    bool is_right;

    (void)case_number;
    draw(rng, &trial);
    result[0] = make(own, &trial, &status[0]);
    result[1] = make(NULL, &trial, &status[1]);
    is_right = status[0] == BL_OK && status[1] == BL_OK;
    is_right = world_all(is_right) && try_fault(rng, &trial, result[0]);
    world_fail_allocation(0);
    result[2] = make(NULL, &trial, &status[2]);
    is_right = is_right && status[2] == BL_OK;
    for (int i = 1; is_right && i < 3; i++)
        is_right =
            arrays_are_same(bl_tensor_array(result[0]), bl_tensor_array(result[i]));
    for (int i = 0; i < 3; i++)
        bl_tensor_release(result[i]);
    bl_tensor_release(trial.array);
    seen.done++;
    return is_right;
}

/* ---- whether they are found ---- */

/* Allocations of the library in the third of equal calls. */
static int64_t allocations_again(struct trial *trial)
{
    int64_t count = 0;

    for (int i = 0; i < 3; i++) {
        world_fail_allocation(0);
        must(call(NULL, trial));
        count = world_allocations();
        bl_mpi_tensor_release(trial->made);
        trial->made = NULL;
    }
    return count;
}

static void check_found(void)
{
    struct trial trial = {.out = tensor[0][2],
                          .in = {{tensor[0][0], NULL}, {tensor[0][1], NULL}}};

    world_ok(allocations_again(&trial) == 0, "a plan is found again");
    trial.in[1] = (bl_mpi_operand){NULL, &number_array};
    world_ok(allocations_again(&trial) == 0, "with a number, too");
    trial.kind = APPLY_NEW;
    world_ok(allocations_again(&trial) == 1, "for a new tensor");
    trial.kind = REDUCE;
    must(bl_tensor_zeros(NULL, BL_DTYPE_F64, 0, NULL, &trial.array));
    world_ok(allocations_again(&trial) == 1, "that of a reduction");
    bl_tensor_release(trial.array);
    trial.kind = REDUCE_NEW;
    world_ok(allocations_again(&trial) == 1, "and for its new tensor");
}

static void make_tensors(uint64_t seed)
{
    struct rng rng = {seed};
    const int64_t extent[2] = {ROWS, COLUMNS};

    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_context_create(&own));
    must(bl_context_set_threads(own, 1));
    for (int s = 0; s < SPREADS; s++) {
        const bl_mpi_dim even[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
        const bl_mpi_dim *const dims =
            s == 0 ? even : world_dims(&rng, grid, 2, extent);

        for (int i = 0; i < ALIKE; i++)
            must(bl_mpi_randn(NULL, grid, BL_DTYPE_F64, 2, extent, dims,
                              seed + (uint64_t)(s * ALIKE + i), &tensor[s][i]));
    }
}

static void release(void)
{
    for (int s = 0; s < SPREADS; s++)
        for (int i = 0; i < ALIKE; i++)
            bl_mpi_tensor_release(tensor[s][i]);
    bl_context_destroy(own);
    bl_mpi_grid_release(grid);
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 20);

    make_tensors(cases.seed);
    check_found();
    world_ok(world_try(&cases, "again", try),
             "%d ranks: calls made again have the bits of new ones", world_ranks);
    if (world_self == 0)
        tap_note("%ld calls, %ld refused", (long)seen.done, (long)seen.refused);
    release();
    return world_close();
}
