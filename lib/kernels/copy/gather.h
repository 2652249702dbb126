/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers of elements at a constant stride into contiguous ones, and scatters back.
 */
#ifndef BLI_GATHER_H
#define BLI_GATHER_H

#include "kernels/copy/copy_core.h"

/*
 * Copy `count` elements between strides that are constants, for which the compiler
 * emits shuffles: every second of 4 bytes 25 bytes a cycle in AVX2 and 33 in AVX-512,
 * backwards 26 and 35.
 */
BLI_INLINE void walk(char *r, int64_t r_step, const char *a, int64_t a_step,
                     int64_t size, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        memcpy(r + j * r_step, a + j * a_step, (size_t)size);
}

/*
 * Copy `count` elements between any strides: four at a time, whose addresses do not
 * depend on each other, 2 elements a cycle instead of 1.
 */
BLI_INLINE void walk_singly(char *r, int64_t r_step, const char *a, int64_t a_step,
                            int64_t size, int64_t count)
{
    const size_t bytes = (size_t)size;
    int64_t j = 0;

    for (; j + 4 <= count; j += 4, r += 4 * r_step, a += 4 * a_step) {
        memcpy(r, a, bytes);
        memcpy(r + r_step, a + a_step, bytes);
        memcpy(r + 2 * r_step, a + 2 * a_step, bytes);
        memcpy(r + 3 * r_step, a + 3 * a_step, bytes);
    }
    for (; j < count; j++, r += r_step, a += a_step)
        memcpy(r, a, bytes);
}

/* Gather elements of constant `size`; frequent strides have separate loops. */
BLI_INLINE void gather(char *block, const char *from, int64_t step, int64_t size,
                       int64_t count)
{
    if (step == size)
        memcpy(block, from, (size_t)(size * count));
    else if (size == 16)
        walk_singly(block, 16, from, step, 16, count);
    else if (step == 0)
        walk(block, size, from, 0, size, count);
    else if (step == 2 * size)
        walk(block, size, from, 2 * size, size, count);
    else if (step == 3 * size)
        walk(block, size, from, 3 * size, size, count);
    else if (step == 4 * size)
        walk(block, size, from, 4 * size, size, count);
    else if (step == -size)
        walk(block, size, from, -size, size, count);
    else
        walk_singly(block, size, from, step, size, count);
}

/*
 * Scatter elements of constant `size`; contiguous and reversed results are fast paths.
 */
BLI_INLINE void scatter(char *to, const char *block, int64_t step, int64_t size,
                        int64_t count)
{
    if (step == size)
        memcpy(to, block, (size_t)(size * count));
    else if (step == -size && size < 16)
        walk(to, -size, block, size, size, count);
    else
        walk_singly(to, step, block, size, size, count);
}

/*
 * Copy `count` elements of `size` bytes (1, 2, 4, 8 or 16), `step` bytes apart, into a
 * contiguous block that does not overlap them.
 */
static void bli_gather(char *block, const char *from, int64_t step, int64_t size,
                       int64_t count)
{
    switch (size) {
    case 1:
        gather(block, from, step, 1, count);
        break;
    case 2:
        gather(block, from, step, 2, count);
        break;
    case 4:
        gather(block, from, step, 4, count);
        break;
    case 8:
        gather(block, from, step, 8, count);
        break;
    default:
        gather(block, from, step, 16, count);
        break;
    }
}

/*
 * Copy `count` contiguous elements of `size` bytes (1, 2, 4, 8 or 16) to addresses
 * `step` bytes apart, which do not overlap them.
 */
static void bli_scatter(char *to, const char *block, int64_t step, int64_t size,
                        int64_t count)
{
    switch (size) {
    case 1:
        scatter(to, block, step, 1, count);
        break;
    case 2:
        scatter(to, block, step, 2, count);
        break;
    case 4:
        scatter(to, block, step, 4, count);
        break;
    case 8:
        scatter(to, block, step, 8, count);
        break;
    default:
        scatter(to, block, step, 16, count);
        break;
    }
}

#endif
