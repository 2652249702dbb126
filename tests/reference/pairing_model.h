/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which elements met under the rules of PyTorch 0.2 and 0.3, worked out anew.
 */
#ifndef TESTS_PAIRING_MODEL_H
#define TESTS_PAIRING_MODEL_H

#include "harness/shapes.h"

enum { PAIRING_OPERANDS = 3, PAIRING_MOST = 36 };

enum outcome { BROADCASTS, FALLS_BACK, IS_REFUSED };

/* The result, of at most PAIRING_MOST elements, and for each of them an operand's. */
struct pairing {
    enum outcome outcome;
    struct shape result;
    int64_t count;
    int64_t index[PAIRING_OPERANDS][PAIRING_MOST];
};

/* How many elements a shape has. */
int64_t pairing_count(const struct shape *shape);

void pairing_find(int32_t count, const struct shape *const *shape, bool is_in_place,
                  struct pairing *pairing);

#endif
