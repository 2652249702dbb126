/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same calls in C, for calls.f90.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <stdlib.h>

void c_calls(double *a, double *b, double *c, int times);
void measured(const int *times);
void run_calls(const int *times);

void c_calls(double *a, double *b, double *c, int times)
{
    for (int i = 0; i < times; i++)
        if (bl_add_out(NULL, BL_VIEW(c, 4), BL_VIEW(a, 4), BL_VIEW(b, 4)) != BL_OK)
            abort();
}

/* A function of another file, so that no compiler makes it part of its caller. */
void measured(const int *times)
{
    run_calls(times);
}
