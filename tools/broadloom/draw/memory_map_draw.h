/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws an operand's memory and which nodes and threads touch it.
 */
#ifndef MEMORY_MAP_DRAW_H
#define MEMORY_MAP_DRAW_H

#include "memory_map.h"

/* Position and size on the page, in pixels. */
struct frame {
    double x, y, width, height;
};

/*
 * Set the size of the map's rectangle, at most `most` in either direction; x and y
 * stay.
 */
void memory_map_fit(const struct memory_map *map, double most, struct frame *frame);

/* Draw a result: bands of threads in their node's colour, with their numbers. */
void draw_slices(FILE *file, const struct memory_map *map, const struct frame *frame,
                 const struct slices *slices);

/*
 * Draw an operand: each part in the colour of the node that reads it, striped for
 * several.  `name` makes the pattern's identifiers in the file unique to this operand.
 */
void draw_readers(FILE *file, const struct memory_map *map, const struct frame *frame,
                  int32_t nodes, int32_t name);

/*
 * Draw a narrow strip next to the frame with the node that holds each row of memory,
 * and the headings of both: "lies on" and `touch`, as in "read by".
 */
void draw_page_nodes(FILE *file, const struct memory_map *map,
                     const struct frame *frame, const struct slices *page_nodes,
                     const char *touch);

/* Label the nodes and their threads to the left of a result's frame. */
void draw_node_labels(FILE *file, const struct memory_map *map,
                      const struct frame *frame, const struct slices *slices);

#endif
