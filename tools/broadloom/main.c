/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command-line tool: dispatches to the command, and checks that its output was
 * written.
 */
#include <broadloom/warnings.h>

#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_eval,  &command_shape, &command_plan,  &command_audit,
    &command_trace, &command_topo,  &command_bench, &command_migrate,
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_help(FILE *file)
{
    fputs("Usage: broadloom COMMAND [OPTION]... [ARGUMENT]...\n"
          "Element-wise arithmetic with broadcasting.\n\nCommands:\n",
          file);
    for (int k = 0; k < COMMANDS; k++)
        fprintf(file, "  %-8s %s\n", commands[k]->name, commands[k]->text);
    fputs("\nOptions:\n"
          "  --help     print this help and exit\n"
          "  --version  print the version and how the library was built, and exit\n"
          "\n'broadloom COMMAND --help' prints more.  Exit status: 0 done, 1 failed, 2 "
          "wrong usage.\n",
          file);
    return 0;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return TOOL_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0)
        return print_help(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        puts(bl_config_string());
        return 0;
    }
    if (strcmp(argv[1], "--complete") == 0)
        return complete_words(commands, COMMANDS, argc - 2, argv + 2);
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(argv[1], commands[k]->name) == 0)
            return commands[k]->run(commands[k], argc - 1, argv + 1);
    fail("unknown %s '%s'", argv[1][0] == '-' ? "option" : "command", argv[1]);
    fputs("Try 'broadloom --help'.\n", stderr);
    return TOOL_USAGE;
}

/* Report filters in the environment that the library ignores without a message. */
static void check_environment(void)
{
    const char *const filters = getenv("BROADLOOM_WARNINGS");

    if (filters && bl_warnings_filter_text(filters) != BL_OK)
        fail_status("BROADLOOM_WARNINGS is ignored");
}

int main(int argc, char **argv)
{
    int result;

    check_environment();
    result = dispatch(argc, argv);
    if (!output_flush())
        return TOOL_FAILED;
    return fclose(stdout) == 0 ? result
                               : fail("cannot write the output: %s", strerror(errno));
}
