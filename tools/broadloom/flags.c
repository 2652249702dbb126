/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options of commands.  One table per command supplies getopt_long's list, the help
 * text, and the destination of each value in the command's request.
 */
#include <broadloom/compat.h>

#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 20 };

/* getopt_long's return value for a row: its letter, else a small number. */
static int key_of(const struct flag *flags, int row)
{
    return flags[row].letter ? flags[row].letter : row + 1;
}

/* Convert the table to getopt_long's form; `letters` has space for 2 * MOST_FLAGS. */
static void translate(const struct flag *flags, struct option *option, char *letters)
{
    *letters++ = ':';
    for (int k = 0; flags[k].name; k++) {
        option[k].name = flags[k].name;
        option[k].has_arg = !flags[k].value            ? no_argument
                            : flags[k].value[0] == '[' ? optional_argument
                                                       : required_argument;
        option[k].flag = NULL;
        option[k].val = key_of(flags, k);
        option[k + 1].name = NULL;
        if (flags[k].letter) {
            *letters++ = flags[k].letter;
            if (flags[k].value)
                *letters++ = ':';
        }
    }
    *letters = '\0';
}

/* The error for getopt_long's return value `key`, ':' or '?'. */
static bl_status mistake(int key, char **argv)
{
    const char *word = argv[optind > 0 ? optind - 1 : 0];

    if (key == ':')
        return bl_error_set(BL_ERR_ARGUMENT, "option '%s' needs a value", word);
    if (optopt > 0 && optopt <= UCHAR_MAX && isprint(optopt) &&
        strncmp(word, "--", 2) != 0)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown option '-%c'", optopt);
    if (optopt != 0)
        return bl_error_set(BL_ERR_ARGUMENT, "option '%s' takes no value", word);
    return bl_error_set(BL_ERR_ARGUMENT, "unknown option '%s'", word);
}

bl_status flags_parse(const struct command *command, int argc, char **argv,
                      void *request, bool *help)
{
    const struct flag *const flags = command->flags;
    struct option option[MOST_FLAGS + 1] = {{0}};
    char letters[2 * MOST_FLAGS + 2];
    int key;

    translate(flags, option, letters);
    *help = false;
    opterr = 0;
    optind = 0;
    while ((key = getopt_long(argc, argv, letters, option, NULL)) != -1) {
        int row = 0;

        if (key == ':' || key == '?')
            return mistake(key, argv);
        while (key_of(flags, row) != key)
            row++;
        if (flags[row].read)
            TRY(flags[row].read(optarg, (char *)request + flags[row].place));
        else
            *help = true;
    }
    return BL_OK;
}

/* Whether a word is an option with a value that is the next word. */
static bool takes_next(const struct flag *flags, const char *word)
{
    for (; flags->name; flags++)
        if (flags->value &&
            ((word[0] == '-' && word[1] == flags->letter && word[2] == '\0') ||
             (strncmp(word, "--", 2) == 0 && strcmp(word + 2, flags->name) == 0)))
            return true;
    return false;
}

/* Whether a word is a short option, its value behind it or not. */
static bool is_short(const struct flag *flags, const char *word)
{
    for (; flags->name; flags++)
        if (flags->letter && word[1] == flags->letter)
            return true;
    return false;
}

/*
 * Protect an expression that starts with a minus from getopt_long(), which would take
 * it for an option: the first word with a single dash that is none of the options gets
 * a leading blank.  `*copy` is the changed word, which the caller frees.
 */
static bl_status shield(const struct command *command, int argc, char **argv,
                        char **copy)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        const char *const word = argv[k];
        const size_t size = strlen(word) + 2;

        if (takes_next(command->flags, word)) {
            k++;
            continue;
        }
        if (word[0] != '-' || word[1] == '-' || word[1] == '\0' ||
            is_short(command->flags, word))
            continue;
        *copy = malloc(size);
        if (!*copy)
            return bl_error_set(BL_ERR_MEMORY, "no memory for the expression");
        snprintf(*copy, size, " %s", word);
        argv[k] = *copy;
        return BL_OK;
    }
    return BL_OK;
}

