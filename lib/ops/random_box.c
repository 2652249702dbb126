/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes of tensors whose values are a sequence: each process computes its own part.
 */
#include "ops/ops.h"

#include <inttypes.h>

/* A box as runs of values that follow each other. */
struct box {
    struct bli_sequence_box of; /* with the rank of the dimensions outside runs */
    int64_t run;                /* values of one */
    int64_t inner; /* values of the tensor for each index of dimension rank - 1 */
    int64_t first; /* value at which each run begins, within those */
};

/* The value of the whole tensor that a run begins with. */
static int64_t find_run(const struct box *box, int64_t run)
{
    int64_t at = box->first, step = box->inner;

    for (int32_t d = box->of.rank - 1; d >= 0; d--) {
        const int64_t count = box->of.end[d] - box->of.begin[d];

        at += (box->of.begin[d] + run % count) * step;
        run /= count;
        step *= box->of.extent[d];
    }
    return at;
}

static void fill_box(const void *argument, int64_t first, int64_t count, double *values)
{
    const struct box *const box = argument;

    while (count > 0) {
        const int64_t at = first % box->run, rest = box->run - at;
        const int64_t some = rest < count ? rest : count;

        box->of.sequence(box->of.argument, find_run(box, first / box->run) + at, some,
                         values);
        first += some;
        count -= some;
        values += some;
    }
}

/* Make runs of `values` for each element: as long as dimensions are whole. */
static void make_runs(struct box *box, int64_t values)
{
    int32_t d = box->of.rank - 1;

    for (box->inner = values;
         d >= 0 && (box->of.is_whole ||
                    (box->of.begin[d] == 0 && box->of.end[d] == box->of.extent[d]));
         d--)
        box->inner *= box->of.extent[d];
    box->run = box->inner;
    box->first = 0;
    if (d >= 0) {
        box->run = (box->of.end[d] - box->of.begin[d]) * box->inner;
        box->first = box->of.begin[d] * box->inner;
        box->inner *= box->of.extent[d];
    }
    box->of.rank = d > 0 ? d : 0;
}

static bl_status check_box(const struct bli_sequence_box *box)
{
    int64_t numel;

    BL_TRY(bl_shape_numel(box->rank, box->extent, &numel));
    if (box->rank > 0 && (!box->begin || !box->end))
        return bli_error_null(box->begin ? "end" : "begin");
    for (int32_t d = 0; d < box->rank; d++)
        if (box->begin[d] < 0 || box->begin[d] > box->end[d] ||
            box->end[d] > box->extent[d])
            return bli_error_argument("begin",
                                      "%" PRId64 " to %" PRId64
                                      " are no indices of dimension %" PRId32
                                      " with extent %" PRId64,
                                      box->begin[d], box->end[d], d, box->extent[d]);
    return BL_OK;
}

bl_status bli_tensor_of_box(bl_context *ctx, bl_dtype dtype,
                            const struct bli_sequence_box *of, bl_tensor **out)
{
    struct box box = {.of = *of};
    int64_t extent[BL_MAX_RANK];
    bl_tensor *tensor;
    bl_status status;

    if (!of->is_whole) {
        BL_TRY(check_box(of));
        for (int32_t d = 0; d < of->rank; d++)
            extent[d] = of->end[d] - of->begin[d];
    }
    BL_TRY(bl_tensor_empty(ctx, dtype, of->rank, of->is_whole ? of->extent : extent,
                           &tensor));
    make_runs(&box, bli_dtype_real(dtype) == dtype ? 1 : 2);
    status = bli_fill(ctx, bl_tensor_array(tensor), fill_box, &box, true);
    if (status == BL_OK)
        *out = tensor;
    else
        bl_tensor_release(tensor);
    return status;
}
