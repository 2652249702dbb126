/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws what ranks send each other: the grid of ranks by the bytes that each receives
 * and sends, with the peers of one rank, and who sends to whom.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"
#include "output.h"
#include "ranks.h"
#include "topo/topo.h"

/* Sizes in pixels, the largest cell among them. */
enum { MARGIN = 28, TOP = 150, PANEL = 360, GAP = 56, WIDEST = 90 };

/* Most cells of a side of the matrix, and ranks that it is drawn for. */
enum { CELLS = 64, MOST_RANKS = 4096 };

/* Most ranks that are outlined. */
enum { MOST_PEERS = 128 };

#define NOTHING "#eef0f3"
#define MARK    "#c2500a"

/* Cells in rows and columns, each with bytes. */
struct map {
    int32_t rows, columns;
    int32_t count; /* of cells: the last row may be shorter */
    int64_t *bytes;
    int64_t most;
    double x, cell; /* left edge, side of a cell */
};

/* ---- colours ---- */

/* The colour of a share of the largest number, from pale to dark blue. */
static const char *shade(int64_t bytes, int64_t most, char text[8])
{
    static const int from[] = {0xd6, 0xe6, 0xf2}, to[] = {0x08, 0x3e, 0x6b};
    const double share = most > 0 ? (double)bytes / (double)most : 0;
    int part[3];

    if (bytes == 0)
        return NOTHING;
    for (int c = 0; c < 3; c++)
        part[c] =
            from[c] + (int)(share * (to[c] - from[c]) + (from[c] > to[c] ? -.5 : .5));
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)part[0] & 255, (unsigned)part[1] & 255,
             (unsigned)part[2] & 255);
    return text;
}

/* ---- maps ---- */

static bl_status map_open(struct map *map, int32_t rows, int32_t columns, int32_t count)
{
    *map = (struct map){.rows = rows, .columns = columns, .count = count};
    map->bytes = calloc((size_t)count, sizeof *map->bytes);
    if (!map->bytes)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d cells", (int)count);
    map->cell = (double)PANEL / (rows > columns ? rows : columns);
    if (map->cell > WIDEST)
        map->cell = WIDEST;
    return BL_OK;
}

static void map_measure(struct map *map)
{
    for (int32_t i = 0; i < map->count; i++)
        if (map->bytes[i] > map->most)
            map->most = map->bytes[i];
}

/* The grid of ranks: the last axis across; a line of many ranks in rows. */
static bl_status map_grid(const struct ranks *ranks, struct map *map)
{
    const int32_t count = ranks->grid.ranks;
    int32_t columns = ranks->grid.extent[ranks->grid.axes - 1];

    if (ranks->grid.axes == 1 && count > 16)
        columns = (int32_t)ceil(sqrt((double)count));
    return map_open(map, (count + columns - 1) / columns, columns, count);
}

/* Draw cells, those of one colour in a row together. */
static void draw_cells(FILE *file, const struct map *map)
{
    /* Small cells overlap, so that no line shows between them. */
    const double gap = map->cell > 8 ? 1 : -0.4;

    for (int32_t i = 0; i < map->count;) {
        const int32_t row = i / map->columns, first = i;
        char colour[8];

        do {
            i++;
        } while (gap < 0 && i < map->count && i / map->columns == row &&
                 map->bytes[i] == map->bytes[first]);
        svg_box(file, map->x + first % map->columns * map->cell, TOP + row * map->cell,
                (i - first) * map->cell - gap, map->cell - gap, 0,
                shade(map->bytes[first], map->most, colour), NULL);
    }
}

static void mark(FILE *file, const struct map *map, int32_t r, const char *fill)
{
    svg_box(file, map->x + r % map->columns * map->cell,
            TOP + r / map->columns * map->cell, map->cell - (map->cell > 8 ? 1 : 0),
            map->cell - (map->cell > 8 ? 1 : 0), 0, fill, MARK);
}

/* Draw a heading, and the colours from nothing to most. */
static void draw_heading(FILE *file, const struct map *map, const char *what,
                         const char *more)
{
    enum { STEPS = 24, WIDTH = 96 };
    char colour[8], bytes[32];

    svg_text(file, map->x, TOP - 44, 15, SVG_START, SVG_INK, "%s", what);
    svg_text(file, map->x, TOP - 27, 12, SVG_START, SVG_GREY, "%s", more);
    for (int s = 1; s <= STEPS; s++)
        svg_box(file, map->x + (s - 1) * (double)WIDTH / STEPS, TOP - 18,
                (double)WIDTH / STEPS + 0.3, 8, 0, shade(s, STEPS, colour), NULL);
    svg_text(file, map->x + WIDTH + 8, TOP - 10, 12, SVG_START, SVG_GREY,
             "up to %s; grey: nothing", map->most ? topo_bytes(map->most, bytes) : "0");
}

/* ---- panels ---- */

/* Mark the rank that is looked at, and those that it exchanges messages with if few. */
static void mark_peers(FILE *file, const struct ranks *ranks, const struct map *map,
                       int32_t r, enum bli_direction direction, int64_t peers)
{
    struct bli_messages list;
    struct bli_message message;

    for (int32_t k = 0; k < ranks->plan.count && peers <= MOST_PEERS; k++) {
        const struct bli_move *moves[2];
        const int32_t count = bli_call_moves(&ranks->plan, k, moves);

        for (int32_t m = 0; m < count; m++) {
            int32_t last = r;

            bli_messages_begin(moves[m], r, direction, &list);
            while (bli_messages_next(&list, &message)) {
                if (message.peer != last)
                    mark(file, map, message.peer, NULL);
                last = message.peer;
            }
        }
    }
    mark(file, map, r, MARK);
}

