/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small scene to photograph: spheres on a tiled floor under a sky, traced with one
 * reflection.
 */
#include "demo.h"

#include <math.h>

struct vector {
    double x, y, z;
};

struct sphere {
    struct vector centre;
    double radius;
    double colour[DEMO_CHANNELS];
    double mirror; /* share of light that it reflects */
};

static const struct sphere spheres[] = {
    {{0.0, 1.0, 6.0}, 1.0, {0.85, 0.35, 0.20}, 0.20},
    {{-2.3, 0.8, 7.2}, 0.8, {0.20, 0.45, 0.80}, 0.35},
    {{2.1, 0.7, 5.0}, 0.7, {0.90, 0.80, 0.35}, 0.10},
    {{0.9, 0.4, 3.9}, 0.4, {0.35, 0.70, 0.40}, 0.25},
    {{-1.2, 0.35, 4.2}, 0.35, {0.75, 0.75, 0.80}, 0.70},
};

enum { SPHERES = sizeof spheres / sizeof *spheres };

static const struct vector sun = {-0.48, 0.72, -0.50};

static double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a + t * b */
static struct vector along(struct vector a, double t, struct vector b)
{
    return (struct vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

/*
 * Distance to the nearest object in direction `to`; `*hit` is its sphere, or -1 for the
 * floor.
 */
static double nearest(struct vector from, struct vector to, int *hit)
{
    double best = to.y < -1e-9 ? -from.y / to.y : INFINITY;

    *hit = -1;
    for (int i = 0; i < SPHERES; i++) {
        const struct vector apart = along(from, -1.0, spheres[i].centre);
        const double half = dot(apart, to);
        const double rest = dot(apart, apart) - spheres[i].radius * spheres[i].radius;
        const double root = half * half - rest;
        const double distance = root > 0 ? -half - sqrt(root) : -1;

        if (distance > 1e-6 && distance < best) {
            best = distance;
            *hit = i;
        }
    }
    return best;
}

static void sky(struct vector to, double colour[DEMO_CHANNELS])
{
    const double height = to.y > 0 ? sqrt(to.y) : 0;
    const double glow = pow(fmax(0, dot(to, sun)), 40);

    colour[0] = 0.80 - 0.50 * height + 0.5 * glow;
    colour[1] = 0.86 - 0.36 * height + 0.4 * glow;
    colour[2] = 0.92 - 0.12 * height + 0.1 * glow;
}

static void trace(struct vector from, struct vector to, int depth,
                  double colour[DEMO_CHANNELS])
{
    int hit, shadow;
    const double distance = nearest(from, to, &hit);

    if (isinf(distance)) {
        sky(to, colour);
        return;
    }
    const struct vector at = along(from, distance, to);
    const struct vector out = hit < 0 ? at : along(at, -1.0, spheres[hit].centre);
    const struct vector normal =
        hit < 0 ? (struct vector){0, 1, 0}
                : along((struct vector){0, 0, 0}, 1 / spheres[hit].radius, out);
    const int tile = ((int)floor(at.x) + (int)floor(at.z)) & 1;
    const double haze = 1 - exp(-distance / 22);
    const bool lit = isinf(nearest(along(at, 1e-4, normal), sun, &shadow));
    const double light = 0.28 + (lit ? 0.72 * fmax(0, dot(normal, sun)) : 0);
    const double mirror = hit < 0 ? 0.06 : spheres[hit].mirror;
    double far[DEMO_CHANNELS], seen[DEMO_CHANNELS] = {0};

    sky((struct vector){0, 0, 1}, far);
    if (depth > 0)
        trace(along(at, 1e-4, normal), along(to, -2 * dot(to, normal), normal),
              depth - 1, seen);
    for (int c = 0; c < DEMO_CHANNELS; c++) {
        const double own = hit < 0 ? (tile ? 0.72 : 0.38) : spheres[hit].colour[c];

        colour[c] = (own * light * (1 - mirror) + seen[c] * mirror) * (1 - haze);
        colour[c] += far[c] * haze;
    }
}

void demo_colour(int64_t row, int64_t column, double colour[DEMO_CHANNELS])
{
    const struct vector eye = {0, 1.5, -1};
    const double scale = 1.35 / DEMO_HEIGHT;
    const struct vector to = {((double)column - DEMO_WIDTH / 2.0) * scale,
                              (DEMO_HEIGHT / 2.2 - (double)row) * scale - 0.08, 1.6};
    const double length = sqrt(dot(to, to));

    trace(eye, (struct vector){to.x / length, to.y / length, to.z / length}, 2, colour);
    for (int c = 0; c < DEMO_CHANNELS; c++)
        colour[c] = fmin(1, fmax(0, colour[c]));
}
