/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws a progress bar from a private thread, so that it moves during a long step.
 */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 40, FIRST_MS = 1000, PERIOD_MS = 200 };

struct progress {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;
    int64_t steps, done;
    bool is_over;
};

static struct timespec later(int milliseconds)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000L;
    if (time.tv_nsec >= 1000000000L) {
        time.tv_nsec -= 1000000000L;
        time.tv_sec++;
    }
    return time;
}

/* Draw one frame: a bar for the completed steps, the current step, the elapsed time. */
static void draw(const struct progress *progress, double seconds)
{
    const int filled = (int)(progress->done * WIDTH / progress->steps);
    const int64_t step = progress->done + (progress->done < progress->steps);
    char bar[WIDTH + 1];

    for (int k = 0; k < WIDTH; k++)
        bar[k] = k < filled ? '=' : k == filled ? '>' : ' ';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] step %lld of %lld, %.0f s", bar, (long long)step,
            (long long)progress->steps, seconds);
    fflush(stderr);
}

static void *watch(void *argument)
{
    struct progress *const progress = argument;
    int elapsed = 0, wait = FIRST_MS;

    pthread_mutex_lock(&progress->lock);
    while (!progress->is_over) {
        const struct timespec until = later(wait);
        int woken = 0;

        while (!progress->is_over && woken == 0)
            woken = pthread_cond_timedwait(&progress->wake, &progress->lock, &until);
        elapsed += wait;
        wait = PERIOD_MS;
        if (!progress->is_over)
            draw(progress, elapsed / 1000.0);
    }
    if (elapsed > FIRST_MS) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

struct progress *progress_start(int64_t steps)
{
    struct progress *progress;

    if (steps < 1 || !isatty(STDERR_FILENO))
        return NULL;
    progress = calloc(1, sizeof *progress);
    if (!progress)
        return NULL;
    progress->steps = steps;
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->wake, NULL);
    if (pthread_create(&progress->thread, NULL, watch, progress) != 0) {
        pthread_cond_destroy(&progress->wake);
        pthread_mutex_destroy(&progress->lock);
        free(progress);
        return NULL;
    }
    return progress;
}

void progress_update(struct progress *progress, int64_t done)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->done = done;
    pthread_mutex_unlock(&progress->lock);
}

void progress_finish(struct progress *progress)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->is_over = true;
    pthread_cond_signal(&progress->wake);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
}
