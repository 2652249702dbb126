/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that expressions of the library do not have: distances, sums to a shape,
 * selection by masks.
 */
#ifndef EXTRA_CALLS_H
#define EXTRA_CALLS_H

#include "evaluation.h"

/* Whether a text has calls of these functions. */
bool extra_calls_are_in(const char *text);

/*
 * Compute these calls, innermost first, and replace each in `text` by the name of its
 * result, a new name of the evaluation, and blanks: the places of everything else stay.
 * Their arguments name no values of statements.
 */
bl_status extra_calls_replace(struct evaluation *evaluation, char *text);

/* Whether `name` stands in a text as a word. */
bool text_has_word(const char *text, const char *name);

#endif
