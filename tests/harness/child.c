/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a function in a child process and reads its output through a pipe.
 */
#define _POSIX_C_SOURCE 200809L

#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static char answer[2048];

static void answer_and_exit(examine *look, int end)
{
    struct bli_text text;

    bli_text_open(&text, answer, sizeof answer);
    look(&text);
    _exit(write(end, answer, strlen(answer)) < 0);
}

static void listen(int end)
{
    size_t length = 0;
    ssize_t got;

    while ((got = read(end, answer + length, sizeof answer - 1 - length)) > 0)
        length += (size_t)got;
    answer[length] = '\0';
}

const char *child_run(const char *variable, const char *value, examine *look)
{
    int ends[2], status = 0;

    fflush(stdout);
    if (pipe(ends) != 0)
        return "no pipe";
    const pid_t child = fork();

    if (child == 0) {
        if (variable)
            setenv(variable, value, 1);
        answer_and_exit(look, ends[1]);
    }
    close(ends[1]);
    listen(ends[0]);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        snprintf(answer, sizeof answer, "the child ended with status %d", status);
    return answer;
}

void child_expect(const char *what, const char *text, const char *want)
{
    if (!tap_ok(strcmp(text, want) == 0, "%s: %s", what, want))
        tap_note("got: %s", text);
}
