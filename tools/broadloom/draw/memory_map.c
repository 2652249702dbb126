/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maps an operand's memory to a rectangle of cells.
 */
#include "memory_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "audit/access_footprint.h"
#include "operand.h"

/* Dimensions with a nonzero stride, largest stride first. */
struct dims {
    int32_t count;
    int32_t dim[BL_MAX_RANK];
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK]; /* in bytes, positive */
};

static void order_dims(const bl_layout *layout, int64_t size, struct dims *dims)
{
    const int64_t unit = layout->element_bytes > 0 ? 1 : size;

    dims->count = 0;
    for (int32_t d = 0; d < layout->rank; d++) {
        const int64_t stride =
            unit * (layout->stride[d] < 0 ? -layout->stride[d] : layout->stride[d]);
        int32_t at = dims->count;

        if (layout->extent[d] == 1 || stride == 0)
            continue;
        for (; at > 0 && dims->stride[at - 1] < stride; at--) {
            dims->dim[at] = dims->dim[at - 1];
            dims->extent[at] = dims->extent[at - 1];
            dims->stride[at] = dims->stride[at - 1];
        }
        dims->dim[at] = d;
        dims->extent[at] = layout->extent[d];
        dims->stride[at] = stride;
        dims->count++;
    }
}

/* How many dimensions run downwards, so that the rectangle is closest to a square. */
static int32_t choose_down(const struct dims *dims, bool upright)
{
    int32_t best = 1;
    double rows = 1, least = INFINITY;

    if (dims->count < 2)
        return dims->count == 1 && upright ? 1 : 0;
    for (int32_t down = 1; down < dims->count; down++) {
        double across = 1;

        rows *= (double)dims->extent[down - 1];
        for (int32_t d = down; d < dims->count; d++)
            across *= (double)dims->extent[d];
        if (fabs(log(rows / across)) < least) {
            least = fabs(log(rows / across));
            best = down;
        }
    }
    return best;
}

/* Write "dimensions 0, 1 (32 x 64)" for dims `from` to `to`; empty for none. */
static void name_dims(const struct dims *dims, int32_t from, int32_t to, char *text,
                      size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int32_t pass = 0; pass < 2 && from < to; pass++)
        for (int32_t d = from; d < to && used < size; d++)
            used += (size_t)(pass == 0
                                 ? snprintf(text + used, size - used, "%s%d",
                                            d > from        ? ", "
                                            : to - from > 1 ? "dimensions "
                                                            : "dimension ",
                                            (int)dims->dim[d])
                                 : snprintf(text + used, size - used, "%s%" PRId64 "%s",
                                            d > from ? " \u00d7 " : " (",
                                            dims->extent[d], d == to - 1 ? ")" : ""));
}

bl_status memory_map_make(const bl_layout *layout, int64_t size, bool upright,
                          struct memory_map *out)
{
    struct memory_map map = {.size = size};
    struct dims dims;
    int32_t down;

    layout_memory(layout, size, &map.bytes, &map.first);
    order_dims(layout, size, &dims);
    down = choose_down(&dims, upright);
    map.bytes = map.bytes > 0 ? map.bytes : size;
    map.pitch = down > 0 ? dims.stride[down - 1] : map.bytes;
    map.pitch = map.pitch > size ? map.pitch : size;
    map.memory_rows = (map.bytes + map.pitch - 1) / map.pitch;
    map.rows = map.memory_rows < MOST_CELLS ? (int32_t)map.memory_rows : MOST_CELLS;
    map.columns =
        map.pitch / size < MOST_CELLS ? (int32_t)(map.pitch / size) : MOST_CELLS;
    name_dims(&dims, 0, down, map.down, sizeof map.down);
    name_dims(&dims, down, dims.count, map.across, sizeof map.across);
    map.nodes = calloc((size_t)map.rows * (size_t)map.columns, sizeof *map.nodes);
    map.slice = calloc((size_t)map.rows * (size_t)map.columns, sizeof *map.slice);
    if (!map.nodes || !map.slice) {
        memory_map_free(&map);
        return bl_error_set(BL_ERR_MEMORY, "no memory for a picture");
    }
    *out = map;
    return BL_OK;
}

void memory_map_free(struct memory_map *map)
{
    free(map->nodes);
    free(map->slice);
    map->nodes = NULL;
    map->slice = NULL;
}

int64_t memory_map_byte(const struct memory_map *map, int32_t row, int32_t column)
{
    const double y = (row + 0.5) * (double)map->memory_rows / map->rows;
    const double x = (column + 0.5) * (double)map->pitch / map->columns;
    const int64_t at = (int64_t)y * map->pitch + (int64_t)x;

    return at < map->bytes ? at : map->bytes - 1;
}

/* ---- which slices touch a cell ---- */

struct brush {
    struct memory_map *map;
    int32_t slice, node;
};

/*
 * Find the cells (of `cells`) whose centre is in [begin, end) of `length`; where there
 * is none and `cover` is set, the cell that contains the range.
 */
static void find_cells(int64_t begin, int64_t end, int64_t length, int32_t cells,
                       bool cover, int32_t *low, int32_t *high)
{
    const double scale = (double)cells / (double)length;

    *low = (int32_t)ceil((double)begin * scale - 0.5);
    *high = (int32_t)ceil((double)end * scale - 0.5);
    if (*low >= *high && cover) {
        *low = (int32_t)((double)begin * scale);
        *high = *low + 1;
    }
    *high = *high < cells ? *high : cells;
}

/*
 * Mark the cells of memory rows `top` to `bottom`, bytes `left` to `right` in each row.
 */
static void paint(const struct brush *brush, int64_t top, int64_t bottom, int64_t left,
                  int64_t right, bool cover)
{
    struct memory_map *const map = brush->map;
    int32_t r0, r1, c0, c1;

    find_cells(top, bottom, map->memory_rows, map->rows, cover, &r0, &r1);
    find_cells(left, right, map->pitch, map->columns, true, &c0, &c1);
    for (int32_t r = r0; r < r1; r++) {
        for (int32_t c = c0; c < c1; c++) {
            map->nodes[r * map->columns + c] |= UINT64_C(1) << brush->node % 64;
            map->slice[r * map->columns + c] = brush->slice + 1;
        }
    }
}

static void paint_run(void *user, int64_t begin, int64_t end)
{
    const struct brush *const brush = user;
    const int64_t pitch = brush->map->pitch;
    int64_t top, bottom;

    begin += brush->map->first;
    end += brush->map->first;
    top = begin / pitch;
    bottom = end / pitch;
    if (top == (end - 1) / pitch) {
        paint(brush, top, top + 1, begin % pitch, (end - 1) % pitch + 1, true);
        return;
    }
    if (begin % pitch != 0) {
        paint(brush, top, top + 1, begin % pitch, pitch, false);
        top++;
    }
    paint(brush, top, bottom, 0, pitch, false);
    if (end % pitch != 0)
        paint(brush, bottom, bottom + 1, 0, end % pitch, false);
}

void memory_map_touch(struct memory_map *map, const bl_plan_info *info, int32_t k,
                      const struct slices *slices)
{
    for (int32_t i = 0; i < slices->count; i++) {
        struct brush brush = {map, i, slices->slice[i].node};

        footprint_runs(info, k, map->size, slices->slice[i].range, paint_run, &brush);
    }
}
