/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the tests of files: a folder of their own, what a file has left.
 */
#ifndef BROADLOOM_TESTS_TH_FILES_H
#define BROADLOOM_TESTS_TH_FILES_H

#include "harness/scratch.h"
#include "th/kit.h"

/* A new folder, and a file in it. */
static char folder[SCRATCH_BYTES];
static char path[SCRATCH_BYTES + sizeof "/file"];

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
    scratch_name(folder, "th_files");
    if (!mkdtemp(folder))
        return 0;
    snprintf(path, sizeof path, "%s/file", folder);
    handle_errors();
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
