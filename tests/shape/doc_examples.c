/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The examples of PyTorch's and PaddlePaddle's documentation on broadcasting, and of
 * PaddlePaddle's operator documentation, as calls: the shape of the result, or the
 * error message.
 */
#include <broadloom/paddle.h>
#include <broadloom/warnings.h>

#include "harness/shapes.h"
#include "harness/tap.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 128 };

/* The form of a call on x and y. */
enum form {
    TORCH,          /* torch.add(x, y), as it is today */
    TORCH_IN_PLACE, /* x.add_(y) */
    LEGACY,         /* torch.add(x, y) of 0.1.12 */
    TRANSITIONAL,   /* torch.add(x, y) of 0.2 */
    PADDLE          /* elementwise_add(x, y, axis) */
};

/* `want` begins with "(" for the result's shape, else it is the error message. */
static const struct row {
    enum form form;
    const char *x;
    const char *y;
    int32_t axis;
    const char *want;
} rows[] = {
    /* PyTorch: general semantics */
    {TORCH, "(5,7,3)", "(5,7,3)", -1, "(5,7,3)"},
    {TORCH, "(0)", "(2,2)", -1,
     "The size of tensor a (0) must match the size of tensor b (2) at non-singleton "
     "dimension 1"},
    {TORCH, "(5,3,4,1)", "(3,1,1)", -1, "(5,3,4,1)"},
    {TORCH, "(5,2,4,1)", "(3,1,1)", -1,
     "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
     "dimension 1"},
    {TORCH, "(5,1,4,1)", "(3,1,1)", -1, "(5,3,4,1)"},
    {TORCH, "(1)", "(3,1,7)", -1, "(3,1,7)"},
    /* PyTorch: in place; messages as in 1.13 */
    {TORCH_IN_PLACE, "(5,3,4,1)", "(3,1,1)", -1, "(5,3,4,1)"},
    {TORCH_IN_PLACE, "(1,3,1)", "(3,1,7)", -1,
     "output with shape [1, 3, 1] doesn't match the broadcast shape [3, 3, 7]"},
    /* PyTorch: backwards compatibility */
    {TORCH, "(4,1)", "(4)", -1, "(4,4)"},
    {LEGACY, "(4,1)", "(4)", -1, "(4,1)"},
    {TRANSITIONAL, "(4,1)", "(4)", -1, "(4,4)"},
    /* PaddlePaddle: shapes that broadcast */
    {PADDLE, "(2,3,4)", "(2,3,4)", -1, "(2,3,4)"},
    {PADDLE, "(2,3,1,5)", "(3,4,1)", -1, "(2,3,4,5)"},
    {PADDLE, "(2,3,4)", "(2,3,6)", -1,
     "Broadcast dimension mismatch. Operands could not be broadcast together with the "
     "shape of X = [2, 3, 4] and the shape of Y = [2, 3, 6]. Received [4] in X is not "
     "equal to [6] in Y at i:2."},
    /* PaddlePaddle: the shape of the result */
    {PADDLE, "(2,1,4)", "(3,1)", -1, "(2,3,4)"},
    {PADDLE, "(2,1,4)", "(3,2)", -1,
     "Broadcast dimension mismatch. Operands could not be broadcast together with the "
     "shape of X = [2, 1, 4] and the shape of Y = [3, 2]. Received [4] in X is not "
     "equal to [2] in Y at i:2."},
    /*
     * PaddlePaddle: operators with an axis; () with the default one failed in v2.1 too
     */
    {PADDLE, "(2,3,4,5)", "()", 3, "(2,3,4,5)"},
    {PADDLE, "(2,3,4,5)", "()", -1,
     "Axis should be less than 4, but received axis is 4."},
    {PADDLE, "(2,3,4,5)", "(5)", -1, "(2,3,4,5)"},
    {PADDLE, "(2,3,4,5)", "(4,5)", -1, "(2,3,4,5)"},
    {PADDLE, "(2,3,4,5)", "(4,5)", 2, "(2,3,4,5)"},
    {PADDLE, "(2,3,4,5)", "(3,4)", 1, "(2,3,4,5)"},
    {PADDLE, "(2,3,4,5)", "(2)", 0, "(2,3,4,5)"},
    {PADDLE, "(2,3,4,5)", "(2,1)", 0, "(2,3,4,5)"},
};

