/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are computed in tiles while operands arrive: the bits of one process for
 * one and several operands that move, repeated ones among them, uneven borders and
 * empty parts, into operands and memory that overlaps them; and what is refused for
 * values writes nothing.
 * usage: tiles SEED CASES [FIRST]
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { RANK = 3, ENOUGH = 40 };
enum into { NEW, OTHER, IN_PLACE, OVERLAP, INTOS };

static bl_mpi_grid *messages; /* a grid that shares no memory */
static int64_t tiles, early, one, sent;

/* A case: whole operands, and where they lie over ranks. */
struct trial {
    bl_mpi_grid *grid;
    bl_op op;
    int32_t count, rank;
    int64_t extent[RANK];
    bl_tensor *whole[BL_MAX_INPUTS];
    bl_mpi_tensor *tensor[BL_MAX_INPUTS];
    bl_mpi_operand in[BL_MAX_INPUTS];
    bl_mpi_tensor *memory, *out; /* that the result is in; NULL: a new one */
    bl_tensor *want;
};

static void choose_operand(struct rng *rng, struct trial *trial, int32_t k)
{
    const int32_t drop =
        k > 0 && rng_one_in(rng, 3) ? (int32_t)rng_below(rng, trial->rank) : 0;
    int64_t extent[RANK];

    for (int32_t d = drop; d < trial->rank; d++)
        extent[d - drop] = k > 0 && rng_one_in(rng, 5) ? 1 : trial->extent[d];
    trial->whole[k] =
        trial->op == BL_OP_WHERE && k == 0
            ? world_whole(rng, trial->op, 0, BL_DTYPE_BOOL, trial->rank, extent)
            : world_numbers(rng, rng_one_in(rng, 4) ? BL_DTYPE_F32 : BL_DTYPE_F64,
                            trial->rank - drop, extent);
    trial->tensor[k] = world_spread(rng, trial->grid, bl_tensor_array(trial->whole[k]));
    trial->in[k] = (bl_mpi_operand){trial->tensor[k], NULL};
}

/* Let operand 0 and the result be rows of one tensor, one row apart. */
static void overlap(struct rng *rng, struct trial *trial)
{
    int64_t extent[RANK];
    bl_tensor *all, *rows;

    memcpy(extent, trial->extent, sizeof extent);
    extent[0]++;
    all = world_numbers(rng, BL_DTYPE_F64, trial->rank, extent);
    must(bl_tensor_narrow(all, 0, 1, trial->extent[0], &rows));
    bl_tensor_release(trial->whole[0]);
    bl_mpi_tensor_release(trial->tensor[0]);
    must(bl_tensor_clone(NULL, bl_tensor_array(rows), &trial->whole[0]));
    trial->memory = world_spread(rng, trial->grid, bl_tensor_array(all));
    must(bl_mpi_narrow(trial->memory, 0, 1, trial->extent[0], &trial->tensor[0]));
    must(bl_mpi_narrow(trial->memory, 0, 0, trial->extent[0], &trial->out));
    trial->in[0].tensor = trial->tensor[0];
    bl_tensor_release(rows);
    bl_tensor_release(all);
}

static void choose(struct rng *rng, struct trial *trial, enum into into)
{
    static const bl_op ops[] = {BL_OP_EXP, BL_OP_ADD, BL_OP_WHERE};
    const bl_array *inputs[BL_MAX_INPUTS];
    bl_dtype dtype;

    trial->count = 1 + (int32_t)rng_below(rng, 3);
    trial->op = ops[trial->count - 1];
    trial->rank = 1 + (int32_t)rng_below(rng, RANK);
    for (int32_t d = 0; d < trial->rank; d++)
        trial->extent[d] = 4 + rng_below(rng, trial->rank == 1 ? 2000 : 36);
    for (int32_t k = 0; k < trial->count; k++)
        choose_operand(rng, trial, k);
    if (into == OVERLAP && trial->op != BL_OP_WHERE)
        overlap(rng, trial);
    for (int32_t k = 0; k < trial->count; k++)
        inputs[k] = bl_tensor_array(trial->whole[k]);
    must(bl_apply_new(NULL, trial->op, trial->count, inputs, NULL, &trial->want));
    dtype = bl_tensor_array(trial->want)->dtype;
    if (into == IN_PLACE && dtype == inputs[0]->dtype)
        trial->out = bl_mpi_tensor_retain(trial->tensor[0]);
    else if (into != NEW && !trial->out) {
        trial->out = world_spread(rng, trial->grid, bl_tensor_array(trial->want));
    }
}

static void release(struct trial *trial)
{
    for (int32_t k = 0; k < trial->count; k++) {
        bl_mpi_tensor_release(trial->tensor[k]);
        bl_tensor_release(trial->whole[k]);
    }
    bl_mpi_tensor_release(trial->out);
    bl_mpi_tensor_release(trial->memory);
    bl_tensor_release(trial->want);
}

/* Execute a plan to the result that is there. */
static bl_status execute(struct trial *trial, const bl_mpi_options *options)
{
    const void *data[BL_MAX_INPUTS];
    bl_mpi_plan *plan;
    bl_status status;

    must(bl_mpi_plan_create(NULL, trial->op, trial->out, trial->count, trial->in,
                            options, &plan));
    for (int32_t k = 0; k < trial->count; k++)
        data[k] = bl_mpi_local(trial->tensor[k])->data;
    memset(&world_counts, 0, sizeof world_counts);
    status = bl_mpi_plan_execute(NULL, plan, bl_mpi_local(trial->out)->data, data);
    bl_mpi_plan_destroy(plan);
    return status;
}

