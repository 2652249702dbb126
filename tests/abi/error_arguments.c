/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The argument that an error names is one of the function that was called, also where
 * an inner one, or one of another name, has found the fault.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/map.h>
#include <broadloom/mask.h>

#include "harness/tap.h"

#include <string.h>

static float a[6];
static bool m[6];
static const int32_t far_axis[] = {5}, far_axes[] = {0, 7};
static const int64_t two[] = {2}, six[] = {6}, negative[] = {-1};
static bl_tensor *tensor, *turned, *scalar, *made;
static bl_layout layout, turned_layout, view;
static int64_t numel;

static bool open_operands(void)
{
    return bl_tensor_zeros(NULL, BL_DTYPE_F32, 2, BL_LIST(2, 3), &tensor) == BL_OK &&
           bl_tensor_zeros(NULL, BL_DTYPE_F32, 0, NULL, &scalar) == BL_OK &&
           bl_tensor_transpose(tensor, 0, 1, &turned) == BL_OK &&
           bl_layout_compact(2, BL_LIST(2, 3), &layout) == BL_OK &&
           bl_layout_transpose(&layout, 0, 1, &turned_layout) == BL_OK;
}

static void close_operands(void)
{
    bl_tensor_release(tensor);
    bl_tensor_release(turned);
    bl_tensor_release(scalar);
}

/*
 * Check a refused call: the argument at fault, and what the message begins with; a name
 * that begins it is the argument's.
 */
static void check(bl_status status, const char *call, const char *argument,
                  const char *message)
{
    bl_error_info info = {.size = sizeof info};
    const bool is_known = bl_error_query(&info) == BL_OK;
    const char *const begun = strchr(call, '(');
    const size_t length = begun ? (size_t)(begun - call) : 0;

    if (!tap_ok(status != BL_OK && is_known && strcmp(info.argument, argument) == 0 &&
                    strncmp(info.function, call, length) == 0 &&
                    strncmp(bl_error_message(), message, strlen(message)) == 0,
                "%s: %s", call, argument))
        tap_note("%s of %s: %s", info.argument, bl_error_where(), bl_error_message());
}

#define CHECK(call, argument, message) check(call, #call, argument, message)

static void check_tensors(void)
{
    const bl_array no_shape = {a, BL_DTYPE_F32, 1, negative, NULL, 0};
    const bl_array no_data = {NULL, BL_DTYPE_F32, 1, two, NULL, 0};

    CHECK(bl_tensor_clone(NULL, NULL, &made), "from", "from: array is null");
    CHECK(bl_tensor_clone(NULL, &no_shape, &made), "from", "from: ");
    CHECK(bl_cast(NULL, NULL, BL_DTYPE_F64, &made), "from", "from: array is null");
    CHECK(bl_cast(NULL, &no_data, BL_DTYPE_F64, &made), "from", "from: ");
    CHECK(bl_tensor_permute(tensor, far_axes, &made), "axes", "Dimension out");
    CHECK(bl_tensor_place_dims(tensor, 3, far_axes, &made), "axes", "Dimension out");
    CHECK(bl_tensor_place_dims(tensor, 65, far_axes, &made), "rank", "rank 65 is");
    CHECK(bl_tensor_transpose(tensor, 0, 7, &made), "second", "Dimension out");
    CHECK(bl_tensor_transpose(tensor, 9, 0, &made), "first", "Dimension out");
    CHECK(bl_tensor_narrow(tensor, 0, 5, 1, &made), "start", "Dimension out");
    CHECK(bl_tensor_narrow(tensor, 5, 0, 1, &made), "axis", "Dimension out");
    CHECK(bl_tensor_select(scalar, 0, 0, &made), "tensor", "select() cannot");
    CHECK(bl_tensor_narrow(scalar, 0, 0, 0, &made), "tensor", "narrow() cannot");
    CHECK(bl_tensor_slice(scalar, 0, 0, 1, 1, &made), "tensor", "slice() cannot");
    CHECK(bl_tensor_view(turned, 1, six, &made), "tensor", "view size");
    CHECK(bl_tensor_view(tensor, 65, six, &made), "rank", "rank 65 is");
    CHECK(bl_tensor_expand(tensor, 65, six, &made), "rank", "rank 65 is");
    CHECK(bl_tensor_expand(tensor, 2, NULL, &made), "extent", "extents are");
    CHECK(bl_tensor_broadcast_to(tensor, -1, six, &made), "rank", "rank -1 is");
    CHECK(bl_sum(NULL, bl_tensor_array(tensor), 1, far_axis, false, &made), "axes",
          "Dimension out");
    CHECK(bl_sum_to_shape(NULL, bl_tensor_array(tensor), 1, two, &made), "extent",
          "size {[2]}");
    CHECK(bl_sum_to_shape(NULL, bl_tensor_array(tensor), 1, NULL, &made), "extent",
          "extents are");
    CHECK(bl_sum_to_shape(NULL, bl_tensor_array(tensor), 65, two, &made), "rank",
          "rank 65 is");
    CHECK(bl_sum_to_shape_out(NULL, BL_VIEW(a, 2), bl_tensor_array(tensor)), "out",
          "size {[2]}");
}

