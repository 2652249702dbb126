/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that has a team of threads lets it share one operation: each thread
 * executes its part of a plan, between its other work, and no second team is started.
 * This works with every OpenMP runtime, and with other threads than OpenMP's as well.
 *
 *     cc -O2 -fopenmp -o plan_team plan_team.c $(pkg-config --cflags --libs broadloom)
 *     OMP_NUM_THREADS=4 ./plan_team
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, COLUMNS = 700, STEPS = 10 };

static double field[ROWS][COLUMNS], decay[ROWS];

static void check(bl_status status)
{
    if (status != BL_OK) {
        fprintf(stderr, "%s: %s\n", bl_error_where(), bl_error_message());
        exit(1);
    }
}

int main(void)
{
    const bl_array *const inputs[] = {BL_VIEW(*field, ROWS, COLUMNS),
                                      BL_VIEW(decay, ROWS, 1)};
    const void *const data[] = {field, decay};
    double total = 0;
    bl_plan *plan;

    for (int i = 0; i < ROWS; i++) {
        decay[i] = i % 2 ? 0.5 : 1;
        for (int j = 0; j < COLUMNS; j++)
            field[i][j] = 1024;
    }
    /* field *= decay, a factor for each row: in place, as the result is the first input
     */
    check(bl_plan_create(NULL, BL_OP_MUL, inputs[0], 2, inputs, NULL, &plan));
#pragma omp parallel
    for (int step = 0; step < STEPS; step++) {
        check(bl_plan_execute_part(NULL, plan, omp_get_thread_num(),
                                   omp_get_num_threads(), field, data));
#pragma omp barrier /* parts are not the rows that the loop below gives a thread */
#pragma omp for reduction(+ : total)
        for (int i = 0; i < ROWS; i++)
            total += field[i][0];
    }
    bl_plan_destroy(plan);
    printf("after %d steps %g and %g, in all %.0f\n", STEPS, field[0][0], field[1][0],
           total);
    return 0;
}
