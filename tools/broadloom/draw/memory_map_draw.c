/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws a memory map: cells with the same key become one rectangle, labelled where the
 * text fits.
 */
#include "memory_map_draw.h"

#include <math.h>
#include <stdlib.h>

#include "svg.h"

#define NOBODY "#e2e5ea"

/* Smallest rectangles, in pixels, that get a label. */
enum { LABEL_HIGH = 13, LABEL_WIDE = 58, NUMBER_WIDE = 16 };

void memory_map_fit(const struct memory_map *map, double most, struct frame *frame)
{
    const double shape =
        (double)map->memory_rows * (double)map->size / (double)map->pitch;

    frame->width = frame->height = most;
    if (map->memory_rows == 1)
        frame->height = 40;
    else if (map->pitch == map->size)
        frame->width = 40;
    else if (shape < 1)
        frame->height = most * (shape > 0.35 ? shape : 0.35);
    else
        frame->width = most * (shape < 1 / 0.35 ? 1 / shape : 0.35);
}

/* A rectangle of cells; right and bottom are exclusive. */
struct patch {
    int32_t top, bottom, left, right;
};

static struct frame patch_frame(const struct memory_map *map, const struct frame *frame,
                                const struct patch *patch)
{
    const double x = frame->width / map->columns, y = frame->height / map->rows;

    /* Whole pixels, so that neighbours meet without a gap. */
    return (struct frame){frame->x + round(patch->left * x),
                          frame->y + round(patch->top * y),
                          round(patch->right * x) - round(patch->left * x),
                          round(patch->bottom * y) - round(patch->top * y)};
}

/*
 * Find the next rectangle of cells with the same key and mark them done; false at the
 * end.
 */
static bool next_patch(const struct memory_map *map, const uint64_t *key, bool *is_done,
                       struct patch *patch)
{
    const int32_t columns = map->columns;
    int32_t at = 0, end = map->rows * columns;

    while (at < end && is_done[at])
        at++;
    if (at == end)
        return false;
    *patch =
        (struct patch){at / columns, at / columns + 1, at % columns, at % columns + 1};
    while (patch->right < columns && !is_done[at + patch->right - patch->left] &&
           key[at + patch->right - patch->left] == key[at])
        patch->right++;
    for (bool same = true; same && patch->bottom < map->rows;) {
        for (int32_t c = patch->left; c < patch->right; c++)
            same = same && key[patch->bottom * columns + c] == key[at] &&
                   !is_done[patch->bottom * columns + c];
        patch->bottom += same;
    }
    for (int32_t r = patch->top; r < patch->bottom; r++)
        for (int32_t c = patch->left; c < patch->right; c++)
            is_done[r * columns + c] = true;
    return true;
}

/* A node's colour, lighter for every second one of its threads. */
static const char *shade(int32_t node, bool is_light, char text[8])
{
    unsigned int red, green, blue;

    if (!is_light ||
        sscanf(svg_node_colour(node), "#%2x%2x%2x", &red, &green, &blue) != 3)
        return svg_node_colour(node);
    snprintf(text, 8, "#%02x%02x%02x", red + (255 - red) / 4, green + (255 - green) / 4,
             blue + (255 - blue) / 4);
    return text;
}

/* Number of earlier slices of the same node: the thread's rank within it. */
static int32_t rank_in_node(const struct slices *slices, int32_t i)
{
    int32_t rank = 0;

    for (int32_t j = 1; j <= i; j++)
        rank += slices->slice[j].node == slices->slice[i].node &&
                slices->slice[j].thread != slices->slice[j - 1].thread &&
                slices->slice[j - 1].node == slices->slice[i].node;
    return rank;
}

