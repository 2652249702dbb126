/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operator on every dtype it takes, against the reference: layouts, broadcasts,
 * lengths around a vector's, sizes around the grain, random problems; each with every
 * number of threads and instruction set, and bitwise equal results.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/sanitizer.h"
#include "reference/ref.h"
#include "harness/tap.h"

static struct setting settings[SETTINGS];
static struct rng rng;
static bool is_thorough; /* test_is_thorough() of what is being tested */

/* Whether to test this one of several variants; a sample tests one in `times`. */
static bool is_tried(int64_t times)
{
    /* Few elements get one thread, which has no races. */
    return (is_thorough && !HAS_THREAD_SANITIZER) || rng_one_in(&rng, times);
}

static bool run_and_close(struct problem *problem)
{
    const bool pass = settings_run(settings, problem, is_thorough);

    problem_close(problem);
    return pass;
}

/* Make a problem of compact operands, given the inputs' shapes of rank 2 at most. */
static void open_forms(struct problem *problem, bl_op op, bl_dtype dtype,
                       int64_t (*shape)[2], int64_t rows, int64_t columns)
{
    const struct problem_layout compact = problem_compact();
    const int64_t extent[2] = {rows, columns};

    problem->op = op;
    problem->dtype = dtype;
    problem->inputs = ref_inputs(op);
    problem_describe(&problem->out, ref_result_dtype(op, dtype), 2, extent, &compact);
    for (int32_t k = 0; k < problem->inputs; k++) {
        const int32_t rank = shape[k][0] != 0 ? 2 : shape[k][1] != 0 ? 1 : 0;
        const bool is_whole = problem->inputs == 1;

        problem_describe(&problem->in[k], ref_input_dtype(op, dtype, k),
                         is_whole ? 2 : rank, is_whole ? extent : shape[k] + 2 - rank,
                         &compact);
    }
    problem_open(problem);
}

/* Check every combination of a row, column or scalar with a matrix, on either side. */
static bool check_forms(bl_op op, bl_dtype dtype)
{
    enum {
        ROWS = -1,
        COLUMNS = -2
    }; /* placeholders for the result's extents; 0: no such dim */
    static const int64_t forms[][PROBLEM_INPUTS][2] = {
        {{ROWS, COLUMNS}, {ROWS, COLUMNS}, {ROWS, COLUMNS}, {ROWS, COLUMNS}},
        {{ROWS, COLUMNS}, {0, COLUMNS}, {0, 0}, {ROWS, 1}},
        {{ROWS, COLUMNS}, {ROWS, 1}, {0, COLUMNS}, {0, 0}},
        {{ROWS, COLUMNS}, {0, 0}, {ROWS, 1}, {ROWS, COLUMNS}},
        {{0, COLUMNS}, {ROWS, COLUMNS}, {ROWS, 1}, {0, COLUMNS}},
        {{ROWS, 1}, {ROWS, COLUMNS}, {0, COLUMNS}, {0, 0}},
        {{0, 0}, {ROWS, COLUMNS}, {ROWS, COLUMNS}, {ROWS, 1}},
        {{ROWS, 1}, {0, COLUMNS}, {ROWS, 1}, {1, 1}},
        {{1, COLUMNS}, {ROWS, 1}, {ROWS, COLUMNS}, {0, 0}},
    };
    static const int64_t columns[] = {1,  2,  3,  7,  8,  9,  15,
                                      16, 17, 31, 33, 64, 65, 130};
    struct problem problem;

    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
            const int64_t rows = 1 + (int64_t)(c + f) % 5;
            int64_t shape[PROBLEM_INPUTS][2];

            if (!is_tried(16))
                continue;
            for (int32_t k = 0; k < PROBLEM_INPUTS; k++)
                for (int32_t d = 0; d < 2; d++)
                    shape[k][d] = forms[f][k][d] == ROWS      ? rows
                                  : forms[f][k][d] == COLUMNS ? columns[c]
                                                              : forms[f][k][d];
            open_forms(&problem, op, dtype, shape, rows, columns[c]);
            if (!run_and_close(&problem))
                return false;
        }
    }
    return true;
}

