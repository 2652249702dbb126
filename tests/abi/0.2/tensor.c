/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors: creation, lifetime, views; arrays: elements and text.
 */
#include "kept.h"

static const int64_t shape[] = {2, 3};

static void check_creation(void)
{
    const double seven = 7;
    bl_tensor *tensor = NULL, *again = NULL;

    if (OK(bl_tensor_empty(NULL, BL_DTYPE_F64, 2, shape, &tensor))) {
        CHECK(bl_tensor_numel(tensor) == 6 && bl_tensor_array(tensor)->rank == 2);
        CHECK(bl_tensor_dtype(tensor) == BL_DTYPE_F64 && bl_tensor_rank(tensor) == 2);
        CHECK(bl_tensor_extent(tensor, -1) == 3 && bl_tensor_stride(tensor, 0) == 3);
        CHECK(bl_tensor_data(tensor) == bl_tensor_mutable_data(tensor));
        bl_tensor_release(tensor);
    }
    if (OK(bl_tensor_empty_placed(NULL, BL_DTYPE_F64, 2, shape,
                                  (bl_placement){BL_PLACEMENT_INTERLEAVE, 0}, &tensor)))
        bl_tensor_release(tensor);
    if (OK(bl_tensor_zeros(NULL, BL_DTYPE_F64, 1, shape, &tensor)))
        HAS(tensor, 0, 0);
    if (OK(bl_tensor_ones(NULL, BL_DTYPE_F64, 1, shape, &tensor)))
        HAS(tensor, 1, 1);
    if (OK(bl_tensor_full(NULL, BL_DTYPE_F64, 1, shape, &seven, &tensor)))
        HAS(tensor, 7, 7);
    if (OK(bl_tensor_arange(NULL, BL_DTYPE_F64, 1, 2, 0.25, &tensor)))
        HAS(tensor, 1, 1.25, 1.5, 1.75);
    if (OK(bl_tensor_rand(NULL, BL_DTYPE_F64, 2, shape, 5, &tensor)) &&
        OK(bl_tensor_rand(NULL, BL_DTYPE_F64, 2, shape, 5, &again))) {
        CHECK(kept_at(tensor, 0) >= 0 && kept_at(tensor, 0) < 1);
        CHECK(kept_at(tensor, 5) == kept_at(again, 5));
        bl_tensor_release(again);
        bl_tensor_release(tensor);
    }
    if (OK(bl_tensor_randn(NULL, BL_DTYPE_F64, 2, shape, 5, &tensor))) {
        CHECK(fabs(kept_at(tensor, 0)) < 9 && kept_at(tensor, 0) != kept_at(tensor, 1));
        bl_tensor_release(tensor);
    }
}

static int deleted;

static void count_deletion(void *user, void *data)
{
    deleted += *(const int *)user + (data == NULL);
}

static void check_lifetime(void)
{
    static const int one = 1;
    static double memory[] = {1, 2, 3, 4, 5, 6};
    bl_tensor *tensor = NULL, *copy = NULL, *turned = NULL;

    if (!OK(bl_tensor_wrap(NULL, BL_VIEW(memory, 2, 3), count_deletion,
                           (void *)(uintptr_t)&one, &tensor)))
        return;
    CHECK(bl_tensor_retain(tensor) == tensor);
    bl_tensor_release(tensor);
    OK(bl_tensor_transpose(tensor, 0, 1, &turned));
    CHECK(bl_tensor_shares_storage(tensor, turned));
    bl_tensor_release(tensor);
    CHECK(deleted == 0);
    if (OK(bl_tensor_contiguous(NULL, turned, &copy))) {
        CHECK(!bl_tensor_shares_storage(copy, turned));
        HAS(copy, 1, 4, 2, 5, 3, 6);
    }
    if (OK(bl_tensor_clone(NULL, bl_tensor_array(turned), &copy)))
        HAS(copy, 1, 4, 2, 5, 3, 6);
    bl_tensor_release(turned);
    CHECK(deleted == 1);
}

/* A view, made by an expression of `tensor` and `&view`; its first element and count.
 */
#define VIEW(call, first, count)                                                       \
    do {                                                                               \
        bl_tensor *view = NULL;                                                        \
                                                                                       \
        if (OK(call)) {                                                                \
            CHECK(kept_at(view, 0) == (first) && bl_tensor_numel(view) == (count));    \
            bl_tensor_release(view);                                                   \
        }                                                                              \
    } while (0)

