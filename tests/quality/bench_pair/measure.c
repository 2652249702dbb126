/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trials of the two libraries take turns, old new new old, so that what changes
 * steadily changes both; the faster of a library's two trials counts.
 *
 * Cells of one thread are timed by that thread's processor time, which others do not
 * use, and a trial in which the system took the processor away is repeated: it found
 * its data out of the caches.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "measure.h"

/* A trial is of at least so many nanoseconds; so often it is repeated if disturbed. */
enum { TRIAL = 300000, ATTEMPTS = 8 };

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static long interruptions(bool is_large)
{
    struct rusage usage = {.ru_nivcsw = 0};

    getrusage(is_large ? RUSAGE_SELF : RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/* Nanoseconds of so many calls; 0 if one fails. */
static double try_once(const struct operation *operation, int which, long times,
                       bool *disturbed)
{
    const bool is_large = operation->is_large;
    const clockid_t clock = is_large ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const long before = interruptions(is_large);
    const double begin = now(clock);
    const bool pass = operation_run(operation, which, times);
    const double end = now(clock);

    *disturbed = interruptions(is_large) != before;
    return pass ? end - begin : 0;
}

/* Of undisturbed calls if possible, else the fastest. */
static double try(const struct operation *operation, int which, long times)
{
    bool disturbed = true;
    double best = 0;

    for (int k = 0; k < ATTEMPTS && disturbed; k++) {
        const double time = try_once(operation, which, times, &disturbed);

        if (k == 0 || !disturbed || time < best)
            best = time;
    }
    return best;
}

/* How many calls make a trial; 0 if one fails. */
static long calls_of_trial(const struct operation *operation)
{
    long times = 1;
    double time = try(operation, OLD, times);

    while (time > 0 && time < TRIAL) {
        times *= 2;
        time = try(operation, OLD, times);
    }
    return time > 0 ? times : 0;
}

static int compare(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;

    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

bool measure(const struct operation *operation, int rounds, struct measurement *result)
{
    static const int order[] = {OLD, NEW, NEW, OLD};
    const long times = calls_of_trial(operation);
    double ratio[MAX_ROUNDS], old[MAX_ROUNDS];

    for (int k = 0; k < rounds && times > 0; k++) {
        double best[LIBRARIES] = {0, 0};

        for (int t = 0; t < 4; t++) {
            const double time = try(operation, order[t], times);

            if (time <= 0)
                return false;
            if (t < LIBRARIES || time < best[order[t]])
                best[order[t]] = time;
        }
        ratio[k] = best[OLD] / best[NEW];
        old[k] = best[OLD];
    }
    result->ratio = median(ratio, rounds);
    result->nanoseconds =
        median(old, rounds) / (double)times / (double)operation->elements;
    return times > 0;
}
