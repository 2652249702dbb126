/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws a progress bar from a private thread, so that it moves during a long step.
 */
#define _DEFAULT_SOURCE /* winsize */

#include "progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Columns of a bar, of a terminal that does not say, and of the least one. */
enum { WIDTH = 40, USUAL = 80, NARROWEST = 30 };

enum { FIRST_MS = 1000, PERIOD_MS = 200 };

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

/* Columns of the terminal; 0: nothing can be drawn there, or it is too narrow. */
static int columns_now(void)
{
    const char *const terminal = getenv("TERM");
    struct winsize size;

    if (terminal && strcmp(terminal, "dumb") == 0)
        return 0;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL;
    return size.ws_col < NARROWEST ? 0 : size.ws_col;
}

/*
 * Draw one frame: a bar for the completed steps, the current step, the elapsed time.
 * The last column stays free, as some terminals go on to the next line behind it.
 */
static void draw(const struct progress *progress, double seconds)
{
    const int64_t step = progress->done + (progress->done < progress->steps);
    const int columns = columns_now();
    char text[100], bar[WIDTH + 1];

    snprintf(text, sizeof text, "step %lld of %lld, %.0f s", (long long)step,
             (long long)progress->steps, seconds);

    const int room = columns - 1 - (int)strlen("[] ") - (int)strlen(text);
    const int width = room < WIDTH ? room : WIDTH;

    if (columns == 0)
        return;
    if (width < 1) {
        fprintf(stderr, "\r%.*s", columns - 1, text);
    } else {
        const int filled = (int)(progress->done * width / progress->steps);

        for (int k = 0; k < width; k++)
            bar[k] = k < filled ? '=' : k == filled ? '>' : ' ';
        fprintf(stderr, "\r[%.*s] %s", width, bar, text);
    }
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
    if (elapsed > FIRST_MS && columns_now() > 0) {
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
