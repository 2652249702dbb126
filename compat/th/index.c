/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of tensors of each type by indices.
 */
#include "core.h"

/* Whether all are indices, from `base` on, of that many elements. */
static bool are_indices(THLongTensor *index, long extent, int base)
{
    bool are = true;

    TH_TENSOR_APPLY(
        long, index, if (*index_data < base || *index_data - base >= extent) {
            are = false;
            TH_TENSOR_APPLY_hasFinished = 1;
            break;
        })
    return are;
}

#define TH_GENERIC_FILE "generic/index.tmpl.h"
#include "TH/THGenerateAllTypes.h"
