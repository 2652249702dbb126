/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: texts, and the handlers of threads and of the process.
 */
#include "core.h"

enum { TEXT_MAX = 2048 };

struct handlers {
    THErrorHandlerFunction error;
    void *error_data;
    THArgErrorHandlerFunction argument;
    void *argument_data;
};

static void print_error(const char *text, void *data)
{
    (void)data;
    printf("$ Error: %s\n", text);
    exit(-1);
}

static void print_argument(int number, const char *text, void *data)
{
    (void)data;
    if (text)
        printf("$ Invalid argument %d: %s\n", number, text);
    else
        printf("$ Invalid argument %d\n", number);
    exit(-1);
}

static struct handlers of_process = {print_error, NULL, print_argument, NULL};
static _Thread_local struct handlers of_thread;

void THSetErrorHandler(THErrorHandlerFunction handler, void *data)
{
    of_thread.error = handler;
    of_thread.error_data = data;
}

void THSetArgErrorHandler(THArgErrorHandlerFunction handler, void *data)
{
    of_thread.argument = handler;
    of_thread.argument_data = data;
}

void THSetDefaultErrorHandler(THErrorHandlerFunction handler, void *data)
{
    of_process.error = handler ? handler : print_error;
    of_process.error_data = data;
}

void THSetDefaultArgErrorHandler(THArgErrorHandlerFunction handler, void *data)
{
    of_process.argument = handler ? handler : print_argument;
    of_process.argument_data = data;
}

/* ---- texts ---- */

/* Write "text at file:line", cut to TEXT_MAX bytes. */
static void write_text(char *out, const char *file, int line, const char *format,
                       va_list arguments)
{
    const int length = vsnprintf(out, TEXT_MAX, format, arguments);
    const size_t used = length < 0 ? 0 : (size_t)THMin(length, TEXT_MAX - 1);

    snprintf(out + used, TEXT_MAX - used, " at %s:%d", file, line);
}

/* Call the thread's error handler, or else the process's. */
static void raise_error(const char *text)
{
    THCallSite(NULL, 0);
    if (of_thread.error)
        of_thread.error(text, of_thread.error_data);
    else
        of_process.error(text, of_process.error_data);
}

void _THError(const char *file, const int line, const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list arguments;

    va_start(arguments, fmt);
    write_text(text, file, line, fmt, arguments);
    va_end(arguments);
    raise_error(text);
}

void _THAssertionFailed(const char *file, const int line, const char *exp,
                        const char *fmt, ...)
{
    char what[TEXT_MAX / 2];
    va_list arguments;

    va_start(arguments, fmt);
    vsnprintf(what, sizeof what, fmt, arguments);
    va_end(arguments);
    _THError(file, line, "Assertion `%s' failed. %s", exp, what);
}

void _THArgCheck(const char *file, int line, int condition, int argNumber,
                 const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list arguments;

    if (condition)
        return;
    va_start(arguments, fmt);
    write_text(text, file, line, fmt, arguments);
    va_end(arguments);
    THCallSite(NULL, 0);
    if (of_thread.argument)
        of_thread.argument(argNumber, text, of_thread.argument_data);
    else
        of_process.argument(argNumber, text, of_process.argument_data);
}

/* ---- errors of the loops of THTensorApply.h and THTensorDimApply.h ---- */

enum { OPERANDS_MAX = 5, PIECE_MAX = 200 };

struct operand {
    const char *name;
    int rank;
    const long *extent;
};

/* Read `count` operands from arguments: a name, a rank and extents for each. */
static void take_operands(struct operand *operands, int count, va_list arguments)
{
    for (int k = 0; k < count; k++) {
        operands[k].name = va_arg(arguments, const char *);
        operands[k].rank = va_arg(arguments, int);
        operands[k].extent = va_arg(arguments, const long *);
    }
}

/* Append formatted text, cut to TEXT_MAX / 2 bytes. */
static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, TEXT_MAX / 2 - used, format, arguments);
    va_end(arguments);
}

/* What stands before item k of an enumeration of `count`. */
static const char *separator(int k, int count)
{
    return k == 0 ? "" : k + 1 == count ? " and " : ", ";
}

/* Append operands with their shapes: "r_ [2 x 3], t [2 x 3] and src [2 x 4]". */
static void append_operands(char *text, const struct operand *operands, int count)
{
    for (int k = 0; k < count; k++) {
        char shape[PIECE_MAX];

        th_describe(operands[k].rank, operands[k].extent, " x ", shape, sizeof shape);
        append(text, "%s%s %s", separator(k, count), operands[k].name, shape);
    }
}

void THApplyMismatch_(const char *file, int line, int count, ...)
{
    struct operand operands[OPERANDS_MAX] = {{NULL, 0, NULL}};
    char text[TEXT_MAX / 2] = "inconsistent tensor size, expected ";
    va_list arguments;

    va_start(arguments, count);
    take_operands(operands, count, arguments);
    va_end(arguments);
    append_operands(text, operands, count);
    append(text, " to have the same number of elements, but got ");
    for (int k = 0; k < count; k++)
        append(text, "%s%ld", separator(k, count),
               THApplyCount_(operands[k].rank, operands[k].extent));
    append(text, " elements respectively");
    _THError(file, line, "%s", text);
}

/*
 * An error unless the first operand has dimension `dim` and all have its rank and, with
 * `by_extent`, its extents in the other dimensions.
 */
static void check_lines(const char *file, int line, int dim, bool by_extent, int count,
                        va_list arguments)
{
    struct operand operands[OPERANDS_MAX] = {{NULL, 0, NULL}};
    char text[TEXT_MAX / 2] = "inconsistent tensor size, expected ";
    bool fits = true;

    take_operands(operands, count, arguments);
    if (dim < 0 || dim >= operands[0].rank) {
        _THError(file, line, "invalid dimension %d (expected to be 0 <= dim < %d)", dim,
                 operands[0].rank);
        return;
    }
    for (int k = 1; k < count; k++) {
        fits = fits && operands[k].rank == operands[0].rank;
        for (int d = 0; fits && by_extent && d < operands[0].rank; d++)
            fits = d == dim || operands[k].extent[d] == operands[0].extent[d];
    }
    if (fits)
        return;
    append_operands(text, operands, count);
    if (by_extent)
        append(text, " to have the same sizes but in dimension %d", dim);
    else
        append(text, " to have the same number of dimensions");
    _THError(file, line, "%s", text);
}

void THDimApplyCheck_(const char *file, int line, int dim, int count, ...)
{
    va_list arguments;

    va_start(arguments, count);
    check_lines(file, line, dim, true, count, arguments);
    va_end(arguments);
}

void THDimApplyCheckRank_(const char *file, int line, int dim, int count, ...)
{
    va_list arguments;

    va_start(arguments, count);
    check_lines(file, line, dim, false, count, arguments);
    va_end(arguments);
}
