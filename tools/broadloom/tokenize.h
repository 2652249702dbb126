/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line split into words, much as a shell does it.
 */
#ifndef TOKENIZE_H
#define TOKENIZE_H

#include "tool.h"

/*
 * Split `line`, which is changed, at blanks.  '...' and "..." keep their blanks and
 * lose their quotes; blanks between brackets do not split either, so that (2, 3) is one
 * word. Writes up to `most` - 1 words, which point into the line, and NULL behind them;
 * BL_ERR_FORMAT where there are more or a quote stays open.
 */
bl_status tokenize_line(char *line, int most, char **word, int *count);

#endif
