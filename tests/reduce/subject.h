/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays whose reduction is computed by one bl_reduce(), and in pieces: up to two axes
 * of results and up to two that are reduced, in any order, in any order of memory.
 */
#ifndef TESTS_SUBJECT_H
#define TESTS_SUBJECT_H

#include <broadloom.h>
#include <broadloom/reduce_pieces.h>

#include "harness/problem.h"

#define SUBJECT_RANK 4

struct subject {
    bl_reduction op;
    bl_dtype dtype, to;
    bl_array array;
    int64_t extent[SUBJECT_RANK], stride[SUBJECT_RANK];
    int32_t axes[SUBJECT_RANK], axes_count; /* reduced */
    int64_t results[SUBJECT_RANK];          /* the results' shape */
    int32_t rank;
    int64_t count; /* elements of each result */
    int64_t unit;  /* pieces have a multiple: elements of all but the first of `axes` */
    bool is_plain; /* no element is NaN or infinite */
    unsigned char *memory;
    size_t bytes; /* of the results */
    unsigned char *want, *got;
};

/* The dtype of the result; BL_DTYPE_NONE where the reduction does not take `dtype`. */
bl_dtype subject_result(bl_reduction op, bl_dtype dtype);

/*
 * Make a row of `count` elements, or a random array of up to about `count`; the result
 * is computed by bl_reduce().
 */
void subject_row(struct subject *subject, struct rng *rng, bl_reduction op,
                 bl_dtype dtype, int64_t count);
void subject_random(struct subject *subject, struct rng *rng, bl_reduction op,
                    bl_dtype dtype, int64_t count);
void subject_close(struct subject *subject);

/* Create a reduction of the subject; exits on failure. */
bl_reduce_pieces *subject_pieces(const struct subject *subject, bl_context *ctx);

/* Add elements begin to end - 1, multiples of `unit`. */
bl_status subject_add(const struct subject *subject, bl_context *ctx,
                      bl_reduce_pieces *pieces, int64_t begin, int64_t end);

/* Whether the reduction has the subject's results; notes what it has. */
bool subject_is_right(const struct subject *subject, bl_context *ctx,
                      const bl_reduce_pieces *pieces);

#endif
