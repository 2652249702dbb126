/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes as people write them: (5,3,4,1), (3), (3,), ().
 */
#ifndef PARSE_SHAPE_H
#define PARSE_SHAPE_H

#include "tool.h"

struct shape {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
};

/*
 * One list of integers, `close` behind it, that starts behind its opening bracket at
 * *text; *text is moved behind the closing one.  Blanks between are skipped, a comma
 * before the closing bracket is allowed.  BL_ERR_FORMAT for other text, negative
 * numbers where `negative` is false, more than BL_MAX_RANK numbers, and what int64_t
 * cannot hold.
 */
bl_status list_parse(const char **text, char close, bool negative, int32_t *count,
                     int64_t *number);

/* A shape that is all of `text`.  Errors name the text; *out is written on success. */
bl_status shape_parse(const char *text, bool negative, struct shape *out);

/* The text of a shape, cut where `size` bytes do not suffice.  Returns `text`. */
char *shape_text(const struct shape *shape, char *text, size_t size);

/* Room for the text of every shape. */
enum { SHAPE_TEXT = BL_MAX_RANK * 21 + 3 };

#endif
