/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of tensors of each type by indices.
 */
#include "core.h"

/* Of an index that the program would not have given if it counted from `base`. */
static const char *hint_of(long index, long extent, int base)
{
    if (base == 1 && index == 0 && extent > 0)
        return "; TH_INDEX_BASE is 1, programs for PyTorch are compiled with "
               "-DTH_INDEX_BASE=0";
    if (base == 0 && index == extent && extent > 0)
        return "; TH_INDEX_BASE is 0, programs for Torch7 are compiled with "
               "-DTH_INDEX_BASE=1";
    return "";
}

/*
 * Whether all are indices, from `base` on, of that many elements; else an error that
 * says `what`, and which is none.
 */
static bool are_indices(THLongTensor *index, long extent, int base, const char *what)
{
    long bad = 0;
    bool are = true;

    TH_TENSOR_APPLY(
        long, index, if (*index_data < base || *index_data - base >= extent) {
            bad = *index_data;
            are = false;
            TH_TENSOR_APPLY_hasFinished = 1;
            break;
        })
    if (!are)
        THError("%s: %ld is not one of %d to %ld%s", what, bad, base, extent - 1 + base,
                hint_of(bad, extent, base));
    return are;
}

#define TH_GENERIC_FILE "generic/index.tmpl.h"
#include "TH/THGenerateAllTypes.h"
