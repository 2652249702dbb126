/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No byte outside the elements is read or written: operands are placed directly before
 * or after inaccessible pages, and inputs on read-only pages.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/guarded.h"
#include "harness/limits.h"
#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"

static struct setting settings[SETTINGS];

/* What is being tested, for the signal handler. */
static const char *current = "";

static void on_fault(int number)
{
    static const char text[] =
        "not ok - a byte outside of the elements was touched by\n# ";
    const ssize_t done = write(STDOUT_FILENO, text, sizeof text - 1) +
                         write(STDOUT_FILENO, current, strlen(current)) +
                         write(STDOUT_FILENO, "\n", 1);

    (void)done;
    (void)number;
    _exit(1);
}

/* ---- problems on guarded pages ---- */

enum { OPERANDS = 1 + PROBLEM_INPUTS };
static struct guarded guarded[OPERANDS];

/* Bytes from the first of an operand's elements to the end of the last. */
static size_t reach(const struct problem_operand *operand)
{
    int64_t last = 0;

    for (int32_t d = 0; d < operand->rank; d++) {
        if (operand->extent[d] == 0)
            return 0;
        last += llabs(operand->stride[d]) * (operand->extent[d] - 1);
    }
    return (size_t)(last + 1) * ref_size(operand->array.dtype);
}

static bool run_guarded(struct problem *problem, const struct setting *setting,
                        bool at_end)
{
    const size_t out_bytes = reach(&problem->out);
    const size_t out_at = guarded_place(&guarded[0], out_bytes, at_end);
    bl_array out = problem->out.array;
    bl_array in[PROBLEM_INPUTS];
    const bl_array *input[PROBLEM_INPUTS];
    bl_status status;

    problem_poison(problem);
    memcpy(guarded[0].own + out_at, problem->out.memory, out_bytes);
    out.data =
        guarded[0].pages + out_at + ((unsigned char *)out.data - problem->out.memory);
    for (int32_t k = 0; k < problem->inputs; k++) {
        const struct problem_operand *operand = &problem->in[k];
        const size_t bytes = reach(operand);
        const size_t at = guarded_place(&guarded[1 + k], bytes, at_end);

        memcpy(guarded[1 + k].own + at, operand->memory, bytes);
        in[k] = operand->array;
        in[k].data =
            guarded[1 + k].pages + at + ((unsigned char *)in[k].data - operand->memory);
        input[k] = &in[k];
    }
    current = problem->text;
    status = bl_apply(setting->ctx, problem->op, &out, problem->inputs, input, NULL);
    current = "the test itself";
    memcpy(problem->out.memory, guarded[0].own + out_at, out_bytes);
    if (status != BL_OK)
        tap_note("%s: %s", problem->text, bl_error_message());
    return status == BL_OK && problem_is_right(problem, setting->name);
}

/* Strides of the innermost dim, and which operands are broadcast along it. */
static const struct {
    int64_t step;
    bool reversed;
    uint32_t numbers; /* bit k: input k is a scalar; bit k + 8: it is a column */
} forms[] = {
    {1, false, 0},     {1, false, 1},     {1, false, 2},     {2, false, 0},
    {1, true, 0},      {3, true, 0},      {1, false, 0x100}, {1, false, 0x200},
    {2, false, 0x200}, {1, false, 0x401},
};

static void open_form(struct problem *problem, size_t form, int64_t rows,
                      int64_t columns)
{
    const int64_t extent[2] = {rows, columns};
    const int64_t column[2] = {rows, 1};
    struct problem_layout layout = problem_compact();
    const bool is_unary = problem->inputs == 1;

    layout.step = forms[form].step;
    layout.reversed = forms[form].reversed ? 3 : 0;
    problem_describe(&problem->out, ref_result_dtype(problem->op, problem->dtype), 2,
                     extent, &layout);
    for (int32_t k = 0; k < problem->inputs; k++) {
        const bool is_number = !is_unary && (forms[form].numbers >> k & 1);
        const bool is_column = !is_unary && (forms[form].numbers >> (k + 8) & 1);

        problem_describe(&problem->in[k],
                         ref_input_dtype(problem->op, problem->dtype, k),
                         is_number ? 0 : 2, is_column ? column : extent, &layout);
    }
    problem_open(problem);
}

