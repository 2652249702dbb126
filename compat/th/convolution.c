/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions in two and three dimensions, for tensors of each type. Two dimensions
 * are three of which the first has extent 1.
 */
#include "core.h"

#include <omp.h>

/*
 * What a convolution's result covers. VALID: where the kernel lies within the input;
 * FULL: wherever the two meet; REVERSED: as VALID, with steps between the elements of
 * the kernel instead of those of the result.
 */
enum cover { VALID, FULL, REVERSED };

/* Depth, rows and columns of a convolution of plain, contiguous memory. */
struct convolution {
    enum cover cover;
    bool is_flipped; /* a convolution; else a cross-correlation */
    long in[3], kernel[3], step[3], out[3];
};

/* Set the extents of the result; false where the input is smaller than the kernel. */
static bool measure(struct convolution *c)
{
    for (int d = 0; d < 3; d++) {
        const long reach = (c->kernel[d] - 1) * c->step[d];

        switch (c->cover) {
        case VALID:
            c->out[d] = (c->in[d] - c->kernel[d]) / c->step[d] + 1;
            break;
        case FULL:
            c->out[d] = (c->in[d] - 1) * c->step[d] + c->kernel[d];
            break;
        case REVERSED:
            c->out[d] = c->in[d] - reach;
            break;
        }
        if (c->cover != FULL && (c->in[d] < c->kernel[d] || c->out[d] < 1))
            return false;
    }
    return true;
}

/*
 * The index in dimension `d` of the input, or of a full result, that element `at` of
 * the kernel meets at index `row` of the result, or of the input.
 */
static inline long met_by(const struct convolution *c, int d, long row, long at)
{
    return c->cover == REVERSED ? row + at * c->step[d] : row * c->step[d] + at;
}

/* The number of elements of an input, a kernel or a result. */
static long volume(const long extent[3])
{
    return extent[0] * extent[1] * extent[2];
}

/* Threads for so many planes, each computed by one. */
static int team_of(long planes, const struct convolution *c)
{
    enum { LEAST = 1 << 16 }; /* multiplications that take longer than a wake-up */
    const double all =
        (double)planes * (double)volume(c->out) * (double)volume(c->kernel);

    return all < LEAST || omp_in_parallel() ? 1 : th_team(planes);
}

/* How planes of an input and a kernel are paired, by the name in TH. */
enum pairing { MUL, CMUL, GER, REVGERM, MV, MM };

/* Leading dimensions, before those of a plane, of the input, the kernel, the result. */
static const int leading_dims[][3] = {
    [MUL] = {0, 0, 0},     [CMUL] = {1, 1, 1}, [GER] = {1, 1, 2},
    [REVGERM] = {2, 2, 2}, [MV] = {1, 2, 1},   [MM] = {2, 2, 2}};

/*
 * Plane (i, j) of the result is the sum over `terms` values of s of the convolutions of
 * plane i * t[0] + j * t[1] + s * t[2] of the input with the plane of the kernel of
 * which k says the same.
 */
struct pairs {
    long planes[2], terms, t[3], k[3];
};

/* From the leading extents of the input and the kernel; false where they do not fit. */
static bool pair_planes(enum pairing pairing, const long *t, const long *k,
                        struct pairs *pairs)
{
    switch (pairing) {
    case MUL:
        *pairs = (struct pairs){{1, 1}, 1, {0, 0, 0}, {0, 0, 0}};
        return true;
    case CMUL:
        *pairs = (struct pairs){{t[0], 1}, 1, {1, 0, 0}, {1, 0, 0}};
        return t[0] == k[0];
    case GER:
        *pairs = (struct pairs){{k[0], t[0]}, 1, {0, 1, 0}, {1, 0, 0}};
        return true;
    case REVGERM:
        *pairs = (struct pairs){{k[1], t[1]}, t[0], {0, 1, t[1]}, {1, 0, k[1]}};
        return t[0] == k[0];
    case MV:
        *pairs = (struct pairs){{k[0], 1}, t[0], {0, 0, 1}, {k[1], 0, 1}};
        return t[0] == k[1];
    case MM:
        *pairs = (struct pairs){{t[0], k[0]}, t[1], {t[1], 0, 1}, {0, k[1], 1}};
        return t[1] == k[1];
    }
    return false;
}

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/convolve.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/convolution.tmpl.h"
#include "TH/THGenerateAllTypes.h"
