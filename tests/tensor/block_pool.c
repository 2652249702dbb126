/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reuse of large tensors' memory: which tensors get it, who owns it, and what belongs
 * to a user's allocator.
 */
#include <broadloom.h>

#include <stdlib.h>

#include "harness/tap.h"

enum { COUNT = 4 << 20 };
static const int64_t extent[1] = {COUNT}; /* 16 MiB of f32 */

static bool is_all(const bl_tensor *tensor, float value)
{
    const float *const data = bl_tensor_array(tensor)->data;

    for (int64_t i = 0; i < COUNT; i++)
        if (data[i] != value)
            return false;
    return true;
}

/* ---- memory that is reused ---- */

static void test_reuse(bl_context *ctx)
{
    bl_tensor *first = NULL, *second = NULL, *view = NULL;
    const void *data;

    tap_ok(bl_tensor_ones(ctx, BL_DTYPE_F32, 1, extent, &first) == BL_OK &&
               bl_tensor_narrow(first, 0, 1, 2, &view) == BL_OK,
           "a large tensor and a view of it");
    data = bl_tensor_array(first)->data;
    bl_tensor_release(first);
    tap_ok(bl_context_trim(ctx) == 0, "the view holds the block");
    bl_tensor_release(view);
    tap_ok(bl_tensor_zeros(ctx, BL_DTYPE_F32, 1, extent, &second) == BL_OK &&
               bl_tensor_array(second)->data == data && is_all(second, 0),
           "zeros in a block that held ones");

    /* Each element is stored at its neighbour's place: the operand is copied first. */
    bl_array to = *bl_tensor_array(second), from = to;
    const int64_t one_less[1] = {COUNT - 1};

    to.extent = from.extent = one_less;
    to.data = (float *)to.data + 1;
    tap_ok(bl_neg_out(ctx, &to, &from) == BL_OK &&
               bl_context_trim(ctx) == COUNT * (int64_t)sizeof(float),
           "a workspace is a block too");
    bl_tensor_release(second);
    tap_ok(bl_context_trim(ctx) == COUNT * (int64_t)sizeof(float) &&
               bl_context_trim(ctx) == 0,
           "trim says how much it gave back");
}

static void *count_bytes(void *user, size_t bytes, size_t alignment)
{
    *(size_t *)user += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void flush_entry(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)alignment;
    *(size_t *)user -= bytes;
    free(memory);
}

static void test_allocator(bl_context *ctx)
{
    size_t bytes = 0;
    const bl_allocator allocator = {count_bytes, flush_entry, &bytes};
    const bl_placement interleaved = {BL_PLACEMENT_INTERLEAVE, 0};
    bl_tensor *tensor = NULL;

    BL_IGNORE(bl_context_set_allocator(ctx, &allocator));
    tap_ok(bl_tensor_empty_placed(ctx, BL_DTYPE_F32, 1, extent, interleaved, &tensor) ==
                   BL_OK &&
               bytes > COUNT * sizeof(float),
           "a user's allocator gets requests for large memory too");
    BL_IGNORE(bl_context_set_allocator(ctx, NULL));
    bl_tensor_release(tensor);
    tap_ok(bytes == 0 && bl_context_trim(ctx) == 0, "and has all of it back");
}

static void test_outliving(void)
{
    bl_context *ctx = NULL;
    bl_tensor *tensor = NULL;

    tap_ok(bl_context_create(&ctx) == BL_OK &&
               bl_tensor_ones(ctx, BL_DTYPE_F32, 1, extent, &tensor) == BL_OK,
           "a tensor of a context that goes first");
    bl_context_destroy(ctx);
    tap_ok(is_all(tensor, 1), "is whole");
    bl_tensor_release(tensor);
}

int main(void)
{
    bl_context *ctx = NULL;

    tap_plan();
    unsetenv("BROADLOOM_POOL");
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    test_reuse(ctx);
    test_allocator(ctx);
    test_outliving();
    bl_context_destroy(ctx);
    return tap_done();
}
