/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the plan of an expression: a column for each call, and in each row what lives
 * in one place of memory, from the call that writes it to the last one that reads it.
 */
#include "expression_plan.h"

#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"
#include "output.h"
#include "topo/topo.h"

/* Sizes in pixels. */
enum { MARGIN = 28, LEFT = 196, TOP = 132, ROW = 30, GAP = 24, WIDEST = 1100 };

#define PALE "#e2e5ea"
#define LINE "#eef0f3"

/* A row: an input, an output, or a part of the workspace or of the registers. */
struct row {
    int32_t place, slot;
    int32_t busy; /* the last call that needs what is there so far */
};

struct picture {
    const struct expression_plan *plan;
    int32_t calls, rows;
    double column;
    struct row *row;
    int32_t *row_of; /* each value's */
};

/* The calls in which a value is in its place: from 0, or where it is computed. */
static int32_t first_of(const struct expression_value *value)
{
    return value->info.call < 0 ? 0 : value->info.call;
}
static int32_t last_of(const struct picture *picture,
                       const struct expression_value *value)
{
    if (value->is_result)
        return picture->calls - 1;
    return value->last > first_of(value) ? value->last : first_of(value);
}

/* The last call of a value's bar: before another value takes its place. */
static int32_t bar_end(const struct picture *picture, int32_t k)
{
    const struct expression_value *const value = &picture->plan->value[k];
    int32_t end = last_of(picture, value);

    for (int32_t i = 0; i < picture->plan->count; i++) {
        const int32_t next = first_of(&picture->plan->value[i]);

        if (picture->row_of[i] == picture->row_of[k] && next > first_of(value) &&
            next <= end)
            end = next - 1;
    }
    return end;
}

/* The row of a value: its input or output, or one of its place that is free. */
static int32_t choose_row(struct picture *picture, const struct expression_value *value)
{
    const int32_t place = value->info.place, slot = value->info.slot;
    int32_t k = 0;

    for (; k < picture->rows; k++) {
        const struct row *const row = &picture->row[k];

        if (row->place == place && row->slot == slot &&
            (slot >= 0 || row->busy < first_of(value)))
            break;
    }
    if (k == picture->rows)
        picture->row[picture->rows++] = (struct row){place, slot, -1};
    picture->row[k].busy = last_of(picture, value);
    return k;
}

/* Rows by place: inputs, registers, workspace, outputs. */
static int place_rank(int32_t place)
{
    return place == BL_EXPR_INPUT       ? 0
           : place == BL_EXPR_WORKSPACE ? 2
           : place == BL_EXPR_OUTPUT    ? 3
                                        : 1;
}

static bl_status choose_rows(struct picture *picture)
{
    const struct expression_plan *const plan = picture->plan;

    picture->row = calloc((size_t)plan->count + (size_t)plan->about.outputs + 1,
                          sizeof *picture->row);
    picture->row_of = calloc((size_t)plan->count + 1, sizeof *picture->row_of);
    if (!picture->row || !picture->row_of)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a picture");
    for (int rank = 0; rank < 4; rank++) {
        for (int32_t k = 0; k < plan->count; k++)
            if (place_rank(plan->value[k].info.place) == rank)
                picture->row_of[k] = choose_row(picture, &plan->value[k]);
        /* Outputs that are copied, from the workspace or an input. */
        for (int32_t k = 0; rank == 3 && k < plan->about.outputs; k++) {
            int32_t r = 0;

            while (r < picture->rows && !(picture->row[r].place == BL_EXPR_OUTPUT &&
                                          picture->row[r].slot == k))
                r++;
            if (r == picture->rows)
                picture->row[picture->rows++] = (struct row){BL_EXPR_OUTPUT, k, -1};
        }
    }
    return BL_OK;
}

/* ---- drawing ---- */

static const char *colour_of(int32_t place)
{
    static const int32_t colour[] = {5, 2, 1, 0};

    return svg_node_colour(colour[place_rank(place)]);
}

static double row_top(const struct picture *picture, int32_t row)
{
    double y = TOP + row * ROW;

    for (int32_t k = 1; k <= row; k++)
        if (picture->row[k].place != picture->row[k - 1].place)
            y += GAP;
    return y;
}

