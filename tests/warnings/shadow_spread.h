/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tests of marks share: a result that differs, and how far it was followed.
 */
#ifndef TESTS_SHADOW_SPREAD_H
#define TESTS_SHADOW_SPREAD_H

#include <stdio.h>
#include <string.h>

#include "harness/tap.h"
#include "shadow.h"

/* ---- what was found at the place of differ() ---- */

struct spread {
    int64_t spread, forgotten;
    char reads[4000];
};

static inline bool take_spread(void *user, const bl_warning_site *site)
{
    struct spread *const spread = user;

    spread->spread += site->spread;
    spread->forgotten += site->forgotten;
    snprintf(spread->reads, sizeof spread->reads, "%s", site->reads ? site->reads : "");
    return true;
}

static inline struct spread spread_now(void)
{
    struct spread spread = {0};

    bl_warnings_visit(take_spread, &spread);
    return spread;
}

/* A tensor of 4 x 4 elements, of which 12 differ, or none. */
static inline bl_tensor *make(bool differs)
{
    static float same[4] = {1, 1, 1, 1};
    const bl_array a = {left, BL_DTYPE_F32, 2, column, NULL, 0};
    const bl_array b = {differs ? right : same, BL_DTYPE_F32, 1, row, NULL, 0};
    bl_tensor *out = NULL;

    bl_call_site_enter("differ.c", 1);
    return bl_call_site_leave(bl_sub(NULL, &a, &b, &out)) == BL_OK ? out : NULL;
}

/* Ask for the address of a tensor's elements, at a line. */
static inline void look(const bl_tensor *tensor, int32_t line)
{
    bl_call_site_enter("look.c", line);
    (void)!bl_tensor_data(tensor);
    BL_IGNORE(bl_call_site_leave(BL_OK));
}

/* Whether so many results were computed from differing ones, and these reads seen. */
static inline bool is_spread(int64_t spread, const char *reads)
{
    const struct spread found = spread_now();

    if (found.spread == spread && strcmp(found.reads, reads) == 0)
        return true;
    tap_note("%d results, \"%s\"", (int)found.spread, found.reads);
    return false;
}

/* Count the entries of a list that begin so. */
static inline int count_entries(const char *list, const char *begin)
{
    int count = strncmp(list, begin, strlen(begin)) == 0;

    while ((list = strstr(list, "; ")))
        count += strncmp(list += 2, begin, strlen(begin)) == 0;
    return count;
}

#endif
