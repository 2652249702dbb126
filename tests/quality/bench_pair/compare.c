/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cell's ratio is the median of its rounds'; what is slow by that is measured again,
 * in more rounds.
 */
#include "compare.h"
#include "median.h"

enum { ROUNDS_AGAIN = 15 };

/* Add a ratio, in order. */
static void add_ratio(struct result *result, double ratio)
{
    int k = result->measured++;

    for (; k > 0 && result->ratio[k - 1] > ratio; k--)
        result->ratio[k] = result->ratio[k - 1];
    result->ratio[k] = ratio;
}

static void add_samples(struct result *result, const struct sample *sample, int rounds)
{
    double ratio[MAX_ROUNDS], nanoseconds[MAX_ROUNDS];

    for (int r = 0; r < rounds; r++) {
        ratio[r] = sample[r * MAX_CELLS].ratio;
        nanoseconds[r] = sample[r * MAX_CELLS].nanoseconds;
    }
    add_ratio(result, median(ratio, rounds));
    result->nanoseconds = median(nanoseconds, rounds);
}

/* Measure those cells that are below SLOW in all measurements so far. */
static bool measure_slow(const struct round_settings *settings, int rounds,
                         struct result *result, int count)
{
    static int cell[MAX_CELLS];
    static struct sample sample[MAX_ROUNDS][MAX_CELLS];
    struct result *slow[MAX_CELLS];
    int due = 0;

    for (int k = 0; k < count; k++) {
        if (result_is_below(&result[k], SLOW)) {
            cell[due] = result[k].cell;
            slow[due++] = &result[k];
        }
    }
    for (int r = 0; r < rounds && due > 0; r++) {
        printf("# round %d of %d, %d cells\n", r + 1, rounds, due);
        fflush(stdout);
        if (!round_run(settings, r, cell, due, sample[r]))
            return false;
    }
    for (int k = 0; k < due; k++)
        add_samples(slow[k], &sample[0][k], rounds);
    return true;
}

bool compare_cells(const struct round_settings *settings, int rounds,
                   struct result *result, int count)
{
    bool pass = measure_slow(settings, rounds, result, count);

    for (int k = 1; k < REPEATS && pass; k++)
        pass = measure_slow(settings, ROUNDS_AGAIN, result, count);
    return pass;
}
