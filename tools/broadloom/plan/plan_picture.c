/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws a plan: a panel for the result, with its slices, and one for the memory of each
 * operand, with the nodes that read it and the nodes that hold it.
 */
#include "plan_picture.h"

#include <string.h>

#include "draw/memory_map_draw.h"
#include "draw/svg.h"
#include "audit/locality.h"
#include "output.h"
#include "topo/topo.h"

/* Sizes in pixels. */
enum { MARGIN = 28, LEFT = 156, TOP = 152, RESULT = 400, OPERAND = 280, COLUMN = 384 };

/* The panel of the result or of an operand. */
struct panel {
    struct memory_map map;
    struct frame frame;
    double below; /* baseline of the first text under it */
};

struct picture {
    const struct plan_report *report;
    bl_topology_info machine;
    struct slices slices;
    struct locality locality;
    struct panel panel[1 + BL_MAX_INPUTS]; /* the result's first */
};

static void draw_title(FILE *file, const struct picture *picture)
{
    const bl_topology_info *const machine = &picture->machine;
    bl_node_info node = {.size = sizeof node};
    char text[200] = "", call[1000];
    size_t used = 0;

    for (int32_t n = 0; n < machine->nodes && machine->nodes <= 16; n++)
        if (bl_node_query(n, &node) == BL_OK && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d",
                                     n > 0 ? " + " : ": ", (int)node.processors);
    call_text(picture->report->call, call, sizeof call);
    svg_text(file, MARGIN, 40, 20, SVG_START, SVG_INK, "%.110s", call);
    svg_text(file, MARGIN, 64, 13, SVG_START, SVG_GREY,
             "%d thread%s on %d node%s%s processor%s%s", (int)picture->report->threads,
             picture->report->threads == 1 ? "" : "s", (int)machine->nodes,
             machine->nodes == 1 ? "" : "s", used ? text : ",",
             machine->processors == 1 ? "" : "s",
             strcmp(machine->source, "description") ? "" : " (a description)");
    if (machine->nodes > 1)
        svg_text(file, MARGIN, 84, 13, SVG_START, SVG_GREY,
                 "Each colour is a node; striped memory is read by every node of its "
                 "colours.");
}

/* ---- panels ---- */

/* Whether the last extent is 1, so that one row of memory runs from top to bottom. */
static bool is_upright(const bl_layout *layout)
{
    return layout->rank > 0 && layout->extent[layout->rank - 1] == 1;
}

/* Whether operand k has a panel: in place, the first operand is the result. */
static bool is_shown(const struct picture *picture, int32_t k)
{
    return k != 1 || !picture->report->call->inplace;
}

static bl_status make_panels(struct picture *picture)
{
    const struct plan_report *const report = picture->report;
    const bl_plan_info *const info = report->info;
    double x = LEFT;
    bl_layout result = report->call->operand[0].layout;

    if (!report->call->inplace)
        TRY(bl_layout_compact(info->rank, info->extent, &result));
    for (int32_t k = 0; k <= info->inputs; k++) {
        struct panel *const panel = &picture->panel[k];
        const bl_layout *const layout =
            k == 0 ? &result : &report->call->operand[k - 1].layout;
        const bl_dtype dtype =
            k == 0 ? info->dtype : report->call->operand[k - 1].dtype;

        if (!is_shown(picture, k))
            continue;
        TRY(memory_map_make(layout, (int64_t)bl_dtype_size(dtype),
                            k > 0 && is_upright(layout), &panel->map));
        memory_map_fit(&panel->map, k == 0 ? RESULT : OPERAND, &panel->frame);
        panel->frame.x = x;
        panel->frame.y = TOP;
        panel->below =
            TOP + panel->frame.height + (k == 0 && panel->map.rows == 1 ? 38 : 22);
        x += k == 0 ? RESULT + 84 : COLUMN;
    }
    return BL_OK;
}

static void free_panels(struct picture *picture)
{
    for (int32_t k = 0; k <= BL_MAX_INPUTS; k++)
        memory_map_free(&picture->panel[k].map);
}

/* Write a panel's heading: "result" or the operand, and its notation. */
static void name_panel(const struct picture *picture, int32_t k, char what[24],
                       char notation[64])
{
    const struct plan_report *const report = picture->report;
    struct shape shape = {.rank = report->info->rank};
    char text[SHAPE_TEXT];

    if (k > 0) {
        snprintf(what, 24, "operand %d", (int)k);
        snprintf(notation, 64, "%.60s", report->call->text[k - 1]);
        return;
    }
    memcpy(shape.extent, report->info->extent, sizeof shape.extent);
    shape_text(&shape, text, sizeof text);
    text[strlen(text) - 1] = '\0';
    snprintf(what, 24, "result");
    if (report->call->inplace)
        snprintf(notation, 64, "%.60s", report->call->text[0]);
    else
        snprintf(notation, 64, "%s[%.50s]", bl_dtype_name(report->info->dtype),
                 text + 1);
}

