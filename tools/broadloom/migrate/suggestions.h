/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suggestions: what to write instead of a call that broadcasting changes.
 */
#ifndef SUGGESTIONS_H
#define SUGGESTIONS_H

#include "findings.h"
#include "kinds.h"
#include "parse_shape.h"

enum { PAIRED_MOST = 3 };

/* The shapes of a call. */
struct paired {
    struct shape operand[PAIRED_MOST], result;
    int count;
};

/* Parse "(4,1) (4) -> (4,4)"; false where it is truncated, or has more operands. */
bool suggestion_read(const char *text, struct paired *call);

/* Whether two shapes are the same. */
bool shape_is_same(const struct shape *a, const struct shape *b);

enum { SUGGESTION_SIZE = 512 };

struct suggestion {
    char keep[SUGGESTION_SIZE];      /* keeps the result of pairing as 1-D */
    char broadcast[SUGGESTION_SIZE]; /* gives the broadcast result; "" where it is wrong
                                      */
};

/*
 * Find the suggestion for the worst call, as "operand 2: unsqueeze(1)"; "" where its
 * shapes are truncated.
 */
void suggestion_find(const struct finding *finding, struct suggestion *suggestion);

/*
 * Find the next kind of calls, from `*at` (at first finding->kinds) on, whose
 * suggestion for keeping the result differs from that of the worst call and of the
 * kinds before.  False where there is none.
 */
bool suggestion_next(const struct finding *finding, const char **at,
                     char shapes[KIND_SIZE], struct suggestion *suggestion);

#endif
