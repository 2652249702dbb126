/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rest is for the name. */
#define LONG_FOLDER (SCRATCH_BYTES - sizeof "/broadloom-th_brought-XXXXXX")

void scratch_name(char name[SCRATCH_BYTES], const char *what)
{
    const char *const folder = getenv("TMPDIR");

    snprintf(name, SCRATCH_BYTES, "%s/broadloom-%s-XXXXXX",
             folder && *folder && strlen(folder) < LONG_FOLDER ? folder : "/tmp", what);
}
