/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements by indices, for tensors of each type.
 */
#include "core.h"

/*
 * A hint for an error of an index that would be valid with the other TH_INDEX_BASE; ""
 * for other indices.
 */
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
 * Whether all elements of `index` are valid indices of a dimension of `extent`, from
 * `base` on; else an error that begins with `what` and names one that is not.
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

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/index.tmpl.h"
#include "TH/THGenerateAllTypes.h"
