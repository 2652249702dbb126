/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler that prints: one line on standard error for each warning, by one write.
 */
#include "diag/warnings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { LINE_SIZE = 2048 };

/* A line being composed; what does not fit is cut. */
struct line {
    char text[LINE_SIZE];
    size_t length;
};

/* Append formatted text to a line. */
BL_PRINTF(2, 3) static void add(struct line *line, const char *format, ...)
{
    const size_t available = sizeof line->text - line->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(line->text + line->length, available, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->length += (size_t)length < available ? (size_t)length : available - 1;
}

/* Append a shape, "(4,1)". */
static void add_shape(struct line *line, const bl_shape *shape)
{
    add(line, "(");
    for (int32_t d = 0; d < shape->rank; d++)
        add(line, "%s%" PRId64, d > 0 ? "," : "", shape->extent[d]);
    add(line, ")");
}

void bl_warning_print(void *user, const bl_warning *warning)
{
    const int error = errno;
    struct line line = {.length = 0};

    (void)user;
    if (warning->file)
        add(&line, "%s:%" PRId32 ": ", warning->file, warning->line);
    else if (warning->address)
        add(&line, "%p: ", warning->address);
    add(&line, "UserWarning: %s [%s", warning->text, warning->function);
    for (int32_t k = 0; k < warning->count; k++) {
        add(&line, " ");
        add_shape(&line, &warning->operand[k].shape);
    }
    if (warning->count > 0) {
        add(&line, " -> ");
        add_shape(&line, &warning->result);
    }
    add(&line, "]");
    line.text[line.length < LINE_SIZE - 1 ? line.length++ : LINE_SIZE - 2] = '\n';
    (void)!write(STDERR_FILENO, line.text, line.length);
    errno = error;
}
