/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes shapes for error texts.
 */
#include "text.h"

#include <inttypes.h>
#include <stdio.h>

const char *bli_shape_print(char *buffer, size_t size, const char *between,
                            const bl_shape *shape)
{
    size_t used = (size_t)snprintf(buffer, size, "[");

    for (int32_t d = 0; d < shape->rank && used < size; d++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%" PRId64,
                                 d > 0 ? between : "", shape->extent[d]);
    if (used < size)
        snprintf(buffer + used, size - used, "]");
    return buffer;
}
