/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The random number generator, the layouts that are tested, and random problems.
 */
#include "problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reference/ref.h"
#include "tap.h"

struct rng rng_new(void)
{
    const char *text = getenv("BROADLOOM_TEST_SEED");
    const uint64_t seed =
        text != NULL ? strtoull(text, NULL, 10) : (uint64_t)time(NULL) & 0xffffff;

    tap_note("BROADLOOM_TEST_SEED=%" PRIu64, seed);
    return (struct rng){seed};
}

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
int64_t rng_below(struct rng *rng, int64_t sides)
{
    uint64_t bits = rng->state += 0x9e3779b97f4a7c15u;

    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (int64_t)((bits ^ bits >> 31) % (uint64_t)sides);
}

bool rng_one_in(struct rng *rng, int64_t times)
{
    return rng_below(rng, times) == 0;
}

bool test_is_long(void)
{
    const char *text = getenv("BROADLOOM_TEST_LONG");

    return text != NULL && text[0] != '\0' && text[0] != '0';
}

struct test_share test_share(void)
{
    const char *const text = getenv("BROADLOOM_TEST_SHARE");
    struct test_share share = {0, 1};
    char end;

    if (text != NULL && (sscanf(text, "%" SCNd32 "/%" SCNd32 "%c", &share.part,
                                &share.parts, &end) != 2 ||
                         share.part < 0 || share.part >= share.parts)) {
        fprintf(stderr, "BROADLOOM_TEST_SHARE=%s is not K/N with K below N\n", text);
        exit(2);
    }
    return share;
}

int32_t test_times(int32_t quick, int32_t all)
{
    const int32_t cases = test_is_long() ? all / test_share().parts : quick;

    return cases > quick ? cases : quick;
}

bool test_takes(int32_t number)
{
    const struct test_share share = test_share();

    return test_is_long() && number % share.parts == share.part;
}

bool test_is_thorough(bl_op op, bl_dtype dtype)
{
    static const bl_op ops[] = {BL_OP_COPY,  BL_OP_NEG,     BL_OP_ABS,  BL_OP_EXP,
                                BL_OP_ADD,   BL_OP_FMOD,    BL_OP_POW,  BL_OP_LT,
                                BL_OP_CLAMP, BL_OP_ADDCMUL, BL_OP_WHERE};
    static const bl_dtype dtypes[] = {BL_DTYPE_BOOL, BL_DTYPE_U8,  BL_DTYPE_I16,
                                      BL_DTYPE_F16,  BL_DTYPE_F32, BL_DTYPE_F64,
                                      BL_DTYPE_C128};
    bool is_op = false;
    bool is_dtype = false;

    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        is_op = is_op || op == ops[i];
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        is_dtype = is_dtype || dtype == dtypes[i];
    return (is_op && is_dtype) ||
           test_takes((int32_t)op * REF_DTYPES_END + (int32_t)dtype);
}

/* ---- layouts ---- */

struct problem_layout problem_compact(void)
{
    struct problem_layout layout = {.step = 1};

    for (int32_t d = 0; d < PROBLEM_RANK; d++)
        layout.order[d] = d;
    return layout;
}

static void swap_dims(struct problem_layout *layout, int32_t a, int32_t b)
{
    const int32_t dim = layout->order[a];

    layout->order[a] = layout->order[b];
    layout->order[b] = dim;
}

bool problem_layout_named(int32_t number, int32_t rank, struct problem_layout *layout,
                          const char **name)
{
    static const struct {
        const char *name;
        int64_t step;
        uint32_t reversed;
        uint32_t repeated;
        int64_t lead;
        bool is_transposed; /* the last two dims swapped */
        bool is_mirrored;   /* all dims reversed */
        int64_t gap;
    } rows[PROBLEM_LAYOUTS] = {
        {"contiguous", 1, 0, 0, 0, false, false, 0},
        {"contiguous off a vector's border", 1, 0, 0, 3, false, false, 0},
        {"transposed", 1, 0, 0, 0, true, false, 0},
        {"every second", 2, 0, 0, 0, false, false, 0},
        {"every third", 3, 0, 0, 1, false, false, 0},
        {"last dim backwards", 1, ~0u, 0, 0, false, false, 0},
        {"first dim backwards", 1, 1, 0, 0, false, false, 0},
        {"transposed backwards by two", 2, ~0u, 0, 1, true, false, 0},
        {"Fortran order", 1, 0, 0, 0, false, true, 0},
        {"repeated first dim", 1, 0, 1, 0, false, false, 0},
        {"repeated throughout", 1, 0, ~0u, 2, false, false, 0},
        {"repeated last dim", 1, 0, ~0u, 0, false, false, 0},
        {"a component of structs", 1, 0, 0, 0, false, false, 1},
        {"a component of structs, transposed backwards", 1, ~0u, 0, 1, true, false, 3},
    };
    enum { LAST_DIM_BACKWARDS = 5, REPEATED_LAST = 11 };

    if (number >= PROBLEM_LAYOUTS)
        return false;
    *layout = problem_compact();
    *name = rows[number].name;
    layout->step = rows[number].step;
    layout->reversed = rows[number].reversed;
    layout->repeated = rows[number].repeated;
    layout->lead = rows[number].lead;
    layout->gap = rows[number].gap;
    if (number == LAST_DIM_BACKWARDS)
        layout->reversed = rank > 0 ? 1u << (rank - 1) : 0;
    if (number == REPEATED_LAST)
        layout->repeated = rank > 0 ? 1u << (rank - 1) : 0;
    if (rows[number].is_transposed && rank >= 2)
        swap_dims(layout, rank - 2, rank - 1);
    for (int32_t d = 0; rows[number].is_mirrored && d < rank / 2; d++)
        swap_dims(layout, d, rank - 1 - d);
    return true;
}

