/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/ops/registers.c and folds.c: segments, their operands in guarded memory,
 * and what one kernel after the other makes of them.
 */
#ifndef TESTS_SEGMENTS_H
#define TESTS_SEGMENTS_H

#include "harness/problem.h"
#include "kernels/registers/program.h"

enum { SEGMENT_MOST = 4096 }; /* elements of a row */

/* Add values to a segment; their indices. A stream or still gets the next operand. */
void segment_begin(struct bli_segment *segment, bl_dtype computes);
int16_t segment_operand(struct bli_segment *segment, int32_t kind, bl_dtype dtype);
int16_t segment_op(struct bli_segment *segment, bl_op op, bl_dtype dtype, int16_t a,
                   int16_t b, int16_t c, int16_t d);
/* Make a value an output, the next operand. */
void segment_output(struct bli_segment *segment, int16_t value);

/* Make a random segment of at most `most` operators, and its outputs. */
void segment_random(struct rng *rng, struct bli_segment *segment, int64_t most);

/* The dtype of operand k, and whether it is an output. */
bl_dtype segment_dtype(const struct bli_segment *segment, int32_t k, bool *is_output);

/*
 * Memory for operands between inaccessible pages. segment_place: the address of operand
 * k with `count` elements at the end of its pages, or at their beginning.
 */
bool segment_open(void);
void segment_close(void);
char *segment_place(int32_t k, bl_dtype dtype, int64_t count, bool at_end);

/*
 * Compute outputs at data[] as the kernels of `isa` do, one after the other; raised[0]
 * and [1]: the exceptions that were raised by that, and by a program.
 */
void segment_kernels(const struct bli_isa *isa, const struct bli_segment *segment,
                     char *const *data, int64_t count, int *raised);

/*
 * Run `program` and the kernels, with operands filled by `seed`, and compare outputs
 * bit for bit, NaN with NaN, and exceptions. `in_place`: the first output is the first
 * stream of its dtype over which the program may write. False, with a note, where they
 * differ.
 */
struct segment_run {
    const struct bli_isa *isa;
    int64_t count;
    uint64_t seed;
    bool at_end, in_place, streams;
};
bool segment_check(const char *what, const struct bli_segment *segment,
                   const struct bli_program *program, const struct segment_run *run);

/* segment_check() with every instruction set, of the program of a segment. */
bool segment_check_all(const char *what, const struct bli_segment *segment,
                       struct segment_run run);

/* Rows of all lengths; a part of the program. */
void segment_test_rows(struct rng *rng);

#endif
