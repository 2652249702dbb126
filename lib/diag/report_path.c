/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths of reports with %p and %r replaced, so that each process has its own.
 */
#define _GNU_SOURCE

#include "diag/warnings.h"

#include <inttypes.h>
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
    struct bli_text text;

    if (!path)
        return bli_error_null("path");
    bli_text_open(&text, buffer, size);
    for (const char *at = path; *at != '\0'; at++) {
        if (*at != '%' || *++at == '%')
            bli_text_add(&text, "%c", *at);
        else if (*at == 'p')
            bli_text_add(&text, "%" PRIdMAX, (intmax_t)getpid());
        else if (*at == 'r')
            bli_text_add(&text, "%s", rank_text());
        else
            return bli_error_argument(
                "path", "the path of a report takes %%p, %%r and %%%%: %s", path);
    }
    return text.at < text.end
               ? BL_OK
               : bli_error_argument("path", "the path of a report is too long");
}
