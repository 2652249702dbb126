/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws what is next to a map: the nodes that hold the memory, and labels.
 */
#include "memory_map_draw.h"

#include "svg.h"

/*
 * Pixels: width of the strip, its distance, and the minimum distance of two lines of
 * text.
 */
enum { STRIP = 9, STRIP_GAP = 4, LINE = 14 };

/* Draw one piece of the strip, cells `from` to `to` of the longer side. */
static void draw_piece(FILE *file, const struct memory_map *map,
                       const struct frame *frame, int32_t from, int32_t to,
                       int32_t node)
{
    const double x = frame->width / map->columns, y = frame->height / map->rows;

    if (map->rows > 1)
        svg_box(file, frame->x - STRIP - STRIP_GAP, frame->y + from * y, STRIP,
                (to - from) * y, 0, svg_node_colour(node), NULL);
    else
        svg_box(file, frame->x + from * x, frame->y - STRIP - STRIP_GAP,
                (to - from) * x, STRIP, 0, svg_node_colour(node), NULL);
}

void draw_page_nodes(FILE *file, const struct memory_map *map,
                     const struct frame *frame, const struct slices *page_nodes,
                     const char *touch)
{
    const double right = frame->x + frame->width + 6;
    const int32_t cells = map->rows > 1 ? map->rows : map->columns;
    int32_t from = 0, last = -1;

    for (int32_t i = 0; i <= cells; i++) {
        const int64_t byte =
            map->rows > 1 ? memory_map_byte(map, i, 0) : memory_map_byte(map, 0, i);
        const int32_t node = i < cells ? slices_node(page_nodes, byte) : -1;

        if (node == last)
            continue;
        if (last >= 0)
            draw_piece(file, map, frame, from, i, last);
        from = i;
        last = node;
    }
    if (map->rows > 1) {
        svg_text(file, frame->x - STRIP_GAP - 3, frame->y - 6, 11, SVG_END, SVG_GREY,
                 "lies on");
        svg_text(file, frame->x + 3, frame->y - 6, 11, SVG_START, SVG_GREY, "%s",
                 touch);
    } else {
        svg_text(file, right, frame->y - STRIP_GAP, 11, SVG_START, SVG_GREY, "lies on");
        svg_text(file, right, frame->y + frame->height / 2 + 4, 11, SVG_START, SVG_GREY,
                 "%s", touch);
    }
}

/*
 * Find the first and last cell of a node along the longer side; false where it has
 * none.
 */
static bool find_band(const struct memory_map *map, const struct slices *slices,
                      int32_t node, int32_t *from, int32_t *to)
{
    const int32_t cells = map->rows * map->columns;

    *from = -1;
    for (int32_t i = 0; i < cells; i++) {
        const int32_t s = map->slice[i] - 1;

        if (s < 0 || slices->slice[s].node != node)
            continue;
        if (*from < 0)
            *from = map->rows > 1 ? i / map->columns : i;
        *to = map->rows > 1 ? i / map->columns + 1 : i + 1;
    }
    return *from >= 0;
}

/* Write "threads 2 to 3" for a node. */
static void name_threads(const struct slices *slices, int32_t node, char *text,
                         size_t size)
{
    int32_t first = -1, last = -1;

    for (int32_t i = 0; i < slices->count; i++) {
        if (slices->slice[i].node != node)
            continue;
        first = first < 0 ? slices->slice[i].thread : first;
        last = slices->slice[i].thread;
    }
    if (first == last)
        snprintf(text, size, "thread %d", (int)first);
    else
        snprintf(text, size, "threads %d to %d", (int)first, (int)last);
}

void draw_node_labels(FILE *file, const struct memory_map *map,
                      const struct frame *frame, const struct slices *slices)
{
    const int32_t cells = map->rows > 1 ? map->rows : map->columns;
    const double step = (map->rows > 1 ? frame->height : frame->width) / cells;
    const int32_t nodes = slices->count ? slices->slice[slices->count - 1].node + 1 : 0;
    double last = -LINE;
    char threads[48];

    for (int32_t n = 0; n < nodes; n++) {
        int32_t from, to = 0;

        if (!find_band(map, slices, n, &from, &to))
            continue;
        const double middle = (from + to) * step / 2;
        const bool has_two = (to - from) * step >= 2 * LINE;

        /*
         * A label that would overlap the previous one is left out: the colours suffice.
         */
        if (middle - last < (map->rows > 1 ? LINE : 4 * LINE))
            continue;
        last = middle;
        name_threads(slices, n, threads, sizeof threads);
        if (map->rows > 1) {
            const double x = frame->x - 2 * STRIP - STRIP_GAP, y = frame->y + middle;

            svg_text(file, x, y + (has_two ? -1 : 4), 13, SVG_END, svg_node_colour(n),
                     "node %d", (int)n);
            if (has_two)
                svg_text(file, x, y + 13, 11, SVG_END, SVG_GREY, "%s", threads);
        } else {
            svg_text(file, frame->x + middle, frame->y + frame->height + 16, 13,
                     SVG_MIDDLE, svg_node_colour(n), "node %d", (int)n);
        }
    }
}
