/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views at their limits: the strides that PyTorch gives where elements do not determine
 * them, and refusals with their messages.
 */
#include "harness/shapes.h"
#include "harness/tap.h"

#include <string.h>

enum call {
    EXPAND,
    BROADCAST_TO,
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
    PLACE_DIMS
};

#define END BL_SLICE_END

/*
 * A view of a compact layout.  `list` holds target extents or axes, `number` the other
 * arguments.  `want` is the shape and its strides, or a part of the error message.
 */
static const struct row {
    enum call call;
    const char *shape;
    const char *list;
    int64_t number[4];
    const char *want;
} rows[] = {
    {EXPAND, "(5)", "(2,1,5)", {0}, "(2,1,5)(0,5,1)"},
    {EXPAND, "()", "(2,1)", {0}, "(2,1)(0,0)"},
    {EXPAND, "(1)", "(0)", {0}, "(0)(0)"},
    {EXPAND, "(0)", "(-1)", {0}, "(0)(1)"},
    {EXPAND,
     "(2,3)",
     "(3)",
     {0},
     "expand([2, 3], size=[3]): the number of sizes provided (1) must be greater or "
     "equal "
     "to the number of dimensions in the tensor (2)"},
    {EXPAND, "(0)", "(5)", {0}, "must match the existing size (0) at non-singleton"},
    {EXPAND,
     "()",
     "(-1)",
     {0},
     "(-1) isn't allowed in a leading, non-existing dimension 0"},
    {EXPAND,
     "(1)",
     "(-2)",
     {0},
     "Trying to create tensor with negative dimension -2: [-2]"},
    {EXPAND, "(1)", "(4611686018427387904,4,1)", {0}, "does not fit in 64 bits"},
    {BROADCAST_TO, "(1,3)", "(2,3)", {0}, "(2,3)(0,1)"},
    {BROADCAST_TO, "(1,3)", "(2,-1)", {0}, "must be non-negative"},
    {BROADCAST_TO, "(3)", "(2)", {0}, "The expanded size of the tensor (2)"},
    {UNSQUEEZE, "(2,3)", "()", {0}, "(1,2,3)(6,3,1)"},
    {UNSQUEEZE, "(2,3)", "()", {1}, "(2,1,3)(3,3,1)"},
    {UNSQUEEZE, "(2,3)", "()", {-1}, "(2,3,1)(3,1,1)"},
    {UNSQUEEZE, "()", "()", {-1}, "(1)(1)"},
    {UNSQUEEZE, "(2,3)", "()", {3}, "expected to be in range of [-3, 2], but got 3)"},
    {UNSQUEEZE, "(2,3)", "()", {-4}, "expected to be in range of [-3, 2], but got -4)"},
    {SQUEEZE, "(2,1,3)", "()", {1}, "(2,3)(3,1)"},
    {SQUEEZE, "(2,1,3)", "()", {0}, "(2,1,3)(3,3,1)"},
    {SQUEEZE, "()", "()", {-1}, "()()"},
    {SQUEEZE, "()", "()", {1}, "expected to be in range of [-1, 0], but got 1)"},
    {SQUEEZE,
     "(2)",
     "()",
     {1},
     "Dimension out of range (expected to be in range of [-1, 0]"},
    {SQUEEZE_ALL, "(1,1)", "()", {0}, "()()"},
    {PERMUTE, "(2,3,4)", "(2,0,1)", {0}, "(4,2,3)(1,12,4)"},
    {PERMUTE, "(2,3)", "(-1,-2)", {0}, "(3,2)(1,3)"},
    {PERMUTE, "(2,3)", "(1,-1)", {0}, "repeated dim in permute"},
    {PERMUTE, "(2,3)", "(0,2)", {0}, "expected to be in range of [-2, 1], but got 2)"},
    {TRANSPOSE, "(2,3)", "()", {0, -1}, "(3,2)(1,3)"},
    {TRANSPOSE, "()", "()", {0, -1}, "()()"},
    {TRANSPOSE,
     "(2,3)",
     "()",
     {0, 2},
     "expected to be in range of [-2, 1], but got 2)"},
    {SELECT, "(2,3)", "()", {1, -1}, "(2)(3)"},
    {SELECT,
     "(2,3)",
     "()",
     {-2, 5},
     "select(): index 5 out of range for tensor of size [2, 3] at dimension 0"},
    {SELECT, "(2,3)", "()", {1, -4}, "select(): index -4 out of range"},
    {SELECT, "(0)", "()", {0, 0}, "select(): index 0 out of range"},
    {SELECT, "()", "()", {0, 0}, "select() cannot be applied to a 0-dim tensor."},
    {NARROW, "(4)", "()", {0, 4, 0}, "(0)(1)"},
    {NARROW, "(4)", "()", {0, -2, 2}, "(2)(1)"},
    {NARROW,
     "(4)",
     "()",
     {0, 3, 2},
     "start (3) + length (2) exceeds dimension size (4)."},
    {NARROW, "(4)", "()", {0, 0, INT64_MAX}, "exceeds dimension size (4)."},
    {NARROW, "(4)", "()", {0, 0, -1}, "narrow(): length must be non-negative."},
    {NARROW, "(4)", "()", {0, 5, 0}, "expected to be in range of [-4, 3], but got 5)"},
    {NARROW, "()", "()", {0, 0, 1}, "narrow() cannot be applied to a 0-dim tensor."},
    {SLICE, "(5)", "()", {0, END, END, -1}, "(5)(-1)"},
    {SLICE, "(5)", "()", {0, INT64_MAX, -INT64_MAX, -2}, "(3)(-2)"},
    {SLICE, "(5)", "()", {0, 1, INT64_MAX, INT64_MAX}, "(1)(9223372036854775807)"},
    {SLICE, "(5)", "()", {0, 3, END, INT64_MIN}, "(1)(-9223372036854775807)"},
    {SLICE, "(5,2)", "()", {0, 1, 2, INT64_MAX}, "(1,2)(0,1)"},
    {SLICE, "(0)", "()", {0, END, END, -1}, "(0)(-1)"},
    {SLICE, "(5)", "()", {0, 0, 5, 0}, "slice step cannot be zero"},
    {SLICE, "()", "()", {0, 0, 5, 1}, "slice() cannot be applied to a 0-dim tensor."},
    {FLIP, "(2,3)", "()", {-2}, "(2,3)(-3,1)"},
    {FLIP, "()", "()", {0}, "()()"},
    {FLIP, "(2,3)", "()", {2}, "expected to be in range of [-2, 1], but got 2)"},
    {VIEW, "(2,3)", "(3,-1)", {0}, "(3,2)(2,1)"},
    {VIEW, "(2,3)", "(1,6)", {0}, "(1,6)(6,1)"},
    {VIEW, "()", "(1,1)", {0}, "(1,1)(1,1)"},
    {VIEW, "(1,1)", "()", {0}, "()()"},
    {VIEW, "(0,3)", "(3,0)", {0}, "(3,0)(1,1)"},
    {VIEW, "(0,3)", "(2,-1)", {0}, "(2,0)(1,1)"},
    {VIEW, "(2,3)", "(4)", {0}, "shape '[4]' is invalid for input of size 6"},
    {VIEW, "(2,3)", "(4,-1)", {0}, "shape '[4, -1]' is invalid for input of size 6"},
    {VIEW, "(2,3)", "(0,-1)", {0}, "shape '[0, -1]' is invalid for input of size 6"},
    {VIEW,
     "(0,3)",
     "(-1,0)",
     {0},
     "cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified "
     "dimension size -1 can be any value and is ambiguous"},
    {VIEW, "(2,3)", "(-1,-1)", {0}, "only one dimension can be inferred"},
    {VIEW, "(2,3)", "(-2,3)", {0}, "invalid shape dimension -2"},
    {VIEW, "(2)", "(4611686018427387904,4,2)", {0}, "is invalid for input of size 2"},
    {PLACE_DIMS, "(3)", "(1)", {3}, "(1,3,1)(3,1,1)"},
    {PLACE_DIMS, "(2,3)", "(0,-1)", {3}, "(2,1,3)(3,3,1)"},
    {PLACE_DIMS, "(2,3)", "(1,0)", {3}, "axes must increase"},
    {PLACE_DIMS, "(2,3)", "(0,1)", {1}, "2 dimensions do not fit in 1"},
    {PLACE_DIMS, "(2)", "(0)", {65}, "rank 65 is not in [0, 64]"},
};

