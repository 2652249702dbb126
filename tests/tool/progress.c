/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool's progress bar fits into the terminal, or is not drawn.
 */
#define _GNU_SOURCE

#include "tools/broadloom/progress.c"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "harness/tap.h"

/* A terminal, and the width of what must be drawn on it; 0: nothing. */
static const struct terminal {
    unsigned short columns;
    const char *type;
    int64_t steps;
    int width;
} terminals[] = {
    {200, "xterm", 100, 62},
    {0, "xterm", 100, 62},
    {45, "xterm", 100, 44},
    {30, "xterm", 100, 29},
    {29, "xterm", 100, 0},
    {200, "dumb", 100, 0},
    {30, "xterm", INT64_C(1000000000000000), 29},
};

enum { TERMINALS = sizeof terminals / sizeof terminals[0] };

/* Open a terminal for a process that draws on it; returns where one reads it, or -1. */
static int start(const struct terminal *terminal)
{
    const struct winsize size = {.ws_row = 24, .ws_col = terminal->columns};
    const struct timespec wait = {.tv_sec = 1, .tv_nsec = 300000000};
    const int own = posix_openpt(O_RDWR | O_NOCTTY);
    int theirs = -1;

    if (own >= 0 && grantpt(own) == 0 && unlockpt(own) == 0)
        theirs = open(ptsname(own), O_RDWR | O_NOCTTY);
    if (theirs < 0 || ioctl(theirs, TIOCSWINSZ, &size) != 0)
        return -1;
    if (fork() == 0) {
        struct progress *progress;

        dup2(theirs, STDERR_FILENO);
        setenv("TERM", terminal->type, 1);
        progress = progress_start(terminal->steps);
        progress_update(progress, terminal->steps / 2);
        nanosleep(&wait, NULL);
        progress_finish(progress);
        _exit(0);
    }
    close(theirs);
    return own;
}

/* The longest line that was drawn, without what removes it; -1 where that is missing.
 */
static int width_of(int file)
{
    char text[4000] = "", *at = text;
    size_t used = 0;
    ssize_t size;
    int width = 0;

    while (used < sizeof text - 1 &&
           (size = read(file, text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)size;
    if (used == 0)
        return 0;
    while (strncmp(at, "\r\033[K", 4) != 0) {
        const int length = (int)strcspn(at + 1, "\r");

        if (*at != '\r')
            return -1;
        width = length > width ? length : width;
        at += 1 + length;
    }
    return width;
}

int main(void)
{
    int file[TERMINALS];

    tap_plan();
    fflush(stdout);
    for (int k = 0; k < TERMINALS; k++)
        file[k] = start(&terminals[k]);
    while (wait(NULL) > 0) {
    }
    for (int k = 0; k < TERMINALS; k++) {
        const struct terminal *const terminal = &terminals[k];
        const int width = file[k] >= 0 ? width_of(file[k]) : 0;

        if (file[k] < 0)
            tap_skip("no terminal can be made", "a bar on a terminal");
        else
            tap_ok(width == terminal->width,
                   "%d columns of %s, %lld steps: %d are drawn, expected %d",
                   terminal->columns, terminal->type, (long long)terminal->steps, width,
                   terminal->width);
    }
    return tap_done();
}
