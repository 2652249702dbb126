/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program's own team shares a whole expression: each thread executes its part of each
 * phase, with a barrier between phases; a refusal in one is all threads' in the next.
 *
 *     cc -O2 -fopenmp -o expr_team expr_team.c $(pkg-config --cflags --libs broadloom)
 *     OMP_NUM_THREADS=4 ./expr_team
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/expr_part.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, COLUMNS = 700 };
static float x[ROWS * COLUMNS], y[ROWS * COLUMNS];

static void check(bl_status status)
{
    if (status == BL_OK)
        return;
    fprintf(stderr, "%s: %s\n", bl_error_where(), bl_error_message());
    exit(1);
}

int main(void)
{
    const bl_array *const inputs[] = {BL_VIEW(x, ROWS, COLUMNS)};
    const bl_array *const results[] = {BL_VIEW(y, ROWS, COLUMNS)};
    bl_expr_plan_info info = {.size = sizeof info};
    void *const outs[] = {y}, *workspace;
    const void *const data[] = {x};
    bl_expr_plan *plan;
    bl_expr *expr;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        x[i] = (float)(i % COLUMNS % 2);
    check(bl_expr_parse(NULL, "e = exp(x); e / sum(e, 1, keepdim)", 0, NULL, &expr));
    check(bl_expr_plan_create(NULL, expr, results, inputs, NULL, &plan));
    check(bl_expr_plan_query(plan, &info));
    workspace = aligned_alloc(64, (size_t)(info.part_workspace + 63) / 64 * 64);
#pragma omp parallel
    {
        bl_status status = BL_OK;

        for (int32_t p = 0; p < info.part_phases; p++) {
            status =
                bl_expr_plan_execute_part(NULL, plan, p, omp_get_thread_num(),
                                          omp_get_num_threads(), outs, data, workspace);
#pragma omp barrier
        }
        check(status);
    }
    printf("%.6f %.6f, a row in all %.4f\n", y[0], y[1], COLUMNS / 2 * (y[0] + y[1]));
    free(workspace);
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return 0;
}