void draw_slices(FILE *file, const struct memory_map *map, const struct frame *frame,
                 const struct slices *slices)
{
    const size_t cells = (size_t)map->rows * (size_t)map->columns;
    bool *const is_done = calloc(cells, sizeof *is_done);
    uint64_t *const key = calloc(cells, sizeof *key);
    struct patch patch;
    char text[8];

    for (size_t i = 0; key && i < cells; i++)
        key[i] = (uint64_t)map->slice[i];
    while (key && is_done && next_patch(map, key, is_done, &patch)) {
        const int32_t i = map->slice[patch.top * map->columns + patch.left] - 1;
        const struct frame box = patch_frame(map, frame, &patch);
        const double x = box.x + box.width / 2, y = box.y + box.height / 2 + 4;

        if (i < 0) {
            svg_box(file, box.x, box.y, box.width, box.height, 0, NOBODY, NULL);
            continue;
        }
        svg_box(file, box.x, box.y, box.width, box.height, 0,
                shade(slices->slice[i].node, rank_in_node(slices, i) % 2, text), NULL);
        if (box.height >= LABEL_HIGH && box.width >= LABEL_WIDE)
            svg_text(file, x, y, 12, SVG_MIDDLE, "#ffffff", "thread %d",
                     (int)slices->slice[i].thread);
        else if (box.height >= LABEL_HIGH && box.width >= NUMBER_WIDE)
            svg_text(file, x, y, 12, SVG_MIDDLE, "#ffffff", "%d",
                     (int)slices->slice[i].thread);
    }
    free(is_done);
    free(key);
}

/* ---- readers ---- */

enum { STRIPE = 7 };

/*
 * Define a striped pattern in the colours of the nodes in `mask`, used as "url(#name)".
 */
static void define_stripes(FILE *file, uint64_t mask, int32_t nodes, const char *name)
{
    int32_t count = 0;

    for (int32_t n = 0; n < nodes; n++)
        count += mask >> n % 64 & 1;
    fprintf(file,
            "<pattern id=\"%s\" width=\"%d\" height=\"%d\" "
            "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\n",
            name, STRIPE * count, STRIPE * count);
    count = 0;
    for (int32_t n = 0; n < nodes; n++)
        if (mask >> n % 64 & 1)
            svg_box(file, STRIPE * count++, 0, STRIPE, 4096, 0, svg_node_colour(n),
                    NULL);
    fputs("</pattern>\n", file);
}

/* The node in a mask of exactly one node; -1 for none or several. */
static int32_t only_node(uint64_t mask, int32_t nodes)
{
    int32_t found = -1;

    for (int32_t n = 0; n < nodes && n < 64; n++) {
        if (!(mask >> n & 1))
            continue;
        if (found >= 0)
            return -1;
        found = n;
    }
    return found;
}

static void draw_patch(FILE *file, const struct frame *box, uint64_t mask,
                       int32_t nodes, const char *stripes)
{
    const int32_t node = only_node(mask, nodes);
    char fill[40];

    snprintf(fill, sizeof fill, "url(#%s)", stripes);
    if (mask == 0)
        svg_box(file, box->x, box->y, box->width, box->height, 0, NOBODY, NULL);
    else
        svg_box(file, box->x, box->y, box->width, box->height, 0,
                node >= 0 ? svg_node_colour(node) : fill, NULL);
    if (node < 0 || box->height < LABEL_HIGH)
        return;
    if (box->width >= LABEL_WIDE - 8)
        svg_text(file, box->x + box->width / 2, box->y + box->height / 2 + 4, 12,
                 SVG_MIDDLE, "#ffffff", "node %d", (int)node);
    else if (box->width >= NUMBER_WIDE)
        svg_text(file, box->x + box->width / 2, box->y + box->height / 2 + 4, 12,
                 SVG_MIDDLE, "#ffffff", "%d", (int)node);
}

void draw_readers(FILE *file, const struct memory_map *map, const struct frame *frame,
                  int32_t nodes, int32_t name)
{
    bool *const is_done = calloc((size_t)map->rows * (size_t)map->columns, 1);
    uint64_t last = 0;
    int32_t stripes = 0;
    struct patch patch;
    char text[32] = "";

    while (is_done && next_patch(map, map->nodes, is_done, &patch)) {
        const uint64_t mask = map->nodes[patch.top * map->columns + patch.left];
        const struct frame box = patch_frame(map, frame, &patch);

        if (only_node(mask, nodes) < 0 && mask != 0 && mask != last) {
            snprintf(text, sizeof text, "stripes-%d-%d", (int)name, (int)stripes++);
            define_stripes(file, mask, nodes, text);
            last = mask;
        }
        draw_patch(file, &box, mask, nodes, text);
    }
    free(is_done);
}
