/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The norm of a difference, a block of elements after the other: both operands to
 * tiles, through the kernels of the operators, to a reducer.  Cannot fail, does not
 * allocate.
 */
#ifndef BLI_EXEC_DIST_H
#define BLI_EXEC_DIST_H

#include "exec/exec.h"
#include "kernels/reduce/reduce.h"

struct bli_dist {
    double p;
    int64_t count;  /* pairs of elements, at least 1 */
    int64_t blocks; /* of those */
    int32_t size;   /* bytes of an element in a tile */
    /* For each operand: the loops from a compact array of its elements, in order. */
    struct bli_nest nest[2];
    char *data[2];
    bli_kernel *stage[2]; /* to a tile */
    bli_kernel *sub;      /* of tiles */
    bli_kernel *abs;
    bli_kernel *widen;                 /* what abs gives to f64; NULL where it is f64 */
    bli_kernel *pow;                   /* of f64 */
    const struct bli_reducer *reducer; /* of f64 */
    double *partial;                   /* one for each block */
    int32_t threads;                   /* of the team, at most */
    struct bli_staging staging;        /* bli_dist_staging() for each of them */
};

/* Threads that the blocks are worth, as the team allows. */
int32_t bli_dist_threads(const struct bli_dist *dist, const struct bli_team *team);

/* Bytes of staging for each: a tile of either operand. */
int64_t bli_dist_staging(const struct bli_dist *dist);

/* The norm, rounded to nearest whatever the caller's direction is. */
double bli_exec_dist(const struct bli_dist *dist, const struct bli_team *team);

#endif