static bl_status call(const struct row *row, const bl_array *x, const bl_array *y,
                      bl_tensor **out)
{
    const bl_array *const in[] = {x, y};
    bl_options options = BL_OPTIONS_DEFAULT;

    if (row->form == PADDLE)
        return bl_paddle_elementwise_add(NULL, x, y, row->axis, out);
    if (row->form == TORCH_IN_PLACE)
        return bl_add_inplace(NULL, x, y);
    options.rules = row->form == LEGACY         ? bl_rules_legacy()
                    : row->form == TRANSITIONAL ? bl_rules_transitional()
                                                : NULL;
    return bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, out);
}

/* Whether the result has a shape, and every element is 1 + 1. */
static bool is_two(const bl_array *result, const char *shape)
{
    const struct shape want = shape_read(shape, NULL);
    const float *const element = result->data;
    int64_t count = 1;

    for (int32_t d = 0; d < result->rank; d++)
        count *= result->extent[d];
    for (int64_t i = 0; i < count; i++)
        if (element[i] != 2.0f)
            return false;
    return shape_equal(&want, result->rank, result->extent);
}

static void check(const struct row *row)
{
    static float ones[2][MOST];
    const struct shape x_shape = shape_read(row->x, NULL);
    const struct shape y_shape = shape_read(row->y, NULL);
    const bl_array x = {.data = ones[0],
                        .dtype = BL_DTYPE_F32,
                        .rank = x_shape.rank,
                        .extent = x_shape.extent};
    const bl_array y = {.data = ones[1],
                        .dtype = BL_DTYPE_F32,
                        .rank = y_shape.rank,
                        .extent = y_shape.extent};
    bl_tensor *out = NULL;

    for (int32_t i = 0; i < MOST; i++)
        ones[0][i] = ones[1][i] = 1.0f;

    const bl_status status = call(row, &x, &y, &out);
    const bool is_refused =
        status == BL_ERR_SHAPE && !out && strcmp(bl_error_message(), row->want) == 0;

    if (!tap_ok(row->want[0] == '('
                    ? status == BL_OK &&
                          is_two(out ? bl_tensor_array(out) : &x, row->want)
                    : is_refused,
                "%s%s%s: %.60s", row->x,
                row->form == PADDLE           ? " +axis "
                : row->form == TORCH_IN_PLACE ? " += "
                                              : " + ",
                row->y, row->want))
        tap_note("%s", status == BL_OK ? "not refused" : bl_error_message());
    bl_tensor_release(out);
}

/* ---- the documentation's example of the flag ---- */

struct heard {
    int32_t count;
    char text[300];
};

static void hear(void *user, const bl_warning *warning)
{
    struct heard *const heard = user;

    heard->count++;
    strncpy(heard->text, warning->text, sizeof heard->text - 1);
}

static void check_flag(void)
{
    static const struct row row = {TORCH, "(4,1)", "(4)", -1, "(4,4)"};
    struct heard heard = {.count = 0};

    bl_warnings_set_handler(hear, &heard);
    bl_backcompat_broadcast_warning_set_enabled(true);
    check(&row);
    bl_backcompat_broadcast_warning_set_enabled(false);
    bl_warnings_set_handler(NULL, NULL);
    tap_ok(heard.count == 1 &&
               strcmp(heard.text,
                      "other and self do not have the same shape, but are "
                      "broadcastable, and have the same number of elements.  Changing "
                      "behavior in a backwards incompatible manner to broadcasting "
                      "rather than viewing as 1-dimensional.") == 0,
           "torch.add(torch.ones(4, 1), torch.ones(4)) warns with the flag on");
    if (heard.count > 0)
        tap_note("%s", heard.text);
}

int main(void)
{
    tap_plan();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
    check_flag();
    return tap_done();
}
