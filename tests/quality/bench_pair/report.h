/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ratios of all cells say: means, slow cells, and whether bounds are kept.
 */
#ifndef BENCH_PAIR_REPORT_H
#define BENCH_PAIR_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cells.h"

/* A cell below SLOW is measured REPEATS times, the first time included. */
enum { REPEATS = 3 };
#define SLOW      0.95
#define VERY_SLOW 0.90

struct result {
    int cell;
    double nanoseconds;
    int measured;          /* so often */
    double ratio[REPEATS]; /* ascending */
};

/* Whether all measurements, of which there may be none yet, are below a bound. */
bool result_is_below(const struct result *result, double bound);

/*
 * Print means, of a cell that was measured several times with its middle ratio, and
 * lists of slow cells.  Returns whether all bounds are kept: the mean is at least 1, to
 * two decimals; no cell is below VERY_SLOW, and at most one in fifty below SLOW, each
 * in all its measurements; no shape's and no dtype's mean is below 0.97.
 */
bool report(FILE *file, const struct result *result, int count);

/* Print one line of each cell, of fields separated by tabs. */
void report_tsv(FILE *file, const struct result *result, int count);

/* Print one line of each cell. */
void report_cells(FILE *file, const struct result *result, int count);

#endif
