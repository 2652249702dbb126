/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The notation of how an array lies over ranks.
 */
#include "ranks.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array's dimensions while they are parsed. */
struct lie {
    struct bli_dim dims[BL_MAX_RANK];
    int64_t *border[BL_MAX_RANK]; /* freed at the end */
    int32_t count;
};

/* Parse an integer from 0 to `most` at *text, which is advanced past it. */
static bl_status number(const char **text, int64_t most, int64_t *value)
{
    char *end;

    errno = 0;
    *value = isdigit((unsigned char)**text) ? strtoll(*text, &end, 10) : -1;
    if (*value < 0 || errno != 0 || *value > most)
        return bl_error_set(
            BL_ERR_FORMAT,
            "'%.40s' where an integer from 0 to %" PRId64 " should stand", *text, most);
    *text = end;
    return BL_OK;
}

/* Parse the borders of a dimension, after the parenthesis. */
static bl_status borders(const char **text, const struct bli_grid *grid, int64_t extent,
                         struct lie *lie)
{
    struct bli_dim *const dim = &lie->dims[lie->count];
    const int32_t parts = bli_dim_parts(grid, dim->axis);
    int64_t *const border = malloc(sizeof *border * ((size_t)parts + 1));

    if (!border)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d borders", (int)parts + 1);
    dim->border = lie->border[lie->count] = border;
    for (int32_t p = 0; p <= parts; p++) {
        TRY(number(text, extent, &border[p]));
        if (**text != (p < parts ? ',' : ')'))
            return bl_error_set(
                BL_ERR_FORMAT,
                "a dimension of %d parts takes %d borders in parentheses", (int)parts,
                (int)parts + 1);
        ++*text;
    }
    return BL_OK;
}

/* Parse one dimension: "-", "0", "0+1", "0(0,5,8)". */
static bl_status dimension(const char **text, const struct bli_grid *grid,
                           int64_t extent, struct lie *lie)
{
    struct bli_dim *const dim = &lie->dims[lie->count];
    int64_t axis;

    if (**text == '-') {
        ++*text;
        return BL_OK;
    }
    TRY(number(text, grid->axes - 1, &axis));
    dim->axis = (int32_t)axis;
    for (int32_t set = 1 << axis; **text == '+';) {
        ++*text;
        TRY(number(text, grid->axes - 1, &axis));
        if (set >> axis & 1)
            return bl_error_set(BL_ERR_FORMAT, "axis %d is named twice", (int)axis);
        set |= 1 << axis;
        dim->axis = BLI_AXES(set);
    }
    if (**text != '(')
        return BL_OK;
    ++*text;
    return borders(text, grid, extent, lie);
}

static bl_status parse(const char *text, const struct bli_grid *grid, int32_t rank,
                       const int64_t *extent, struct lie *lie)
{
    for (int32_t d = 0; d < rank; d++)
        lie->dims[d] = (struct bli_dim){BLI_WHOLE, NULL};
    while (*text != '\0') {
        if (lie->count == rank)
            return bl_error_set(BL_ERR_FORMAT, "'%.40s' after %d dimensions", text,
                                (int)rank);
        TRY(dimension(&text, grid, extent[lie->count], lie));
        lie->count++;
        if (*text == ',' && text[1] != '\0')
            text++;
        else if (*text != '\0')
            return bl_error_set(BL_ERR_FORMAT, "'%.40s' where ',' should stand", text);
    }
    return BL_OK;
}

bl_status ranks_lie(const char *text, const struct bli_grid *grid, int32_t rank,
                    const int64_t *extent, struct bli_spread **out)
{
    struct lie lie = {.count = 0};
    bl_status status;
    int64_t root;

    if (*text == 'r') {
        TRY(parse_integer("the rank after @r", text + 1, 0, grid->ranks - 1, &root));
        return bli_spread_make(grid, rank, extent, NULL, (int32_t)root, out);
    }
    status = parse(text, grid, rank, extent, &lie);
    if (status == BL_OK)
        status = bli_spread_make(grid, rank, extent, lie.dims, BLI_EVERY_RANK, out);
    for (int32_t d = 0; d < BL_MAX_RANK; d++)
        free(lie.border[d]);
    return status;
}

/* Whether a dimension's borders are the library's. */
static bool is_default(const struct bli_borders *cut)
{
    const size_t count = (size_t)cut->parts + 1;
    int64_t *const border = malloc(sizeof *border * count);
    bool is_same = true;

    if (border) {
        bli_borders_default(cut->border[cut->parts], cut->parts, border);
        is_same = memcmp(border, cut->border, sizeof *border * count) == 0;
    }
    free(border);
    return is_same;
}

const char *ranks_lie_text(const struct bli_spread *spread, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "@");

    if (spread->root != BLI_EVERY_RANK) {
        snprintf(text, size, "@r%d", (int)spread->root);
        return text;
    }
    for (int32_t d = 0; d < spread->rank && used < size; d++) {
        const int32_t axis = spread->axis[d];

        if (d > 0)
            used += (size_t)snprintf(text + used, size - used, ",");
        if (used >= size)
            break;
        for (int32_t a = 0; a < spread->grid.axes && used < size; a++)
            if (spread->dim[a] == d)
                used += (size_t)snprintf(text + used, size - used, "%s%d",
                                         a > axis ? "+" : "", (int)a);
        if (used < size && axis == BLI_WHOLE)
            used += (size_t)snprintf(text + used, size - used, "-");
        else if (used < size && !is_default(&spread->cut[axis]))
            used += (size_t)snprintf(text + used, size - used, "(...)");
    }
    return text;
}
