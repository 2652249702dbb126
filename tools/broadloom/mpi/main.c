/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom-mpi: the command of the tool that runs on the ranks of an MPI program.
 */
#include <broadloom/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_eval.h"
#include "output.h"

static const struct command *const commands[] = {&command_mpi_eval};

static void print_help(FILE *file)
{
    fprintf(
        file,
        "Usage: mpiexec -n RANKS broadloom-mpi COMMAND [OPTION]... [ARGUMENT]...\n"
        "Element-wise arithmetic with broadcasting, over the ranks of MPI.\n\n"
        "Commands:\n  %-8s %s\n\nOptions:\n"
        "  --help     print this help and exit\n"
        "  --version  print the version and how the library was built, and exit\n\n"
        "'broadloom-mpi COMMAND --help' prints more.  Exit status: 0 done, 1 failed, "
        "2 wrong usage.\n",
        command_mpi_eval.name, command_mpi_eval.text);
}

/* The version, with that of MPI. */
static void print_version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;

    MPI_Get_library_version(text, &length);
    printf("%s\n%.*s\n", bl_config_string(), (int)strcspn(text, "\n"), text);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        if (!tool_is_quiet)
            print_help(stderr);
        return TOOL_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0)
        print_help(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        print_version();
    else if (strcmp(argv[1], command_mpi_eval.name) == 0)
        return command_mpi_eval.run(&command_mpi_eval, argc - 1, argv + 1);
    else {
        fail("unknown %s '%s'", argv[1][0] == '-' ? "option" : "command", argv[1]);
        return TOOL_USAGE;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int level, self, result;

    tool_name = "broadloom-mpi";
    if (argc > 1 && strcmp(argv[1], "--complete") == 0)
        return complete_words(commands, 1, argc - 2, argv + 2);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    tool_is_quiet = self > 0;
    if (tool_is_quiet && !freopen("/dev/null", "w", stdout))
        fclose(stdout);
    result = dispatch(argc, argv);
    if (!output_flush())
        result = TOOL_FAILED;
    MPI_Finalize();
    return result;
}