static bool try(struct rng *rng, int64_t number)
{
    struct trial trial = {.grid = number % 2 ? messages : world_grid(rng)};
    const bl_mpi_options options = {
        .size = sizeof options, .most_bytes = INT64_MAX, .most_memory = INT64_MAX};
    bl_status status;
    bool is_right;

    choose(rng, &trial, (enum into)rng_below(rng, INTOS));
    memset(&world_counts, 0, sizeof world_counts);
    if (trial.out && rng_one_in(rng, 2))
        status = execute(&trial, &options);
    else if (trial.out)
        status =
            bl_mpi_apply(NULL, trial.op, trial.out, trial.count, trial.in, &options);
    else
        status = bl_mpi_apply_new(NULL, trial.op, trial.count, trial.in, &options,
                                  &trial.out);
    tiles += world_counts.computed;
    early += world_counts.early;
    one += world_counts.computed == 1;
    sent += world_counts.messages;
    is_right = status == BL_OK && world_is_part(trial.out, bl_tensor_array(trial.want));
    if (!is_right)
        fprintf(stderr, "# rank %d: operator %d, status %d %s\n", world_self,
                (int)trial.op, (int)status, status == BL_OK ? "" : bl_error_message());
    release(&trial);
    return is_right;
}

/* Divisors of 0 that arrive from one rank are seen before any tile is written. */
static void test_values(void)
{
    const int64_t extent[2] = {64, 48};
    const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    const int32_t seven = 7, three = 3, zero = 0;
    bl_mpi_tensor *a, *b, *out;
    bl_tensor *sevens;
    bl_status status;

    must(bl_mpi_full(NULL, messages, BL_DTYPE_I32, 2, extent, rows, &seven, &a));
    must(bl_mpi_full(NULL, messages, BL_DTYPE_I32, 2, extent, rows, &three, &b));
    must(bl_mpi_full(NULL, messages, BL_DTYPE_I32, 2, extent, columns, &seven, &out));
    must(bl_tensor_full(NULL, BL_DTYPE_I32, 2, extent, &seven, &sevens));
    if (world_self == world_ranks - 1)
        must(bl_array_set(bl_mpi_local(b), (const int64_t[]){0, 47}, &zero));
    status = bl_mpi_apply(NULL, BL_OP_FLOOR_DIVIDE, out, 2,
                          (const bl_mpi_operand[]){{a, NULL}, {b, NULL}}, NULL);
    world_ok(status == BL_ERR_ARGUMENT && world_refused_alike(status) &&
                 world_is_part(out, bl_tensor_array(sevens)),
             "%d ranks: a divisor of 0 that arrives last is refused, nothing written",
             world_ranks);
    bl_tensor_release(sevens);
    bl_mpi_tensor_release(a);
    bl_mpi_tensor_release(b);
    bl_mpi_tensor_release(out);
}

/* A plan whose result is put where its operand is, of which messages are still sent. */
static void test_same_memory(void)
{
    const int64_t side = 128 * world_ranks, extent[2] = {side, side};
    const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    const bl_array *inputs[1];
    bl_mpi_tensor *from, *to;
    bl_tensor *whole, *want;
    bl_mpi_plan *plan;

    must(bl_tensor_rand(NULL, BL_DTYPE_F64, 2, extent, 1, &whole));
    inputs[0] = bl_tensor_array(whole);
    must(bl_apply_new(NULL, BL_OP_EXP, 1, inputs, NULL, &want));
    must(bl_mpi_rand(NULL, messages, BL_DTYPE_F64, 2, extent, rows, 1, &from));
    must(bl_mpi_zeros(NULL, messages, BL_DTYPE_F64, 2, extent, columns, &to));
    must(bl_mpi_plan_create(NULL, BL_OP_EXP, to, 1, &(bl_mpi_operand){from, NULL}, NULL,
                            &plan));
    void *const memory = bl_mpi_local(from)->data;

    must(bl_mpi_plan_execute(NULL, plan, memory, (const void *const[]){memory}));
    memcpy(bl_mpi_local(to)->data, memory, (size_t)(128 * side) * sizeof(double));
    world_ok(world_is_part(to, bl_tensor_array(want)),
             "%d ranks: a result in the memory of its operand", world_ranks);
    bl_mpi_plan_destroy(plan);
    bl_mpi_tensor_release(from);
    bl_mpi_tensor_release(to);
    bl_tensor_release(whole);
    bl_tensor_release(want);
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 120);
    const bl_mpi_grid_options options = {.size = sizeof options,
                                         .flags = BL_MPI_MESSAGES};

    must(bl_context_set_threads(NULL, 1));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, &options, &messages));
    world_make_grids(cases.seed);
    world_ok(world_try(&cases, "tiles", try),
             "%d ranks: the bits of one process, computed as operands arrive",
             world_ranks);
    PMPI_Allreduce(MPI_IN_PLACE, &early, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    world_ok(world_ranks == 1 || cases.end - cases.first < ENOUGH || early > 0,
             "%d ranks: some tiles are computed before all has arrived", world_ranks);
    test_values();
    test_same_memory();
    if (world_self == 0)
        tap_note("%ld tiles, %ld early on all ranks, %ld results at once, %ld messages",
                 (long)tiles, (long)early, (long)one, (long)sent);
    bl_mpi_grid_release(messages);
    return world_close();
}