/* Draw two lines over a panel, and two or three under it. */
static void draw_captions(FILE *file, const struct picture *picture, int32_t k)
{
    const struct panel *const panel = &picture->panel[k];
    const double x = panel->frame.x;
    double below = panel->below;
    char what[24], notation[64], bytes[32];

    name_panel(picture, k, what, notation);
    svg_text(file, x, TOP - 42, 15, SVG_START, SVG_INK, "%s", what);
    svg_text(file, x, TOP - 25, 12, SVG_START, SVG_GREY, "%.40s, %s", notation,
             topo_bytes(panel->map.bytes, bytes));
    if (picture->machine.nodes > 1) {
        svg_text(file, x, below, 12, SVG_START, SVG_INK,
                 "%.0f %% is %s by the node that it lies on",
                 locality_percent(&picture->locality), k == 0 ? "written" : "read");
        below += 18;
    }
    if (panel->map.down[0] != '\0') {
        svg_text(file, x, below, 12, SVG_START, SVG_GREY, "down: %s", panel->map.down);
        below += 16;
    }
    if (panel->map.across[0] != '\0')
        svg_text(file, x, below, 12, SVG_START, SVG_GREY, "across: %s",
                 panel->map.across);
}

/* Draw which nodes hold the memory, and what share of it they access themselves. */
static bl_status draw_lies(FILE *file, struct picture *picture, int32_t k)
{
    const struct panel *const panel = &picture->panel[k];
    const struct extent extent = {panel->map.bytes, panel->map.first, panel->map.size};
    const int32_t threads = picture->report->threads;
    struct slices page_nodes;

    TRY(slices_of_memory(panel->map.bytes, threads, &page_nodes));
    draw_page_nodes(file, &panel->map, &panel->frame, &page_nodes,
                    k == 0 ? "written by" : "read by");
    slices_free(&page_nodes);
    TRY(locality_open(picture->machine.nodes, &picture->locality));
    return locality_ideal(&picture->locality, picture->report->info, k, &extent,
                          &picture->slices, threads);
}

static bl_status draw_panel(FILE *file, struct picture *picture, int32_t k)
{
    struct panel *const panel = &picture->panel[k];
    bl_status status = BL_OK;

    memory_map_touch(&panel->map, picture->report->info, k, &picture->slices);
    if (picture->machine.nodes > 1)
        status = draw_lies(file, picture, k);
    if (status == BL_OK) {
        if (k == 0) {
            draw_slices(file, &panel->map, &panel->frame, &picture->slices);
            draw_node_labels(file, &panel->map, &panel->frame, &picture->slices);
        } else {
            draw_readers(file, &panel->map, &panel->frame, picture->machine.nodes, k);
        }
        draw_captions(file, picture, k);
    }
    locality_free(&picture->locality);
    return status;
}

static bl_status draw(FILE *file, struct picture *picture)
{
    const struct call *const call = picture->report->call;
    double height = 0, width = 0;
    char text[1000];

    for (int32_t k = 0; k <= call->count; k++) {
        const struct panel *const panel = &picture->panel[k];

        if (!is_shown(picture, k))
            continue;
        height = panel->below > height ? panel->below : height;
        width = panel->frame.x + (k == 0 ? RESULT : COLUMN);
    }
    call_text(call, text, sizeof text);
    svg_open(file, width, height + 54, text);
    draw_title(file, picture);
    for (int32_t k = 0; k <= call->count; k++)
        if (is_shown(picture, k))
            TRY(draw_panel(file, picture, k));
    svg_close(file);
    return BL_OK;
}

static bl_status write_picture(struct picture *picture, const char *path)
{
    struct output output;

    TRY(output_open(path, &output));
    return output_close(&output, draw(output.file, picture));
}

bl_status plan_picture(const struct plan_report *report, const char *path)
{
    struct picture picture = {.report = report};
    bl_status status;

    if (report->info->numel == 0)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "there is nothing to draw of a result without elements");
    picture.machine.size = sizeof picture.machine;
    TRY(bl_topology_query(NULL, &picture.machine));
    TRY(slices_make(report->plan, report->threads, &picture.slices));
    status = make_panels(&picture);
    if (status == BL_OK)
        status = write_picture(&picture, path);
    free_panels(&picture);
    slices_free(&picture.slices);
    return status;
}
