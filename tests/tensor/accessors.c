/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tensor's dtype, shape and data one by one; and what was created with a context
 * works after the context is gone: tensors, views, plans and the context's allocator.
 */
#include <broadloom.h>

#include "harness/tap.h"

#include <stdlib.h>
#include <string.h>

static const int64_t extent[] = {2, 3, 4};

static void check_accessors(void)
{
    bl_tensor *t = NULL, *turned = NULL, *number = NULL;
    float one = 1;
    const bl_array fixed = {&one, BL_DTYPE_F32, 0, NULL, NULL, BL_ARRAY_READ_ONLY};

    if (bl_tensor_zeros(NULL, BL_DTYPE_I16, 3, extent, &t) != BL_OK ||
        bl_tensor_transpose(t, 0, 2, &turned) != BL_OK ||
        bl_tensor_wrap(NULL, &fixed, NULL, NULL, &number) != BL_OK)
        abort();
    tap_ok(bl_tensor_dtype(t) == BL_DTYPE_I16 && bl_tensor_rank(t) == 3 &&
               bl_tensor_numel(t) == 24,
           "dtype, rank and numel");
    tap_ok(bl_tensor_extent(turned, 0) == 4 && bl_tensor_extent(turned, 2) == 2 &&
               bl_tensor_extent(turned, -1) == 2 && bl_tensor_extent(turned, -3) == 4,
           "extents, also of axes from the end");
    tap_ok(bl_tensor_stride(turned, 0) == 1 && bl_tensor_stride(turned, 2) == 12 &&
               bl_tensor_stride(turned, -1) == 12,
           "strides, also of axes from the end");
    tap_ok(bl_tensor_extent(t, 3) == -1 && bl_tensor_extent(t, -4) == -1 &&
               bl_tensor_extent(t, INT32_MIN) == -1 && bl_tensor_stride(t, 3) == 0 &&
               bl_tensor_stride(t, -4) == 0,
           "axes that the tensor does not have");
    tap_ok(bl_tensor_data(t) == bl_tensor_array(t)->data &&
               bl_tensor_mutable_data(t) == bl_tensor_array(t)->data,
           "data to read and to write");
    tap_ok(bl_tensor_data(number) == &one && !bl_tensor_mutable_data(number),
           "a read-only tensor has no data to write");
    tap_ok(bl_tensor_rank(number) == 0 && bl_tensor_extent(number, 0) == -1 &&
               bl_tensor_extent(number, -1) == -1,
           "a tensor of rank 0 has no axis");
    tap_ok(bl_tensor_dtype(NULL) == BL_DTYPE_NONE && bl_tensor_rank(NULL) == 0 &&
               bl_tensor_numel(NULL) == 0 && bl_tensor_extent(NULL, 0) == -1 &&
               bl_tensor_stride(NULL, 0) == 0 && !bl_tensor_data(NULL) &&
               !bl_tensor_mutable_data(NULL),
           "no tensor");
    bl_tensor_release(number);
    bl_tensor_release(turned);
    bl_tensor_release(t);
}

/* ---- a context that is gone ---- */

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ++*(int *)user;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)bytes;
    (void)alignment;
    --*(int *)user;
    free(memory);
}

static void check_context_gone(void)
{
    static const double values[] = {1, 2, 3, 4};
    static const int64_t four[] = {4}, two[] = {2, 2};
    int live = 0;
    const bl_allocator allocator = {allocate, release, &live};
    const bl_array a = {(void *)(uintptr_t)values, BL_DTYPE_F64, 1, four, NULL,
                        BL_ARRAY_READ_ONLY};
    const bl_array *const in[] = {&a, &a};
    const void *const data[] = {values, values};
    bl_context *ctx = NULL;
    bl_tensor *sum = NULL, *view = NULL;
    bl_plan *plan = NULL;
    double out[4] = {0}, part[4] = {0}, element = 0;

    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_allocator(ctx, &allocator) != BL_OK ||
        bl_context_set_rules(ctx, bl_rules_strict()) != BL_OK ||
        bl_add(ctx, &a, &a, &sum) != BL_OK ||
        bl_plan_create(ctx, BL_OP_MUL, NULL, 2, in, NULL, &plan) != BL_OK)
        abort();
    bl_context_destroy(ctx);
    tap_ok(live > 0, "the context's allocator has blocks");
    tap_ok(bl_tensor_view(sum, 2, two, &view) == BL_OK &&
               bl_array_get(bl_tensor_array(view), (const int64_t[]){1, 1}, &element) ==
                   BL_OK &&
               element == 8,
           "a tensor can be read, and has views, without its context");
    tap_ok(bl_plan_execute(NULL, plan, out, data) == BL_OK && out[3] == 16 &&
               bl_plan_execute_part(NULL, plan, 0, 2, part, data) == BL_OK &&
               bl_plan_execute_part(NULL, plan, 1, 2, part, data) == BL_OK &&
               memcmp(out, part, sizeof out) == 0,
           "a plan can be executed without its context");
    bl_tensor_release(view);
    bl_tensor_release(sum);
    bl_plan_destroy(plan);
    tap_ok(live == 0, "all memory goes back to the allocator that it is from");
}

int main(void)
{
    tap_plan();
    check_accessors();
    check_context_gone();
    return tap_done();
}
