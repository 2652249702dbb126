/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Problems: an operator with operands in memory whose contents name their own place,
 * the expected result, and the line for `broadloom plan` that stands for them.  Also
 * the rng that random ones are made with, and the contexts that each is run with.
 */
#ifndef TESTS_PROBLEM_H
#define TESTS_PROBLEM_H

#include <broadloom.h>

/* ---- rng ---- */

struct rng {
    uint64_t state;
};

/* Seeded from BROADLOOM_TEST_SEED, else from the clock; the seed is printed. */
struct rng rng_new(void);
/* A number from 0 to sides - 1. */
int64_t rng_below(struct rng *rng, int64_t sides);
/* True once in `times`. */
bool rng_one_in(struct rng *rng, int64_t times);
/* True where BROADLOOM_TEST_LONG asks for more than the quick suite. */
bool test_is_long(void);
/*
 * True for one operator of each kind on one dtype of each size, which programs try in
 * every way; of the others they take a sample.  For all where test_is_long.
 */
bool test_is_thorough(bl_op op, bl_dtype dtype);

/* ---- problems ---- */

#define PROBLEM_RANK   6
#define PROBLEM_INPUTS 4
/* Layouts that have a name. */
#define PROBLEM_LAYOUTS 12

/* How an operand lies in its memory. */
struct problem_layout {
    int32_t order[PROBLEM_RANK]; /* dims from the slowest in memory to the fastest */
    int64_t step;                /* of the fastest, in elements */
    uint32_t reversed;           /* bit d: dim d runs backwards */
    uint32_t repeated;           /* bit d: dim d has stride 0 */
    int64_t lead;                /* elements before the first */
};

/* Compact row-major. */
struct problem_layout problem_compact(void);
/* One of the layouts that the suite tries, by number; false past the last one. */
bool problem_layout_named(int32_t number, int32_t rank, struct problem_layout *layout,
                          const char **name);
struct problem_layout problem_layout_random(struct rng *rng, int32_t rank,
                                            bool may_repeat);

struct problem_operand {
    bl_array array;
    int32_t rank;
    int64_t extent[PROBLEM_RANK];
    int64_t stride[PROBLEM_RANK];
    int64_t offset; /* of element (0, ..., 0), in elements */
    int64_t room;   /* elements of memory */
    unsigned char *memory;
    unsigned char *saved; /* what the memory should still hold */
};

struct problem {
    bl_op op;
    bl_dtype dtype; /* that the operator works on */
    int32_t inputs;
    struct problem_operand out;
    struct problem_operand in[PROBLEM_INPUTS];
    const bl_array *input[PROBLEM_INPUTS];
    unsigned char *want; /* compact */
    double *slack;       /* how far off each element may be; see ref_apply */
    char text[1024];
};

/* Give an operand its dtype, shape and layout, without memory. */
void problem_describe(struct problem_operand *operand, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const struct problem_layout *layout);

/* Write what slot `i` of input `k` holds: a number that says which slot it is. */
void problem_put(bl_op op, bl_dtype dtype, int32_t k, int64_t i, void *memory);

/*
 * Memory, contents, expectation and text for a problem whose operator, dtype and
 * operands are described.  Undo with problem_close.
 */
void problem_open(struct problem *problem);
void problem_close(struct problem *problem);

/* Expectation anew, after a test put contents of its own into the inputs. */
void problem_refresh(struct problem *problem);

/* A random problem, open: shapes of about `most` elements at most. */
void problem_random(struct problem *problem, struct rng *rng, bl_op op, bl_dtype dtype,
                    int64_t most);

/*
 * Hold what lies in the result's memory against the expectation, the bytes between
 * elements and the inputs too; says in notes what is wrong.
 */
bool problem_is_right(const struct problem *problem, const char *where);

/* The part of that about inputs. */
bool problem_inputs_are_unchanged(const struct problem *problem, const char *where);

/* Fill the result's memory with a pattern that is no result. */
void problem_poison(struct problem *problem);

/* Poison and bl_apply under `ctx`; false, with notes, where it is refused. */
bool problem_call(struct problem *problem, bl_context *ctx, const char *where);

/* The same, and check. */
bool problem_run(struct problem *problem, bl_context *ctx, const char *where);

/* ---- settings ---- */

/* A context for each number of threads and instruction set that the suite tries. */
#define SETTINGS 9
struct setting {
    bl_context *ctx;
    char name[32];
};
void settings_open(struct setting *settings);
void settings_close(struct setting *settings);

/*
 * Run a problem under every setting, or every fourth, which has all instruction sets
 * and numbers of threads in three runs: right, and the same bits, in each.
 */
bool settings_run(const struct setting *settings, struct problem *problem, bool every);

/* The same bits on every instruction set, asked for in contexts; right, too. */
bool settings_reproduce(const struct setting *settings, struct problem *problem);

#endif
