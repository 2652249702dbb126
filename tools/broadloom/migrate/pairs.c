/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds which elements of a call's operands are paired.
 */
#include "pairs.h"

static int64_t numel_of(const struct shape *shape)
{
    int64_t numel = 1;

    for (int32_t d = 0; d < shape->rank; d++)
        if (shape->extent[d] <= 0 ||
            __builtin_mul_overflow(numel, shape->extent[d], &numel))
            return 0;
    return numel;
}

int64_t pairs_extent(const struct pairs *pairs, int32_t k, int32_t d)
{
    const struct shape *const shape = &pairs->call->operand[k];
    const int32_t at = d - pairs->broadcast.rank + shape->rank;

    return at < 0 ? 1 : shape->extent[at];
}

/* The shape that the operands broadcast to; false where they do not. */
static bool broadcast(struct pairs *pairs)
{
    struct shape *const shape = &pairs->broadcast;

    for (int k = 0; k < pairs->call->count; k++)
        if (pairs->call->operand[k].rank > shape->rank)
            shape->rank = pairs->call->operand[k].rank;
    for (int32_t d = 0; d < shape->rank; d++) {
        shape->extent[d] = 1;
        for (int k = 0; k < pairs->call->count; k++) {
            const int64_t extent = pairs_extent(pairs, k, d);

            if (extent != 1 && shape->extent[d] != 1 && extent != shape->extent[d])
                return false;
            if (extent != 1)
                shape->extent[d] = extent;
        }
    }
    return numel_of(shape) > 0;
}

/* Whether operands differ along a dimension: some are repeated. */
static bool is_repeated(const struct pairs *pairs, int32_t d)
{
    for (int k = 0; k < pairs->call->count; k++)
        if (pairs_extent(pairs, k, d) != pairs->broadcast.extent[d])
            return true;
    return false;
}

/* Choose the dimensions to draw: the last ones with repeats, then the last long ones.
 */
static void choose_dimensions(struct pairs *pairs)
{
    int32_t chosen[2] = {-1, -1}, count = 0;

    for (int pass = 0; pass < 2; pass++)
        for (int32_t d = pairs->broadcast.rank - 1; d >= 0 && count < 2; d--)
            if (pairs->broadcast.extent[d] > 1 && is_repeated(pairs, d) == (pass == 0))
                chosen[count++] = d;
    pairs->column = chosen[0] > chosen[1] ? chosen[0] : chosen[1];
    pairs->row = chosen[0] > chosen[1] ? chosen[1] : chosen[0];
    /* A single dimension runs downwards where it is not the last. */
    if (count == 1 && pairs->column < pairs->broadcast.rank - 1) {
        pairs->row = pairs->column;
        pairs->column = -1;
    }
}

bool pairs_find(const struct paired *call, int32_t self, struct pairs *pairs)
{
    *pairs = (struct pairs){
        .call = call, .self = self, .numel = numel_of(&call->operand[0])};
    for (int k = 1; k < call->count; k++)
        if (numel_of(&call->operand[k]) != pairs->numel)
            return false;
    pairs->broadcasts = broadcast(pairs);
    choose_dimensions(pairs);
    return pairs->numel > 0;
}

int64_t pairs_element(const struct pairs *pairs, int32_t k, int64_t i, int64_t j)
{
    int64_t element = 0;

    for (int32_t d = 0; d < pairs->broadcast.rank; d++) {
        const int64_t extent = pairs_extent(pairs, k, d);

        element *= extent;
        if (extent > 1)
            element += d == pairs->row ? i : d == pairs->column ? j : 0;
    }
    return element;
}

bool pairs_is_linear(const struct pairs *pairs, int64_t i, int64_t j)
{
    for (int k = 1; k < pairs->call->count; k++)
        if (pairs_element(pairs, k, i, j) != pairs_element(pairs, 0, i, j))
            return false;
    return true;
}
