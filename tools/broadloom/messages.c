/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of the tool: every one starts with the tool's name and goes to standard
 * error.
 */
#include "tool.h"

#include <stdarg.h>
#include <stdio.h>

const char *tool_name = "broadloom";
bool tool_is_quiet;

int fail(const char *format, ...)
{
    va_list arguments;

    if (tool_is_quiet)
        return TOOL_FAILED;
    fprintf(stderr, "%s: ", tool_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return TOOL_FAILED;
}

int fail_status(const char *what)
{
    if (what)
        return fail("%s: %s", what, bl_error_message());
    return fail("%s", bl_error_message());
}

int fail_usage(const struct command *command)
{
    fail("%s: %s", command->name, bl_error_message());
    if (!tool_is_quiet)
        fprintf(stderr, "Try '%s %s --help'.\n", tool_name, command->name);
    return TOOL_USAGE;
}

bool write_file(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}
