/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds, each in a process of its own: where the system puts code, stack and heap
 * makes differences of several per cent between equal builds, and differs for each.
 */
#ifndef BENCH_PAIR_ROUND_H
#define BENCH_PAIR_ROUND_H

#include "library.h"

/* One line of a round's output. */
struct sample {
    int cell;
    double nanoseconds; /* of the old library for one element */
    double ratio;       /* of speeds, new to old */
};

struct round_settings {
    const char *path[LIBRARIES];
    int threads; /* of large cells */
};

/*
 * Start this program again to measure `count` cells, and read a sample of each.  The
 * libraries are loaded in the order of their names where `number` is even, else the
 * other way round.  On failure there is a message on stderr; returns false.
 */
bool round_run(const struct round_settings *settings, int number, const int *cell,
               int count, struct sample *sample);

/*
 * Whether these are the arguments of a program that round_run() started: then
 * round_main() is all that it does, and returns its exit status.
 */
bool round_is_meant(int argc, char **argv);
int round_main(char **argv);

#endif
