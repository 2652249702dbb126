/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The comparison of cells over several rounds.
 */
#ifndef BENCH_PAIR_COMPARE_H
#define BENCH_PAIR_COMPARE_H

#include "report.h"
#include "round.h"

enum { MAX_ROUNDS = 99 };

/*
 * Measure cells in so many rounds, and those below SLOW again.  On failure there is a
 * message on stderr; returns false.
 */
bool compare_cells(const struct round_settings *settings, int rounds,
                   struct result *result, int count);

#endif
