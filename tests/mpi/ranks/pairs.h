/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PAIRS_H
#define TESTS_PAIRS_H

#include <stdbool.h>

/*
 * Whether a sum has the bits of one process: of a line of which the first rank has
 * three nodes of the tree, and one with what the second has.  They are a pair where
 * there are 3 or 5 ranks.
 */
bool sum_of_pairs(void);

#endif
