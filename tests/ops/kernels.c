/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels without shapes and plans: base against the reference, every other instruction
 * set against base, bit for bit where all NaN are equal.  Every access pattern, lengths
 * around a vector's, any alignment that elements permit, in place, with non-temporal
 * stores; the memory around the elements is compared as well.
 */
#include <inttypes.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels_data.h"
#include "harness/limits.h"
#include "harness/problem.h"
#include "harness/sanitizer.h"
#include "reference/ref.h"
#include "harness/tap.h"

enum { LENGTHS = 68, ROWS = 3, ELEMENTS = 2048, MIDDLE = 1024 };

/* Strides in elements within a row and between rows; WIDTH is the length of a row. */
enum { WIDTH = 99 };
static const struct layout {
    const char *what;
    int64_t
        step[BLI_MAX_OPERANDS]; /* result, then inputs; c first where there is one */
    int64_t next[BLI_MAX_OPERANDS];
} layouts[] = {
    {"contiguous", {1, 1, 1, 1, 1}, {WIDTH, WIDTH, WIDTH, WIDTH, WIDTH}},
    {"contiguous rows apart", {1, 1, 1, 1, 1}, {80, 70, 90, 75, 85}},
    {"a scalar on the left", {1, 0, 1, 1, 1}, {80, 0, WIDTH, 70, WIDTH}},
    {"a scalar on the right", {1, 1, 0, 1, 0}, {80, 70, 1, WIDTH, 1}},
    {"the last input a scalar", {1, 1, 1, 0, 1}, {WIDTH, WIDTH, WIDTH, 0, 75}},
    {"scalars only", {1, 0, 0, 0, 0}, {WIDTH, 0, 0, 0, 0}},
    {"scalars of the same column", {1, 1, 0, 0, 0}, {70, WIDTH, 1, -1, 1}},
    {"a row for all rows", {1, 1, 1, 1, 1}, {WIDTH, WIDTH, 0, WIDTH, 0}},
    {"a row for all rows on the left", {1, 1, 1, 1, 1}, {WIDTH, 0, WIDTH, 0, WIDTH}},
    {"backwards", {-1, -1, -1, -1, -1}, {-WIDTH, -WIDTH, -WIDTH, -WIDTH, -WIDTH}},
    {"one input backwards", {1, 1, -1, 1, 1}, {70, 70, 70, -70, 70}},
    {"every third element", {3, 3, 3, 3, 3}, {210, 210, 210, 210, 210}},
    {"a transposed input", {1, 1, ROWS, ROWS, 1}, {WIDTH, WIDTH, 1, 1, WIDTH}},
    {"a transposed result", {ROWS, 1, 1, 1, 1}, {1, WIDTH, WIDTH, WIDTH, WIDTH}},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* One kernel to test. */
struct subject {
    bl_op op;
    int32_t inputs;
    bl_dtype from, to;
    bl_dtype dtype[BLI_MAX_OPERANDS];
    int64_t apart; /* lengths, and the increment between tested ones */
};

static _Alignas(64) char input[REF_INPUTS][ELEMENTS * REF_ELEMENT];
static _Alignas(64) char want[ELEMENTS * REF_ELEMENT];
static _Alignas(64) char got[ELEMENTS * REF_ELEMENT];

/* Run over `inner` x ROWS elements; `alias` is the input that is the result, or 0. */
static void run(const struct bli_isa *isa, const struct subject *s, char *result,
                const struct layout *layout, int64_t inner, int32_t alias, bool streams)
{
    int64_t stride[2][BLI_MAX_OPERANDS] = {{0}};
    char *data[BLI_MAX_OPERANDS] = {0};

    for (int32_t k = 0; k <= s->inputs; k++) {
        const int64_t size = (int64_t)ref_size(s->dtype[k]);
        const int32_t l = alias != 0 && k == alias ? 0 : k;
        const int64_t next = layout->next[l];
        char *const memory = k == 0 || k == alias ? result : input[k - 1];

        stride[0][k] = layout->step[l] * size;
        stride[1][k] = (next == WIDTH ? inner : next == -WIDTH ? -inner : next) * size;
        data[k] = memory + (MIDDLE + (l + inner) % 5) * size;
    }
    bli_kernel_run(bli_isa_kernel(isa, s->op, s->from, s->to), data,
                   (const int64_t(*)[BLI_MAX_OPERANDS])stride, inner, ROWS,
                   streams ? BLI_NT_STORES : NULL);
    isa->stream_fence();
}

/* Compare two results, including the bytes around the elements. */
static bool same(const struct subject *s, const char *a, const char *b)
{
    const size_t size = ref_size(s->to);

    if (memcmp(a, b, size * ELEMENTS) == 0)
        return true;
    for (size_t i = 0; i < ELEMENTS; i++)
        if (!kernels_same(s->to, a + i * size, b + i * size))
            return false;
    return true;
}

/* Set the initial contents of the result's memory. */
static void prepare(const struct subject *s, char *result, int32_t alias)
{
    const size_t bytes = ref_size(s->to) * ELEMENTS;

    if (alias != 0)
        memcpy(result, input[alias - 1], bytes);
    else
        memset(result, 0xa5, bytes);
}

/*
 * The instruction set whose bits another must match: base, or the first with fused
 * multiply-add where the operator may use it.
 */
static const struct bli_isa *model(const struct subject *s, int32_t k)
{
    return bli_isa_all[k > 0 && ref_may_differ(s->op, s->from) ? 1 : 0];
}

/* Compute the expected result with a kernel, one element at a time. */
static void expect(const struct bli_isa *isa, const struct subject *s,
                   const struct layout *layout, int64_t inner, int32_t alias)
{
    const int64_t none[2][BLI_MAX_OPERANDS] = {{0}};
    bli_kernel *const kernel = bli_isa_kernel(isa, s->op, s->from, s->to);

    prepare(s, want, alias);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < inner; j++) {
            char *data[BLI_MAX_OPERANDS] = {0};

            for (int32_t k = 0; k <= s->inputs; k++) {
                const int32_t l = alias != 0 && k == alias ? 0 : k;
                const int64_t next = layout->next[l] == WIDTH    ? inner
                                     : layout->next[l] == -WIDTH ? -inner
                                                                 : layout->next[l];
                const int64_t at =
                    MIDDLE + (l + inner) % 5 + i * next + j * layout->step[l];

                data[k] = (k == 0 ? want : input[k - 1]) +
                          at * (int64_t)ref_size(s->dtype[k]);
            }
            bli_kernel_run(kernel, data, none, 1, 1, NULL);
        }
}

