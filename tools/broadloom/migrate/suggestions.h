/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to write instead of a call that broadcasting changes.
 */
#ifndef SUGGESTIONS_H
#define SUGGESTIONS_H

#include "findings.h"
#include "kinds.h"

enum { SUGGESTION_SIZE = 512 };

struct suggestion {
    char keep[SUGGESTION_SIZE];      /* for the result that pairing as 1-D gave */
    char broadcast[SUGGESTION_SIZE]; /* for what broadcasting gives; "" where it is
                                        wrong */
};

/* "operand 2: unsqueeze(1)", from the shapes of the worst call; "" where they are cut.
 */
void suggestion_find(const struct finding *finding, struct suggestion *suggestion);

/*
 * The next kind of calls, the first with `*at` as finding->kinds, that another
 * suggestion keeps as it was than the worst and those before.  False where there is
 * none.
 */
bool suggestion_next(const struct finding *finding, const char **at,
                     char shapes[KIND_SIZE], struct suggestion *suggestion);

#endif
