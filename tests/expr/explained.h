/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a plan tells of itself, as one text.
 */
#ifndef TESTS_EXPLAINED_H
#define TESTS_EXPLAINED_H

#include <broadloom/expr.h>

#include <string.h>

#include "harness/same.h"

enum { EXPLAINED = 4096 };

/* Append to the text at `user`; false where it does not fit. */
static inline bool explained_append(void *user, const char *text, size_t bytes)
{
    char *const all = user;
    const size_t used = strlen(all);

    if (used + bytes >= EXPLAINED)
        return false;
    memcpy(all + used, text, bytes);
    all[used + bytes] = '\0';
    return true;
}

/* Write all that `explain` says of a plan to `text`, of EXPLAINED bytes. */
static inline void explained_by(const bl_expr_plan *plan, char *text)
{
    text[0] = '\0';
    must(bl_expr_plan_explain(plan, explained_append, text));
}

#endif
