/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The odometer: counts the loops outside the kernel's two.  Division happens once a
 * range, to find where it begins; after that every step is an addition.
 */
#include "exec/walk.h"

struct odometer {
    char *data[BLI_MAX_OPERANDS];
    int64_t index[BL_MAX_RANK];
};

/* Put the odometer at iteration `at`. */
static void set_odometer(struct odometer *o, const struct bli_nest *nest,
                         char *const *data, int64_t at)
{
    for (int32_t k = 0; k < nest->operands; k++)
        o->data[k] = data[k] + nest->offset[k];
    for (int32_t i = 0; i < nest->loops; i++) {
        o->index[i] = at % nest->extent[i];
        at /= nest->extent[i];
        for (int32_t k = 0; k < nest->operands; k++)
            o->data[k] += o->index[i] * nest->stride[i][k];
    }
}

/* Go `steps` further in loop `loop`, carrying into the loops outside it. */
static void advance(struct odometer *o, const struct bli_nest *nest, int32_t loop,
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

void bli_walk(const struct bli_nest *nest, bli_kernel *kernel, char *const *data,
              bl_range range)
{
    const int64_t row = nest->extent[0];
    int64_t left = range.end - range.begin;
    struct odometer o;

    if (left <= 0)
        return;
    set_odometer(&o, nest, data, range.begin);
    while (left > 0) {
        if (o.index[0] != 0 || left < row) {
            /* Part of a row: up to its end, or to the end of the range. */
            const int64_t rest = row - o.index[0];
            const int64_t inner = rest < left ? rest : left;

            kernel(o.data, nest->stride, inner, 1, NULL);
            advance(&o, nest, 0, inner);
            left -= inner;
        } else {
            /* Whole rows: as many as this turn of the second loop has. */
            const int64_t rest = nest->extent[1] - o.index[1];
            const int64_t outer = rest < left / row ? rest : left / row;

            kernel(o.data, nest->stride, row, outer, NULL);
            advance(&o, nest, 1, outer);
            left -= outer * row;
        }
    }
}

const char *bli_walk_address(const struct bli_nest *nest, const char *data, int32_t k,
                             int64_t at)
{
    data += nest->offset[k];
    for (int32_t i = 0; i < nest->loops; i++) {
        data += at % nest->extent[i] * nest->stride[i][k];
        at /= nest->extent[i];
    }
    return data;
}
