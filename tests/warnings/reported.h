/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call whose result broadcasting changes, reports of it, and what they say.
 */
#ifndef TESTS_REPORTED_H
#define TESTS_REPORTED_H

#include <broadloom/warnings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

/* Call (4,1) + (4). */
static inline bl_status call(void)
{
    static const int64_t column[2] = {4, 1}, vector[1] = {4}, whole[2] = {4, 4};
    static float x[4], y[4], w[16];
    const bl_array a = {.data = x, .dtype = BL_DTYPE_F32, .rank = 2, .extent = column};
    const bl_array v = {.data = y, .dtype = BL_DTYPE_F32, .rank = 1, .extent = vector};
    const bl_array out = {.data = w, .dtype = BL_DTYPE_F32, .rank = 2, .extent = whole};

    return bl_add_out(NULL, &out, &a, &v);
}

/* Do so as if from that line. */
static inline bool call_from(int32_t line)
{
    bl_call_site_enter("report.c", line);
    return bl_call_site_leave(call()) == BL_OK;
}

/* Number of calls in a report; -1 where it is none, or incomplete. */
static inline int count_in(FILE *file)
{
    char line[1000];
    int calls = 0;

    if (!file)
        return -1;
    while (calls >= 0 && fgets(line, sizeof line, file)) {
        const char *const count = strstr(line, "\"count\": ");
        const bool is_whole = line[0] == '{' && strstr(line, "}\n");

        calls = count && is_whole ? calls + atoi(count + 9) : -1;
    }
    fclose(file);
    return calls;
}

static inline int calls_of(const char *path)
{
    return count_in(fopen(path, "r"));
}

static inline bool writes(const char *path)
{
    const bl_status status = bl_warnings_write(path);

    if (status != BL_OK)
        tap_note("%s", bl_error_message());
    return status == BL_OK;
}

#endif
