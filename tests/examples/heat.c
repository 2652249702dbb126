/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat spreads on a plate with cold edges: a hundred explicit steps on sections of the
 * program's own arrays, of which nothing is copied.
 *
 *     cc -O2 -o heat heat.c $(pkg-config --cflags --libs broadloom)
 *     ./heat
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 514, INNER = N - 2 };

static double plate[N][N], next[N][N], sum[INNER][INNER];

static void check(bl_status status)
{
    if (status != BL_OK) {
        fprintf(stderr, "%s: %s\n", bl_error_where(), bl_error_message());
        exit(1);
    }
}

/* to = from + rate * (the four neighbours - 4 * from), at the inner points. */
static void step(double to[N][N], double from[N][N], double rate)
{
    const bl_scalar four = bl_scalar_f64(4), r = bl_scalar_f64(rate);
    const bl_array minus = bl_scalar_array(&four), weight = bl_scalar_array(&r);
    const bl_array *const t = BL_VIEW(*sum, INNER, INNER);
#define AT(u, i, j) /* the inner points of u, shifted by (i, j) */                     \
    BL_STRIDED_VIEW(&(u)[1 + (i)][1 + (j)], 2, BL_LIST(INNER, INNER), BL_LIST(N, 1))

    check(bl_add_out(NULL, t, AT(from, -1, 0), AT(from, 1, 0)));
    check(bl_add_inplace(NULL, t, AT(from, 0, -1)));
    check(bl_add_inplace(NULL, t, AT(from, 0, 1)));
    check(bl_sub_scaled_inplace(NULL, t, AT(from, 0, 0), &minus));
    check(bl_add_scaled_out(NULL, AT(to, 0, 0), AT(from, 0, 0), t, &weight));
}

int main(void)
{
    double total;

    plate[N / 2][N / 2] = 1000;
    for (int i = 0; i < 50; i++) {
        step(next, plate, 0.2);
        step(plate, next, 0.2);
    }
    check(bl_sum_out(NULL, BL_VIEW_AS(BL_DTYPE_F64, &total, 1), BL_VIEW(*plate, N * N),
                     1, (const int32_t[]){0}, true));
    printf("centre %.10f total %.10f\n", plate[N / 2][N / 2], total);
    return 0;
}
