/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calling thread's last error: its message, what is known of the fault, and the
 * public functions that return both.
 */
#include "core/error_record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local void *own; /* its struct bli_error_record; NULL before an error */
static _Thread_local bl_status last; /* the status, also if the record got no memory */

void bli_error_name(char to[BLI_ERROR_NAME], const char *from)
{
    const size_t length = from ? strnlen(from, BLI_ERROR_NAME - 1) : 0;

    if (length > 0)
        memcpy(to, from, length);
    to[length] = '\0';
}

struct bli_error_record *bli_error_record(void)
{
    return own;
}

bl_status bli_error_last(void)
{
    return last;
}

bl_error_info bli_error_bare(bl_status status)
{
    return (bl_error_info){.size = sizeof(bl_error_info),
                           .status = status,
                           .operand = -1,
                           .other = -1,
                           .axis = -1,
                           .extent = -1,
                           .other_extent = -1,
                           .position = -1,
                           .node = -1};
}

/* Forget the call and the fault of an earlier error. */
static void clear(struct bli_error_record *record, bl_status status)
{
    record->info = bli_error_bare(status);
    record->fault = -1;
    record->where[0] = record->function[0] = '\0';
    record->argument[0] = record->other[0] = '\0';
}

/* ---- public ---- */

const char *bl_error_message(void)
{
    const struct bli_error_record *const record = own;

    if (record)
        return record->message;
    return last == BL_OK ? "" : bl_status_string(last);
}

const char *bl_error_where(void)
{
    const struct bli_error_record *const record = own;

    return record ? record->where : "";
}

/* bl_error_set() with its arguments in a list; the last message may be one of them. */
static void set(bl_status status, const char *format, va_list arguments)
{
    const int saved = errno;
    struct bli_error_record *const record =
        own ? own : bli_thread_own(&own, sizeof(struct bli_error_record));

    last = status;
    if (record) {
        char message[sizeof record->message];

        vsnprintf(message, sizeof message, format, arguments);
        memcpy(record->message, message, strlen(message) + 1);
        clear(record, status);
        record->count++;
    }
    errno = saved;
}

bl_status bl_error_set(bl_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    set(status, format, arguments);
    va_end(arguments);
    return status;
}

bl_status bl_error_set_extents(bl_status status, int32_t axis, const char *first,
                               int64_t extent, const char *second, int64_t other_extent)
{
    struct bli_error_record *const record = own;

    if (record) {
        bli_error_name(record->argument, first);
        bli_error_name(record->other, second);
        record->info.axis = axis;
        record->info.extent = extent;
        record->info.other_extent = other_extent;
    }
    return status;
}

/* ---- the fault ---- */

bl_status bli_error_argument(const char *name, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    set(BL_ERR_ARGUMENT, format, arguments);
    va_end(arguments);
    return bli_fault_argument(BL_ERR_ARGUMENT, name);
}

bl_status bli_error_null(const char *name)
{
    return bli_error_argument(name, "%s is null", name);
}

bl_status bli_error_memory(size_t bytes)
{
    struct bli_error_record *record;

    (void)bl_error_set(BL_ERR_MEMORY, "out of memory: %zu bytes", bytes);
    record = own;
    if (record)
        record->info.bytes = bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
    return BL_ERR_MEMORY;
}

bl_status bli_fault_argument(bl_status status, const char *name)
{
    struct bli_error_record *const record = own;

    if (record)
        bli_error_name(record->argument, name);
    return status;
}

bl_status bli_fault_operand(bl_status status, int32_t operand)
{
    struct bli_error_record *const record = own;

    if (record)
        record->fault = operand;
    return status;
}

bl_status bli_fault_axis(bl_status status, const char *name, int64_t axis,
                         int64_t extent)
{
    const bool fits = axis >= INT32_MIN && axis <= INT32_MAX;

    return bl_error_set_extents(status, fits ? (int32_t)axis : -1, name, extent, NULL,
                                -1);
}

bl_status bli_fault_dtypes(bl_status status, const char *name, bl_dtype dtype,
                           bl_dtype other)
{
    struct bli_error_record *const record = own;

    if (record) {
        bli_error_name(record->argument, name);
        record->info.dtype = dtype;
        record->info.other_dtype = other;
    }
    return status;
}

bl_status bli_fault_position(bl_status status, int32_t node, int64_t position)
{
    struct bli_error_record *const record = own;

    if (record) {
        record->info.node = node;
        record->info.position = position;
    }
    return status;
}

bl_status bli_fault_system(bl_status status, int code)
{
    struct bli_error_record *const record = own;

    if (record)
        record->info.system_error = code;
    return status;
}

uint32_t bli_error_count(void)
{
    const struct bli_error_record *const record = own;

    return record ? record->count : 0;
}

bl_status bli_error_of_callback(bl_status status, uint32_t before, const char *who)
{
    struct bli_error_record *const record = own;

    if (!record || record->count == before)
        return bl_error_set(status, "%s: %s", who, bl_status_string(status));
    last = record->info.status = status;
    return status;
}
