/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Status codes and the calling thread's error text.
 */
#include "core/core.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_SIZE 1024

static _Thread_local char message[MESSAGE_SIZE];
static _Thread_local char where[BLI_WHERE_SIZE];

const char *bl_status_string(bl_status status)
{
    switch (status) {
#define BL_STATUS(name, value, text, contract)                                         \
    case BL_##name:                                                                    \
        return text;
#include "core/status.def"
#undef BL_STATUS
    }
    return "unknown status";
}

const char *bl_error_message(void)
{
    return message;
}

const char *bl_error_where(void)
{
    return where;
}

char *bli_error_where_buffer(void)
{
    return where;
}

bl_status bl_error_set(bl_status status, const char *format, ...)
{
    const int saved = errno;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    where[0] = '\0';
    errno = saved;
    return status;
}
