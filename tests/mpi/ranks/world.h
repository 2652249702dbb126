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

/* Random cases: number `first` to `end` - 1 of a seed. */
struct world_cases {
    uint64_t seed;
    int64_t first, end;
};

/*
 * Initialise MPI; arguments are the seed, how many cases, and the first one's number,
 * else 0.  All is ended after so many seconds, and one more for each rank, without a
 * result or a case.
 */
struct world_cases world_open(int count, char **arguments, int seconds);

/*
 * Try cases, each with random numbers of its own, until one is wrong on some rank;
 * returns whether none was.  Rank 0 prints how `program` repeats one that was.
 */
bool world_try(const struct world_cases *cases, const char *program,
               bool (*try)(struct rng *rng, int64_t number));

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
/* How many there were since. */
int64_t world_allocations(void);
/* Most bytes that world_allocator() had lent at once, since. */
int64_t world_most_bytes(void);
bl_allocator world_allocator(void);

/* ---- messages ---- */

struct world_counts {
    int64_t messages, bytes; /* by MPI_Isend */
    int64_t received;        /* by MPI_Irecv */
    int64_t votes;           /* MPI_Allreduce of 32 bytes */
    int64_t largest;         /* bytes of a message */
    int64_t computed,
        early; /* executions, and those before the last look at messages */
};
extern struct world_counts world_counts;

/* ---- computation that takes simulated time (simulated.c) ---- */

/* Of each element that a call of a rank computes: 0 unless it is set. */
extern double world_seconds_of_element;

/* Let the time pass that so many elements take; nothing, of other ranks. */
void world_compute(int64_t elements);

/* ---- tensors ---- */

/* Make some random grids of all ranks; and one of them. */
void world_make_grids(uint64_t seed);
bl_mpi_grid *world_grid(struct rng *rng);
/* Whether their votes go through shared memory rather than MPI_Allreduce(). */
bool world_votes_are_shared(void);

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