static bl_status call(const struct row *row, const bl_layout *in, bl_layout *out)
{
    const struct shape list = shape_read(row->list, NULL);
    const int64_t *number = row->number;
    const int32_t dim = (int32_t)number[0];
    int32_t dims[BL_MAX_RANK];

    for (int32_t d = 0; d < list.rank; d++)
        dims[d] = (int32_t)list.extent[d];
    switch (row->call) {
    case EXPAND:
        return bl_layout_expand(in, list.rank, list.extent, out);
    case BROADCAST_TO:
        return bl_layout_broadcast_to(in, list.rank, list.extent, out);
    case UNSQUEEZE:
        return bl_layout_unsqueeze(in, dim, out);
    case SQUEEZE:
        return bl_layout_squeeze(in, dim, out);
    case SQUEEZE_ALL:
        return bl_layout_squeeze_all(in, out);
    case PERMUTE:
        return bl_layout_permute(in, dims, out);
    case TRANSPOSE:
        return bl_layout_transpose(in, dim, (int32_t)number[1], out);
    case SELECT:
        return bl_layout_select(in, dim, number[1], out);
    case NARROW:
        return bl_layout_narrow(in, dim, number[1], number[2], out);
    case SLICE:
        return bl_layout_slice(in, dim, number[1], number[2], number[3], out);
    case FLIP:
        return bl_layout_flip(in, dim, out);
    case VIEW:
        return bl_layout_view(in, list.rank, list.extent, out);
    default:
        return bl_layout_place_dims(in, dim, dims, out);
    }
}

