/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of the tool: every one starts with the tool's name and goes to standard
 * error.
 */
#include "tool.h"
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a message, with two long paths. */
enum { MOST = 10000 };

const char *tool_name = "broadloom";
bool tool_is_quiet;

int fail(const char *format, ...)
{
    char text[MOST];
    va_list arguments;

    if (tool_is_quiet)
        return TOOL_FAILED;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_show(text, false);
    fprintf(stderr, "%s: %s\n", tool_name, text);
    return TOOL_FAILED;
}

/* The library's last message, without the function of expressions that it names. */
static const char *last_message(void)
{
    static const char prefix[] = "bl_expr_";
    const char *const text = bl_error_message();
    const char *end = text;

    if (strncmp(text, prefix, strlen(prefix)) != 0)
        return text;
    while ((*end >= 'a' && *end <= 'z') || *end == '_')
        end++;
    return strncmp(end, ": ", 2) == 0 ? end + 2 : text;
}

int fail_status(const char *what)
{
    if (what)
        return fail("%s: %s", what, last_message());
    return fail("%s", last_message());
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
