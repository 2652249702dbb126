/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs checks that need a new process, such as what the library detects at its first
 * call, and returns their result as text.
 */
#ifndef CHILD_H
#define CHILD_H

#include "core/core.h"

/* A function that runs in the child and writes its findings as text. */
typedef void examine(struct bli_text *text);

/*
 * Run `look` in a child with an environment variable set, unless it is NULL. Returns
 * its text, or how it ended; valid until the next call.
 */
const char *child_run(const char *variable, const char *value, examine *look);

/* Emit a test result named `what`: whether the text equals `want`. */
void child_expect(const char *what, const char *text, const char *want);

#endif
