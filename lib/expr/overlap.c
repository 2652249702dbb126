/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two arrays share memory, whatever their shapes. */
#include "expr/plan.h"

#include "core/lend.h"

#include <string.h>

void bli_expr_span(const bl_array *array, int64_t *begin, int64_t *end)
{
    int64_t step[BL_MAX_RANK], numel = 0;

    *begin = *end = 0;
    bli_array_steps(array, step);
    if (bli_shape_numel(array->rank, array->extent, &numel) && numel == 0)
        return;
    for (int32_t d = 0; d < array->rank; d++) {
        const int64_t reach =
            array->extent[d] == 1 ? 0 : step[d] * (array->extent[d] - 1);

        *(reach < 0 ? begin : end) += reach;
    }
    *end += bli_dtypes[array->dtype].size;
}

static bool same_shape(const bl_array *a, const bl_array *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 ||
            memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0);
}

/* Add loops over an array's axes, which are operand `k`'s alone. */
static void add_loops(struct bli_nest *nest, const bl_array *array, int32_t k)
{
    int64_t step[BL_MAX_RANK];

    bli_array_steps(array, step);
    for (int32_t d = 0; d < array->rank; d++) {
        if (array->extent[d] == 1)
            continue;
        nest->extent[nest->loops] = array->extent[d];
        nest->stride[nest->loops][k] = step[d];
        nest->stride[nest->loops++][1 - k] = 0;
    }
}

/*
 * The nest of two arrays: with common loops where their shapes are the same, so that
 * the same elements are found to be that.  False where it has too many loops.
 */
static bool make_nest(struct bli_nest *nest, const bl_array *a, const bl_array *b)
{
    int64_t step[BL_MAX_RANK];

    nest->loops = 0;
    nest->operands = 2;
    nest->count = 1;
    nest->offset[0] = nest->offset[1] = 0;
    if (!same_shape(a, b) && a->rank + b->rank > BL_MAX_RANK)
        return false;
    if (!same_shape(a, b)) {
        add_loops(nest, a, 0);
        add_loops(nest, b, 1);
        return true;
    }
    bli_array_steps(b, step);
    for (int32_t d = 0; d < a->rank; d++)
        nest->stride[d][1] = step[d];
    bli_array_steps(a, step);
    for (int32_t d = 0; d < a->rank; d++) {
        nest->stride[d][0] = step[d];
        nest->extent[d] = a->extent[d];
    }
    nest->loops = a->rank;
    return true;
}

BLI_OWN_FRAME enum bli_overlap bli_expr_overlap(const bl_array *a, const bl_array *b)
{
    struct bli_nest nest;

    if (!make_nest(&nest, a, b))
        return BLI_OVERLAP_UNKNOWN;
    return bli_overlap_operands(&nest, 1, a->data, bli_dtypes[a->dtype].size, b->data,
                                bli_dtypes[b->dtype].size);
}
