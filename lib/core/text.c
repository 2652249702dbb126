/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Building texts in fixed buffers, for error messages: never allocates.
 */
#include "core/core.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void bli_text_open(struct bli_text *text, char *buffer, size_t size)
{
    text->at = buffer;
    text->end = buffer + size - 1;
    *buffer = '\0';
}

void bli_text_add(struct bli_text *text, const char *format, ...)
{
    const int saved = errno;
    const size_t room = (size_t)(text->end - text->at);
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(text->at, room + 1, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->at += (size_t)length < room ? (size_t)length : room;
    errno = saved;
}

void bli_text_extents(struct bli_text *text, const char *open, const char *between,
                      const char *close, int32_t rank, const int64_t *extent)
{
    bli_text_add(text, "%s", open);
    for (int32_t d = 0; d < rank; d++)
        bli_text_add(text, "%s%" PRId64, d ? between : "", extent[d]);
    bli_text_add(text, "%s", close);
}
