/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model of which elements were paired in PyTorch 0.2 and 0.3, independent of the
 * library.
 */
#ifndef TESTS_PAIRING_MODEL_H
#define TESTS_PAIRING_MODEL_H

#include "harness/shapes.h"

enum { PAIRING_OPERANDS = 3, PAIRING_MOST = 36 };

enum outcome { BROADCASTS, FALLS_BACK, IS_REFUSED };

/*
 * The result, of at most PAIRING_MOST elements, and for each the index in every
 * operand.
 */
struct pairing {
    enum outcome outcome;
    struct shape result;
    int64_t count;
    int64_t index[PAIRING_OPERANDS][PAIRING_MOST];
};

/* Number of elements of a shape. */
int64_t pairing_count(const struct shape *shape);

void pairing_find(int32_t count, const struct shape *const *shape, bool is_in_place,
                  struct pairing *pairing);

#endif
