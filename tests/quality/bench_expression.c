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
#include <broadloom/describe.h>
#include <broadloom/expr.h>

static float a[64], b[64], c[64], result[64];
static bl_expr *expr;
static bool is_few;

static bool measured(bool is_made, long times)
{
    const bl_array *const square[] = {BL_VIEW(a, 8, 8), BL_VIEW(b, 8), BL_VIEW(c, 8, 1),
                                      BL_VIEW(result, 8, 8)};
    const bl_array *const few[] = {BL_VIEW(a, 5, 1, 4, 1), BL_VIEW(b, 3, 1, 1),
                                   BL_VIEW(c, 4, 1), BL_VIEW(result, 5, 3, 4, 1)};
    const bl_array *const *const in = is_few ? few : square, *const *const out = in + 3;
    bool pass = true;

    for (long i = 0; i < times && !is_made; i++)
        pass = bl_expr_run(NULL, expr, out, in, NULL) == BL_OK && pass;
    for (long i = 0; i < times && is_made; i++) {
        bl_expr_plan *plan = NULL;

        pass = bl_expr_plan_create(NULL, expr, out, in, NULL, &plan) == BL_OK && pass;
        bl_expr_plan_destroy(plan);
    }
    return pass;
}

/* Called through a pointer, so that it is not inlined. */
static bool (*volatile const measure)(bool, long) = measured;

int main(int argc, char **argv)
{
    const long times = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const bool is_made = argc > 1 && strcmp(argv[1], "expression-made") == 0;
    const bool sealed = argc > 3 && strcmp(argv[3], "sealed") == 0;

    is_few = argc > 1 && strcmp(argv[1], "expression-few") == 0;
    for (int k = 0; k < 64; k++)
        a[k] = b[k] = c[k] = (float)(k + 1);
    if (bl_expr_parse(NULL, "(a - b) / c * 2.0 + b", 0, NULL, &expr) != BL_OK ||
        !measured(false, 2) || !measured(true, 2)) {
        fprintf(stderr, "bench_expression: %s\n", bl_error_message());
        return 1;
    }
    /* Memory for what is made may be asked of the system. */
    if (sealed && (is_made || prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0))
        return 77;

    const bool pass = measure(is_made, times);

    if (sealed)
        syscall(SYS_exit, pass ? 0 : 1);
    bl_expr_destroy(expr);
    return pass ? 0 : 1;
}
