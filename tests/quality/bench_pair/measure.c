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

#include <sys/resource.h>
#include <time.h>

#include "measure.h"
#include "median.h"

/* A trial is of at least so many nanoseconds; so often it is repeated if disturbed. */
enum { TRIAL = 300000, ATTEMPTS = 4 };

/* So often the libraries take turns; where a call is many trials long, less often. */
enum { TURNS = 3, LARGE_TURNS = 2 };

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

/* Trials in turns; the times of the libraries' faster ones. */
static bool take_turns(const struct operation *operation, long times, int first,
                       double best[LIBRARIES])
{
    const int second = first == OLD ? NEW : OLD;
    const int order[] = {first, second, second, first};
    bool pass = true;

    for (int t = 0; t < 4; t++) {
        const double time = try(operation, order[t], times);

        if (t < LIBRARIES || time < best[order[t]])
            best[order[t]] = time;
        pass = pass && time > 0;
    }
    return pass;
}

bool measure(const struct operation *operation, double *old, double *ratio)
{
    const long times = calls_of_trial(operation);
    const int turns = operation->is_large ? LARGE_TURNS : TURNS;
    double ratios[TURNS], olds[TURNS];
    bool pass = times > 0;

    for (int k = 0; k < turns && pass; k++) {
        double best[LIBRARIES];

        pass = take_turns(operation, times, k % LIBRARIES, best);
        ratios[k] = best[OLD] / best[NEW];
        olds[k] = best[OLD];
    }
    if (pass) {
        *ratio = median(ratios, turns);
        *old = median(olds, turns) / (double)times / (double)operation->elements;
    }
    return pass;
}
