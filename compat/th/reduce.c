/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions, for tensors of each type.
 */
#include "core.h"

bool th_reduce_all(bl_reduction op, const bl_array *in, bl_dtype dtype, void *out)
{
    const bl_array result = {out, dtype, 0, NULL, NULL, 0};
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;

    if (op == BL_REDUCTION_SUM || op == BL_REDUCTION_PROD)
        options.dtype = dtype;
    const bl_status status =
        bl_reduce(th_context(), op, &result, in, 0, NULL, false, &options);

    /* A variable of the caller, which is not followed. */
    th_forget(out, bl_dtype_size(dtype));
    return th_check(status);
}

bool th_has_zero(const bl_array *array)
{
    bool all = true;

    th_reduce_all(BL_REDUCTION_ALL, array, BL_DTYPE_BOOL, &all);
    return !all;
}

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/reduce.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/along.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/deviation.tmpl.h"
#include "TH/THGenerateFloatTypes.h"
