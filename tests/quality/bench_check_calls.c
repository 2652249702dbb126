/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that bench_check.c makes and counts. */
#include "bench_check.h"

#include <broadloom/warnings.h>

const bl_scalar bench_half = {BL_DTYPE_F64, {{0.5, 0}}};
bl_array bench_out, bench_array[3];
const bl_array *bench_in[3];
bl_plan *bench_plan;

static bool planned(const struct call *call, long times)
{
    const void *const data[] = {bench_array[0].data, bench_array[1].data,
                                bench_array[2].data};
    bool pass = true;

    (void)call;
    for (long i = 0; i < times; i++)
        pass = bl_plan_execute(NULL, bench_plan, bench_out.data, data) == BL_OK && pass;
    return pass;
}

static bool one_shot(const struct call *call, long times)
{
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = bl_apply(NULL, (bl_op)call->op, &bench_out, call->inputs, bench_in,
                        NULL) == BL_OK &&
               pass;
    return pass;
}

/* Calls of 1 to 4 elements in turn, each of which has a plan of its own. */
static bool in_turn(const struct call *call, long times)
{
    int64_t extent[1];
    bool pass = true;

    bench_out.extent = bench_array[0].extent = bench_array[1].extent = extent;
    for (long i = 0; i < times; i++) {
        *extent = 1 + i % 4;
        pass = one_shot(call, 1) && pass;
    }
    return pass;
}

static bool scaled(const struct call *call, long times)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    bool pass = true;

    options.alpha = &bench_half;
    for (long i = 0; i < times; i++)
        pass = bl_apply(NULL, (bl_op)call->op, &bench_out, 2, bench_in, &options) ==
                   BL_OK &&
               pass;
    return pass;
}

static bool zeros(const struct call *call, long times)
{
    bl_tensor *result;
    bool pass = true;

    for (long i = 0; i < times; i++) {
        pass = bl_tensor_zeros(NULL, call->out.dtype, call->out.rank, call->out.extent,
                               &result) == BL_OK &&
               pass;
        bl_tensor_release(result);
    }
    return pass;
}

/* New results; their dtype is asked for where it is not that of the first input. */
static bool made(const struct call *call, long times)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *result;
    bool pass = true;

    options.dtype = call->out.dtype;
    for (long i = 0; i < times; i++) {
        pass = bl_apply_new(NULL, (bl_op)call->op, call->inputs, bench_in,
                            options.dtype == bench_in[0]->dtype ? NULL : &options,
                            &result) == BL_OK &&
               pass;
        bl_tensor_release(result);
    }
    return pass;
}

static bool reduced(const struct call *call, long times)
{
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = bl_reduce(NULL, (bl_reduction)call->op, &bench_out, bench_in[0], 0, NULL,
                         false, NULL) == BL_OK &&
               pass;
    return pass;
}

/* Each call raises a warning, which is not reported. */
static bool warned(const struct call *call, long times)
{
    const int64_t before = bl_warnings_count(BL_CHANGE_NONE);

    bl_backcompat_broadcast_warning_set_enabled(true);
    return one_shot(call, times) && bl_warnings_count(BL_CHANGE_NONE) == before + times;
}

static const int64_t four[] = {4}, three[] = {3}, thousand[] = {1000}, two[] = {2};
static const int64_t square[] = {64, 64}, turned[] = {1, 64}, rows[] = {300, 3};
static const int64_t tiny[] = {5, 3, 4, 1}, tiny_a[] = {5, 1, 4, 1};
static const int64_t tiny_b[] = {3, 1, 1}, line[] = {64}, row[] = {1, 64};

#define F32 BL_DTYPE_F32
#define F16 BL_DTYPE_F16

#define FOUR                                                                           \
    {                                                                                  \
        F32, 1, four, NULL                                                             \
    }
#define THOUSAND                                                                       \
    {                                                                                  \
        F32, 1, thousand, NULL                                                         \
    }

