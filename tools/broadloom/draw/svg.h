/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes pictures in SVG: rectangles, lines and texts; escapes are its business.
 * Coordinates are pixels from the upper left corner.
 */
#ifndef SVG_H
#define SVG_H

#include <stdio.h>

#include "tool.h"

/* Colours of dark text and lines, and how texts stand to their point. */
#define SVG_INK  "#1f2937"
#define SVG_GREY "#6b7280"
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* The colour of a node's processors and memory, in every picture; for white texts. */
const char *svg_node_colour(int32_t node);

/* Start and end a picture on a white ground; `title` is for those who cannot see it. */
void svg_open(FILE *file, double width, double height, const char *title);
void svg_close(FILE *file);

/* A rectangle with its corners rounded by `round`; a NULL colour is none. */
void svg_box(FILE *file, double x, double y, double width, double height, double round,
             const char *fill, const char *line);

/* One line of text, `size` pixels high; (x, y) is on its base line. */
void svg_text(FILE *file, double x, double y, double size, enum svg_anchor anchor,
              const char *colour, const char *format, ...) BL_PRINTF(7, 8);

#endif
