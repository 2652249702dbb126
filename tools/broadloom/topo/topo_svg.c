/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the machine: a box per node with its processors and memory, the distances
 * between nodes, and what limits the size of a team.
 */
#include "topo.h"

#include <inttypes.h>
#include <string.h>

#include "draw/svg.h"

enum { MARGIN = 24, GAP = 16, WIDEST = 1120, INSIDE = 14, HEAD = 58 };

#define PALE      "#e2e5ea"
#define PALE_TEXT "#7b8494"
#define BOX       "#f6f7f9"
#define BOX_LINE  "#c5cad3"

/* Dimensions common to all nodes, from the one with the most processors. */
struct layout {
    double cell;     /* of a processor, including its gap */
    int32_t per_row; /* processors */
    int32_t rows;
    double width, height; /* of a node's box */
    int32_t columns;      /* nodes in a row */
    double distance;      /* width of a cell of the distance table */
};

static struct layout plan_layout(const struct topo *topo)
{
    struct layout layout = {.cell = 30, .per_row = 4};
    int32_t most = 0;

    for (int32_t n = 0; n < topo->info.nodes; n++)
        if (topo->node[n].count > most)
            most = topo->node[n].count;
    if (most > 4)
        layout.per_row = 8;
    if (most > 32)
        layout.per_row = 16;
    if (most > 256) {
        layout.per_row = 32;
        layout.cell = 16;
    }
    layout.rows = (most + layout.per_row - 1) / layout.per_row;
    layout.width = layout.per_row * layout.cell + 2 * INSIDE;
    if (layout.width < 264)
        layout.width = 264;
    layout.height = HEAD + layout.rows * layout.cell + INSIDE;
    layout.columns = (int32_t)((WIDEST + GAP) / (layout.width + GAP));
    if (layout.columns > topo->info.nodes)
        layout.columns = topo->info.nodes;
    layout.distance = topo->info.nodes > 16 ? 30 : 52;
    return layout;
}

/* ---- nodes ---- */

static void draw_processors(FILE *file, const struct layout *layout,
                            const struct topo_node *node, int32_t n, double x, double y)
{
    const double size = layout->cell - 4;

    for (int32_t i = 0; i < node->count; i++) {
        const bool usable = bl_processor_is_usable(node->first[i]);
        const double left = x + i % layout->per_row * layout->cell;
        const double top = y + i / layout->per_row * layout->cell;

        svg_box(file, left, top, size, size, 3, usable ? svg_node_colour(n) : PALE,
                NULL);
        if (size > 20)
            svg_text(file, left + size / 2, top + size / 2 + 4,
                     node->first[i] > 999 ? 9 : 11, SVG_MIDDLE,
                     usable ? "#ffffff" : PALE_TEXT, "%" PRId32, node->first[i]);
    }
}

static void draw_node(FILE *file, const struct layout *layout, const struct topo *topo,
                      int32_t n, double x, double y)
{
    const struct topo_node *const node = &topo->node[n];
    char text[64], bytes[32];

    svg_box(file, x, y, layout->width, layout->height, 6, BOX, BOX_LINE);
    if (node->info.os_index == n)
        svg_text(file, x + INSIDE, y + 24, 15, SVG_START, SVG_INK, "node %" PRId32, n);
    else
        svg_text(file, x + INSIDE, y + 24, 15, SVG_START, SVG_INK,
                 "node %" PRId32 " (the system's %" PRId32 ")", n, node->info.os_index);
    if (node->info.bytes > 0)
        svg_text(file, x + layout->width - INSIDE, y + 24, 13, SVG_END, SVG_INK, "%s",
                 topo_bytes(node->info.bytes, bytes));
    if (node->count == 0)
        svg_text(file, x + INSIDE, y + 44, 12, SVG_START, SVG_GREY, "%s",
                 strcmp(topo->info.source, "none") ? "memory only" : "all processors");
    else if (node->count == node->info.processors)
        svg_text(file, x + INSIDE, y + 44, 12, SVG_START, SVG_GREY, "%s",
                 topo_count(node->count, "processor", text));
    else
        svg_text(file, x + INSIDE, y + 44, 12, SVG_START, SVG_GREY,
                 "%" PRId32 " of %s for this process", node->info.processors,
                 topo_count(node->count, "processor", text));
    draw_processors(file, layout, node, n, x + INSIDE, y + HEAD);
}

static double draw_nodes(FILE *file, const struct layout *layout,
                         const struct topo *topo, double y)
{
    const int32_t rows = (topo->info.nodes + layout->columns - 1) / layout->columns;

    for (int32_t n = 0; n < topo->info.nodes; n++)
        draw_node(file, layout, topo, n,
                  MARGIN + n % layout->columns * (layout->width + GAP),
                  y + n / layout->columns * (layout->height + GAP));
    return y + rows * (layout->height + GAP);
}

/* ---- distances ---- */

/*
 * The colour of a distance, from pale (nearest) to strong (farthest); returns the
 * text's colour for it.
 */
static const char *heat(double share, char colour[8])
{
    snprintf(colour, 8, "#%02x%02x%02x", (int)(253 - 74 * share),
             (int)(245 - 185 * share), (int)(230 - 195 * share));
    return share > 0.5 ? "#ffffff" : SVG_INK;
}

