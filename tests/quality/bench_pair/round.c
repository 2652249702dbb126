/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds: both sides of the pipe between the program and the one that it starts, which
 * gets the cells as text: bench_pair --round NUMBER THREADS CELL,... OLD NEW
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "round.h"

enum { ROUND = 1, NUMBER, THREADS, CELLS, PATHS, ARGUMENTS = PATHS + LIBRARIES };

/* What the heap begins with, in each round so many bytes more. */
enum { PADDING = 336 };

/* Does not return. */
static void start(const struct round_settings *settings, int number, char *cells,
                  const int *pipe)
{
    char threads[16], parity[16];
    char *const arguments[] = {"bench_pair",
                               "--round",
                               parity,
                               threads,
                               cells,
                               (char *)(uintptr_t)settings->path[OLD],
                               (char *)(uintptr_t)settings->path[NEW],
                               NULL};

    snprintf(parity, sizeof parity, "%d", number);
    snprintf(threads, sizeof threads, "%d", settings->threads);
    dup2(pipe[1], STDOUT_FILENO);
    close(pipe[0]);
    close(pipe[1]);
    execv("/proc/self/exe", arguments);
    perror("bench_pair");
    _exit(1);
}

/* Read the samples of the cells; returns whether they were all there. */
static bool read_samples(FILE *file, const int *cell, int count, struct sample *sample)
{
    int read = 0;

    while (read < count &&
           fscanf(file, "%d %lf %lf", &sample[read].cell, &sample[read].nanoseconds,
                  &sample[read].ratio) == 3 &&
           sample[read].cell == cell[read])
        read++;
    return read == count;
}

bool round_run(const struct round_settings *settings, int number, const int *cell,
               int count, struct sample *sample)
{
    char *const cells = malloc((size_t)count * 8 + 1);
    size_t length = 0;
    int ends[2], status = 1;

    if (cells == NULL || pipe(ends) != 0) {
        perror("bench_pair");
        free(cells);
        return false;
    }
    for (int k = 0; k < count; k++)
        length += (size_t)snprintf(cells + length, 8, "%d,", cell[k]);

    const pid_t child = fork();

    if (child == 0)
        start(settings, number, cells, ends);
    close(ends[1]);

    FILE *const file = fdopen(ends[0], "r");
    const bool pass = file != NULL && read_samples(file, cell, count, sample);

    if (file != NULL)
        fclose(file);
    free(cells);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && pass;
}

bool round_is_meant(int argc, char **argv)
{
    return argc == ARGUMENTS && strcmp(argv[ROUND], "--round") == 0;
}

static bool measure_cell(const struct library *library, int first, int cell)
{
    struct operation operation;
    double old, ratio;

    if (!operation_begin(library, first, &pairs[cell / SHAPES], &shapes[cell % SHAPES],
                         &operation))
        return false;

    const bool pass = measure(&operation, &old, &ratio);

    operation_end(&operation);
    return pass && printf("%d %.9g %.9g\n", cell, old, ratio) > 0;
}

int round_main(char **argv)
{
    static struct library library[LIBRARIES];
    const int number = (int)strtol(argv[NUMBER], NULL, 10);
    const int first = number % LIBRARIES;
    const int32_t threads = (int32_t)strtol(argv[THREADS], NULL, 10);
    void *const padding = malloc((size_t)(number * PADDING));
    bool pass = padding != NULL;

    for (int k = 0; k < LIBRARIES && pass; k++) {
        const int which = (first + k) % LIBRARIES;

        pass = library_open(argv[PATHS + which], threads, &library[which]);
    }
    for (char *list = argv[CELLS]; *list != '\0' && pass; list += *list == ',')
        pass = measure_cell(library, first, (int)strtol(list, &list, 10));
    free(padding);
    return fflush(stdout) != 0 || !pass;
}
