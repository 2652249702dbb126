/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of an operand as a rectangle of cells: rows of memory down the page, each
 * cell with the nodes and the slice that touch it.
 */
#ifndef MEMORY_MAP_H
#define MEMORY_MAP_H

#include <stdio.h>

#include "slices.h"

/* Most cells in a direction: a number that 2, 3, 4, 6, 8, 12 and 16 nodes divide. */
enum { MOST_CELLS = 384 };

struct memory_map {
    int64_t bytes, first, size;  /* of memory, to element (0, ..., 0), of an element */
    int64_t pitch, memory_rows;  /* bytes of a row, and how many there are */
    int32_t rows, columns;       /* of cells */
    uint64_t *nodes;             /* bit n % 64: node n touches the cell */
    int32_t *slice;              /* the last one that does, from 1; 0: none */
    char down[160], across[160]; /* which dimensions, as "dimension 0 (2048)" */
};

/*
 * Cells of an operand of that layout, none touched.  `upright`: memory of one dimension
 * runs down, not across.  Free with memory_map_free().
 */
bl_status memory_map_make(const bl_layout *layout, int64_t size, bool upright,
                          struct memory_map *out);
void memory_map_free(struct memory_map *map);

/* Mark what slices of a plan touch of operand `k`, whose map this is. */
void memory_map_touch(struct memory_map *map, const bl_plan_info *info, int32_t k,
                      const struct slices *slices);

/* The byte of the memory in the middle of a cell. */
int64_t memory_map_byte(const struct memory_map *map, int32_t row, int32_t column);

#endif
