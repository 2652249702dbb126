/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes in error texts.
 */
#ifndef COMPAT_TEXT_H
#define COMPAT_TEXT_H

#include <broadloom/shape.h>

/*
 * Write "[2, 3]", with `between` instead of ", ", cut to `size` bytes.  Returns the
 * buffer.
 */
const char *bli_shape_print(char *buffer, size_t size, const char *between,
                            const bl_shape *shape);

#endif
