/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patches: the fixes of all places of a report, as one unified diff.
 */
#ifndef MIGRATE_FIX_H
#define MIGRATE_FIX_H

#include "fix.h"

struct fix_request {
    enum fix_choice choice; /* of places that no decision names */
    const char *decisions;  /* a file; NULL: none */
    const char *root;       /* the folder that paths of the patch start from */
};

/* Fixes that may be made together, by file and position. */
struct patch {
    struct fix_files files;
    struct fix *fix;
    char **path; /* of each fix, from the root on */
    size_t count, room, left;
};

/*
 * Find the fixes of all findings, and say on standard error which places are left as
 * they are, and why; `left` counts them.  BL_ERR_IO, BL_ERR_FORMAT, BL_ERR_ARGUMENT of
 * decisions; BL_ERR_MEMORY.  Free the patch in any case.
 */
bl_status patch_find(struct patch *patch, const struct findings *findings,
                     const struct fix_request *request);

void patch_write(const struct patch *patch, FILE *file);
void patch_free(struct patch *patch);

#endif
