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
    const struct pair *pair;
    const struct shape *shape;
    double nanoseconds;
    int measured;          /* so often */
    double ratio[REPEATS]; /* ascending */
};

/*
 * Print means and lists of slow cells.  Returns whether all bounds are kept: the mean
 * is at least 1, to two decimals; no cell is below VERY_SLOW, and at most one in fifty
 * below SLOW, each in all its measurements; no shape's and no dtype's mean is below
 * 0.97.
 */
bool report(FILE *file, const struct result *result, int count);

/* Print one line of each cell, of fields separated by tabs. */
void report_tsv(FILE *file, const struct result *result, int count);

/* The ratio of a cell that was measured several times: the middle one. */
double result_ratio(const struct result *result);

#endif
