/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model of views without strides: the list of the offsets of all elements in
 * row-major order, and for each view the index that an element had before.
 */
#ifndef TESTS_VIEW_MODEL_H
#define TESTS_VIEW_MODEL_H

#include "harness/shapes.h"

/* Most elements of a model. */
#define MODEL_COUNT 4096

struct model {
    struct shape shape;
    int64_t unit; /* what consecutive elements of compact memory are apart */
    int64_t count;
    int64_t offset[MODEL_COUNT];
};

enum view_kind {
    EXPAND,
    UNSQUEEZE,
    SQUEEZE,
    SQUEEZE_ALL,
    PERMUTE,
    TRANSPOSE,
    SELECT,
    NARROW,
    SLICE,
    FLIP,
    VIEW,
    ALIGN,
    KINDS
};

extern const char *const view_kind_name[KINDS];

/* A view and its arguments, all valid; axes count from 0. */
struct view {
    enum view_kind kind;
    int32_t dim;
    int32_t other;
    int64_t start; /* first index along the axis, and the step between indices */
    int64_t step;
    int64_t given_start; /* as passed to the library */
    int64_t given_stop;
    int32_t dims[BL_MAX_RANK];
    struct shape shape; /* of the result */
    struct shape given; /* as passed to the library: one may be -1 */
};

/* Number of elements of a small shape. */
int64_t model_count_of(const struct shape *shape);

/* The model of a layout, by its definition; at most MODEL_COUNT elements. */
void model_of_layout(const bl_layout *layout, struct model *model);

/* Apply `view` to `from`. */
void model_apply(const struct view *view, const struct model *from, struct model *to);

/* Whether some strides can give the model's offsets another shape. */
bool model_has_strides(const struct model *model, const struct shape *shape);

/* Whether the layout has the model's elements, and its queries are right. */
bool model_is_layout(const struct model *model, const bl_layout *layout);

#endif
