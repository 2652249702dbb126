/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The model of views: index arithmetic on lists of offsets.
 */
#include "view_model.h"

#include <string.h>

const char *const view_kind_name[KINDS] = {
    "expand", "unsqueeze", "squeeze", "squeeze_all", "permute", "transpose",
    "select", "narrow",    "slice",   "flip",        "view",    "align"};

/* Map an index of the result to the index of the input. */
static void map_index(const struct view *view, const struct shape *from,
                      const int64_t *index, int64_t *old)
{
    for (int32_t d = 0; d < from->rank; d++) {
        switch (view->kind) {
        case EXPAND: {
            const int32_t shift = view->shape.rank - from->rank;

            old[d] = from->extent[d] == 1 ? 0 : index[d + shift];
            break;
        }
        case UNSQUEEZE:
            old[d] = index[d < view->dim ? d : d + 1];
            break;
        case SQUEEZE:
        case SELECT:
            old[d] = d == view->dim ? view->start : index[d < view->dim ? d : d - 1];
            break;
        case TRANSPOSE:
            old[d] = index[d == view->dim     ? view->other
                           : d == view->other ? view->dim
                                              : d];
            break;
        case NARROW:
        case SLICE:
        case FLIP:
            old[d] = d == view->dim ? view->start + view->step * index[d] : index[d];
            break;
        case ALIGN:
            old[d] = index[view->dims[d]];
            break;
        case PERMUTE:
            for (int32_t e = 0; e < from->rank; e++)
                if (view->dims[e] == d)
                    old[d] = index[e];
            break;
        default:
            break;
        }
    }
}

static int64_t flat_index(const struct shape *shape, const int64_t *index)
{
    int64_t flat = 0;

    for (int32_t d = 0; d < shape->rank; d++)
        flat = flat * shape->extent[d] + index[d];
    return flat;
}

/* Multi-index of the k-th element in row-major order. */
static void unflatten(const struct shape *shape, int64_t k, int64_t *index)
{
    for (int32_t d = shape->rank - 1; d >= 0; d--) {
        index[d] = k % shape->extent[d];
        k /= shape->extent[d];
    }
}

int64_t model_count_of(const struct shape *shape)
{
    int64_t count = 1;

    for (int32_t d = 0; d < shape->rank; d++)
        count *= shape->extent[d];
    return count;
}

void model_apply(const struct view *view, const struct model *from, struct model *to)
{
    int64_t index[BL_MAX_RANK], old[BL_MAX_RANK];

    to->shape = view->shape;
    to->unit = from->unit;
    to->count = model_count_of(&view->shape);
    for (int64_t k = 0; k < to->count; k++) {
        unflatten(&to->shape, k, index);
        if (view->kind == VIEW || view->kind == SQUEEZE_ALL) {
            to->offset[k] = from->offset[k];
            continue;
        }
        map_index(view, &from->shape, index, old);
        to->offset[k] = from->offset[flat_index(&from->shape, old)];
    }
}

bool model_has_strides(const struct model *model, const struct shape *shape)
{
    int64_t index[BL_MAX_RANK];

    for (int64_t k = 0; k < model->count; k++) {
        int64_t offset = model->offset[0];
        int64_t step = model->count;

        unflatten(shape, k, index);
        for (int32_t d = 0; d < shape->rank; d++) {
            step /= shape->extent[d];
            if (shape->extent[d] > 1)
                offset += index[d] * (model->offset[step] - model->offset[0]);
        }
        if (offset != model->offset[k])
            return false;
    }
    return true;
}

/* Offset of an element by the definition of a layout. */
static int64_t offset_of(const bl_layout *layout, const int64_t *index)
{
    int64_t offset = layout->offset;

    for (int32_t d = 0; d < layout->rank; d++)
        offset += index[d] * layout->stride[d];
    return offset;
}

static int64_t unit_of(const bl_layout *layout)
{
    return layout->element_bytes == 0 ? 1 : layout->element_bytes;
}

void model_of_layout(const bl_layout *layout, struct model *model)
{
    int64_t index[BL_MAX_RANK];

    model->unit = unit_of(layout);
    model->shape.rank = layout->rank;
    memcpy(model->shape.extent, layout->extent, sizeof layout->extent);
    model->count = model_count_of(&model->shape);
    for (int64_t k = 0; k < model->count; k++) {
        unflatten(&model->shape, k, index);
        model->offset[k] = offset_of(layout, index);
    }
}

bool model_is_layout(const struct model *model, const bl_layout *layout)
{
    int64_t index[BL_MAX_RANK];
    int64_t low = INT64_MAX, high = INT64_MIN, lowest, highest;
    bool is_dense = true;

    if (!shape_equal(&model->shape, layout->rank, layout->extent) ||
        bl_layout_numel(layout) != model->count || unit_of(layout) != model->unit)
        return false;
    for (int64_t k = 0; k < model->count; k++) {
        unflatten(&model->shape, k, index);

        const int64_t offset = offset_of(layout, index);

        if (offset != model->offset[k])
            return false;
        low = offset < low ? offset : low;
        high = offset > high ? offset : high;
        is_dense = is_dense && offset == layout->offset + k * model->unit;
    }
    if (bl_layout_is_contiguous(layout) != is_dense)
        return false;
    if (bl_layout_span(layout, &lowest, &highest) != (model->count > 0))
        return false;
    return model->count == 0 || (lowest == low && highest == high);
}
