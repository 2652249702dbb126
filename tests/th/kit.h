/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the tests of TH: refused calls, drawn numbers, what other threads run.
 */
#ifndef BROADLOOM_TESTS_TH_KIT_H
#define BROADLOOM_TESTS_TH_KIT_H

#include <TH/TH.h>
#include <dirent.h>
#include <setjmp.h>
#include <unistd.h>

#include "harness/tap.h"

/* ---- refused calls ---- */

/* Where a refused call continues, the text of its error, and the number of the argument
 * that it names, or 0. */
static jmp_buf refused;
static int is_refusal, said_argument;
static char said[512];

/* Handlers of errors: one that no test expects ends the program. */
static inline void note_argument(int argument, const char *message, void *data)
{
    (void)data;
    snprintf(said, sizeof said, "%s", message);
    said_argument = argument;
    if (is_refusal)
        longjmp(refused, 1);
    tap_ok(0, "an error: %s", message);
    exit(tap_done());
}

static inline void note_error(const char *message, void *data)
{
    note_argument(0, message, data);
}

static inline void handle_errors(void)
{
    THSetErrorHandler(note_error, NULL);
    THSetArgErrorHandler(note_argument, NULL);
}

/* Do `call`; what it is refused with is in `said`, "" if it is not. */
#define TRY(call)                                                                      \
    do {                                                                               \
        said[0] = '\0';                                                                \
        is_refusal = 1;                                                                \
        if (!setjmp(refused))                                                          \
            call;                                                                      \
        is_refusal = 0;                                                                \
    } while (0)

/* Whether the last error's message begins with `text`, which may begin with the number
 * of the argument that the error names: "2: ...". */
static inline int is_said(const char *text)
{
    int argument, length = 0;

    if (sscanf(text, "%d: %n", &argument, &length) == 1 && length > 0) {
        if (said_argument != argument)
            return 0;
        text += length;
    }
    return strncmp(said, text, strlen(text)) == 0;
}

/* Whether `call` is refused with such a text. */
#define REFUSED_AS(call, text, ...)                                                    \
    do {                                                                               \
        TRY(call);                                                                     \
        if (!tap_ok(is_said(text), __VA_ARGS__))                                       \
            tap_note("said: %d: %s", said_argument, said);                             \
    } while (0)

/* The same, with a text that is formatted and is the test's name. */
#define REFUSED(call, ...)                                                             \
    do {                                                                               \
        char want_[256];                                                               \
                                                                                       \
        snprintf(want_, sizeof want_, __VA_ARGS__);                                    \
        REFUSED_AS(call, want_, "refused: %s", want_);                                 \
    } while (0)

/* ---- numbers ---- */

/* A number from `low` to before `high`; the same numbers in each run. */
static inline int draw(int low, int high)
{
    static uint32_t state = 1;

    state = state * 1664525 + 1013904223;
    return low + (int)((state >> 8) % (uint32_t)(high - low));
}

/* ---- threads ---- */

/* Clock ticks that all other threads that the process has now have run. */
static inline long others_ran(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    const struct dirent *task;
    long total = 0;

    while (tasks && (task = readdir(tasks))) {
        const long number = strtol(task->d_name, NULL, 10);
        char name[64], text[512] = "";
        unsigned long user = 0, kernel = 0;
        FILE *file;

        if (number == 0 || number == getpid())
            continue;
        snprintf(name, sizeof name, "/proc/self/task/%ld/stat", number);
        file = fopen(name, "r");
        if (!file)
            continue;
        if (fgets(text, sizeof text, file) && strrchr(text, ')'))
            sscanf(strrchr(text, ')'),
                   ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                   &kernel);
        fclose(file);
        total += (long)(user + kernel);
    }
    if (tasks)
        closedir(tasks);
    return total;
}

#endif
