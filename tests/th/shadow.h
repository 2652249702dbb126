/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs of TH: what was found at the last place, and tensors whose difference is
 * one as 1-D and another one broadcast.
 */
#ifndef TESTS_TH_SHADOW_H
#define TESTS_TH_SHADOW_H

#include <TH/TH.h>

#include <math.h>
#include <stdlib.h>

#include <broadloom/shadow.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

/* What was found at the last place. */
static struct {
    int64_t places, compared, elements, differ, spread;
    double max_abs;
    int line;
    char reads[1000];
} found;

static bool take(void *user, const bl_warning_site *site)
{
    (void)user;
    found.places++;
    found.compared += site->compared;
    found.elements += site->elements;
    found.differ += site->differ;
    found.spread += site->spread;
    found.max_abs = fmax(found.max_abs, site->max_abs);
    found.line = site->line;
    snprintf(found.reads, sizeof found.reads, "%s", site->reads ? site->reads : "");
    return true;
}

static void find(void)
{
    memset(&found, 0, sizeof found);
    bl_warnings_visit(take, NULL);
}

/* How often elements were read so, at whatever places. */
static long count_reads(const char *how)
{
    long count = 0;

    for (const char *at = found.reads; at && *at; at = strstr(at, "; ")) {
        const char *end;

        at += at[0] == ';' ? 2 : 0;
        end = strstr(at, "; ");
        if (strncmp(at, how, strlen(how)) == 0) {
            const char *digits = end ? end : strchr(at, '\0');

            while (digits[-1] != ' ')
                digits--;
            count += atol(digits);
        }
    }
    return count;
}

static THFloatTensor *column, *row, *result;

/* column is 0 1 2 3, row is 0 10 20 30, or all of it `same`. */
static void prepare(float same)
{
    bl_warnings_reset();
    column = THFloatTensor_newWithSize2d(4, 1);
    row = THFloatTensor_newWithSize1d(4);
    result = THFloatTensor_new();
    for (long i = 0; i < 4; i++) {
        THFloatTensor_set2d(column, i, 0, (float)i);
        THFloatTensor_set1d(row, i, same != 0 ? same : (float)(10 * i));
    }
}

static void finish(void)
{
    THFloatTensor_free(column);
    THFloatTensor_free(row);
    THFloatTensor_free(result);
}

#endif
