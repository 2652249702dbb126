/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same calls in C, for calls.f90.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>
#include <stdlib.h>

void c_calls(double *a, double *b, double *c, int times);
void c_plan(double *a, double *b, double *c, int times);
void measured(const int *times);
void run_calls(const int *times);

void c_calls(double *a, double *b, double *c, int times)
{
    for (int i = 0; i < times; i++)
        if (bl_add_out(NULL, BL_VIEW(c, 4), BL_VIEW(a, 4), BL_VIEW(b, 4)) != BL_OK)
            abort();
}

/* a + b planned, and executed. */
void c_plan(double *a, double *b, double *c, int times)
{
    const bl_array *const in[] = {BL_VIEW(a, 4), BL_VIEW(b, 4)};
    const bl_array *const out[] = {BL_VIEW(c, 4)};
    const void *const from[] = {a, b};
    void *const to[] = {c};
    static bl_expr_plan *plan;
    bl_expr *expr;

    if (!plan && (bl_expr_parse(NULL, "a + b", 0, NULL, &expr) != BL_OK ||
                  bl_expr_plan_create(NULL, expr, out, in, NULL, &plan) != BL_OK))
        abort();
    for (int i = 0; i < times; i++)
        if (bl_expr_plan_execute(NULL, plan, to, from) != BL_OK)
            abort();
}

/* A function of another file, so that no compiler makes it part of its caller. */
void measured(const int *times)
{
    run_calls(times);
}
