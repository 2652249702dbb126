/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Status codes and the calling thread's error text.
 */
#include "core/core.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

struct texts {
    char message[1024];
    char where[512];
};

static _Thread_local void *own;           /* its struct texts; NULL before an error */
static _Thread_local const char *general; /* the message if texts got no memory */

const char *bl_status_string(bl_status status)
{
    switch (status) {
#define BL_STATUS(name, value, text, contract)                                         \
    case BL_##name:                                                                    \
        return text;
#include "core/tables/status.def"
#undef BL_STATUS
    }
    return "unknown status";
}

const char *bl_error_message(void)
{
    const struct texts *const here = own;

    if (here)
        return here->message;
    return general ? general : "";
}

const char *bl_error_where(void)
{
    const struct texts *const here = own;

    return here ? here->where : "";
}

void bli_error_where_open(struct bli_text *text)
{
    static _Thread_local char nowhere[1];
    struct texts *const here =
        own; /* bl_error_set() has made it, if there was memory */

    if (here)
        bli_text_open(text, here->where, sizeof here->where);
    else
        bli_text_open(text, nowhere, sizeof nowhere);
}

bl_status bl_error_set(bl_status status, const char *format, ...)
{
    const int saved = errno;
    struct texts *const here = own ? own : bli_thread_own(&own, sizeof(struct texts));
    va_list arguments;

    general = bl_status_string(status);
    if (here) {
        va_start(arguments, format);
        vsnprintf(here->message, sizeof here->message, format, arguments);
        va_end(arguments);
        here->where[0] = '\0';
    }
    errno = saved;
    return status;
}
