/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Axes, result shapes and loop nests of reductions.
 */
#include "shape/reduce.h"

#include <inttypes.h>

#include "shape/layout.h"

_Static_assert(BL_MAX_RANK <= 64, "axes are bits of a uint64_t");

static bool is_folded(uint64_t axes, int32_t d)
{
    return (axes >> d & 1) != 0;
}

bl_status bli_reduce_axes(int32_t rank, int32_t count, const int32_t *axes,
                          uint64_t *set)
{
    uint64_t found = 0;

    if (count < 0)
        return bli_error_argument("axes_count", "axes: count %" PRId32 " is negative",
                                  count);
    if (count > 0 && !axes)
        return bli_error_null("axes");
    for (int32_t i = 0; i < count; i++) {
        int64_t d;

        BL_TRY(bli_wrap_index("axes", axes[i], rank, &d));
        if (is_folded(found, (int32_t)d))
            return bli_fault_axis(
                bl_error_set(
                    BL_ERR_ARGUMENT,
                    "dim %" PRId64 " appears multiple times in the list of dims", d),
                "axes", d, -1);
        found |= UINT64_C(1) << d;
    }
    for (int32_t d = 0; count == 0 && d < rank; d++)
        found |= UINT64_C(1) << d;
    *set = found;
    return BL_OK;
}

bl_status bli_reduce_to(bl_shape from, const char *to_name, bl_shape to, uint64_t *axes)
{
    const int32_t shift = from.rank - to.rank;

    BL_TRY(bli_sum_to_shape_check("in", from, to_name, to));
    *axes = 0;
    for (int32_t d = 0; d < from.rank; d++)
        if (d < shift || (to.extent[d - shift] == 1 && from.extent[d] != 1))
            *axes |= UINT64_C(1) << d;
    return BL_OK;
}

bl_status bli_reduce_shape(const struct bli_reduction_shape *folding, bool keepdim,
                           int32_t *rank, int64_t *extent)
{
    int32_t left = 0;
    int64_t count;

    for (int32_t d = 0; d < folding->rank; d++) {
        if (!is_folded(folding->axes, d))
            extent[left++] = folding->extent[d];
        else if (keepdim)
            extent[left++] = 1;
    }
    *rank = left;
    return bli_result_count(left, extent, &count);
}

/*
 * Either the reduced or the outer dimensions of an array, as an operand; they fill the
 * arrays from the end.
 */
struct part {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK];     /* of the array, in bytes */
    int64_t out_stride[BL_MAX_RANK]; /* of the result, in bytes */
};

static void take_part(struct part *part, const struct bli_reduction_shape *folding,
                      bool folded)
{
    int32_t at = BL_MAX_RANK;

    part->rank = 0;
    for (int32_t d = folding->rank - 1; d >= 0; d--) {
        if (is_folded(folding->axes, d) != folded)
            continue;
        at--;
        part->extent[at] = folding->extent[d];
        part->stride[at] = folding->stride[d];
        if (folding->out_stride)
            part->out_stride[at] = folding->out_stride[d];
        part->rank++;
    }
}

/*
 * An operand of the nest from a part, whose extents and strides are at the arrays' end.
 */
static struct bli_strided operand_of(const struct part *part, int32_t size,
                                     const int64_t *stride)
{
    const int32_t first = BL_MAX_RANK - part->rank;

    return (struct bli_strided){
        part->rank, size, 1, part->extent + first, stride ? stride + first : NULL,
        {0, 0}};
}

void bli_reduce_outer_nest(struct bli_nest *nest,
                           const struct bli_reduction_shape *folding, int32_t size,
                           int32_t out_size)
{
    struct part part;

    take_part(&part, folding, false);

    const struct bli_strided operand[] = {
        [BLI_REDUCE_IN] = operand_of(&part, size, part.stride),
        [BLI_REDUCE_OUT] = operand_of(&part, out_size, part.out_stride),
    };

    bli_nest_make(nest, 2, operand);
}

void bli_reduce_results_nest(struct bli_nest *nest,
                             const struct bli_reduction_shape *folding, int32_t size,
                             int32_t out_size)
{
    struct part part;

    take_part(&part, folding, false);

    const struct bli_strided operand[] = {operand_of(&part, out_size, NULL),
                                          operand_of(&part, size, part.stride)};

    bli_nest_make(nest, 2, operand);
}

void bli_reduce_reduced_nest(struct bli_nest *nest,
                             const struct bli_reduction_shape *folding, int32_t size,
                             int32_t tile_size, bool in_any_order)
{
    struct part part;
    int64_t next = tile_size;

    take_part(&part, folding, true);

    const struct bli_strided array = operand_of(&part, size, part.stride);
    const struct bli_strided in_order[] = {operand_of(&part, tile_size, NULL), array};
    const struct bli_strided by_stride[] = {array, array};

    bli_nest_make(nest, 2, in_any_order ? by_stride : in_order);
    if (in_any_order && nest->stride[0][1] == 0)
        bli_nest_make(nest, 2, in_order);
    else if (in_any_order)
        nest->offset[0] = 0;
    for (int32_t i = 0; i < nest->loops; next *= nest->extent[i], i++)
        nest->stride[i][0] = next;
}
