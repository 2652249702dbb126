/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The norm of a difference, block by block: both operands are copied to staging
 * buffers, go through the operators' kernels, and then to a reducer.  It cannot fail
 * and does not allocate.
 */
#ifndef BLI_EXEC_DIST_H
#define BLI_EXEC_DIST_H

#include "exec/exec.h"
#include "kernels/reduce/reduce.h"

struct bli_dist {
    double p;
    int64_t count;  /* pairs of elements, at least 1 */
    int64_t blocks; /* blocks of BLI_REDUCE_BLOCK pairs */
    int32_t size;   /* bytes of an element in a staging buffer */
    /*
     * For each operand, the loops that copy it to a compact array of its elements, in
     * order.
     */
    struct bli_nest nest[2];
    char *data[2];
    bli_kernel *stage[2]; /* to a staging buffer */
    bli_kernel *sub;      /* of staging buffers */
    bli_kernel *abs;
    bli_kernel *widen; /* converts what abs gives to f64; NULL where it is f64 */
    bli_kernel *pow;   /* of f64 */
    const struct bli_reducer *reducer; /* of f64 */
    double *partial;                   /* one for each block */
    struct bli_staging staging;        /* bli_dist_staging() for each thread */
    struct bli_partition partition;    /* of the blocks */
};

/* Return the bytes of staging for each thread: a buffer for either operand. */
int64_t bli_dist_staging(const struct bli_dist *dist);

/* Return the norm, rounded to nearest whatever the caller's rounding direction is. */
double bli_exec_dist(const struct bli_dist *dist, const struct bli_team *team);

#endif
