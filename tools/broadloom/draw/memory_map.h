/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operand's memory as a rectangle of cells, with rows of memory from top to bottom.
 * Each cell records the nodes and the slice that touch it.
 */
#ifndef MEMORY_MAP_H
#define MEMORY_MAP_H

#include <stdio.h>

#include "slices.h"

/* Most cells in a direction; divisible by 2, 3, 4, 6, 8, 12 and 16 nodes. */
enum { MOST_CELLS = 384 };

struct memory_map {
    int64_t bytes, first,
        size; /* of the memory; up to element (0, ..., 0); of an element */
    int64_t pitch, memory_rows; /* bytes of a row, and the number of rows */
    int32_t rows, columns;      /* of cells */
    uint64_t *nodes;            /* bit n % 64: node n touches the cell */
    int32_t *slice; /* the last slice that touches the cell, from 1; 0: none */
    char down[160], across[160]; /* the dimensions, as "dimension 0 (2048)" */
};

/*
 * Make a map of an operand with that layout, with no cell touched.  With `upright`,
 * memory of one dimension runs downwards instead of across.  Free with
 * memory_map_free().
 */
bl_status memory_map_make(const bl_layout *layout, int64_t size, bool upright,
                          struct memory_map *out);
void memory_map_free(struct memory_map *map);

/*
 * Mark the cells that the slices of a plan touch; the map is of the plan's operand `k`.
 */
void memory_map_touch(struct memory_map *map, const bl_plan_info *info, int32_t k,
                      const struct slices *slices);

/* The byte of memory at the centre of a cell. */
int64_t memory_map_byte(const struct memory_map *map, int32_t row, int32_t column);

#endif