static void check_views(bl_tensor *tensor)
{
    static const int64_t larger[] = {4, 2, 3}, other[] = {3, 2};
    bl_tensor *flat = NULL;

    VIEW(bl_tensor_expand(tensor, 3, larger, &view), 0, 24);
    VIEW(bl_tensor_broadcast_to(tensor, 3, larger, &view), 0, 24);
    VIEW(bl_tensor_unsqueeze(tensor, 0, &view), 0, 6);
    VIEW(bl_tensor_permute(tensor, (const int32_t[]){1, 0}, &view), 0, 6);
    VIEW(bl_tensor_select(tensor, 0, 1, &view), 3, 3);
    VIEW(bl_tensor_narrow(tensor, 1, 1, 2, &view), 1, 4);
    VIEW(bl_tensor_slice(tensor, 1, 2, 3, 1, &view), 2, 2);
    VIEW(bl_tensor_flip(tensor, 0, &view), 3, 6);
    VIEW(bl_tensor_view(tensor, 2, other, &view), 0, 6);
    VIEW(bl_tensor_reshape(NULL, tensor, 2, other, &view), 0, 6);
    VIEW(bl_tensor_place_dims(tensor, 3, (const int32_t[]){0, 2}, &view), 0, 6);
    if (OK(bl_tensor_narrow(tensor, 0, 1, 1, &flat))) {
        VIEW(bl_tensor_squeeze(flat, 0, &view), 3, 3);
        VIEW(bl_tensor_squeeze_all(flat, &view), 3, 3);
        bl_tensor_release(flat);
    }
}

struct text {
    char at[200];
    size_t used;
};

static bool take(void *user, const char *text, size_t length)
{
    struct text *const all = user;

    if (all->used + length >= sizeof all->at)
        return false;
    memcpy(all->at + all->used, text, length);
    all->used += length;
    all->at[all->used] = '\0';
    return true;
}

static void check_arrays(const bl_array *array)
{
    const int64_t index[] = {1, 2};
    const double nine = 9;
    double value = 0;
    struct text text = {"", 0};
    bl_layout layout;
    bl_array again;

    OK(bl_array_get(array, index, &value));
    CHECK(value == 5);
    OK(bl_array_set(array, index, &nine));
    OK(bl_array_get(array, index, &value));
    CHECK(value == 9);
    OK(bl_array_layout(array, &layout));
    again = bl_layout_array(&layout, BL_DTYPE_F64, array->data);
    CHECK(again.data == array->data && again.stride[0] == 3);
    OK(bl_array_describe(array, take, &text));
    CHECK(strncmp(text.at, "f64[2,3]", 8) == 0);
    text.used = 0;
    OK(bl_array_format(array, 3, take, &text));
    CHECK(strchr(text.at, '9') != NULL);
}

static void check_descriptions(void)
{
    static const int16_t numbers[] = {1, 2, 3, 4};
    double matrix[4] = {1, 2, 3, 4}, r[2];

    CHECK(BL_VIEW(numbers, 2, 2)->dtype == BL_DTYPE_I16);
    CHECK(BL_VIEW(numbers, 4)->flags == BL_ARRAY_READ_ONLY);
    CHECK(BL_VIEW_AS(BL_DTYPE_F16, matrix, 2, 2)->rank == 2);
    OK(bl_add_out(NULL, BL_VIEW(r, 2),
                  BL_STRIDED_VIEW(matrix, 1, BL_LIST(2), BL_LIST(2)),
                  BL_STRIDED_VIEW(matrix + 1, 1, BL_LIST(2), BL_LIST(2))));
    CHECK(r[0] == 3 && r[1] == 7);
    BL_IGNORE(bl_neg_inplace(NULL, BL_VIEW(r, 2)));
    CHECK(r[1] == -7);
}

int main(void)
{
    bl_tensor *line = NULL, *tensor = NULL;

    check_creation();
    check_lifetime();
    if (OK(bl_tensor_arange(NULL, BL_DTYPE_F64, 0, 6, 1, &line)) &&
        OK(bl_tensor_view(line, 2, shape, &tensor))) {
        check_views(tensor);
        check_arrays(bl_tensor_array(tensor));
    }
    bl_tensor_release(tensor);
    bl_tensor_release(line);
    check_descriptions();
    return failures;
}
