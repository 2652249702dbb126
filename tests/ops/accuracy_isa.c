/* SPDX-License-Identifier: BSD-3-Clause */
/* A context of each instruction set, by which accuracy is measured. */
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"

const char *const accuracy_isa_name[ACCURACY_ISAS] = {"base", "avx2", "avx512"};

void accuracy_isa_open(bl_context *isa[ACCURACY_ISAS])
{
    for (int32_t k = 0; k < ACCURACY_ISAS; k++) {
        if (bl_context_create(&isa[k]) != BL_OK)
            abort();
        if (bl_context_set_isa(isa[k], accuracy_isa_name[k]) == BL_OK &&
            strcmp(bl_context_isa(isa[k]), accuracy_isa_name[k]) == 0)
            continue;
        bl_context_destroy(isa[k]);
        isa[k] = NULL;
    }
}

void accuracy_isa_close(bl_context *isa[ACCURACY_ISAS])
{
    for (int32_t k = 0; k < ACCURACY_ISAS; k++)
        bl_context_destroy(isa[k]);
}