/* Whether one element by itself equals the reference. */
static bool agrees(const struct bli_isa *isa, const struct subject *s)
{
    const int64_t none[2][BLI_MAX_OPERANDS] = {{0}};
    bli_kernel *const kernel = bli_isa_kernel(isa, s->op, s->from, s->to);

    for (size_t i = 0; i < ELEMENTS; i++) {
        bl_array in[REF_INPUTS] = {{0}};
        const bl_array *const pointers[] = {&in[0], &in[1], &in[2], &in[3]};
        double slack = 0;
        const bl_array out = {.dtype = s->to};
        char *data[BLI_MAX_OPERANDS] = {got};
        char text[96];

        for (int32_t k = 1; k <= s->inputs; k++) {
            data[k] = input[k - 1] + i * ref_size(s->dtype[k]);
            in[k - 1] = (bl_array){.data = data[k], .dtype = s->dtype[k]};
        }
        bli_kernel_run(kernel, data, none, 1, 1, NULL);
        if (s->op == BL_OP_COPY)
            ref_convert(s->from, data[1], s->to, want);
        else
            ref_apply(s->op, pointers, &out, want, &slack);
        if (ref_same(s->to, want, got, slack))
            continue;
        for (int32_t k = 1; k <= s->inputs; k++) {
            ref_print(s->dtype[k], data[k], text, sizeof text);
            tap_note("%s, input %" PRId32 ": %s", isa->name, k, text);
        }
        ref_print(s->to, got, text, sizeof text);
        tap_note("gives %s", text);
        ref_print(s->to, want, text, sizeof text);
        tap_note("and not %s", text);
        return false;
    }
    return true;
}

/* Whether this machine has it, without CPUID, which takes microseconds in a guest. */
static bool is_here(const struct bli_isa *isa)
{
    return bli_isa_pick(isa) == isa;
}

