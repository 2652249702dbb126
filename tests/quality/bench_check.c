/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many equal calls of few elements, for bench_check.t.sh to count.
 *
 * usage: bench_check NAME TIMES [sealed]
 *
 * `sealed` gives up all system calls but reading, writing and ending the thread before
 * the calls: the kernel ends the process at any other.
 */
#define _GNU_SOURCE

#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <broadloom.h>
#include <broadloom/warnings.h>

enum { MOST_BYTES = 1 << 16, NUMBER = -1 };

/* An operand's view of its memory; NULL strides: compact. */
struct operand {
    bl_dtype dtype;
    int32_t rank; /* NUMBER: a scalar */
    const int64_t *extent, *stride;
};

struct call;

static bool planned(const struct call *call, long times);
static bool one_shot(const struct call *call, long times);
static bool made(const struct call *call, long times);
static bool reduced(const struct call *call, long times);
static bool warned(const struct call *call, long times);

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

static const struct call {
    const char *name;
    bool (*run)(const struct call *call, long times);
    int32_t op;
    int32_t inputs;
    struct operand out, in[3]; /* in place where in[0] has no dtype */
} calls[] = {
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
    {"max", reduced, BL_REDUCTION_MAX, 1, {F32, 0, NULL, NULL}, {THOUSAND}},
    {"sum", reduced, BL_REDUCTION_SUM, 1, {F32, 0, NULL, NULL}, {THOUSAND}},
};

/* Result and inputs. */
static _Alignas(64) char memory[4][MOST_BYTES];
static const bl_scalar half = {BL_DTYPE_F64, {{0.5, 0}}};
static bl_array out, array[3];
static const bl_array *in[3];
static bl_plan *plan;

static bool planned(const struct call *call, long times)
{
    const void *const data[] = {array[0].data, array[1].data, array[2].data};
    bool pass = true;

    (void)call;
    for (long i = 0; i < times; i++)
        pass = bl_plan_execute(NULL, plan, out.data, data) == BL_OK && pass;
    return pass;
}

static bool one_shot(const struct call *call, long times)
{
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = bl_apply(NULL, (bl_op)call->op, &out, call->inputs, in, NULL) == BL_OK &&
               pass;
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
        pass = bl_apply_new(NULL, (bl_op)call->op, call->inputs, in,
                            options.dtype == in[0]->dtype ? NULL : &options,
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
        pass = bl_reduce(NULL, (bl_reduction)call->op, &out, in[0], 0, NULL, false,
                         NULL) == BL_OK &&
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

/*
 * The function that a profiler counts; called through a pointer, so that it is not
 * inlined.
 */
static bool measured(const struct call *call, long times)
{
    return call->run(call, times);
}

static bool (*volatile const measure)(const struct call *, long) = measured;

/* Fill with numbers from 1 to 2, booleans alternately. */
static void fill(bl_dtype dtype, char *to)
{
    for (int i = 0; i < 8192; i++) {
        const float real = 1 + 0.125F * (float)(i % 8);
        const int32_t integer = 1 + i % 2;
        const int64_t wide = 1 + i % 2;
        const uint16_t bits = (uint16_t)(0x3c00 + i % 8 * 0x80);

        if (dtype == F32)
            memcpy(to + i * sizeof real, &real, sizeof real);
        else if (dtype == F16)
            memcpy(to + i * sizeof bits, &bits, sizeof bits);
        else if (dtype == BL_DTYPE_I32)
            memcpy(to + i * sizeof integer, &integer, sizeof integer);
        else if (dtype == BL_DTYPE_I64)
            memcpy(to + i * sizeof wide, &wide, sizeof wide);
        else
            to[i] = (char)(i % 2);
    }
}

static bool prepare(const struct call *call)
{
    const struct operand *const result = &call->out;

    out = (bl_array){memory[3],      result->dtype,  result->rank,
                     result->extent, result->stride, 0};
    for (int32_t k = 0; k < call->inputs; k++) {
        const struct operand *const operand = &call->in[k];

        fill(operand->dtype, memory[k]);
        array[k] = (bl_array){memory[k],       operand->dtype,  operand->rank,
                              operand->extent, operand->stride, 0};
        if (operand->rank == NUMBER)
            array[k] = bl_scalar_array(&half);
        in[k] = operand->dtype == BL_DTYPE_NONE ? &out : &array[k];
    }
    if (call->run == planned && bl_plan_create(NULL, (bl_op)call->op, NULL,
                                               call->inputs, in, NULL, &plan) != BL_OK)
        return false;
    fill(out.dtype, out.data);
    return call->run(call, 1) && call->run(call, 1);
}

int main(int argc, char **argv)
{
    const long times = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const bool sealed = argc > 3 && strcmp(argv[3], "sealed") == 0;
    size_t k = 0;

    while (k < sizeof calls / sizeof calls[0] &&
           (argc < 2 || strcmp(calls[k].name, argv[1]) != 0))
        k++;
    if (k == sizeof calls / sizeof calls[0] || !prepare(&calls[k])) {
        fprintf(stderr, "bench_check: %s: %s\n", argc > 1 ? argv[1] : "no name",
                bl_error_message());
        return 1;
    }
    if (sealed && prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        return 77;

    const bool pass = measure(&calls[k], times);

    if (sealed)
        syscall(SYS_exit, pass ? 0 : 1);
    bl_plan_destroy(plan);
    return pass ? 0 : 1;
}
