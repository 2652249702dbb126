/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model of pairing in PyTorch 0.2 and 0.3: all operands broadcast (in place to the
 * shape of the first), or they are paired pointwise in 1-D, or there is no result.
 */
#include "pairing_model.h"

int64_t pairing_count(const struct shape *shape)
{
    int64_t count = 1;

    for (int32_t d = 0; d < shape->rank; d++)
        count *= shape->extent[d];
    return count;
}

/* Extent of dimension d of `rank`, aligned at the last one. */
static int64_t extent_at(const struct shape *shape, int32_t rank, int32_t d)
{
    return d < rank - shape->rank ? 1 : shape->extent[d - (rank - shape->rank)];
}

/* Find the common shape; in place it must be that of the first. */
static bool broadcast(int32_t count, const struct shape *const *shape, bool is_in_place,
                      struct shape *result)
{
    result->rank = 0;
    for (int32_t k = 0; k < count; k++)
        if (shape[k]->rank > result->rank)
            result->rank = shape[k]->rank;
    for (int32_t d = 0; d < result->rank; d++) {
        result->extent[d] = 1;
        for (int32_t k = 0; k < count; k++) {
            const int64_t extent = extent_at(shape[k], result->rank, d);

            if (extent != 1 && result->extent[d] != 1 && extent != result->extent[d])
                return false;
            if (extent != 1)
                result->extent[d] = extent;
        }
    }
    return !is_in_place || shape_equal(shape[0], result->rank, result->extent);
}

void pairing_find(int32_t count, const struct shape *const *shape, bool is_in_place,
                  struct pairing *pairing)
{
    const bool aligned = broadcast(count, shape, is_in_place, &pairing->result);

    pairing->outcome = aligned ? BROADCASTS : FALLS_BACK;
    for (int32_t k = 0; !aligned && k < count; k++)
        if (pairing_count(shape[k]) != pairing_count(shape[0]))
            pairing->outcome = IS_REFUSED;
    if (!aligned)
        pairing->result = *shape[0];
    pairing->count = pairing_count(&pairing->result);
    for (int32_t k = 0; k < count; k++)
        for (int64_t i = 0; i < pairing->count; i++) {
            int64_t rest = i, place = 0, step = 1;

            for (int32_t d = pairing->result.rank - 1; aligned && d >= 0; d--) {
                const int64_t own = extent_at(shape[k], pairing->result.rank, d);

                place += own == 1 ? 0 : rest % pairing->result.extent[d] * step;
                rest /= pairing->result.extent[d];
                step *= own;
            }
            pairing->index[k][i] = aligned ? place : i;
        }
}
