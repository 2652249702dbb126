/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From shapes to a loop nest, in five steps: gather, turn, order, fuse, pad.
 *
 * Each step keeps the pairing of elements and changes only the way through them.
 */
#include "shape/shape.h"

#include <assert.h>

/*
 * Bytes from each element of an operand to the next in row-major order, in `*step`;
 * false where they are not always the same.
 */
static bool is_even(const struct bli_strided *operand, int64_t *step)
{
    int64_t next = 0; /* what a dim must step to go on evenly; 0: nothing known yet */

    *step = operand->size;
    for (int32_t d = operand->rank - 1; operand->stride && d >= 0; d--) {
        const int64_t stride = operand->stride[d] * operand->size;

        if (operand->extent[d] == 1)
            continue;
        if (next == 0)
            *step = stride;
        else if (stride != next)
            return false;
        next = stride * operand->extent[d];
        /* A step of 0 goes on with 0 only. */
        if (next == 0)
            next = INT64_MIN;
    }
    return true;
}

/* What each operand steps from one element of its own to the next, if paired flat. */
static void find_steps(struct bli_nest *nest, const struct bli_strided *operand,
                       int64_t *step)
{
    nest->needs_linear_copy = 0;
    for (int32_t k = 0; k < nest->operands; k++) {
        step[k] = 0;
        if (operand[k].pairing.kind != BL_PAIRING_LINEAR ||
            is_even(&operand[k], &step[k]))
            continue;
        step[k] = operand[k].size;
        nest->needs_linear_copy |= UINT32_C(1) << k;
    }
}

/*
 * One loop for each dim of the result whose extent is not 1, the last dim innermost.
 * An operand steps along a dim only where it has it with an extent other than 1.
 */
static void collect_loops(struct bli_nest *nest, const struct bli_strided *operand)
{
    const int32_t rank = operand[0].rank;
    int64_t compact[BLI_MAX_OPERANDS]; /* what the next dim of a compact one steps */
    int64_t step[BLI_MAX_OPERANDS];    /* of those that are paired flat */
    int64_t below = 1;                 /* elements of the dims so far */
    int32_t loops = 0;

    find_steps(nest, operand, step);

    for (int32_t k = 0; k < nest->operands; k++)
        compact[k] = operand[k].size;
    for (int32_t d = rank - 1; d >= 0; d--) {
        const int64_t extent = operand[0].extent[d];

        nest->extent[loops] = extent;
        for (int32_t k = 0; k < nest->operands; k++) {
            const struct bli_strided *const o = &operand[k];
            const int64_t own = (int64_t)d - o->pairing.shift;
            const bool has_loop = own >= 0 && own < o->rank && o->extent[own] != 1;
            int64_t stride = 0;

            if (o->pairing.kind == BL_PAIRING_LINEAR) {
                stride = step[k] * below;
            } else if (has_loop && o->stride) {
                stride = o->stride[own] * o->size;
            } else if (has_loop) {
                stride = compact[k];
                compact[k] *= o->extent[own]; /* bytes in memory, which fit */
            }
            nest->stride[loops][k] = stride;
        }
        below *= extent;
        loops += extent != 1;
    }
    nest->loops = loops;
}

/* Walk every loop in the direction in which the result's address rises. */
static void flip_loops(struct bli_nest *nest)
{
    for (int32_t i = 0; i < nest->loops; i++) {
        if (nest->stride[i][0] >= 0)
            continue;
        for (int32_t k = 0; k < nest->operands; k++) {
            nest->offset[k] += nest->stride[i][k] * (nest->extent[i] - 1);
            nest->stride[i][k] = -nest->stride[i][k];
        }
    }
}

/*
 * True where loop `a` belongs inside loop `b`: by the result's stride, then by the
 * first input that tells them apart.  Writing in rising order matters most: a scattered
 * write costs a read and a write of its line.
 */
static bool is_inner_of(const struct bli_nest *nest, const int64_t *a, const int64_t *b)
{
    for (int32_t k = 0; k < nest->operands; k++) {
        const int64_t size_a = a[k] < 0 ? -a[k] : a[k];
        const int64_t size_b = b[k] < 0 ? -b[k] : b[k];

        if (size_a != size_b)
            return size_a < size_b;
    }
    return false;
}

/* Insertion sort: few loops, and nearly always in order already. */
static void order_loops(struct bli_nest *nest)
{
    for (int32_t i = 1; i < nest->loops; i++) {
        for (int32_t j = i; j > 0; j--) {
            int64_t *const inner = nest->stride[j - 1], *const outer = nest->stride[j];
            const int64_t extent = nest->extent[j];

            if (!is_inner_of(nest, outer, inner))
                break;
            nest->extent[j] = nest->extent[j - 1];
            nest->extent[j - 1] = extent;
            for (int32_t k = 0; k < nest->operands; k++) {
                const int64_t step = outer[k];

                outer[k] = inner[k];
                inner[k] = step;
            }
        }
    }
}

/* True where loop `outer` continues loop `inner` evenly for every operand. */
static bool is_one_loop(const struct bli_nest *nest, int32_t inner, int32_t outer)
{
    for (int32_t k = 0; k < nest->operands; k++)
        if (nest->stride[outer][k] != nest->stride[inner][k] * nest->extent[inner])
            return false;
    return true;
}

/* Make one loop of neighbours that together step through memory evenly. */
static void fuse_loops(struct bli_nest *nest)
{
    int32_t last = 0;

    for (int32_t i = 1; i < nest->loops; i++) {
        if (is_one_loop(nest, last, i)) {
            nest->extent[last] *= nest->extent[i];
            continue;
        }
        if (++last == i)
            continue;
        nest->extent[last] = nest->extent[i];
        for (int32_t k = 0; k < nest->operands; k++)
            nest->stride[last][k] = nest->stride[i][k];
    }
    if (nest->loops > 0)
        nest->loops = last + 1;
}

/* Loops of one iteration, so that the kernel finds its two. */
static void pad_loops(struct bli_nest *nest)
{
    for (; nest->loops < 2; nest->loops++) {
        nest->extent[nest->loops] = 1;
        for (int32_t k = 0; k < nest->operands; k++)
            nest->stride[nest->loops][k] = 0;
    }
}

void bli_nest_make(struct bli_nest *nest, int32_t operands,
                   const struct bli_strided *operand)
{
    nest->operands = operands;
    for (int32_t k = 0; k < operands; k++)
        nest->offset[k] = 0;
    if (!bli_shape_numel(operand[0].rank, operand[0].extent, &nest->count))
        assert(!"the result's count was checked to fit");
    nest->needs_linear_copy = 0;
    if (nest->count == 0) {
        /* Nothing is visited, and extents beside the 0 need not multiply. */
        nest->loops = 0;
    } else {
        collect_loops(nest, operand);
        flip_loops(nest);
        order_loops(nest);
        fuse_loops(nest);
    }
    pad_loops(nest);
}