static double draw_distances(FILE *file, const struct layout *layout,
                             const struct topo *topo, double y)
{
    const int32_t nodes = topo->info.nodes;
    const double left = MARGIN + 80, width = layout->distance, height = 28;
    int32_t least = INT32_MAX, most = 0;

    for (int32_t i = 0; i < nodes * nodes; i++) {
        const int32_t far = bl_topology_distance(i / nodes, i % nodes);

        least = far < least ? far : least;
        most = far > most ? far : most;
    }
    svg_text(file, MARGIN, y + 16, 15, SVG_START, SVG_INK,
             "Relative time from a node's processors to a node's memory");
    y += 28;
    for (int32_t n = 0; n < nodes; n++) {
        svg_text(file, left + (n + 0.5) * width, y + 14, 12, SVG_MIDDLE, SVG_GREY,
                 nodes > 16 ? "%" PRId32 : "to %" PRId32, n);
        svg_text(file, left - 10, y + 20 + n * height + 19, 12, SVG_END, SVG_GREY,
                 "from %" PRId32, n);
    }
    for (int32_t i = 0; i < nodes * nodes; i++) {
        const int32_t far = bl_topology_distance(i / nodes, i % nodes);
        const double x = left + i % nodes * width, top = y + 20 + i / nodes * height;
        char colour[8];
        const char *const ink =
            heat(most > least ? (double)(far - least) / (most - least) : 0, colour);

        svg_box(file, x, top, width - 2, height - 2, 2, colour, NULL);
        svg_text(file, x + width / 2 - 1, top + 18, 12, SVG_MIDDLE, ink, "%" PRId32,
                 far);
    }
    return y + 20 + nodes * height + GAP;
}

/* ---- the team ---- */

static double draw_bar(FILE *file, const char *what, int32_t count, double unit,
                       const char *colour, const char *note, double y)
{
    const double left = MARGIN + 190, width = count * unit < 3 ? 3 : count * unit;

    svg_text(file, left - 12, y + 16, 13, SVG_END, SVG_INK, "%s", what);
    svg_box(file, left, y, width, 22, 2, colour, NULL);
    svg_text(file, left + width + 8, y + 16, 13, SVG_START, SVG_INK, "%" PRId32 "%s",
             count, note);
    return y + 28;
}

static double draw_team(FILE *file, const struct topo *topo, double y)
{
    const bl_topology_info *const info = &topo->info;
    char text[64];
    int32_t most = info->team > info->mask ? info->team : info->mask;

    most = info->quota > most ? info->quota : most;
    const double unit = most > 16 ? 480.0 / most : 30;

    svg_text(file, MARGIN, y + 16, 15, SVG_START, SVG_INK,
             "A call of much work gets %s: %s", topo_count(info->team, "thread", text),
             info->limit_text);
    y += 30;
    y = draw_bar(file, "affinity mask or places", info->mask, unit, PALE,
                 info->mask == 1 ? " processor" : " processors", y);
    if (info->quota > 0)
        y = draw_bar(file, "control group quota", info->quota, unit, PALE,
                     info->quota == 1 ? " processor's time" : " processors' time", y);
    return draw_bar(file, "team", info->team, unit, SVG_INK,
                    info->team == 1 ? " thread" : " threads", y);
}

/* ---- the picture ---- */

static double width_of(const struct layout *layout, const struct topo *topo)
{
    const double boxes = layout->columns * (layout->width + GAP) - GAP;
    const double table =
        topo->has_distances ? 80 + topo->info.nodes * layout->distance : 0;
    double width = boxes > table ? boxes : table;

    if (width < 820)
        width = 820;
    return width + 2 * MARGIN;
}

static double height_of(const struct layout *layout, const struct topo *topo)
{
    const int32_t rows = (topo->info.nodes + layout->columns - 1) / layout->columns;
    const double table = topo->has_distances ? 48 + topo->info.nodes * 28 + GAP : 0;
    const double team = 30 + (topo->info.quota > 0 ? 84 : 56);

    return 96 + rows * (layout->height + GAP) + table + team + MARGIN;
}

void topo_svg(const struct topo *topo, FILE *file)
{
    const struct layout layout = plan_layout(topo);
    const bool described = strcmp(topo->info.source, "description") == 0;
    char nodes[64], processors[64], caches[TOPO_TEXT];
    double y = 96;

    topo_count(topo->info.nodes, "node", nodes);
    topo_count(topo->info.processors, "processor", processors);
    topo_caches(topo, caches);
    svg_open(file, width_of(&layout, topo), height_of(&layout, topo),
             "The machine as Broadloom sees it");
    svg_text(file, MARGIN, 44, 20, SVG_START, SVG_INK, "%s, %s for this process", nodes,
             processors);
    svg_text(file, MARGIN, 68, 13, SVG_START, SVG_GREY, "%s%s%s%s",
             described ? "A machine that was described, not this one" : "This machine",
             caches[0] ? "; caches: " : "", caches,
             topo->info.core_kinds > 1 ? "; kinds of core that differ in speed" : "");
    y = draw_nodes(file, &layout, topo, y);
    if (topo->has_distances)
        y = draw_distances(file, &layout, topo, y);
    draw_team(file, topo, y);
    svg_close(file);
}
