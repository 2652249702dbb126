/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the tests of files: a folder of their own, errors, what a file has left.
 */
#ifndef BROADLOOM_TESTS_TH_FILES_H
#define BROADLOOM_TESTS_TH_FILES_H

#include <TH/TH.h>
#include <setjmp.h>
#include <unistd.h>

#include "harness/tap.h"

/* A new folder, and a file in it. */
static char folder[] = "/tmp/th_files.XXXXXX";
static char path[64];

static jmp_buf refused;
static int is_refusal;
static char said[512];

static void note_argument(int argument, const char *message, void *data)
{
    (void)argument;
    (void)data;
    snprintf(said, sizeof said, "%s", message);
    if (is_refusal)
        longjmp(refused, 1);
    tap_ok(0, "an error: %s", message);
    exit(tap_done());
}

static void note_error(const char *message, void *data)
{
    note_argument(0, message, data);
}

/* Whether `call` is refused with a message that begins with the text. */
#define REFUSED(call, ...)                                                             \
    do {                                                                               \
        char want_[256];                                                               \
                                                                                       \
        snprintf(want_, sizeof want_, __VA_ARGS__);                                    \
        said[0] = '\0';                                                                \
        is_refusal = 1;                                                                \
        if (!setjmp(refused))                                                          \
            call;                                                                      \
        is_refusal = 0;                                                                \
        if (!tap_ok(strncmp(said, want_, strlen(want_)) == 0, "refused: %s", want_))   \
            tap_note("said: %s", said);                                                \
    } while (0)

/* Whether this is what the file has left. */
static inline int rest_is(THFile *file, const char *want)
{
    char *rest;
    const size_t length = THFile_readStringRaw(file, "*a", &rest);
    const int same = length == strlen(want) && rest && memcmp(rest, want, length) == 0;

    if (!same)
        tap_note("there is: %s", rest ? rest : "nothing");
    THFree(rest);
    return same;
}

/* Make the folder, and handle errors. */
static inline int begin(void)
{
    if (!mkdtemp(folder))
        return 0;
    snprintf(path, sizeof path, "%s/file", folder);
    THSetErrorHandler(note_error, NULL);
    THSetArgErrorHandler(note_argument, NULL);
    return 1;
}

/* Remove the folder. */
static inline int end(void)
{
    unlink(path);
    rmdir(folder);
    return tap_done();
}

#endif