const struct call bench_calls[] = {
    {"planned", planned, BL_OP_ADD, 2, FOUR, {FOUR, FOUR}},
    {"one-shot", one_shot, BL_OP_ADD, 2, FOUR, {FOUR, FOUR}},
    {"new", made, BL_OP_ADD, 2, FOUR, {FOUR, FOUR}},
    {"new-dtype", made, BL_OP_ADD, 2, {BL_DTYPE_F64, 1, four, NULL}, {FOUR, FOUR}},
    {"tiny-planned",
     planned,
     BL_OP_ADD,
     2,
     {F32, 4, tiny, NULL},
     {{F32, 4, tiny_a, NULL}, {F32, 3, tiny_b, NULL}}},
    {"tiny-one-shot",
     one_shot,
     BL_OP_ADD,
     2,
     {F32, 4, tiny, NULL},
     {{F32, 4, tiny_a, NULL}, {F32, 3, tiny_b, NULL}}},
    {"number",
     one_shot,
     BL_OP_MUL,
     2,
     FOUR,
     {FOUR, {BL_DTYPE_F64, NUMBER, NULL, NULL}}},
    {"in-place", one_shot, BL_OP_MUL, 2, FOUR, {{BL_DTYPE_NONE, 0, NULL, NULL}, FOUR}},
    {"mixed", one_shot, BL_OP_ADD, 2, FOUR, {{BL_DTYPE_I32, 1, four, NULL}, FOUR}},
    {"tiny-mixed",
     planned,
     BL_OP_ADD,
     2,
     {F32, 4, tiny, NULL},
     {{BL_DTYPE_I32, 4, tiny_a, NULL}, {F32, 3, tiny_b, NULL}}},
    {"half",
     one_shot,
     BL_OP_ADD,
     2,
     {F16, 1, four, NULL},
     {{F16, 1, four, NULL}, {F16, 1, four, NULL}}},
    {"row-of-3",
     one_shot,
     BL_OP_ADD,
     2,
     {F32, 2, rows, NULL},
     {{F32, 2, rows, NULL}, {F32, 1, three, NULL}}},
    {"transposed",
     one_shot,
     BL_OP_ADD,
     2,
     {F32, 2, square, NULL},
     {{F32, 2, square, NULL}, {F32, 2, square, turned}}},
    {"strided", one_shot, BL_OP_ADD, 2, THOUSAND, {{F32, 1, thousand, two}, THOUSAND}},
    {"exp", one_shot, BL_OP_EXP, 1, THOUSAND, {THOUSAND}},
    {"where",
     one_shot,
     BL_OP_WHERE,
     3,
     THOUSAND,
     {{BL_DTYPE_BOOL, 1, thousand, NULL}, THOUSAND, THOUSAND}},
    {"unwarned",
     one_shot,
     BL_OP_ADD,
     2,
     {F32, 2, row, NULL},
     {{F32, 1, line, NULL}, {F32, 2, row, NULL}}},
    {"warned",
     warned,
     BL_OP_ADD,
     2,
     {F32, 2, row, NULL},
     {{F32, 1, line, NULL}, {F32, 2, row, NULL}}},
    {"floor-divide",
     one_shot,
     BL_OP_FLOOR_DIVIDE,
     2,
     {BL_DTYPE_I64, 1, thousand, NULL},
     {{BL_DTYPE_I64, 1, thousand, NULL}, {BL_DTYPE_I64, 1, thousand, NULL}}},
    {"in-turn", in_turn, BL_OP_ADD, 2, FOUR, {FOUR, FOUR}},
    {"scaled", scaled, BL_OP_ADD, 2, FOUR, {FOUR, FOUR}},
    {"zeros", zeros, 0, 0, FOUR, {FOUR}},
    {"max", reduced, BL_REDUCTION_MAX, 1, {F32, 0, NULL, NULL}, {THOUSAND}},
    {"sum", reduced, BL_REDUCTION_SUM, 1, {F32, 0, NULL, NULL}, {THOUSAND}},
};

const int bench_calls_count = sizeof bench_calls / sizeof bench_calls[0];

bool bench_is_planned(const struct call *call)
{
    return call->run == planned;
}