/* Check every instruction set, length, and input that the result may replace. */
static bool walks(const struct subject *s, const struct layout *layout)
{
    for (int32_t alias = 0; alias <= s->inputs; alias++) {
        if (alias != 0 && (s->dtype[alias] != s->to || s->from != s->to))
            continue;
        for (int64_t n = 1; n < LENGTHS; n += s->apart) {
            for (int32_t k = 0; bli_isa_all[k] != NULL; k++) {
                if (!is_here(bli_isa_all[k]))
                    continue;
                if (k == 0 || model(s, k) == bli_isa_all[k])
                    expect(model(s, k), s, layout, n, alias);
                for (int32_t streams = 0; streams < 2; streams++) {
                    prepare(s, got, alias);
                    run(bli_isa_all[k], s, got, layout, n, alias, streams);
                    if (same(s, want, got))
                        continue;
                    tap_note("%s, %s, %" PRId64 " elements, in place of %" PRId32 "%s",
                             bli_isa_all[k]->name, layout->what, n, alias,
                             streams ? ", non-temporal" : "");
                    return false;
                }
            }
        }
    }
    return true;
}

/*
 * Whether kernels exist for all dtypes of an operator; half precision has only block
 * kernels.
 */
static bool is_complete(const struct bli_isa *isa, bl_op op, bl_dtype dtype)
{
    const bool is_half = ref_class(dtype) == REF_REAL && ref_size(dtype) < 4;
    const bl_dtype to = ref_result_dtype(op, dtype);
    const bool want =
        ref_takes(op, dtype) && (!is_half || bli_ops[op].impl < BLI_IMPL_VECTOR);

    return (bli_isa_kernel(isa, op, dtype, to) != NULL) == want;
}

static bool all_are_complete(const struct bli_isa *isa)
{
    bool pass = true;

    for (int32_t op = 1; op < bli_ops_count; op++)
        for (int32_t from = 1; from < BLI_DTYPES; from++)
            if (!is_complete(isa, (bl_op)op, (bl_dtype)from)) {
                tap_note("%s of %s", bli_ops[op].name, bli_dtypes[from].name);
                pass = false;
            }
    return pass;
}

static void test(bl_op op, bl_dtype from, bl_dtype to)
{
    struct subject s = {.op = op, .inputs = bli_ops[op].count, .from = from, .to = to};
    bool pass = true;

    s.apart = test_is_thorough(op, from) && (test_is_long() || from == to) ? 1 : 5;
    s.apart *= IS_SANITIZED ? 3 : 1; /* each access takes long */
    s.dtype[0] = to;
    for (int32_t k = 1; k <= s.inputs; k++) {
        s.dtype[k] = ref_input_dtype(op, from, k - 1);
        kernels_fill(s.dtype[k], input[k - 1], ELEMENTS, (uint64_t)k);
    }
    /* Booleans that are selected keep their byte, others become 0 or 1. */
    for (size_t i = 0; i < ELEMENTS && op == BL_OP_WHERE && from == BL_DTYPE_BOOL;
         i++) {
        input[1][i] = input[1][i] != 0;
        input[2][i] = input[2][i] != 0;
    }
    for (int32_t k = 1; k < s.inputs && ref_contents(op)->divides; k++)
        kernels_remove_zeros(from, input[k], ELEMENTS);
    /* Where an algorithm overflows, the reference's extended precision does not. */
    for (int32_t k = 0; bli_isa_all[k] != NULL && !ref_is_normwise(op, from); k++)
        if (is_here(bli_isa_all[k]) && model(&s, k) == bli_isa_all[k])
            pass &= agrees(bli_isa_all[k], &s);
    for (int32_t k = 0; k < LAYOUTS; k++)
        pass &= walks(&s, &layouts[k]);
    tap_ok(pass, "%s of %s to %s", bli_ops[op].name, bli_dtypes[from].name,
           bli_dtypes[to].name);
}

int main(void)
{
    tap_plan();
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
        tap_ok(bli_isa_find(bli_isa_all[k]->name) == bli_isa_all[k],
               "%s is found by name", bli_isa_all[k]->name);
    tap_ok(bli_isa_find("none such") == NULL, "no other name is found");
    tap_ok(bli_isa_pick(bli_isa_all[0]) == bli_isa_all[0], "a cap is respected");
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
        tap_ok(all_are_complete(bli_isa_all[k]), "%s has every kernel and no other",
               bli_isa_all[k]->name);
    kernels_test_halves();
    for (int32_t op = 1; op < bli_ops_count; op++)
        for (int32_t from = 1; from < BLI_DTYPES; from++)
            for (int32_t to = 1; to < BLI_DTYPES; to++)
                if (bli_isa_kernel(bli_isa_all[0], (bl_op)op, (bl_dtype)from,
                                   (bl_dtype)to))
                    test((bl_op)op, (bl_dtype)from, (bl_dtype)to);
    limits_one_thread();
    return tap_done();
}
