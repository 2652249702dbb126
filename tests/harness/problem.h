/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Test problems: an operator with operands in memory whose contents identify their
 * position, the expected result, and the equivalent line for `broadloom plan`.  Also
 * the random number generator for random ones, and the contexts that each is run with.
 */
#ifndef TESTS_PROBLEM_H
#define TESTS_PROBLEM_H

#include <broadloom.h>

/* ---- random numbers ---- */

struct rng {
    uint64_t state;
};

/*
 * Create a generator seeded from BROADLOOM_TEST_SEED, else from the clock; prints the
 * seed.
 */
struct rng rng_new(void);
/* A uniform random number from 0 to sides - 1. */
int64_t rng_below(struct rng *rng, int64_t sides);
/* True with probability 1 / times. */
bool rng_one_in(struct rng *rng, int64_t times);
/* Whether BROADLOOM_TEST_LONG requests more than the quick suite. */
bool test_is_long(void);
/*
 * Which part of how many equal ones the long run takes: BROADLOOM_TEST_SHARE=K/N, from
 * 0/N on, all of it without. Ends the program where that is something else.
 */
struct test_share {
    int32_t part, parts;
};
struct test_share test_share(void);
/* Whether this is a long run, and case `number` of all in its share. */
bool test_takes(int32_t number);
/* Number of random cases: `quick`, or in the long run a share of `all`, if more. */
int32_t test_times(int32_t quick, int32_t all);
/*
 * Whether to test the operator and dtype exhaustively: true for one operator of each
 * kind on one dtype of each size, and for those of the long run's share; others are
 * sampled.
 */
bool test_is_thorough(bl_op op, bl_dtype dtype);

/* ---- problems ---- */

#define PROBLEM_RANK   6
#define PROBLEM_INPUTS 4
/* Number of named layouts. */
#define PROBLEM_LAYOUTS 14

/* The layout of an operand in its memory. */
struct problem_layout {
    int32_t order[PROBLEM_RANK]; /* dims from the slowest in memory to the fastest */
    int64_t step;                /* stride of the fastest, in elements */
    uint32_t reversed;           /* bit d: dim d has a negative stride */
    uint32_t repeated;           /* bit d: dim d has stride 0 */
    int64_t lead;                /* elements before the first */
    int64_t gap; /* other components of a struct around each element, of the size of its
                    alignment; not 0: strides are in bytes */
    bool is_packed; /* a byte comes before each element, too, so that none is aligned */
};

/* The compact row-major layout. */
struct problem_layout problem_compact(void);
/* Get layout `number` of those that the suite tests; false past the last one. */
bool problem_layout_named(int32_t number, int32_t rank, struct problem_layout *layout,
                          const char **name);
struct problem_layout problem_layout_random(struct rng *rng, int32_t rank,
                                            bool may_repeat);

struct problem_operand {
    bl_array array;
    int32_t rank;
    int64_t extent[PROBLEM_RANK];
    int64_t stride[PROBLEM_RANK];
    int64_t slot;   /* bytes from one element of memory to the next */
    int64_t lead;   /* bytes of a slot before its element */
    int64_t offset; /* of element (0, ..., 0), in slots */
    int64_t room;   /* slots of memory */
    unsigned char *memory;
    unsigned char *saved; /* what the memory must still contain */
};

struct problem {
    bl_op op;
    bl_dtype dtype; /* that the operator computes in */
    int32_t inputs;
    struct problem_operand out;
    struct problem_operand in[PROBLEM_INPUTS];
    const bl_array *input[PROBLEM_INPUTS];
    unsigned char *want; /* compact */
    double *slack;       /* error bound of each element; see ref_apply */
    char text[1024];
};

/* Set an operand's dtype, shape and layout; does not allocate. */
void problem_describe(struct problem_operand *operand, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const struct problem_layout *layout);

/* Write the content of slot `i` of input `k`: a value that identifies the slot. */
void problem_put(bl_op op, bl_dtype dtype, int32_t k, int64_t i, void *memory);

/*
 * Allocate a problem whose operator, dtype and operands are set, with contents,
 * expected result and text.  Free with problem_close().
 */
void problem_open(struct problem *problem);
void problem_close(struct problem *problem);

/* Recompute the expected result after a test changed the contents of the inputs. */
void problem_refresh(struct problem *problem);

/* Make and open a random problem, with shapes of at most about `most` elements. */
void problem_random(struct problem *problem, struct rng *rng, bl_op op, bl_dtype dtype,
                    int64_t most);

/*
 * Compare the result's memory with the expected result, and check that the bytes
 * between elements and the inputs are unchanged.  Notes what is wrong.
 */
bool problem_is_right(const struct problem *problem, const char *where);

/* Check that the inputs are unchanged; notes what is wrong. */
bool problem_inputs_are_unchanged(const struct problem *problem, const char *where);

/* Fill the result's memory with a pattern that is not a result. */
void problem_poison(struct problem *problem);

/*
 * Poison the result and call bl_apply with `ctx`; false, with notes, if it is refused.
 */
bool problem_call(struct problem *problem, bl_context *ctx, const char *where);

/* Poison, call bl_apply with `ctx`, and check the result. */
bool problem_run(struct problem *problem, bl_context *ctx, const char *where);

/* ---- settings ---- */

/*
 * One context for each combination of thread count and instruction set that is tested.
 */
#define SETTINGS 9
struct setting {
    bl_context *ctx;
    char name[32];
};
void settings_open(struct setting *settings);
void settings_close(struct setting *settings);
/*
 * How many of the settings, from the first on, differ: those of an instruction set that
 * the build or the machine lacks would repeat the ones before them.
 */
int32_t settings_distinct(const struct setting *settings);

/*
 * Run a problem with every setting, or with every fourth, so that three runs cover all
 * instruction sets and thread counts.  Each result must be right, and all bitwise
 * equal.
 */
bool settings_run(const struct setting *settings, struct problem *problem, bool every);

/* Whether reproducible contexts give the same, right bits on every instruction set. */
bool settings_reproduce(const struct setting *settings, struct problem *problem);

#endif
