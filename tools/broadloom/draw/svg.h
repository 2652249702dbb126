/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes pictures in SVG: rectangles, lines and texts, which it escapes.  Coordinates
 * are pixels from the upper left corner.
 */
#ifndef SVG_H
#define SVG_H

#include <stdio.h>

#include "tool.h"

/* Colours of dark text and of lines, and the anchors of texts. */
#define SVG_INK  "#1f2937"
#define SVG_GREY "#6b7280"
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* The colour of a node in every picture, dark enough for white text. */
const char *svg_node_colour(int32_t node);

/*
 * Start and end a picture on a white background; `title` is its accessible description.
 */
void svg_open(FILE *file, double width, double height, const char *title);
void svg_close(FILE *file);

/*
 * Start a picture inside of an HTML document, whose colours may be its variables
 * ("var(--ink)"), on its background; `text` stands for the picture where it is not
 * seen.
 */
void svg_open_inline(FILE *file, double width, double height, const char *text);

/* Draw a rectangle with corners of radius `round`; a NULL colour means none. */
void svg_box(FILE *file, double x, double y, double width, double height, double round,
             const char *fill, const char *line);

/* Draw one line of text, `size` pixels high, with its baseline at (x, y). */
void svg_text(FILE *file, double x, double y, double size, enum svg_anchor anchor,
              const char *colour, const char *format, ...) BL_PRINTF(7, 8);

/* Start and end a group of centred numbers of one size and colour; draw one, or dots.
 */
void svg_group(FILE *file, double size, const char *colour);
void svg_group_end(FILE *file);
void svg_number(FILE *file, double x, double y, int64_t number);
void svg_dots(FILE *file, double x, double y);

#endif
