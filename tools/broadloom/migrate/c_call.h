/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls in source files: their arguments, and the statements that they stand in.
 */
#ifndef C_CALL_H
#define C_CALL_H

#include "c_source.h"

enum { CALL_ARGUMENTS = 12, REASON_SIZE = 160 };

/* Tokens from `begin` up to but not including `end`. */
struct span {
    int32_t begin, end;
};

struct c_call {
    const struct source *source;
    int32_t first, close; /* tokens: the first of its name, and its last bracket */
    int32_t count;
    struct span argument[CALL_ARGUMENTS];
};

/* How statements may be placed around a call. */
enum call_place {
    CALL_ALONE,     /* in an expression statement */
    CALL_DECLARING, /* in a declaration */
    CALL_RETURNED,  /* in the value of return */
    CALL_CONDITION  /* in the condition of an if or a switch */
};

struct statement {
    enum call_place place;
    int32_t first, last; /* tokens: of CALL_CONDITION, `last` is the closing bracket */
    bool is_bare;        /* the body of an if or a loop, without braces */
    bool is_call;        /* nothing but the call */
};

/* Read the call whose name begins at `first`, with `open` as its bracket.  False: it is
 * not closed, or has more arguments than CALL_ARGUMENTS. */
bool c_call_read(const struct source *source, int32_t first, int32_t open,
                 struct c_call *call);

/* Whether what is placed around a statement gets braces. */
static inline bool statement_has_braces(const struct statement *statement)
{
    return statement->place == CALL_ALONE || statement->place == CALL_RETURNED;
}

/*
 * Find the statement of a call.  False where none can be placed before it or after it
 * so that the same is evaluated once and in the same order; `reason` says why.
 */
bool statement_find(const struct c_call *call, struct statement *statement,
                    char reason[REASON_SIZE]);

/* Whether evaluating tokens has no effect, so that they may be evaluated again. */
bool span_is_pure(const struct source *source, struct span span);

/* Whether tokens are one operand of any operator: a name, members, brackets, calls. */
bool span_is_primary(const struct source *source, struct span span);

/* Whether two spans have the same tokens. */
bool span_is_same(const struct source *source, struct span a, struct span b);

/* The text of tokens: where it begins, and its length. */
const char *span_text(const struct source *source, struct span span, int *length);

#endif
