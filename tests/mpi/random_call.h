/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random calls over random ranks: their operands' elements, and how these lie.
 */
#ifndef TESTS_RANDOM_CALL_H
#define TESTS_RANDOM_CALL_H

#include <broadloom.h>

#include "harness/problem.h"
#include "mpi/spread/call.h"

enum { MOST_RANK = 4, MOST_EXTENT = 7 };

struct trial {
    struct bli_grid grid;
    bl_op op;
    int32_t count;
    bl_options options;
    int64_t extent[BL_MAX_INPUTS][MOST_RANK];
    bl_tensor *tensor[BL_MAX_INPUTS];
    struct bli_spread_operand operand[BL_MAX_INPUTS];
    struct bli_spread *spread[BL_MAX_INPUTS + 1]; /* the last: of the result */
    bl_tensor *result;                            /* of the call on one process */
};

/* Make a trial without a result; close it with trial_close(). */
void trial_open(struct rng *rng, struct trial *trial);
void trial_close(struct trial *trial);

/*
 * Say where the result is, once it is known: a new one, one that exists, or on one
 * rank. `dims` has room for MOST_RANK.
 */
void trial_result(struct rng *rng, struct trial *trial,
                  struct bli_spread_options *options, struct bli_dim *dims);

#endif
