/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes text of any bytes into XML and HTML, as content or as a quoted attribute.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Write a text, of which at most `most` bytes, with "…" where it is cut.  The
 * characters that markup has are escaped; control characters become their pictures
 * (U+2400 on), except tabs; what is not UTF-8, and characters that reorder text or that
 * XML does not have, become U+FFFD.
 */
void markup_text(FILE *file, const char *text, size_t most);

/* Write the `size` bytes at `text`, NUL among them. */
void markup_bytes(FILE *file, const char *text, size_t size);

#endif
