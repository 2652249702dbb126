/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Baselines: the places that were found once and are accepted, so that only new ones
 * count.  A place is known by what moved lines leave as it is: the file's name without
 * its folders, the function, the risk, the operation and the text of the line.
 *
 * The file has a line for each, sorted by its bytes, with tabs between the fields:
 *
 *   FILE  FUNCTION  RISK  OPERATION  TEXT  COUNT
 *
 * FUNCTION and TEXT are empty where they are not known; blanks in TEXT are single.
 * COUNT is how many places are the same otherwise.  Lines that begin with '#' are
 * comments.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include "findings.h"

/* A place of a finding, or a line of a baseline. */
struct place {
    char *key;     /* the fields before the count, with tabs between */
    int64_t count; /* of a baseline's line */
    int64_t line;  /* of a finding */
    size_t index;  /* of a finding */
};

struct baseline {
    struct place *at; /* sorted by key */
    size_t count, room;
};

/*
 * Read a baseline; free it in any case.  BL_ERR_IO, BL_ERR_MEMORY, BL_ERR_FORMAT for a
 * malformed line, which the message numbers.
 */
bl_status baseline_read(struct baseline *baseline, const char *path);

/*
 * Drop the findings whose places a baseline has, and set findings->known and ->gone.
 * Of more equal places than it counts, the last lines stay.  The order of those that
 * stay does not change.  BL_ERR_MEMORY: nothing is dropped.
 */
bl_status baseline_apply(const struct baseline *baseline, struct findings *findings);

/* Write the places of findings as a baseline. BL_ERR_IO, BL_ERR_MEMORY. */
bl_status baseline_write(const struct findings *findings, const char *path);

void baseline_free(struct baseline *baseline);

#endif