/* Check vectors of every length up to two vectors and some of the narrowest dtype. */
static bool check_lengths(bl_op op, bl_dtype dtype)
{
    struct problem problem = {.op = op, .dtype = dtype, .inputs = ref_inputs(op)};
    struct problem_layout layout = problem_compact();

    for (int64_t length = 0; length <= 66; length++) {
        if (!is_tried(8))
            continue;
        layout.step = 1;
        problem_describe(&problem.out, ref_result_dtype(op, dtype), 1, &length,
                         &layout);
        for (int32_t k = 0; k < problem.inputs; k++) {
            layout.step = 1 + rng_below(&rng, 2);
            layout.lead = rng_below(&rng, 3);
            problem_describe(&problem.in[k], ref_input_dtype(op, dtype, k), 1, &length,
                             &layout);
        }
        problem_open(&problem);
        if (!run_and_close(&problem))
            return false;
    }
    return true;
}

/* Check each layout for each operand in turn, the others contiguous and otherwise. */
static bool check_layouts(bl_op op, bl_dtype dtype)
{
    static const struct {
        int32_t rank;
        int64_t extent[4];
    } shapes[] = {{0, {0}},        {1, {37}},         {2, {5, 33}},
                  {3, {3, 4, 18}}, {4, {2, 3, 5, 7}}, {3, {3, 0, 5}}};
    struct problem problem = {.op = op, .dtype = dtype, .inputs = ref_inputs(op)};
    struct problem_layout layout;
    const char *name;

    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const int32_t rank = shapes[s].rank;

        for (int32_t n = 0; problem_layout_named(n, rank, &layout, &name); n++) {
            if (!is_tried(8))
                continue;
            if (layout.repeated != 0 || n % 2 != 0)
                layout = problem_layout_random(&rng, rank, false);
            problem_describe(&problem.out, ref_result_dtype(op, dtype), rank,
                             shapes[s].extent, &layout);
            for (int32_t k = 0; k < problem.inputs; k++) {
                problem_layout_named((n + 5 * k) % PROBLEM_LAYOUTS, rank, &layout,
                                     &name);
                problem_describe(&problem.in[k], ref_input_dtype(op, dtype, k), rank,
                                 shapes[s].extent, &layout);
            }
            problem_open(&problem);
            if (!run_and_close(&problem)) {
                tap_note("first input %s", name);
                return false;
            }
        }
    }
    return true;
}

static bool check_random(bl_op op, bl_dtype dtype)
{
    const int32_t times = test_times(is_thorough ? 12 : 3, 100);
    struct problem problem;

    for (int32_t i = 0; i < times; i++) {
        problem_random(&problem, &rng, op, dtype, rng_one_in(&rng, 4) ? 4000 : 500);
        if (!run_and_close(&problem))
            return false;
    }
    return true;
}

/* The cost model's thread count for a vector of `length`; 0 if there is no plan. */
static int32_t threads_worth(bl_op op, bl_dtype dtype, int64_t length)
{
    bl_array in[PROBLEM_INPUTS];
    const bl_array *input[PROBLEM_INPUTS];
    bl_plan *plan = NULL;
    bl_plan_info info = {.size = sizeof info};

    for (int32_t k = 0; k < ref_inputs(op); k++) {
        in[k] = (bl_array){
            .dtype = ref_input_dtype(op, dtype, k), .rank = 1, .extent = &length};
        input[k] = &in[k];
    }
    if (bl_plan_create(NULL, op, NULL, ref_inputs(op), input, NULL, &plan) != BL_OK ||
        bl_plan_query(plan, &info) != BL_OK) {
        tap_note("no plan: %s", bl_error_message());
        info.threads = 0;
    }
    bl_plan_destroy(plan);
    return info.threads;
}

