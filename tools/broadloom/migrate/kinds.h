/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of calls at one place, by their shapes, as reports list them: "(4,1) (4) ->
 * (4,4); (4) (4,1) -> (4,4)", with "..." at the end where there were others.
 */
#ifndef KINDS_H
#define KINDS_H

#include "tool.h"

#include <stdio.h>

enum { KIND_SIZE = 160 };

/* Take the next kind from a list, which `*at` is stepped over; false at its end. */
bool kinds_next(const char **at, char shapes[KIND_SIZE]);

/* How many there are, and whether there were others. */
int kinds_count(const char *kinds);
bool kinds_has_more(const char *kinds);

/* Add those of another list to one that malloc() gave.  BL_ERR_MEMORY. */
bl_status kinds_join(char **kinds, const char *more);

#endif
