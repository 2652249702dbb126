/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options of commands: one table per command gives getopt_long its list and the help
 * its text.
 */
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 16 };

/* The same table as getopt_long wants it; `letters` has room for 2 * MOST_FLAGS. */
static void translate(const struct flag *flags, struct option *option, char *letters)
{
    *letters++ = ':';
    for (int k = 0; flags[k].name; k++) {
        option[k].name = flags[k].name;
        option[k].has_arg = flags[k].value ? required_argument : no_argument;
        option[k].flag = NULL;
        option[k].val = flags[k].key;
        option[k + 1].name = NULL;
        if (isalpha(flags[k].key)) {
            *letters++ = (char)flags[k].key;
            if (flags[k].value)
                *letters++ = ':';
        }
    }
    *letters = '\0';
}

int flag_next(const struct command *command, int argc, char **argv)
{
    struct option option[MOST_FLAGS + 1] = {{0}};
    char letters[2 * MOST_FLAGS + 2];
    int key;

    translate(command->flags, option, letters);
    opterr = 0;
    key = getopt_long(argc, argv, letters, option, NULL);
    if (key == ':') {
        (void)bl_error_set(BL_ERR_ARGUMENT, "option '%s' needs a value",
                           argv[optind - 1]);
        return '?';
    }
    if (key == '?') {
        const char *word = argv[optind > 0 ? optind - 1 : 0];

        if (optopt > FLAG_HELP && optopt <= UCHAR_MAX && isprint(optopt) &&
            strncmp(word, "--", 2) != 0)
            (void)bl_error_set(BL_ERR_ARGUMENT, "unknown option '-%c'", optopt);
        else if (optopt != 0)
            (void)bl_error_set(BL_ERR_ARGUMENT, "option '%s' takes no value", word);
        else
            (void)bl_error_set(BL_ERR_ARGUMENT, "unknown option '%s'", word);
    }
    return key;
}

void command_help(const struct command *command)
{
    printf("Usage: broadloom %s [OPTION]... %s\n%s.\n\n%s\n\nOptions:\n", command->name,
           command->arguments, command->text, command->notes);
    for (const struct flag *flag = command->flags; flag->name; flag++) {
        char left[40];

        snprintf(left, sizeof left, "%c%c%s --%s%s%s", isalpha(flag->key) ? '-' : ' ',
                 isalpha(flag->key) ? flag->key : ' ', isalpha(flag->key) ? "," : " ",
                 flag->name, flag->value ? " " : "", flag->value ? flag->value : "");
        printf("  %-22s  %s\n", left, flag->text);
    }
}

bl_status parse_integer(const char *what, const char *text, int64_t low, int64_t high,
                        int64_t *value)
{
    char *end;
    long long number;

    errno = 0;
    number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || isspace((unsigned char)*text))
        return bl_error_set(BL_ERR_ARGUMENT, "%s must be an integer, got '%s'", what,
                            text);
    if (errno != 0 || number < low || number > high)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "%s must be %" PRId64 " to %" PRId64 ", got %s", what, low,
                            high, text);
    *value = number;
    return BL_OK;
}

bl_status parse_rules(const char *text, const bl_rules **rules)
{
    const bl_rules *found = bl_rules_find(text);

    if (!found)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "unknown rules '%s': there are modern, strict and paddle",
                            text);
    *rules = found;
    return BL_OK;
}

bl_status choose_rules(const bl_rules *named, int64_t axis, const bl_rules **rules)
{
    const bl_rules *chosen = named;

    if (!chosen)
        chosen = axis == BL_AXIS_LAST ? bl_context_rules(NULL) : &bl_rules_paddle;
    if (axis != BL_AXIS_LAST && chosen && chosen != &bl_rules_paddle)
        return bl_error_set(BL_ERR_ARGUMENT, "rules '%s' take no axis, got %" PRId64,
                            chosen->name, axis);
    *rules = chosen;
    return BL_OK;
}

bl_status parse_dtype(const char *text, bl_dtype *dtype)
{
    const bl_dtype found = bl_dtype_find(text);

    if (found == BL_DTYPE_NONE)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown dtype '%s'", text);
    *dtype = found;
    return BL_OK;
}
