/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sanitizers see what the library's threads do: a function of the program that they
 * call counts without an atomic, or writes past the result, and its process is ended.
 * Each call has a process of its own; one without a fault ends well in every build.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <broadloom.h>

#include "harness/sanitizer.h"
#include "harness/tap.h"

enum { COUNT = 1 << 20, REFUSED = 3 };
enum fault { NONE, RACE, BEYOND };

static char *program;
static int careless;
static atomic_int careful;

static void copy(void *user, int64_t count, void *out, const void *const *in)
{
    const enum fault *const fault = user;

    memcpy(out, in[0], (size_t)count * sizeof(float));
    atomic_fetch_add(&careful, 1);
    if (*fault == RACE)
        careless++;
    if (*fault == BEYOND) /* of the last of the parts, past the memory */
        ((float *)out)[count] = 0;
}

/* Copy with several threads; returns the process's exit status, or -1. */
static int run(enum fault fault)
{
    const int64_t extent[1] = {COUNT};
    bl_array out = {.dtype = BL_DTYPE_F32, .rank = 1, .extent = extent};
    bl_array a = out;
    const bl_array *const in[] = {&a};
    bl_context *ctx = NULL;
    bl_status status;

    out.data = calloc(COUNT, sizeof(float));
    a.data = calloc(COUNT, sizeof(float));
    if (!out.data || !a.data || bl_context_create(&ctx) != BL_OK ||
        bl_context_set_threads(ctx, 8) != BL_OK)
        return REFUSED;
    status = bl_map(ctx, copy, &fault, &out, 1, in, NULL);
    bl_context_destroy(ctx);
    free(out.data);
    free(a.data);
    return status == BL_OK && atomic_load(&careful) > 1 ? 0 : REFUSED;
}

/* The status of a process, this program with an argument: a fork has one thread. */
static int status_of(enum fault fault)
{
    char number[2] = {(char)('0' + fault), '\0'};
    char *const words[] = {program, number, NULL};
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        if (fault == NONE || freopen("/dev/null", "w", stderr) != NULL)
            execv(program, words);
        _exit(REFUSED);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void expect_found(enum fault fault, const char *what)
{
    const int status = status_of(fault);

    if (!tap_ok(status > 0 && status != REFUSED, "%s", what))
        tap_note("status %d", status);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return run((enum fault)(argv[1][0] - '0'));
    tap_plan();
    tap_ok(status_of(NONE) == 0, "nothing is reported where nothing is wrong");
    if (HAS_THREAD_SANITIZER)
        expect_found(RACE, "a race between the library's threads is reported");
    if (HAS_ADDRESS_SANITIZER)
        expect_found(BEYOND, "an element past the result is reported");
    return tap_done();
}
