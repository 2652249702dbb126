/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A block of neighbouring numbers of f32 is so narrow that most functions are there
 * polynomials of degree 4, to far more than the digits of f32.  So the polynomial
 * through the values at five of its arguments is compared with the function at sixteen
 * others, and takes its place where all agree.  Where one does not, or where the values
 * come near to 0, every value is computed.
 */
#include "smooth.h"

#include <math.h>
#include <string.h>

enum { NODES = 5, APART = 64 };

static const int node_at[NODES] = {0, 256, 512, 768, SMOOTH_BLOCK - 1};

/* Whether both are the same number, or NaN. */
static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Find the coefficients of Newton's polynomial through the nodes. */
static void divide_differences(const double *x, double *c)
{
    for (int j = 1; j < NODES; j++)
        for (int k = NODES - 1; k >= j; k--)
            c[k] = (c[k] - c[k - 1]) / (x[node_at[k]] - x[node_at[k - j]]);
}

static void evaluate(const double *x, const double *c, double *value)
{
    const double x0 = x[node_at[0]], x1 = x[node_at[1]], x2 = x[node_at[2]];
    const double x3 = x[node_at[3]];

#pragma omp simd
    for (int i = 0; i < SMOOTH_BLOCK; i++) {
        const double p3 = c[3] + (x[i] - x3) * c[4];
        const double p2 = c[2] + (x[i] - x2) * p3;
        const double p1 = c[1] + (x[i] - x1) * p2;

        value[i] = c[0] + (x[i] - x0) * p1;
    }
}

/* Fill in values that are all the same at the nodes and between; false if they are not.
 */
static bool fill_constant(const double *node, const double *between, double *value)
{
    for (int k = 1; k < NODES; k++)
        if (!is_same(node[k], node[0]))
            return false;
    for (int k = 0; k < SMOOTH_BLOCK / APART; k++)
        if (!is_same(between[k], node[0]))
            return false;
    for (int i = 0; i < SMOOTH_BLOCK; i++)
        value[i] = node[0];
    return true;
}

bool smooth_values(double (*function)(double a), const double *x, double *value,
                   double *least)
{
    double c[NODES], between[SMOOTH_BLOCK / APART];
    double low, high;

    for (int k = 0; k < NODES; k++)
        c[k] = function(x[node_at[k]]);
    for (int k = 0; k < SMOOTH_BLOCK / APART; k++)
        between[k] = function(x[k * APART + APART / 2]);
    low = fmin(c[0], c[NODES - 1]), high = fmax(c[0], c[NODES - 1]);
    *least = fmin(fabs(low), fabs(high)) / 2;
    if (fill_constant(c, between, value))
        return true;
    bool pass = isfinite(low) && isfinite(high) &&
                (low > 0 ? high < 2 * low : high < 0 && low > 2 * high);
    divide_differences(x, c);
    if (pass)
        evaluate(x, c, value);
    for (int k = 0; pass && k < SMOOTH_BLOCK / APART; k++)
        pass = fabs(value[k * APART + APART / 2] - between[k]) <=
               0x1p-36 * fabs(between[k]);
    if (pass)
        return true;
    *least = 0;
    for (int i = 0; i < SMOOTH_BLOCK; i++)
        value[i] = function(x[i]);
    return false;
}
