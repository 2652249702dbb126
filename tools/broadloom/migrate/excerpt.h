/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Excerpts of the sources around the places of findings, and where the calls are in
 * them.
 */
#ifndef EXCERPT_H
#define EXCERPT_H

#include "findings.h"

/* Lines before and after a place, and the longest line, in bytes. */
enum { LINES_BEFORE = 6, LINES_AFTER = 4, LINE_MOST = 240 };

struct excerpt {
    char *text;        /* lines that end with '\n', bytes as they are; NULL: not read */
    size_t size;       /* of the text */
    int64_t first;     /* the number of the first line */
    size_t begin, end; /* of the call in the text */
};

/*
 * Read the excerpts of `count` findings into an array of as many, which are not read
 * where a file is not there, not regular or shorter.  Each file is read once.  Free
 * them in any case.  BL_ERR_MEMORY.
 */
bl_status excerpts_read(const struct finding *finding, size_t count,
                        struct excerpt *excerpt);

void excerpts_free(struct excerpt *excerpt, size_t count);

/* ---- excerpt_call.c ---- */

/*
 * Find the call of an operation that begins between `line` and `line_end` of the text,
 * and may end in a later line: by the name that fits best of what is called, or of an
 * argument, as BL_OP_ADD; else the line is taken.
 */
void excerpt_find_call(struct excerpt *excerpt, size_t line, size_t line_end,
                       const char *operation);

#endif
