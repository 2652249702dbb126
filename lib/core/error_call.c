/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call that was refused: its text, from a format and its arguments or step by step,
 * and its operands.
 */
#include "core/error_record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void bli_error_open(struct bli_text *text, bl_status status, const char *function)
{
    static _Thread_local char nowhere[1];
    struct bli_error_record *record = bli_error_record();

    /* What was set for another status says nothing of this one. */
    if (bli_error_last() != status) {
        (void)bl_error_set(status, "%s", bl_status_string(status));
        record = bli_error_record();
    }
    if (!record) {
        bli_text_open(text, nowhere, sizeof nowhere);
        return;
    }
    record->info.count = 0;
    record->info.operand = record->info.other = -1;
    bli_error_name(record->function, function);
    bli_text_open(text, record->where, sizeof record->where);
    bli_text_add(text, "%s(", record->function);
}

/*
 * Whether extents can be read; a rank that is out of range is that of no shape.
 */
static bool has_shape(int32_t rank, const int64_t *extent)
{
    return rank >= 0 && rank <= BL_MAX_RANK && (rank == 0 || extent);
}

void bli_error_operand(struct bli_text *text, int32_t number, const char *name,
                       const bl_array *array)
{
    struct bli_error_record *const record = bli_error_record();
    const char *const dtype = array ? bl_dtype_name(array->dtype) : NULL;
    const bool is_shaped = array && has_shape(array->rank, array->extent);

    if (!record)
        return;
    bli_text_add(text, "%s%s ", strchr("( ", text->at[-1]) ? "" : ", ", name);
    bli_text_add(text, "%s", !array ? "null" : dtype ? dtype : "");
    if (is_shaped)
        bli_text_extents(text, "[", ",", "]", array->rank, array->extent);
    else if (array && array->rank != -1)
        bli_text_add(text, "[rank %d]", (int)array->rank);
    if (record->info.count == BLI_MAX_OPERANDS)
        return;

    const int32_t k = record->info.count++;

    record->number[k] = number;
    bli_error_name(record->name[k], name);
    record->operand[k] = (bl_error_operand){record->name[k], record->extent[k],
                                            dtype ? array->dtype : BL_DTYPE_NONE,
                                            is_shaped ? array->rank : -1};
    for (int32_t d = 0; is_shaped && d < array->rank; d++)
        record->extent[k][d] = array->extent[d];
}

/* The operand of a number or, if that is -1, of a name; -1: none. */
static int32_t find(const struct bli_error_record *record, int32_t number,
                    const char *name)
{
    for (int32_t k = 0; k < record->info.count; k++)
        if (number >= 0 ? record->number[k] == number
                        : name[0] != '\0' && strcmp(record->name[k], name) == 0)
            return k;
    return -1;
}

void bli_error_close(struct bli_text *text, int32_t result)
{
    struct bli_error_record *const record = bli_error_record();

    bli_text_add(text, ")");
    if (!record)
        return;
    if (record->fault == 0)
        record->fault = result;
    record->info.operand = find(record, record->fault, record->argument);
    record->info.other = find(record, -1, record->other);
    if (record->info.operand >= 0)
        bli_error_name(record->argument, record->name[record->info.operand]);
}

void bli_error_op(bl_op op)
{
    struct bli_error_record *const record = bli_error_record();

    if (record)
        record->info.op = op;
}

void bli_error_reduction(bl_reduction op)
{
    struct bli_error_record *const record = bli_error_record();

    if (record)
        record->info.reduction = op;
}

/* ---- from a format ---- */

static void add_shape(struct bli_text *text, int32_t rank, const int64_t *extent)
{
    if (rank < 0 || rank > BL_MAX_RANK || (rank > 0 && !extent))
        bli_text_add(text, "of rank %" PRId32 "%s", rank, extent ? "" : ", null");
    else
        bli_text_extents(text, "(", ",", ")", rank, extent);
}

void bli_error_axes(struct bli_text *text, int32_t count, const int32_t *axes)
{
    if (count < 0 || count > BL_MAX_RANK || (count > 0 && !axes)) {
        bli_text_add(text, "%" PRId32 "%s", count, axes ? "" : " at null");
        return;
    }
    bli_text_add(text, "(");
    for (int32_t i = 0; i < count; i++)
        bli_text_add(text, "%s%" PRId32, i ? "," : "", axes[i]);
    bli_text_add(text, ")");
}

static void add_layout(struct bli_text *text, int32_t number, const char *name,
                       const bl_layout *layout)
{
    const bl_array array = {.rank = layout ? layout->rank : 0,
                            .extent = layout ? layout->extent : NULL};

    bli_error_operand(text, number, name, layout ? &array : NULL);
}

/* Write the next argument, as `kind` says. */
static void add(struct bli_text *text, int32_t *operands, char kind, va_list *arguments)
{
    const char *string;
    int32_t number;

    switch (kind) {
    case 'A':
        string = va_arg(*arguments, const char *);
        bli_error_operand(text, ++*operands, string,
                          va_arg(*arguments, const bl_array *));
        break;
    case 'O':
        string = va_arg(*arguments, const char *);
        bli_error_operand(text, 0, string, va_arg(*arguments, const bl_array *));
        break;
    case 'L':
        string = va_arg(*arguments, const char *);
        add_layout(text, ++*operands, string, va_arg(*arguments, const bl_layout *));
        break;
    case 'S':
        number = va_arg(*arguments, int32_t);
        add_shape(text, number, va_arg(*arguments, const int64_t *));
        break;
    case 'X':
        number = va_arg(*arguments, int32_t);
        bli_error_axes(text, number, va_arg(*arguments, const int32_t *));
        break;
    case 'd':
        bli_text_add(text, "%" PRId32, va_arg(*arguments, int32_t));
        break;
    case 'l':
        bli_text_add(text, "%" PRId64, va_arg(*arguments, int64_t));
        break;
    case 'g':
        bli_text_add(text, "%g", va_arg(*arguments, double));
        break;
    case 't':
        number = va_arg(*arguments, int32_t);
        string = bl_dtype_name((bl_dtype)number);
        if (string)
            bli_text_add(text, "%s", string);
        else
            bli_text_add(text, "%" PRId32, number);
        break;
    case 'w':
        string = va_arg(*arguments, const char *);
        bli_text_add(text, "%s", string ? string : "unknown");
        break;
    default:
        string = va_arg(*arguments, const char *);
        if (string)
            bli_text_add(text, "\"%.200s\"", string);
        else
            bli_text_add(text, "null");
        break;
    }
}

bl_status bli_error_call(bl_status status, const char *function, const char *format,
                         ...)
{
    struct bli_text text;
    int32_t operands = 0;
    va_list arguments;

    bli_error_open(&text, status, function);
    va_start(arguments, format);
    for (const char *at = format; *at != '\0'; at++)
        if (*at != '%')
            bli_text_add(&text, "%c", *at);
        else
            add(&text, &operands, *++at, &arguments);
    va_end(arguments);
    bli_error_close(&text, 0);
    return status;
}