int flags_read_expression(const struct command *command, int argc, char **argv,
                          void *request,
                          int (*words)(const struct command *command,
                                       const void *request, int count, char **word))
{
    char *copy = NULL;
    int result;

    if (shield(command, argc, argv, &copy) != BL_OK)
        return fail_usage(command);
    result = flags_read(command, argc, argv, request);
    if (result < 0)
        result = words(command, request, argc - optind, argv + optind);
    free(copy);
    return result;
}

static void print_help(const struct command *command)
{
    printf("Usage: %s %s [OPTION]... %s\n%s.\n\n%s\n\nOptions:\n", tool_name,
           command->name, command->arguments, command->text, command->notes);
    for (const struct flag *flag = command->flags; flag->name; flag++) {
        const char dash[] = {flag->letter ? '-' : ' ',
                             flag->letter ? flag->letter : ' ',
                             flag->letter ? ',' : ' ', '\0'};
        char left[40];

        snprintf(left, sizeof left, "%s --%s%s%s", dash, flag->name,
                 flag->value && flag->value[0] != '[' ? " " : "",
                 flag->value ? flag->value : "");
        printf("  %-22s  %s\n", left, flag->text);
    }
}

int flags_read(const struct command *command, int argc, char **argv, void *request)
{
    bool help;

    if (flags_parse(command, argc, argv, request, &help) != BL_OK)
        return fail_usage(command);
    if (help) {
        print_help(command);
        return 0;
    }
    if (command->missing && optind == argc) {
        (void)bl_error_set(BL_ERR_ARGUMENT, "%s", command->missing);
        return fail_usage(command);
    }
    return -1;
}

bl_status read_true(const char *text, void *place)
{
    (void)text;
    *(bool *)place = true;
    return BL_OK;
}

bl_status read_text(const char *text, void *place)
{
    *(const char **)place = text;
    return BL_OK;
}

bl_status read_operator(const char *text, void *place)
{
    if (bl_op_find(text) == BL_OP_NONE)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown operator '%s'", text);
    return read_text(text, place);
}

bl_status read_dtype(const char *text, void *place)
{
    return parse_dtype(text, place);
}

bl_status read_rules(const char *text, void *place)
{
    const bl_rules *found = bl_rules_find(text);

    if (!found)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "unknown rules '%s': there are modern, strict, paddle, "
                            "transitional and legacy",
                            text);
    *(const bl_rules **)place = found;
    return BL_OK;
}

bl_status read_axis(const char *text, void *place)
{
    return parse_integer("axis", text, INT32_MIN, INT32_MAX, place);
}

bl_status read_threads(const char *text, void *place)
{
    return parse_integer("threads", text, 1, MOST_THREADS, place);
}

bl_status read_bytes(const char *text, void *place)
{
    static const char units[] = "KMGT";
    const size_t digits = strspn(text, "0123456789");
    const char *const unit = text[digits] == '\0'
                                 ? NULL
                                 : strchr(units, toupper((unsigned char)text[digits]));
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    int64_t value = 0;

    errno = 0;
    value = strtoll(text, NULL, 10);
    if (digits == 0 || errno != 0 || value < 1 || value > INT64_MAX >> shift ||
        (unit ? text[digits + 1] : text[digits]) != '\0')
        return bl_error_set(BL_ERR_ARGUMENT, "expected bytes, as 64M or 2G, got '%s'",
                            text);
    *(int64_t *)place = value << shift;
    return BL_OK;
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

bl_status choose_rules(const bl_rules *named, int64_t axis, const bl_rules **rules)
{
    const bl_rules *chosen = named;

    if (!chosen)
        chosen = axis == BL_AXIS_LAST ? bl_context_rules(NULL) : bl_rules_paddle();
    if (axis != BL_AXIS_LAST && chosen && chosen != bl_rules_paddle())
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
