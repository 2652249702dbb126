/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The notation of shapes: (5,3,4,1), (3), (3,), ().
 */
#ifndef PARSE_SHAPE_H
#define PARSE_SHAPE_H

#include "tool.h"

struct shape {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
};

/*
 * Parse a list of integers that ends with `close`, from *text, which is after the
 * opening bracket; *text is advanced past the closing one.  Blanks are skipped, and a
 * comma before the closing bracket is allowed.  BL_ERR_FORMAT for other text, negative
 * numbers where `negative` is false, more than BL_MAX_RANK numbers, and numbers that do
 * not fit in int64_t.
 */
bl_status list_parse(const char **text, char close, bool negative, int32_t *count,
                     int64_t *number);

/*
 * Parse all of `text` as a shape.  Errors contain the text; *out is written on success.
 */
bl_status shape_parse(const char *text, bool negative, struct shape *out);

/* Write a shape as text, truncated to `size` bytes. Returns `text`. */
char *shape_text(const struct shape *shape, char *text, size_t size);

/* Size that suffices for the text of every shape. */
enum { SHAPE_TEXT = BL_MAX_RANK * 21 + 3 };

#endif
