/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The odometer: a position in nested loops, as the index of every loop and the
 * addresses of the operands there.  Everything that counts loops uses it: walks of
 * nests, tiles, prefetching, and elements that are computed one after the other.
 */
#ifndef BLI_ODOMETER_H
#define BLI_ODOMETER_H

#include "shape/shape.h"

/* The loops that an odometer counts, innermost first. */
struct bli_loops {
    int32_t count;
    int32_t operands;
    const int64_t *extent;
    const int64_t *stride; /* bytes of operand k in loop i: stride[i * pitch + k] */
    int64_t pitch;
    const int64_t *step; /* iterations that each loop advances by; NULL: one */
};

/*
 * Go from the first iteration of all loops to iteration `at`: set the indices and move
 * the addresses.
 */
static inline void bli_loops_go_to(const struct bli_loops *loops, int64_t *index,
                                   char **data, int64_t at)
{
    for (int32_t i = 0; i < loops->count; i++) {
        if (at == 0) {
            index[i] = 0;
            continue;
        }
        index[i] = at % loops->extent[i];
        at /= loops->extent[i];
        for (int32_t k = 0; k < loops->operands; k++)
            data[k] += index[i] * loops->stride[i * loops->pitch + k];
    }
}

/*
 * Advance by `steps` iterations of loop `loop`, at most to its end, carrying into the
 * loops outside it.  Returns false behind the last iteration of all loops: indices and
 * addresses are those of the first one again.
 */
static inline bool bli_loops_advance(const struct bli_loops *loops, int64_t *index,
                                     char **data, int32_t loop, int64_t steps)
{
    for (int32_t i = loop; i < loops->count; i++) {
        const bool carries = index[i] + steps >= loops->extent[i];
        const int64_t moved = carries ? -index[i] : steps;

        for (int32_t k = 0; k < loops->operands; k++)
            data[k] += moved * loops->stride[i * loops->pitch + k];
        index[i] += moved;
        if (!carries)
            return true;
        steps = loops->step && i + 1 < loops->count ? loops->step[i + 1] : 1;
    }
    return false;
}

/* ---- nests ---- */

struct bli_odometer {
    char *data[BLI_MAX_OPERANDS];
    int64_t index[BL_MAX_RANK];
};

/* The loops of a nest, with all of its operands. */
static inline struct bli_loops bli_nest_loops(const struct bli_nest *nest)
{
    return (struct bli_loops){.count = nest->loops,
                              .operands = nest->operands,
                              .extent = nest->extent,
                              .stride = nest->stride[0],
                              .pitch = BLI_MAX_OPERANDS};
}

/*
 * Set the odometer to iteration `at`, with operands at `data` before the nest's
 * offsets.
 */
static inline void bli_odometer_set(struct bli_odometer *o, const struct bli_nest *nest,
                                    char *const *data, int64_t at)
{
    const struct bli_loops loops = bli_nest_loops(nest);

    for (int32_t k = 0; k < nest->operands; k++)
        o->data[k] = data[k] + nest->offset[k];
    bli_loops_go_to(&loops, o->index, o->data, at);
}

/* Advance by `steps` in loop `loop`, carrying into the loops outside it. */
static inline void bli_odometer_advance(struct bli_odometer *o,
                                        const struct bli_nest *nest, int32_t loop,
                                        int64_t steps)
{
    const struct bli_loops loops = bli_nest_loops(nest);

    (void)bli_loops_advance(&loops, o->index, o->data, loop, steps);
}

/* Return whether all loops inside `loop` are at index 0. */
static inline bool bli_odometer_is_aligned(const struct bli_odometer *o, int32_t loop)
{
    bool aligned = true;

    for (int32_t i = 0; aligned && i < loop; i++)
        aligned = o->index[i] == 0;
    return aligned;
}

/*
 * Return the address of operand `k` at iteration `at`; `data` is its address before the
 * nest's offsets.
 */
static inline char *bli_nest_address(const struct bli_nest *nest, char *data, int32_t k,
                                     int64_t at)
{
    const struct bli_loops loops = {.count = nest->loops,
                                    .operands = 1,
                                    .extent = nest->extent,
                                    .stride = &nest->stride[0][k],
                                    .pitch = BLI_MAX_OPERANDS};
    int64_t index[BL_MAX_RANK];

    data += nest->offset[k];
    bli_loops_go_to(&loops, index, &data, at);
    return data;
}

#endif
