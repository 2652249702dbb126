/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading, writing and enumerating shapes.
 */
#include "shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape shape_read(const char *text, const char **end)
{
    struct shape shape = {.rank = 0};

    if (*text++ != '(') {
        shape.rank = -1;
        return shape;
    }
    while (*text != ')' && *text != '\0' && shape.rank < BL_MAX_RANK) {
        char *rest;

        shape.extent[shape.rank++] = strtoll(text, &rest, 10);
        text = *rest == ',' ? rest + 1 : rest;
    }
    if (*text != ')')
        shape.rank = -1;
    if (end != NULL)
        *end = text + 1;
    return shape;
}

const char *shape_write(char buffer[SHAPE_TEXT], int32_t rank, const int64_t *extent)
{
    int used = snprintf(buffer, SHAPE_TEXT, "(");

    for (int32_t d = 0; d < rank && used < SHAPE_TEXT - 24; d++)
        used += snprintf(buffer + used, SHAPE_TEXT - (size_t)used, "%s%" PRId64,
                         d > 0 ? "," : "", extent[d]);
    snprintf(buffer + used, SHAPE_TEXT - (size_t)used, ")");
    return buffer;
}

bool shape_equal(const struct shape *shape, int32_t rank, const int64_t *extent)
{
    if (shape->rank != rank)
        return false;
    for (int32_t d = 0; d < rank; d++)
        if (shape->extent[d] != extent[d])
            return false;
    return true;
}

bl_shape shape_borrow(const struct shape *shape)
{
    return (bl_shape){.rank = shape->rank, .extent = shape->extent};
}

bool shape_numbered(int64_t number, int32_t rank, int64_t largest, struct shape *shape)
{
    int64_t count = 1; /* number of shapes with that many dimensions */

    memset(shape, 0, sizeof *shape);
    while (number >= count) {
        number -= count;
        count *= largest + 1;
        if (++shape->rank > rank)
            return false;
    }
    for (int32_t d = shape->rank - 1; d >= 0; d--) {
        shape->extent[d] = number % (largest + 1);
        number /= largest + 1;
    }
    return true;
}
