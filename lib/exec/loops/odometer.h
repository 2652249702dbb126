/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The odometer: a position in a loop nest, as the index of every loop and the addresses
 * of the operands there.
 */
#ifndef BLI_ODOMETER_H
#define BLI_ODOMETER_H

#include "shape/shape.h"

struct bli_odometer {
    char *data[BLI_MAX_OPERANDS];
    int64_t index[BL_MAX_RANK];
};

/*
 * Set the odometer to iteration `at`, with operands at `data` before the nest's
 * offsets.
 */
static inline void bli_odometer_set(struct bli_odometer *o, const struct bli_nest *nest,
                                    char *const *data, int64_t at)
{
    for (int32_t k = 0; k < nest->operands; k++)
        o->data[k] = data[k] + nest->offset[k];
    for (int32_t i = 0; i < nest->loops; i++) {
        if (at == 0) {
            o->index[i] = 0;
            continue;
        }
        o->index[i] = at % nest->extent[i];
        at /= nest->extent[i];
        for (int32_t k = 0; k < nest->operands; k++)
            o->data[k] += o->index[i] * nest->stride[i][k];
    }
}

/* Advance by `steps` in loop `loop`, carrying into the loops outside it. */
static inline void bli_odometer_advance(struct bli_odometer *o,
                                        const struct bli_nest *nest, int32_t loop,
                                        int64_t steps)
{
    for (int32_t i = loop; i < nest->loops; i++) {
        const bool carries = o->index[i] + steps == nest->extent[i];
        const int64_t moved = carries ? -o->index[i] : steps;

        for (int32_t k = 0; k < nest->operands; k++)
            o->data[k] += moved * nest->stride[i][k];
        o->index[i] += moved;
        if (!carries)
            return;
        steps = 1;
    }
}

/* Return whether all loops inside `loop` are at index 0. */
static inline bool bli_odometer_is_aligned(const struct bli_odometer *o, int32_t loop)
{
    bool aligned = true;

    for (int32_t i = 0; aligned && i < loop; i++)
        aligned = o->index[i] == 0;
    return aligned;
}

#endif
