/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to write instead of a call that broadcasting changes.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "findings.h"
#include "kinds.h"

enum { ADVICE_SIZE = 512 };

struct advice {
    char keep[ADVICE_SIZE];      /* for the result that pairing as 1-D gave */
    char broadcast[ADVICE_SIZE]; /* for what broadcasting gives; "" where it is wrong */
};

/* "operand 2: unsqueeze(1)", from the shapes of the worst call; "" where they are cut.
 */
void advice_find(const struct finding *finding, struct advice *advice);

/*
 * The next kind of calls, the first with `*at` as finding->kinds, that another advice
 * keeps as it was than the worst and those before.  False where there is none.
 */
bool advice_next(const struct finding *finding, const char **at, char shapes[KIND_SIZE],
                 struct advice *advice);

#endif
