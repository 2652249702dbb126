/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits a line into words, much as a shell does.
 */
#ifndef TOKENIZE_H
#define TOKENIZE_H

#include "tool.h"

/*
 * Split `line`, which is modified, at blanks. '...' and "..." preserve blanks and lose
 * their quotes; blanks between brackets do not split either, so that (2, 3) is one
 * word.  Writes at most `most` - 1 words, which point into the line, and a final NULL;
 * BL_ERR_FORMAT where there are more or a quote is not closed.
 */
bl_status tokenize_line(char *line, int most, char **word, int *count);

#endif
