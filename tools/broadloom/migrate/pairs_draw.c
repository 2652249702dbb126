/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pictures of paired elements.  A panel is a grid of cells: an operand's have the
 * number of an element, the result's those of all operands, one below the other.
 */
#include "pairs.h"

#include "draw/svg.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Sizes in pixels; a picture fits the width of a phone. */
enum { CELL = 30, LINE = 13, PAD = 9, LABEL = 18, GAP = 20, LETTER = 6 };

/* Cells that are drawn of an extent: of more, the last cell stands for the others. */
enum { ROW_CELLS = 10, GRID_CELLS = 5 };

enum { TEXT_SIZE = 1800, LONGEST_SHAPE = 16 };

static const char *const inks[PAIRED_MOST] = {"var(--one)", "var(--two)",
                                              "var(--three)"};

struct panel {
    double x, y, height; /* of a cell */
    int32_t rows, columns;
    bool more_rows, more_columns; /* the last one stands for others */
    int32_t operand;              /* -1: the result */
};

static bool is_result(const struct panel *panel)
{
    return panel->operand < 0;
}

/* Whether a cell has elements, and does not stand for others. */
static bool has_elements(const struct panel *panel, int32_t i, int32_t j)
{
    return !(panel->more_rows && i == panel->rows - 1) &&
           !(panel->more_columns && j == panel->columns - 1);
}

/* Whether a cell is shaded: an element that is there, a pair as of 1-D. */
static bool is_shaded(const struct pairs *pairs, const struct panel *panel, int32_t i,
                      int32_t j)
{
    if (is_result(panel))
        return pairs_is_linear(pairs, i, j);
    return (i == 0 || pairs_extent(pairs, panel->operand, pairs->row) > 1) &&
           (j == 0 || pairs_extent(pairs, panel->operand, pairs->column) > 1);
}

/* ---- drawing ---- */

static void draw_label(FILE *file, const struct panel *panel, const struct shape *shape)
{
    char text[SHAPE_TEXT], what[24] = "result";

    shape_text(shape, text, sizeof text);
    if (strlen(text) > LONGEST_SHAPE)
        snprintf(text, sizeof text, "of rank %" PRId32, shape->rank);
    if (!is_result(panel))
        snprintf(what, sizeof what, "operand %d", (int)panel->operand + 1);
    svg_text(file, panel->x, panel->y - 5, 12, SVG_START,
             is_result(panel) ? "var(--ink)" : inks[panel->operand], "%s %s", what,
             text);
}

static void draw_shading(FILE *file, const struct pairs *pairs,
                         const struct panel *panel)
{
    fputs("<path d=\"", file);
    for (int32_t i = 0; i < panel->rows; i++)
        for (int32_t j = 0; j < panel->columns; j++)
            if (has_elements(panel, i, j) && is_shaded(pairs, panel, i, j))
                fprintf(file, "M%.0f %.0fh%dv%.0fh-%dz", panel->x + j * CELL,
                        panel->y + i * panel->height, CELL, panel->height, CELL);
    fprintf(file, "\" fill=\"%s\"/>\n",
            is_result(panel) ? "var(--kept)" : "var(--cell)");
}

/* Draw the lines between cells, and dots in those that stand for others. */
static void draw_lines(FILE *file, const struct panel *panel)
{
    const double width = panel->columns * CELL, height = panel->rows * panel->height;

    fputs("<path d=\"", file);
    for (int32_t i = 0; i <= panel->rows; i++)
        fprintf(file, "M%.0f %.0fh%.0f", panel->x, panel->y + i * panel->height, width);
    for (int32_t j = 0; j <= panel->columns; j++)
        fprintf(file, "M%.0f %.0fv%.0f", panel->x + j * CELL, panel->y, height);
    fputs("\" fill=\"none\" stroke=\"var(--edge)\"/>\n", file);
    svg_group(file, 11, "var(--soft)");
    for (int32_t i = 0; i < panel->rows; i++)
        for (int32_t j = 0; j < panel->columns; j++)
            if (!has_elements(panel, i, j))
                svg_dots(file, panel->x + (j + .5) * CELL,
                         panel->y + (i + .5) * panel->height + 4);
    svg_group_end(file);
}

/* The size of a number that fits a cell. */
static double size_of(int64_t number)
{
    return number < 1000 ? 11 : number < 10000 ? 10 : number < 100000 ? 9 : 6;
}

/* Draw the elements of operand `k` in a panel's cells, below `line` others. */
static void draw_elements(FILE *file, const struct pairs *pairs,
                          const struct panel *panel, int32_t k, int32_t line)
{
    double size = 0;

    for (int32_t i = 0; i < panel->rows; i++)
        for (int32_t j = 0; j < panel->columns; j++) {
            const int64_t element = pairs_element(pairs, k, i, j);

            if (!has_elements(panel, i, j))
                continue;
            if (size_of(element) != size) {
                if (size > 0)
                    svg_group_end(file);
                size = size_of(element);
                svg_group(file, size, inks[k]);
            }
            svg_number(file, panel->x + (j + .5) * CELL,
                       panel->y + i * panel->height + (line + 1) * LINE + 3, element);
        }
    if (size > 0)
        svg_group_end(file);
}

