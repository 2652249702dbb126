/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of calls at one place, by their shapes, as reports list them: "(4,1) (4) ->
 * (4,4); (4) (4,1) -> (4,4)", with "..." at the end where there were others.
 */
#ifndef KINDS_H
#define KINDS_H

#include "tool.h"

#include <stdio.h>

enum {
    KIND_SIZE = 160,
    KINDS_MOST = 64 /* of one list: of more, the first in order are kept */
};

/* Read the next kind from a list and advance `*at`; false at its end. */
bool kinds_next(const char **at, char shapes[KIND_SIZE]);

/* Number of kinds in a list, and whether it omits others. */
int kinds_count(const char *kinds);
bool kinds_has_more(const char *kinds);

/*
 * Add the kinds of `more` to a list from malloc(); both are sorted.  The result is the
 * same in whatever order lists are joined.  BL_ERR_MEMORY.
 */
bl_status kinds_join(char **kinds, const char *more);

/* Sort a list from malloc(), each kind once. BL_ERR_MEMORY; then it is NULL. */
bl_status kinds_sort(char **kinds);

#endif
