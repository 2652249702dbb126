/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the memory of an operand and who touches it.
 */
#ifndef MEMORY_MAP_DRAW_H
#define MEMORY_MAP_DRAW_H

#include "memory_map.h"

/* Where and how large on the page. */
struct frame {
    double x, y, width, height;
};

/* The size of a map's rectangle, at most `most` wide and high; x and y are kept. */
void memory_map_fit(const struct memory_map *map, double most, struct frame *frame);

/* A result: bands of threads in their node's colour, with their numbers. */
void draw_slices(FILE *file, const struct memory_map *map, const struct frame *frame,
                 const struct slices *slices);

/*
 * An operand: each part in the colours of the nodes that read it; stripes for several.
 * `name` makes the stripes' names in the file differ from those of other operands.
 */
void draw_readers(FILE *file, const struct memory_map *map, const struct frame *frame,
                  int32_t nodes, int32_t name);

/*
 * A narrow strip beside the frame with the node that each row of memory lies on, and
 * over both what they are: "lies on" and `touch`, as in "read by".
 */
void draw_page_nodes(FILE *file, const struct memory_map *map,
                     const struct frame *frame, const struct slices *page_nodes,
                     const char *touch);

/* Numbers of the nodes and their threads on the left of a result's frame. */
void draw_node_labels(FILE *file, const struct memory_map *map,
                      const struct frame *frame, const struct slices *slices);

#endif
