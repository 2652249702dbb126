/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths of reports with %p and %r replaced, so that each process has its own.
 */
#define _GNU_SOURCE

#include "diag/warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The process's MPI rank from its launcher's environment, digits alone; else "0". */
static const char *rank_text(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                            "SLURM_PROCID"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *const text = secure_getenv(variables[i]);

        if (text && text[0] != '\0' && text[strspn(text, "0123456789")] == '\0')
            return text;
    }
    return "0";
}

bl_status bli_path_fill(const char *path, char *buffer, size_t size)
{
    size_t used = 0;
    char process[24];

    snprintf(process, sizeof process, "%" PRIdMAX, (intmax_t)getpid());
    for (const char *at = path; *at != '\0'; at++) {
        const char plain[2] = {*at, '\0'};
        const char *piece = plain;

        if (*at == '%') {
            at++;
            piece = *at == 'p' ? process : *at == 'r' ? rank_text() : "%";
            if (*at == '\0' || !strchr("pr%", *at))
                return bl_error_set(BL_ERR_ARGUMENT,
                                    "the path of a report takes %%p, %%r and %%%%: %s",
                                    path);
        }
        if (strlen(piece) >= size - used)
            return bl_error_set(BL_ERR_ARGUMENT, "the path of a report is too long");
        memcpy(buffer + used, piece, strlen(piece));
        used += strlen(piece);
    }
    buffer[used] = '\0';
    return BL_OK;
}