/* The shortest vector that the cost model gives several threads; 0 if none is found. */
static int64_t find_grain(bl_op op, bl_dtype dtype)
{
    int64_t below = 1;
    int64_t above = 2;

    while (threads_worth(op, dtype, above) == 1 && above < INT64_C(1) << 30)
        above *= 2;
    if (threads_worth(op, dtype, above) <= 1)
        return 0;
    while (above - below > 1) {
        const int64_t middle = below + (above - below) / 2;

        if (threads_worth(op, dtype, middle) > 1)
            above = middle;
        else
            below = middle;
    }
    return above;
}

/*
 * Check one problem around the grain: contiguous, with a broadcast operand, permuted.
 */
static bool check_large(bl_op op, bl_dtype dtype, int64_t length)
{
    const int64_t rows = 7;
    int64_t shape[PROBLEM_INPUTS][2] = {
        {rows, length / rows}, {rows, 1}, {0, length / rows}, {0, 0}};
    const int64_t extent[3] = {3, rows, length / rows / 3 + 1};
    struct problem problem = {.op = op, .dtype = dtype, .inputs = ref_inputs(op)};
    struct problem_layout layout = problem_compact();

    problem_describe(&problem.out, ref_result_dtype(op, dtype), 1, &length, &layout);
    for (int32_t k = 0; k < problem.inputs; k++)
        problem_describe(&problem.in[k], ref_input_dtype(op, dtype, k), 1, &length,
                         &layout);
    problem_open(&problem);
    if (!run_and_close(&problem))
        return false;
    open_forms(&problem, op, dtype, shape, rows, length / rows);
    if (!run_and_close(&problem))
        return false;
    layout.order[0] = 2;
    layout.order[2] = 0;
    problem_describe(&problem.out, ref_result_dtype(op, dtype), 3, extent, &layout);
    for (int32_t k = 0; k < problem.inputs; k++) {
        const struct problem_layout random = problem_layout_random(&rng, 3, true);

        problem_describe(&problem.in[k], ref_input_dtype(op, dtype, k), 3, extent,
                         &random);
    }
    problem_open(&problem);
    return run_and_close(&problem);
}

static void check_grain(bl_op op, bl_dtype dtype)
{
    const int64_t grain = find_grain(op, dtype);
    bool pass = grain > 0;

    for (int64_t length = grain - 1; pass && length <= grain; length++)
        pass = check_large(op, dtype, length);
    pass = pass && check_large(op, dtype, 3 * grain + 5);
    tap_ok(pass, "%s %s around %" PRId64 " elements, where threads begin", ref_name(op),
           ref_dtype_name(dtype), grain);
}

/* Check that reproducible contexts agree on bits where instruction sets may differ. */
static void check_reproducible(bl_op op, bl_dtype dtype)
{
    struct problem problem;

    problem_random(&problem, &rng, op, dtype, 3000);
    tap_ok(settings_reproduce(settings, &problem), "%s %s, reproducibly", ref_name(op),
           ref_dtype_name(dtype));
    problem_close(&problem);
}

int main(void)
{
    tap_plan();
    rng = rng_new();
    settings_open(settings);
    for (int32_t op = REF_OPS_BEGIN; op < ref_ops_end(); op++) {
        for (int32_t dtype = REF_DTYPES_BEGIN; dtype < REF_DTYPES_END; dtype++) {
            if (!ref_takes((bl_op)op, (bl_dtype)dtype))
                continue;
            is_thorough = test_is_thorough((bl_op)op, (bl_dtype)dtype);
            tap_ok(check_lengths((bl_op)op, (bl_dtype)dtype) &&
                       check_forms((bl_op)op, (bl_dtype)dtype) &&
                       check_layouts((bl_op)op, (bl_dtype)dtype) &&
                       check_random((bl_op)op, (bl_dtype)dtype),
                   "%s %s", ref_name((bl_op)op), ref_dtype_name((bl_dtype)dtype));
            if (is_thorough && (dtype == BL_DTYPE_F32 || op == BL_OP_ADD))
                check_grain((bl_op)op, (bl_dtype)dtype);
            if (ref_may_differ((bl_op)op, (bl_dtype)dtype))
                check_reproducible((bl_op)op, (bl_dtype)dtype);
        }
    }
    settings_close(settings);
    return tap_done();
}