static bool check(bl_op op, bl_dtype dtype)
{
    struct problem problem = {.op = op, .dtype = dtype, .inputs = ref_inputs(op)};
    const int64_t apart = test_is_thorough(op, dtype) ? 1 : 7;
    bool pass = true;

    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        for (int64_t length = 1; pass && length <= 67; length += apart) {
            /* Every vector length; for matrices, every length with a few rows. */
            const int64_t rows = form < 6 ? 1 : 1 + length % 4;

            if (form >= 2 && length % 3 != 1 && apart == 1)
                continue;
            open_form(&problem, form, rows, length);
            for (int32_t s = 0; pass && s < settings_distinct(settings); s += 3)
                pass = run_guarded(&problem, &settings[s], false) &&
                       run_guarded(&problem, &settings[s], true);
            problem_close(&problem);
        }
    }
    return pass;
}

/*
 * Check an input whose dims are permuted in memory: staged in tiles, of which the last
 * are smaller.
 */
static bool check_order(bl_dtype dtype, const int32_t *order)
{
    static const int64_t extents[][3] = {{4, 41, 8}, {5, 30, 10}, {3, 53, 10}};
    const struct problem_layout compact = problem_compact();
    struct problem_layout layout = compact;
    bool pass = true;

    for (int32_t d = 0; d < 3; d++)
        layout.order[d] = order[d];
    for (size_t e = 0; pass && e < sizeof extents / sizeof extents[0]; e++) {
        struct problem problem = {.op = BL_OP_SUB, .dtype = dtype, .inputs = 2};

        problem_describe(&problem.out, dtype, 3, extents[e], &compact);
        problem_describe(&problem.in[0], dtype, 3, extents[e], &compact);
        problem_describe(&problem.in[1], dtype, 3, extents[e], &layout);
        problem_open(&problem);
        for (int32_t s = 0; pass && s < settings_distinct(settings); s++)
            pass = run_guarded(&problem, &settings[s], false) &&
                   run_guarded(&problem, &settings[s], true);
        problem_close(&problem);
    }
    return pass;
}

static void check_orders(void)
{
    static const int32_t orders[][3] = {
        {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const bl_dtype dtypes[] = {BL_DTYPE_I8, BL_DTYPE_BF16, BL_DTYPE_F32,
                                      BL_DTYPE_I64};

    for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++)
        for (size_t t = 0; t < sizeof dtypes / sizeof dtypes[0]; t++)
            tap_ok(check_order(dtypes[t], orders[o]), "%s, dims in memory as %d%d%d",
                   ref_dtype_name(dtypes[t]), (int)orders[o][0], (int)orders[o][1],
                   (int)orders[o][2]);
}

int main(void)
{
    tap_plan();
    settings_open(settings);
    for (int32_t k = 0; k < OPERANDS; k++) {
        if (!guarded_open(&guarded[k], (size_t)67 * 4 * 3 * REF_ELEMENT, k > 0)) {
            tap_skip("no guard pages here", "guard pages");
            return tap_done();
        }
    }
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    for (int32_t op = REF_OPS_BEGIN; op < ref_ops_end(); op++)
        for (int32_t dtype = REF_DTYPES_BEGIN; dtype < REF_DTYPES_END; dtype++)
            if (ref_takes((bl_op)op, (bl_dtype)dtype))
                tap_ok(check((bl_op)op, (bl_dtype)dtype), "%s %s between guard pages",
                       ref_name((bl_op)op), ref_dtype_name((bl_dtype)dtype));
    check_orders();
    for (int32_t k = 0; k < OPERANDS; k++)
        guarded_close(&guarded[k]);
    settings_close(settings);
    limits_one_thread();
    return tap_done();
}
