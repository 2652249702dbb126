/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declaration of the table of reductions.
 */
#ifndef BLI_REDUCTIONS_H
#define BLI_REDUCTIONS_H

#include "core/core.h"

enum bli_reduced {
    BLI_REDUCED_SAME,
    BLI_REDUCED_WIDE,
    BLI_REDUCED_TRUTH,
    BLI_REDUCED_REAL_PART
};

struct bli_reduction {
    const char *name;
    const char *text;
    int32_t domain; /* classes of dtypes that it takes */
    int32_t result; /* an enum bli_reduced */
};

/* Reductions are numbered from 1; entry 0 is unused. */
extern const struct bli_reduction bli_reductions[];
bool bli_reduction_is_valid(bl_reduction op);

#endif
