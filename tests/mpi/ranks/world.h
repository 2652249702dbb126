/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs share that run on several ranks: results of all of them on rank 0,
 * a watchdog, allocations that fail, and counts of what MPI is asked to send.
 */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include <broadloom.h>
#include <broadloom/mpi.h>

#include "harness/problem.h"

extern int world_self, world_ranks;

/*
 * Initialise MPI; arguments are the seed, and how many cases.  All is ended after so
 * many seconds without world_ok().
 */
struct rng world_open(int count, char **arguments, int seconds, int *cases);

/* One result, passed where `pass` is true on all ranks; printed by rank 0. */
bool world_ok(bool pass, const char *format, ...);

/* Whether all ranks have the same number; and whether all have a true one. */
bool world_same(uint64_t number);
bool world_all(bool is_true);

/* Whether the status, and the error message if it is one, are the same on all ranks. */
bool world_refused_alike(bl_status status);

/* Finalise MPI; returns the exit status. */
int world_close(void);

/* ---- allocations ---- */

/*
 * Let allocation number `number` from now on fail, of the library's and of `ctx`, which
 * world_allocator() is of; 0: none.  Returns whether one has failed since the last
 * call.
 */
bool world_fail_allocation(int64_t number);
bl_allocator world_allocator(void);

/* ---- messages ---- */

struct world_counts {
    int64_t messages, bytes; /* by MPI_Isend */
    int64_t received;        /* by MPI_Irecv */
    int64_t votes;           /* MPI_Allreduce of 32 bytes */
    int64_t largest;         /* bytes of a message */
};
extern struct world_counts world_counts;

/* ---- tensors ---- */

/* A random grid of all ranks, one of some that are made once. */
bl_mpi_grid *world_grid(struct rng *rng);

/* Random dims of a tensor: borders are uneven, some parts empty; valid until the next
 * call but two. */
const bl_mpi_dim *world_dims(struct rng *rng, bl_mpi_grid *grid, int32_t rank,
                             const int64_t *extent);

/* A whole array in random layout: elements that identify their place. */
bl_tensor *world_whole(struct rng *rng, bl_op op, int32_t k, bl_dtype dtype,
                       int32_t rank, const int64_t *extent);

/*
 * A tensor of random numbers of sizes so far apart that another order of a sum gives
 * other bits; some zeros, and in some tensors a few NaN.
 */
bl_tensor *world_numbers(struct rng *rng, bl_dtype dtype, int32_t rank,
                         const int64_t *extent);

/* The tensor over ranks of a whole array that every rank has, made in a random way. */
bl_mpi_tensor *world_spread(struct rng *rng, bl_mpi_grid *grid, const bl_array *whole);

/* Whether this rank's part of a tensor is that of the whole array, bit by bit. */
bool world_is_part(const bl_mpi_tensor *tensor, const bl_array *whole);

#endif