static void check_layouts(void)
{
    const bl_shape from = {2, layout.extent}, to = {1, two};

    CHECK(bl_shape_numel(1, two, NULL), "numel", "numel is null");
    CHECK(bl_shape_numel(65, two, &numel), "rank", "rank 65 is");
    CHECK(bl_shape_numel(1, negative, &numel), "extent", "extent -1 at");
    CHECK(bl_layout_compact(65, two, &view), "rank", "rank 65 is");
    CHECK(bl_layout_compact(1, NULL, &view), "extent", "extents are");
    CHECK(bl_layout_strided(1, negative, two, 0, &view), "extent", "extent -1 at");
    CHECK(bl_layout_view(&layout, 65, six, &view), "rank", "rank 65 is");
    CHECK(bl_layout_view(&turned_layout, 1, six, &view), "layout", "view size");
    CHECK(bl_layout_broadcast_to(&layout, 65, six, &view), "rank", "rank 65 is");
    CHECK(bl_layout_transpose(&layout, 0, 2, &view), "second", "Dimension out");
    CHECK(bl_sum_to_shape_check(from, to), "to", "size {[2]}");
}

static void check_masked_fill(void)
{
    const bl_scalar one = bl_scalar_f64(1);

    CHECK(bl_masked_fill(NULL, NULL, BL_VIEW(m, 6), one, &made), "a",
          "a: array is null");
    CHECK(bl_masked_fill(NULL, BL_VIEW(a, 6), BL_VIEW(m, 6), one, NULL), "out",
          "out is null");
    CHECK(bl_masked_fill(NULL, BL_VIEW(a, 6), NULL, one, &made), "mask",
          "mask: array is null");
    CHECK(bl_masked_fill_inplace(NULL, NULL, BL_VIEW(m, 6), one), "a", "a is null");
    CHECK(bl_where(NULL, BL_VIEW(m, 6), BL_VIEW(a, 6), NULL, &made), "b",
          "b: array is null");
}

/* ---- names of options ---- */

static void copy(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user;
    memcpy(out, in[0], (size_t)count * sizeof(float));
}

/* Names of which some are null: those have the default. */
static void check_names(void)
{
    const char *const names[] = {NULL, "weight"}, *const others[] = {"weight", NULL};
    const bl_scalar half = bl_scalar_f64(0.5);
    const bl_array *const in[] = {BL_VIEW(a, 2, 3), BL_VIEW(a, 2)};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_map_options map_options = BL_MAP_OPTIONS_DEFAULT;

    options.names = names;
    BL_IGNORE(bl_apply(NULL, BL_OP_ADD, BL_VIEW(a, 6), 2, in, &options));
    tap_ok(strcmp(bl_error_where(),
                  "bl_add_out(out f32[6], a f32[2,3], weight f32[2])") == 0,
           "%s", bl_error_where());
    options.names = others;
    BL_IGNORE(bl_apply_new(NULL, BL_OP_ADD, 2, (const bl_array *[]){in[0], NULL},
                           &options, &made));
    tap_ok(strcmp(bl_error_message(), "b: array is null") == 0, "%s",
           bl_error_message());
    options.names = names;
    options.alpha = &half;
    BL_IGNORE(bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &made));
    tap_ok(strcmp(bl_error_where(), "bl_add(a f32[2,3], weight f32[2], alpha f64[])") ==
               0,
           "%s", bl_error_where());
    map_options.names = others;
    BL_IGNORE(bl_map_new(NULL, copy, NULL, 2, in, BL_DTYPE_F32, &map_options, &made));
    tap_ok(strcmp(bl_error_where(), "bl_map_new(weight f32[2,3], b f32[2])") == 0, "%s",
           bl_error_where());
    map_options.size = 0;
    BL_IGNORE(bl_map_new(NULL, copy, NULL, 2, in, BL_DTYPE_F32, &map_options, &made));
    tap_ok(strcmp(bl_error_where(), "bl_map_new(a f32[2,3], b f32[2])") == 0, "%s",
           bl_error_where());
}

int main(void)
{
    tap_plan();
    if (!open_operands())
        return tap_done();
    check_tensors();
    check_layouts();
    check_masked_fill();
    check_names();
    close_operands();
    return tap_done();
}