static void draw_panel(FILE *file, const struct pairs *pairs, const struct panel *panel,
                       const struct shape *shape)
{
    draw_label(file, panel, shape);
    draw_shading(file, pairs, panel);
    draw_lines(file, panel);
    if (is_result(panel))
        for (int32_t k = 0; k < pairs->call->count; k++)
            draw_elements(file, pairs, panel, k, k);
    else
        draw_elements(file, pairs, panel, panel->operand, 0);
}

/* ---- the text instead of a picture ---- */

struct text {
    char at[TEXT_SIZE];
    size_t used;
};

BL_PRINTF(2, 3) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;

    if (text->used >= TEXT_SIZE)
        return;
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->at + text->used, TEXT_SIZE - text->used,
                                    format, arguments);
    va_end(arguments);
}

/* Add "0 with 0, 1 with 0, and so on" for each row of the result. */
static void add_pairs(struct text *text, const struct pairs *pairs,
                      const struct panel *panel)
{
    for (int32_t i = 0; i < panel->rows - panel->more_rows; i++) {
        add(text, i > 0 ? "; " : ": ");
        for (int32_t j = 0; j < panel->columns - panel->more_columns; j++) {
            add(text, j > 0 ? ", " : "");
            for (int32_t k = 0; k < pairs->call->count; k++)
                add(text, "%s%" PRId64,
                    k == 0   ? ""
                    : k == 1 ? " with "
                             : " and ",
                    pairs_element(pairs, k, i, j));
        }
        add(text, panel->more_columns ? ", and so on" : "");
    }
    add(text, panel->more_rows ? "; and so on." : ".");
}

/* ---- pictures ---- */

static int32_t cells_of(int64_t extent, int32_t most, bool *has_more)
{
    *has_more = extent > most;
    return *has_more ? most : (int32_t)extent;
}

/*
 * Draw the pairs as panels of at most `most` columns, next to each other where these
 * are few; the labels have the shapes of `labels`.
 */
static void draw(FILE *file, const struct pairs *pairs, int32_t most,
                 const struct pairs *labels, const struct shape *result,
                 const char *what)
{
    const int32_t panels = pairs->call->count + 1, abreast = most > GRID_CELLS ? 1 : 2;
    const double column = abreast > 1 ? GRID_CELLS * CELL + GAP : most * CELL;
    struct panel panel = {.x = 1, .y = LABEL, .height = LINE + PAD};
    struct text text = {.used = 0};
    const double result_height = LINE * pairs->call->count + PAD;
    const int32_t lines = (panels + abreast - 1) / abreast;
    double height;
    char shape[SHAPE_TEXT];

    panel.rows = cells_of(pairs->row < 0 ? 1 : pairs->broadcast.extent[pairs->row],
                          GRID_CELLS, &panel.more_rows);
    panel.columns =
        cells_of(pairs->column < 0 ? 1 : pairs->broadcast.extent[pairs->column], most,
                 &panel.more_columns);
    height = lines * LABEL + (lines - 1) * (panel.rows * panel.height + LABEL / 2.) +
             panel.rows * result_height + 2;
    add(&text, "%s %s", what, shape_text(result, shape, sizeof shape));
    add_pairs(&text, pairs, &panel);
    svg_open_inline(file, column * abreast - (abreast - 1) * GAP + 2, height, text.at);
    for (int32_t k = 0; k < panels; k++) {
        panel.operand = k < panels - 1 ? k : -1;
        if (is_result(&panel))
            panel.height = result_height;
        draw_panel(file, pairs, &panel,
                   is_result(&panel) ? result : &labels->call->operand[k]);
        panel.x = (k + 1) % abreast == 0 ? 1 : 1 + column;
        if ((k + 1) % abreast == 0)
            panel.y += panel.rows * panel.height + LABEL * 1.5;
    }
    svg_close(file);
}

void pairs_draw_linear(const struct pairs *pairs, FILE *file)
{
    struct paired call = {.count = pairs->call->count};
    struct pairs linear;

    for (int k = 0; k < call.count; k++)
        call.operand[k] = (struct shape){.rank = 1, .extent = {pairs->numel}};
    if (pairs_find(&call, 0, &linear))
        draw(file, &linear, ROW_CELLS, pairs, &pairs->call->operand[pairs->self],
             "Paired as 1-D, for a result");
}

void pairs_draw_broadcast(const struct pairs *pairs, FILE *file)
{
    draw(file, pairs, GRID_CELLS, pairs, &pairs->broadcast, "Broadcast to");
}
