/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls for which no elements move: add, exp and sum of all elements over ranks of one
 * thread each, or on one process with the threads that it has, where it is the only
 * rank.  Prints operator, dtype, bytes of an operand in all, one-shot calls or those of
 * a kept plan, and the median seconds of a call.
 * usage: local ROUNDS
 */
#include <broadloom.h>
#include <broadloom/mpi.h>
#include <broadloom/mpi_reduce.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/same.h"

enum { ADD, EXP, SUM, OPERATORS };
enum { MOST_ROUNDS = 101, OPERANDS = 3 };

static const char *const operator_name[OPERATORS] = {"add", "exp", "sum"};
static const bl_op operator[] = {BL_OP_ADD, BL_OP_EXP};

static int self, ranks;
static bl_mpi_grid *grid;
static bl_mpi_tensor *tensor[OPERANDS]; /* the result, and operands */
static const bl_array *block[OPERANDS];
static double sum;
static bl_array sum_array;

static struct {
    bl_mpi_plan *ranks;
    bl_plan *alone;
} kept;

/* ---- calls ---- */

static void call_over_ranks(int which)
{
    const bl_mpi_operand in[2] = {{tensor[1], NULL}, {tensor[2], NULL}};
    const void *const data[2] = {block[1]->data, block[2]->data};

    if (which == SUM)
        must(bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &sum_array, tensor[1], 0, NULL,
                           false, NULL, NULL));
    else if (kept.ranks)
        must(bl_mpi_plan_execute(NULL, kept.ranks, block[0]->data, data));
    else
        must(bl_mpi_apply(NULL, operator[which], tensor[0], which == ADD ? 2 : 1, in,
                          NULL));
}

static void call_alone(int which)
{
    const void *const data[2] = {block[1]->data, block[2]->data};

    if (which == SUM)
        must(bl_reduce(NULL, BL_REDUCTION_SUM, &sum_array, block[1], 0, NULL, false,
                       NULL));
    else if (kept.alone)
        must(bl_plan_execute(NULL, kept.alone, block[0]->data, data));
    else
        must(bl_apply(NULL, operator[which], block[0], which == ADD ? 2 : 1, block + 1,
                      NULL));
}

static void keep(int which)
{
    const bl_mpi_operand in[2] = {{tensor[1], NULL}, {tensor[2], NULL}};
    const int32_t count = which == ADD ? 2 : 1;

    if (ranks > 1)
        must(bl_mpi_plan_create(NULL, operator[which], tensor[0], count, in, NULL,
                                &kept.ranks));
    else
        must(bl_plan_create(NULL, operator[which], block[0], count, block + 1, NULL,
                            &kept.alone));
}

static void drop(void)
{
    bl_mpi_plan_destroy(kept.ranks);
    bl_plan_destroy(kept.alone);
    kept.ranks = NULL;
    kept.alone = NULL;
}

/* ---- measurement ---- */

static double measure(int which, int calls)
{
    double seconds, longest;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = -MPI_Wtime();
    for (int i = 0; i < calls; i++)
        (ranks > 1 ? call_over_ranks : call_alone)(which);
    seconds += MPI_Wtime();
    MPI_Allreduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest / calls;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void compare(int which, int64_t bytes, int rounds, const char *kind)
{
    const int calls = bytes > INT64_C(4) << 20 ? 1 : (int)((INT64_C(8) << 20) / bytes);
    double seconds[MOST_ROUNDS];

    for (int i = 0; i < 3; i++)
        measure(which, calls);
    for (int i = 0; i < rounds; i++)
        seconds[i] = measure(which, calls);
    qsort(seconds, (size_t)rounds, sizeof *seconds, by_value);
    if (self == 0)
        printf("%s\t%s\t%lld\t%s\t%.9f\n", operator_name[which],
               bl_dtype_name(block[0]->dtype), (long long)bytes, kind,
               seconds[rounds / 2]);
}

static void try(bl_dtype dtype, int64_t bytes, int rounds)
{
    const int64_t count = bytes / (int64_t)bl_dtype_size(dtype);
    const bl_mpi_dim line = {0, NULL};

    for (int k = 0; k < OPERANDS; k++) {
        must(bl_mpi_rand(NULL, grid, dtype, 1, &count, &line, 7, &tensor[k]));
        block[k] = bl_mpi_local(tensor[k]);
    }
    sum_array = (bl_array){.data = &sum, .dtype = dtype};
    for (int which = 0; which < OPERATORS; which++) {
        compare(which, bytes, rounds, "call");
        if (which == SUM)
            continue;
        keep(which);
        compare(which, bytes, rounds, "plan");
        drop();
    }
    for (int k = 0; k < OPERANDS; k++)
        bl_mpi_tensor_release(tensor[k]);
}

int main(int count, char **arguments)
{
    const int given = count > 1 ? atoi(arguments[1]) : 9;
    const int rounds = given < MOST_ROUNDS ? given : MOST_ROUNDS;
    int level;

    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    for (int64_t bytes = 128 << 10; bytes <= 128 << 20; bytes *= 8)
        for (int wide = 0; wide < 2; wide++)
            try(wide ? BL_DTYPE_F64 : BL_DTYPE_F32, bytes, rounds);
    bl_mpi_grid_release(grid);
    MPI_Finalize();
    return 0;
}
