/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions that only a new process can answer, such as what the library sees at its
 * first look: asked in a child, answered as text.
 */
#ifndef CHILD_H
#define CHILD_H

#include "core/core.h"

/* What a child finds out, as text for its parent. */
typedef void examine(struct bli_text *text);

/*
 * Run `look` in a child that has an environment variable set, if it is not NULL; its
 * text, or how it ended.  Valid until the next call.
 */
const char *child_run(const char *variable, const char *value, examine *look);

/* A result, named `what`: the text is the one that is wanted. */
void child_expect(const char *what, const char *text, const char *want);

#endif
