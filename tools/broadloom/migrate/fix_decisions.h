/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a person decided for each place: a file of lines
 *
 *   FILE:LINE [OPERATION] as-it-was | broadcast | leave
 *
 * OPERATION is as in reports; without one, all operations of the line are meant.  FILE
 * is the path that reports have, or the end of it.  Empty lines and those that begin
 * with # say nothing.
 */
#ifndef FIX_DECISIONS_H
#define FIX_DECISIONS_H

#include "fix.h"

struct decision {
    char *file;
    char *operation; /* "": all */
    int64_t line;
    int64_t number; /* of its line in the file of decisions */
    enum fix_choice choice;
    bool is_used;
};

struct decisions {
    struct decision *at;
    size_t count, room;
};

/*
 * Read a file of decisions; free it in any case.  BL_ERR_IO, BL_ERR_MEMORY,
 * BL_ERR_FORMAT for a malformed line, which the message numbers.
 */
bl_status decisions_read(struct decisions *decisions, const char *path);

/* What is decided for a finding: the last line that names it, else `otherwise`. */
enum fix_choice decisions_find(struct decisions *decisions,
                               const struct finding *finding,
                               enum fix_choice otherwise);

/* BL_ERR_ARGUMENT where a line names no place that was asked for. */
bl_status decisions_check(const struct decisions *decisions, const char *path);

void decisions_free(struct decisions *decisions);

#endif