/* Draw the grid by what each rank receives or sends. */
static bl_status draw_grid(FILE *file, const struct ranks *ranks, double x, int32_t r,
                           enum bli_direction direction)
{
    const bool is_sent = direction == BLI_SENT;
    struct map map;
    int64_t peers;
    char more[120];

    TRY(map_grid(ranks, &map));
    map.x = x;
    for (int32_t i = 0; i < map.count; i++)
        map.bytes[i] =
            is_sent ? ranks->rank[i].traffic.sent : ranks->rank[i].traffic.received;
    map_measure(&map);
    peers = is_sent ? ranks->rank[r].traffic.sent_peers
                    : ranks->rank[r].traffic.received_peers;
    if (peers <= MOST_PEERS)
        snprintf(more, sizeof more, "orange: rank %d; outlined: those that it %s",
                 (int)r, is_sent ? "sends to" : "receives from");
    else
        snprintf(more, sizeof more, "orange: rank %d, which %s %" PRId64 " ranks",
                 (int)r, is_sent ? "sends to" : "receives from", peers);
    draw_heading(file, &map, is_sent ? "sent by each rank" : "received by each rank",
                 more);
    draw_cells(file, &map);
    mark_peers(file, ranks, &map, r, direction, peers);
    free(map.bytes);
    return BL_OK;
}

/* Add what a rank sends of operand k to a row of cells. */
static void add_sent(const struct ranks *ranks, int32_t k, int32_t r, int32_t group,
                     int64_t *row)
{
    const struct bli_move *moves[2];
    const int32_t count = bli_call_moves(&ranks->plan, k, moves);
    struct bli_messages list;
    struct bli_message message;

    for (int32_t m = 0; m < count; m++) {
        bli_messages_begin(moves[m], r, BLI_SENT, &list);
        while (bli_messages_next(&list, &message))
            row[message.peer / group] += message.bytes;
    }
}

/* Draw who sends to whom: senders down, receivers across, several ranks in a cell. */
static bl_status draw_matrix(FILE *file, const struct ranks *ranks, double x)
{
    const int32_t count = ranks->grid.ranks;
    const int32_t group = (count + CELLS - 1) / CELLS;
    const int32_t cells = (count + group - 1) / group;
    struct map map;
    char more[120] = "senders down, receivers across";

    TRY(map_open(&map, cells, cells, cells * cells));
    map.x = x;
    for (int32_t k = 0; k < ranks->plan.count; k++)
        for (int32_t r = 0; r < count; r++)
            add_sent(ranks, k, r, group, &map.bytes[r / group * cells]);
    map_measure(&map);
    if (group > 1)
        snprintf(more, sizeof more, "senders down, receivers across, %d ranks a cell",
                 (int)group);
    draw_heading(file, &map, "who sends to whom", more);
    draw_cells(file, &map);
    free(map.bytes);
    return BL_OK;
}

/* ---- picture ---- */

static void draw_title(FILE *file, const struct ranks *ranks)
{
    char call[1000], grid[100] = "", bytes[32], shared[32], near[64] = "";
    size_t used = (size_t)snprintf(call, sizeof call, "%s", ranks->request->op);

    for (int32_t k = 0; k < ranks->plan.count && used < sizeof call; k++)
        used +=
            (size_t)snprintf(call + used, sizeof call - used, " %s", ranks->text[k]);
    used = 0;
    for (int32_t a = 0; ranks->grid.axes > 1 && a < ranks->grid.axes; a++)
        used += (size_t)snprintf(grid + used, sizeof grid - used, "%s%d",
                                 a ? " x " : " as ", (int)ranks->grid.extent[a]);
    svg_text(file, MARGIN, 40, 20, SVG_START, SVG_INK, "%.110s", call);
    if (ranks->all.bytes == 0) {
        svg_text(file, MARGIN, 64, 13, SVG_START, SVG_GREY, "%d ranks%s; nothing moves",
                 (int)ranks->grid.ranks, grid);
        return;
    }
    if (ranks->all.shared > 0)
        snprintf(near, sizeof near, "; %s of it through memory of nodes",
                 topo_bytes(ranks->all.shared, shared));
    svg_text(file, MARGIN, 64, 13, SVG_START, SVG_GREY,
             "%d ranks%s; %s move in %" PRId64 " messages%s", (int)ranks->grid.ranks,
             grid, topo_bytes(ranks->all.bytes, bytes), ranks->all.messages, near);
}

static bl_status draw(FILE *file, const struct ranks *ranks)
{
    const bool has_matrix = ranks->grid.ranks <= MOST_RANKS;
    const int32_t r = ranks->request->rank >= 0 ? (int32_t)ranks->request->rank
                                                : ranks->most_received;

    svg_open(file, 2 * MARGIN + (has_matrix ? 3 : 2) * (PANEL + GAP) - GAP,
             TOP + PANEL + MARGIN, "Messages of a call over ranks");
    draw_title(file, ranks);
    TRY(draw_grid(file, ranks, MARGIN, r, BLI_RECEIVED));
    TRY(draw_grid(file, ranks, MARGIN + PANEL + GAP, r, BLI_SENT));
    if (has_matrix)
        TRY(draw_matrix(file, ranks, MARGIN + 2 * (PANEL + GAP)));
    svg_close(file);
    return BL_OK;
}

bl_status ranks_picture(const struct ranks *ranks, const char *path)
{
    struct output output;

    TRY(output_open(path, &output));
    return output_close(&output, draw(output.file, ranks));
}
