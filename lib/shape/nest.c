/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a loop nest from shapes, in five steps: collect, turn, order, fuse, pad.
 *
 * Each step keeps the pairing of elements and changes only the order of iteration.
 */
#include "shape/loops.h"
#include "shape/shape.h"

#include <assert.h>

/*
 * Whether consecutive elements of an operand, in row-major order, are always the same
 * number of bytes apart; that number is stored in *step.
 */
static bool is_even(const struct bli_strided *operand, int64_t *step)
{
    int64_t next = 0; /* stride that continues evenly; 0: not known yet */

    *step = operand->size;
    for (int32_t d = operand->rank - 1; operand->stride && d >= 0; d--) {
        const int64_t stride = operand->stride[d] * operand->unit;

        if (operand->extent[d] == 1)
            continue;
        if (next == 0)
            *step = stride;
        else if (stride != next)
            return false;
        next = stride * operand->extent[d];
        /* Only a stride of 0 continues a stride of 0. */
        if (next == 0)
            next = INT64_MIN;
    }
    return true;
}

/*
 * For each operand that is paired linearly, compute the bytes between consecutive
 * elements; mark those whose elements are not evenly spaced as needing a linear copy.
 */
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
 * Make one loop for each axis of the result whose extent is not 1, the last axis
 * innermost.  An operand has stride 0 along an axis that it lacks or where its extent
 * is 1.
 */
static void collect_loops(struct bli_nest *nest, const struct bli_strided *operand)
{
    const int32_t rank = operand[0].rank;
    int64_t compact[BLI_MAX_OPERANDS]; /* the next axis's, if compact */
    int64_t step[BLI_MAX_OPERANDS];    /* of operands that are paired linearly */
    int64_t below = 1;                 /* product of the extents so far */
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
                stride = o->stride[own] * o->unit;
            } else if (has_loop) {
                stride = compact[k];
                compact[k] *= o->extent[own]; /* its bytes in memory, which fit */
            }
            nest->stride[loops][k] = stride;
        }
        below *= extent;
        loops += extent != 1;
    }
    nest->loops = loops;
}

/* Turn, order and fuse loops. */
static void arrange_loops(struct bli_nest *nest)
{
    struct bli_loop_rows rows = {nest->loops, nest->operands, nest->extent,
                                 nest->stride[0], nest->offset};

    bli_loop_rows_turn(&rows, BLI_MAX_OPERANDS);
    bli_loop_rows_order(&rows, BLI_MAX_OPERANDS);
    bli_loop_rows_fuse(&rows, BLI_MAX_OPERANDS, NULL);
    nest->loops = rows.loops;
}

/* Add loops of one iteration until there are the two that kernels take. */
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
        /* Nothing is visited, and the other extents' product may not fit. */
        nest->loops = 0;
    } else {
        collect_loops(nest, operand);
        arrange_loops(nest);
    }
    pad_loops(nest);
}
