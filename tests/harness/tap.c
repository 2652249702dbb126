/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The TAP producer: counts results, escapes names, flushes every line so that a crash
 * shows where it happened.
 */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_SIZE 4096

static int results;
static int failures;

/*
 * Print a name, with '#' and '\' escaped, which would be read as directives, and
 * without line breaks.
 */
static void print_name(const char *name)
{
    for (; *name; name++) {
        if (*name == '#' || *name == '\\')
            putchar('\\');
        putchar(*name == '\n' ? ' ' : *name);
    }
}

static void print_result(bool pass, const char *format, va_list arguments)
{
    char name[TEXT_SIZE];

    vsnprintf(name, sizeof name, format, arguments);
    results++;
    printf("%s %d - ", pass ? "ok" : "not ok", results);
    print_name(name);
}

void tap_plan(void)
{
    results = 0;
    failures = 0;
}

bool tap_ok(bool pass, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_result(pass, format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    failures += !pass;
    return pass;
}

void tap_skip(const char *reason, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_result(true, format, arguments);
    va_end(arguments);
    fputs(" # SKIP ", stdout);
    print_name(reason);
    putchar('\n');
    fflush(stdout);
}

void tap_note(const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("# ", stdout);
    for (const char *c = text; *c; c++) {
        putchar(*c);
        if (*c == '\n' && c[1])
            fputs("# ", stdout);
    }
    putchar('\n');
    fflush(stdout);
}

int tap_done(void)
{
    printf("1..%d\n", results);
    if (failures)
        tap_note("%d of %d failed", failures, results);
    return failures || results == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
