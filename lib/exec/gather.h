/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers few elements by a table of their offsets. */
#ifndef BLI_GATHER_H
#define BLI_GATHER_H

#include "plan/plan.h"

#include <string.h>

/*
 * Gather `count` pieces, BLI_SMALL_BATCH at a time.  Up to three more are copied: the
 * table is padded for them.
 */
static inline void bli_gather_of(char *to, const char *from, const int32_t *at,
                                 int32_t count, size_t size)
{
    for (int32_t i = 0; i < count; i += BLI_SMALL_BATCH, to += BLI_SMALL_BATCH * size) {
        memcpy(to, from + at[i], size);
        memcpy(to + size, from + at[i + 1], size);
        memcpy(to + 2 * size, from + at[i + 2], size);
        memcpy(to + 3 * size, from + at[i + 3], size);
    }
}

/* Gather pieces of `size` bytes; with a constant size each is one move. */
static inline void bli_gather(char *to, const char *from, const int32_t *at,
                              int32_t count, int32_t size)
{
    switch (size) {
    case 1:
        bli_gather_of(to, from, at, count, 1);
        break;
    case 2:
        bli_gather_of(to, from, at, count, 2);
        break;
    case 4:
        bli_gather_of(to, from, at, count, 4);
        break;
    case 8:
        bli_gather_of(to, from, at, count, 8);
        break;
    default:
        bli_gather_of(to, from, at, count, 16);
        break;
    }
}

#endif