struct problem_layout problem_layout_random(struct rng *rng, int32_t rank,
                                            bool may_repeat)
{
    struct problem_layout layout = problem_compact();

    if (rng_one_in(rng, 3))
        for (int32_t d = 0; d + 1 < rank; d++)
            swap_dims(&layout, d, d + (int32_t)rng_below(rng, rank - d));
    if (rng_one_in(rng, 4))
        layout.step = 1 + rng_below(rng, 3);
    if (rng_one_in(rng, 4))
        layout.reversed = (uint32_t)rng_below(rng, 1 << PROBLEM_RANK);
    if (may_repeat && rng_one_in(rng, 5))
        layout.repeated = (uint32_t)rng_below(rng, 1 << PROBLEM_RANK);
    if (rng_one_in(rng, 2))
        layout.lead = rng_below(rng, 5);
    if (rng_one_in(rng, 6))
        layout.gap = 1 + rng_below(rng, 3);
    return layout;
}

/* ---- problems ---- */

/* Random extents around vector lengths, whose product stays below `most`. */
static int32_t random_shape(struct rng *rng, int64_t most, int64_t *extent)
{
    static const int64_t extents[] = {1,  2,  3,  4,  5,  7,  8,  9,  13,
                                      15, 16, 17, 31, 32, 33, 63, 64, 65};
    const int32_t rank = (int32_t)rng_below(rng, PROBLEM_RANK);

    for (int32_t d = rank - 1; d >= 0; d--) {
        extent[d] = extents[rng_below(rng, sizeof extents / sizeof extents[0])];
        if (extent[d] > most)
            extent[d] = 1;
        most /= extent[d];
    }
    if (rank > 0 && rng_one_in(rng, 40))
        extent[rng_below(rng, rank)] = 0;
    return rank;
}

/*
 * Choose shapes of inputs that broadcast to the result's: at least one input has each
 * dim in full.
 */
static void random_inputs(struct problem *problem, struct rng *rng, int32_t rank,
                          const int64_t *extent)
{
    int64_t shape[PROBLEM_INPUTS][PROBLEM_RANK];
    /* A copy's result takes part in broadcasting, as with copy_(). */
    const bool is_copy = problem->op == BL_OP_COPY;

    for (int32_t d = 0; d < rank; d++) {
        const int64_t whole = is_copy ? -1 : rng_below(rng, problem->inputs);

        for (int32_t k = 0; k < problem->inputs; k++)
            shape[k][d] = k != whole && rng_one_in(rng, 4) ? 1 : extent[d];
    }
    for (int32_t k = 0; k < problem->inputs; k++) {
        const bl_dtype dtype = ref_input_dtype(problem->op, problem->dtype, k);
        int32_t dropped = 0;

        while (dropped < rank && shape[k][dropped] == 1 && extent[dropped] != 1 &&
               rng_one_in(rng, 2))
            dropped++;
        struct problem_layout layout = problem_layout_random(rng, rank - dropped, true);

        layout.is_packed = layout.gap > 0 && rng_one_in(rng, 3);
        problem_describe(&problem->in[k], dtype, rank - dropped, shape[k] + dropped,
                         &layout);
    }
}

void problem_random(struct problem *problem, struct rng *rng, bl_op op, bl_dtype dtype,
                    int64_t most)
{
    int64_t extent[PROBLEM_RANK];
    const int32_t rank = random_shape(rng, most, extent);
    struct problem_layout layout = problem_layout_random(rng, rank, false);

    layout.is_packed = layout.gap > 0 && rng_one_in(rng, 3);
    problem->op = op;
    problem->dtype = dtype;
    problem->inputs = ref_inputs(op);
    problem_describe(&problem->out, ref_result_dtype(op, dtype), rank, extent, &layout);
    random_inputs(problem, rng, rank, extent);
    problem_open(problem);
}
