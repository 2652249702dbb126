/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many equal runs or plans of an expression of few elements, for bench_check.t.sh to
 * count.
 *
 * usage: bench_expression NAME TIMES [sealed]   (as bench_check)
 *
 *   expression        bl_expr_run() with a remembered plan, of four operators
 *   expression-few    the same of 60 elements, of three shapes
 *   expression-made   bl_expr_plan_create(), of eight nodes, and its end
 *   expression-made-* the same of other texts and shapes
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
#include <broadloom/expr.h>

/* Planning reads no data; what is executed has at most 64 elements. */
static float a[64], b[64], c[64], result[64];
static bl_expr *expr;

#define QUOTIENT "(a - b) / c * 2.0 + b"
#define CENTRED  "(a - mean(a, 1, keepdim))"

static const struct measured {
    const char *name, *text;
    bool is_made;
    int64_t extent[4][4]; /* of a, b, c and the result, all of one rank */
    int32_t rank;
} table[] = {
    {"expression", QUOTIENT, false, {{8, 8}, {1, 8}, {8, 1}, {8, 8}}, 2},
    {"expression-few",
     QUOTIENT,
     false,
     {{5, 1, 4, 1}, {1, 3, 1, 1}, {1, 1, 4, 1}, {5, 3, 4, 1}},
     4},
    {"expression-made", QUOTIENT, true, {{8, 8}, {1, 8}, {8, 1}, {8, 8}}, 2},
    {"expression-made-few",
     QUOTIENT,
     true,
     {{5, 1, 4, 1}, {1, 3, 1, 1}, {1, 1, 4, 1}, {5, 3, 4, 1}},
     4},
    {"expression-made-rows",
     "(a - b) / c + b",
     true,
     {{4096, 1024}, {1, 1024}, {4096, 1}, {4096, 1024}},
     2},
    {"expression-made-softmax",
     "e = exp(a - max(a, 1, keepdim)); e / sum(e, 1, keepdim)",
     true,
     {{4096, 1024}, {1, 1}, {1, 1}, {4096, 1024}},
     2},
    {"expression-made-layer",
     CENTRED " / sqrt(mean(" CENTRED " ** 2, 1, keepdim) + 1e-5) * b + c",
     true,
     {{4096, 1024}, {1, 1024}, {1, 1024}, {4096, 1024}},
     2},
};

static bool run(const struct measured *row, long times)
{
    float *const memory[] = {a, b, c, result};
    bl_array array[4];
    const bl_array *const in[] = {&array[0], &array[1], &array[2]};
    const bl_array *const out[] = {&array[3]};
    bool pass = true;

    for (int k = 0; k < 4; k++)
        array[k] =
            (bl_array){memory[k], BL_DTYPE_F32, row->rank, row->extent[k], NULL, 0};
    for (long i = 0; i < times && !row->is_made; i++)
        pass = bl_expr_run(NULL, expr, out, in, NULL) == BL_OK && pass;
    for (long i = 0; i < times && row->is_made; i++) {
        bl_expr_plan *plan = NULL;

        pass = bl_expr_plan_create(NULL, expr, out, in, NULL, &plan) == BL_OK && pass;
        bl_expr_plan_destroy(plan);
    }
    return pass;
}

/*
 * The function that a profiler counts; called through a pointer, so that it is not
 * inlined.
 */
static bool measured(const struct measured *row, long times)
{
    return run(row, times);
}

static bool (*volatile const measure)(const struct measured *, long) = measured;

int main(int argc, char **argv)
{
    static const char *const names[] = {"a", "b", "c"};
    const long times = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const bool sealed = argc > 3 && strcmp(argv[3], "sealed") == 0;
    const size_t rows = sizeof table / sizeof table[0];
    size_t k = 0;

    while (k < rows && (argc < 2 || strcmp(table[k].name, argv[1]) != 0))
        k++;
    for (int i = 0; i < 64; i++)
        a[i] = b[i] = c[i] = (float)(i + 1);
    if (k == rows || bl_expr_parse(NULL, table[k].text, 3, names, &expr) != BL_OK ||
        !run(&table[k], 2)) {
        fprintf(stderr, "bench_expression: %s\n", bl_error_message());
        return 1;
    }
    /* Memory for what is made may be asked of the system. */
    if (sealed && (table[k].is_made || prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0))
        return 77;

    const bool pass = measure(&table[k], times);

    if (sealed)
        syscall(SYS_exit, pass ? 0 : 1);
    bl_expr_destroy(expr);
    return pass ? 0 : 1;
}