static void draw_rows(FILE *file, const struct picture *picture)
{
    const struct expression_plan *const plan = picture->plan;
    const double width = picture->calls * picture->column;

    for (int32_t k = 0; k < picture->rows; k++) {
        const struct row *const row = &picture->row[k];
        const double y = row_top(picture, k);

        svg_box(file, LEFT, y, width, ROW - 6, 3, LINE, NULL);
        if (row->place == BL_EXPR_INPUT)
            svg_text(file, LEFT - 12, y + 17, 13, SVG_END, SVG_INK, "%.20s",
                     plan->about.input[row->slot]);
        else if (row->place == BL_EXPR_OUTPUT)
            svg_text(file, LEFT - 12, y + 17, 13, SVG_END, SVG_INK, "output %d",
                     (int)row->slot);
        else if (k == 0 || picture->row[k - 1].place != row->place)
            svg_text(file, LEFT - 12, y + 17, 13, SVG_END, SVG_INK, "%s",
                     expression_place(row->place));
    }
    for (int32_t c = 0; c < picture->calls; c++) {
        const double x = LEFT + (c + 0.5) * picture->column;
        char name[16];

        expression_operator(plan, c, name);
        svg_text(file, x, TOP - 26, 11, SVG_MIDDLE, SVG_GREY, "%d", (int)c);
        svg_text(file, x, TOP - 11, picture->column > 44 ? 12 : 9, SVG_MIDDLE, SVG_INK,
                 "%.*s",
                 (int)(picture->column / 7) > 0 ? (int)(picture->column / 7) : 1, name);
    }
}

/* A value's bar, with as much of its text as there is room for. */
static void draw_value(FILE *file, const struct picture *picture, int32_t k)
{
    const struct expression_value *const value = &picture->plan->value[k];
    const bl_expr_node_info *const info = &value->info;
    const double y = row_top(picture, picture->row_of[k]);
    const double x = LEFT + first_of(value) * picture->column + 1;
    const double width =
        (bar_end(picture, k) - first_of(value) + 1) * picture->column - 2;
    const int room = (int)((width - 10) / 6.5);
    char text[160], bytes[32], label[256];

    svg_box(file, x, y, width, ROW - 6, 3, colour_of(info->place), NULL);
    topo_bytes(expression_bytes(info), bytes);
    expression_text(picture->plan, value, text, sizeof text);
    snprintf(label, sizeof label, "%s, %s", text, bytes);
    if (info->place == BL_EXPR_INPUT || (int)strlen(text) > room)
        snprintf(label, sizeof label, "%s", bytes);
    else if ((int)strlen(label) > room)
        snprintf(label, sizeof label, "%s", text);
    if ((int)strlen(label) <= room)
        svg_text(file, x + 5, y + 16, 11, SVG_START, "#ffffff", "%s", label);
}

/* Outputs that calls without a node write: the last ones, in the order of outputs. */
static void draw_copies(FILE *file, const struct picture *picture)
{
    int32_t copies = 0;

    for (int32_t k = 0; k < picture->rows; k++)
        copies += picture->row[k].place == BL_EXPR_OUTPUT && picture->row[k].busy < 0;
    for (int32_t k = 0; k < picture->rows; k++) {
        const double x = LEFT + (picture->calls - copies) * picture->column + 1;

        if (picture->row[k].place != BL_EXPR_OUTPUT || picture->row[k].busy >= 0)
            continue;
        svg_box(file, x, row_top(picture, k), copies * picture->column - 2, ROW - 6, 3,
                colour_of(BL_EXPR_OUTPUT), NULL);
        copies--;
    }
}

static void draw(FILE *file, const struct picture *picture)
{
    const bl_expr_plan_info *const info = &picture->plan->info;
    const double width = LEFT + picture->calls * picture->column + MARGIN;
    char bytes[4][32];

    svg_open(file, width < 760 ? 760 : width,
             row_top(picture, picture->rows - 1) + ROW + MARGIN, picture->plan->text);
    svg_text(file, MARGIN, 40, 18, SVG_START, SVG_INK, "%.100s%s", picture->plan->text,
             strlen(picture->plan->text) > 100 ? "..." : "");
    svg_text(file, MARGIN, 64, 13, SVG_START, SVG_GREY,
             "%d calls move %s; call by call %s, inputs and outputs alone %s",
             (int)info->calls, topo_bytes(info->bytes, bytes[0]),
             topo_bytes(info->bytes_apart, bytes[1]),
             topo_bytes(info->bytes_least, bytes[2]));
    svg_text(file, MARGIN, 82, 13, SVG_START, SVG_GREY,
             "workspace %s; a bar is a value, from the call that writes it to the last "
             "one that reads it",
             info->workspace ? topo_bytes(info->workspace, bytes[3]) : "none");
    draw_rows(file, picture);
    for (int32_t k = 0; k < picture->plan->count; k++)
        draw_value(file, picture, k);
    draw_copies(file, picture);
    svg_close(file);
}

bl_status expression_picture(const struct expression_plan *plan, const char *path)
{
    struct picture picture = {.plan = plan, .calls = plan->info.calls};
    struct output output;
    bl_status status;

    picture.column =
        picture.calls * 110 < WIDEST ? 110 : (double)WIDEST / picture.calls;
    picture.column = picture.column < 14 ? 14 : picture.column;
    status = choose_rows(&picture);
    if (status == BL_OK)
        status = output_open(path, &output);
    if (status == BL_OK) {
        draw(output.file, &picture);
        status = output_close(&output, status);
    }
    free(picture.row);
    free(picture.row_of);
    return status;
}