static void check_row(const struct row *row)
{
    const struct shape shape = shape_read(row->shape, NULL);
    bl_layout layout, out = {.rank = -9};
    char extents[SHAPE_TEXT], strides[SHAPE_TEXT];
    bool pass = false;

    if (bl_layout_compact(shape.rank, shape.extent, &layout) == BL_OK) {
        const bl_status status = call(row, &layout, &out);

        if (status == BL_OK) {
            const size_t length = strlen(shape_write(extents, out.rank, out.extent));

            shape_write(strides, out.rank, out.stride);
            pass = strncmp(extents, row->want, length) == 0 &&
                   strcmp(strides, row->want + length) == 0;
        } else {
            pass = out.rank == -9 && strstr(bl_error_message(), row->want) != NULL;
        }
    }
    if (!tap_ok(pass, "view %d of %s: %s", (int)row->call, row->shape, row->want))
        tap_note("got %s%s", out.rank < 0 ? bl_error_message() : extents,
                 out.rank < 0 ? "" : strides);
}

static void check_ranks(void)
{
    bl_layout layout = {.rank = BL_MAX_RANK};
    bl_layout wrong = {.rank = BL_MAX_RANK + 1};

    for (int32_t d = 0; d < BL_MAX_RANK; d++)
        layout.extent[d] = 1;
    tap_ok(bl_layout_unsqueeze(&layout, 0, &layout) == BL_ERR_ARGUMENT &&
               layout.rank == BL_MAX_RANK,
           "the 65th dimension is refused");
    tap_ok(bl_layout_squeeze(&wrong, 0, &layout) == BL_ERR_ARGUMENT,
           "a layout of rank 65 is refused");
    tap_ok(bl_layout_squeeze(NULL, 0, &layout) == BL_ERR_ARGUMENT &&
               bl_layout_squeeze(&layout, 0, NULL) == BL_ERR_ARGUMENT &&
               bl_layout_permute(&layout, NULL, &wrong) == BL_ERR_ARGUMENT &&
               bl_layout_expand(&layout, BL_MAX_RANK, NULL, &wrong) == BL_ERR_ARGUMENT,
           "null arguments are refused");
    layout.extent[3] = -1;
    tap_ok(bl_layout_squeeze(&layout, 0, &wrong) == BL_ERR_ARGUMENT,
           "a layout with a negative extent is refused");
}

int main(void)
{
    tap_plan();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    check_ranks();
    return tap_done();
}
