/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules of a copy of THNN, compiled unmodified with libbroadloom-th, against
 * PyTorch's results. The file with these is the first argument; see thnn.sh.
 */
#include <THNN.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same elements as PyTorch had: multiples of 1/32, none of them 0. */
static double element_of(int seed, long number)
{
    return (double)((number * 37 + seed * 11) % 61 - 30) / 8 + 1.0 / 32;
}

static int results, failures;

static void report(int passes, const char *type, const char *name, double worst)
{
    results++;
    failures += !passes;
    printf("%s %d - %s of %s: %.3g ULP\n", passes ? "ok" : "not ok", results, name,
           type, worst);
}

/* The row of the file with this name, after it; NULL if there is none. */
static char *row_of(const char *path, const char *name)
{
    FILE *const file = fopen(path, "r");
    static char line[1 << 16];
    const size_t length = strlen(name);
    char *found = NULL;

    while (file && !found && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == '\t')
            found = line + length;
    if (file)
        fclose(file);
    return found;
}

static const char *expected_file;

#define TH_GENERIC_FILE "th/thnn.tmpl.h"
#include <THGenerateFloatTypes.h>

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    expected_file = arguments[1];
    THFloatTensor_checkModules();
    THDoubleTensor_checkModules();
    printf("1..%d\n", results);
    return failures > 0;
}
