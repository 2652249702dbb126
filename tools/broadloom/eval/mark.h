/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks a place in an expression. */
#ifndef MARK_H
#define MARK_H

#include <stddef.h>

/*
 * Print the expression's line, or a part of it, and a caret under position `at`.  The
 * text before that position has been parsed, and is ASCII.
 */
void print_mark(const char *text, size_t at);

#endif
