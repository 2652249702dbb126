/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `broadloom eval` of a reduction of more than its memory: the bits are those of
 * computing it at once, and the process takes no more memory than it is given.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

/*
 * The file and the bound, in MiB, and the elements of a row.  Sanitizers, with which
 * the memory is not compared, need several bytes for each.
 */
enum {
    FILE_MIB = IS_SANITIZED ? 64 : 256,
    BOUND_MIB = FILE_MIB / 4,
    ROW = 1000,
    ROWS = (FILE_MIB << 17) / ROW
};

static const char *tool;

/*
 * Write x.npy, f64[ROWS, ROW], sparse: most elements are 0, so that the file takes no
 * room on the disk; and y.npy, a row.
 */
static bool write_files(void)
{
    unsigned char header[256];
    char text[128];
    double row[ROW];
    size_t size;
    int file;
    bool pass;

    snprintf(text, sizeof text,
             "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", ROWS,
             ROW);
    size = npy_header_make(header, 1, text);
    file_write("x.npy", header, size);
    file = open("x.npy", O_WRONLY);
    pass = file >= 0 && ftruncate(file, (off_t)size + (off_t)ROWS * ROW * 8) == 0;
    for (int64_t r = 0; pass && r < ROWS; r += 977) {
        for (int i = 0; i < ROW; i++)
            row[i] = (double)((r * 31 + i * 7) % 1009) / 7 - 60 + 1e12 * (r % 5 == 0);
        pass = pwrite(file, row, sizeof row, (off_t)size + (off_t)r * ROW * 8) ==
               (ssize_t)sizeof row;
    }
    if (file >= 0)
        close(file);
    snprintf(text, sizeof text,
             "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", ROW);
    size = npy_header_make(header, 1, text);
    file_write("y.npy", header, size);
    file = open("y.npy", O_WRONLY | O_APPEND);
    pass = pass && file >= 0 && write(file, row, sizeof row) == (ssize_t)sizeof row;
    if (file >= 0)
        close(file);
    return pass;
}

/* Run the tool; returns the most MiB that it had in memory, or -1 where it failed. */
static long evaluate(const char *text, const char *memory, const char *result)
{
    const char *const words[] = {
        tool,       "eval",    text,
        "--memory", memory,    "-o",
        result,     "x=x.npy", strchr(text, 'y') ? "y=y.npy" : NULL,
        NULL};
    struct rusage usage;
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        const int errors = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);

        dup2(errors, STDERR_FILENO);
        execv(tool, (char **)(uintptr_t)words);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        return -1;
    return usage.ru_maxrss / 1024;
}

/* Whether nothing was printed on standard error, which is no terminal. */
static bool is_quiet(void)
{
    char text[512];
    const long size = file_read("errors", text, sizeof text - 1);

    if (size > 0)
        tap_note("%.*s", (int)size, text);
    return size == 0;
}

static bool are_equal(void)
{
    static char first[1 << 20], second[1 << 20];
    const long size = file_read("once.npy", first, sizeof first);

    return size > 0 && size == file_read("pieces.npy", second, sizeof second) &&
           memcmp(first, second, (size_t)size) == 0;
}

int main(void)
{
    static const char *const texts[] = {
        "mean(x, 0)",
        "sum(x)",
        "max(x * x + y, 0, keepdim)",
        "mean(x - y, -1)",
    };
    const char *const named = getenv("BROADLOOM");
    char path[4096], bound[16];

    snprintf(bound, sizeof bound, "%dM", BOUND_MIB);
    tap_plan();
    if (!realpath(named ? named : "./broadloom", path)) {
        tap_skip("there is no tool", "reductions of more than memory");
        return tap_done();
    }
    tool = path;
    folder_enter();
    if (!write_files())
        tap_skip("there is no room for the file", "reductions of more than memory");
    else
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            const long once = evaluate(texts[k], "1T", "once.npy");
            const long pieces = evaluate(texts[k], bound, "pieces.npy");

            tap_note("%ld MiB at once, %ld MiB in pieces", once, pieces);
            tap_ok(once > 0 && pieces > 0 && are_equal() && is_quiet(), "%s: same bits",
                   texts[k]);
            if (IS_SANITIZED)
                tap_skip("the sanitizer's memory", "%s: its memory", texts[k]);
            else
                tap_ok(once > BOUND_MIB && pieces <= BOUND_MIB, "%s: its memory",
                       texts[k]);
        }
    folder_leave();
    return tap_done();
}
