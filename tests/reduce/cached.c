/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread keeps its last plans of reductions.  Calls that differ in one thing alone,
 * one after the other in every order, have the results that each has in a thread of its
 * own; also where an allocator reduces while a reduction is under way.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

enum { MOST_RANK = 3, WIDEST = 48, NUMBERS = 4096, LARGE = 600000, SMALL = 500 };

static double numbers[NUMBERS];

/* A reduction, and the strides of its result; 0: compact. */
struct call {
    const char *what;
    bl_reduction op;
    bl_dtype dtype;
    int32_t rank;
    int64_t extent[MOST_RANK], stride[MOST_RANK];
    int32_t axis;
    int64_t out_stride;
    double correction;
    bl_dtype as;
};

#define SUM BL_REDUCTION_SUM
#define F64 BL_DTYPE_F64

static const struct call calls[] = {
    {"a sum", SUM, F64, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"other extents", SUM, F64, 2, {8, 6}, {8, 1}, 0, 0, 1, 0},
    {"other strides", SUM, F64, 2, {6, 8}, {1, 6}, 0, 0, 1, 0},
    {"gaps between rows", SUM, F64, 2, {6, 8}, {11, 1}, 0, 0, 1, 0},
    {"gaps in the result", SUM, F64, 2, {6, 8}, {8, 1}, 0, 3, 1, 0},
    {"wider gaps in the result", SUM, F64, 2, {6, 8}, {8, 1}, 0, 5, 1, 0},
    {"the other axis", SUM, F64, 2, {6, 8}, {8, 1}, 1, 0, 1, 0},
    {"the second of three axes", SUM, F64, 3, {2, 3, 8}, {24, 8, 1}, 1, 0, 1, 0},
    {"the first of three axes", SUM, F64, 3, {2, 3, 8}, {24, 8, 1}, 0, 0, 1, 0},
    {"integers", SUM, BL_DTYPE_I64, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"f32", SUM, BL_DTYPE_F32, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"f32 as f64", SUM, BL_DTYPE_F32, 2, {6, 8}, {8, 1}, 0, 0, 1, F64},
    {"a product", BL_REDUCTION_PROD, F64, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"a mean", BL_REDUCTION_MEAN, F64, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"the largest", BL_REDUCTION_MAX, F64, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"a variance", BL_REDUCTION_VAR, F64, 2, {6, 8}, {8, 1}, 0, 0, 1, 0},
    {"its correction", BL_REDUCTION_VAR, F64, 2, {6, 8}, {8, 1}, 0, 0, 0, 0},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* What a call stores, with what lies between. */
struct stored {
    bl_status status;
    double at[WIDEST];
};

static struct stored store(const struct call *call)
{
    const int32_t axes[] = {call->axis};
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    struct stored stored = {.status = BL_OK};
    int64_t extent[MOST_RANK], stride[MOST_RANK], step = call->out_stride;
    int32_t rank = 0;
    bl_array in = {numbers, call->dtype, call->rank, call->extent, call->stride, 0};
    bl_array out = {stored.at, call->dtype, 0, extent, step ? stride : NULL, 0};

    for (int32_t d = call->rank - 1; d >= 0; d--)
        rank += d != call->axis;
    for (int32_t d = call->rank - 1, at = rank; d >= 0; d--) {
        if (d == call->axis)
            continue;
        extent[--at] = call->extent[d];
        stride[at] = step;
        step *= call->extent[d];
    }
    out.rank = rank;
    if (call->as != BL_DTYPE_NONE)
        options.dtype = out.dtype = call->as;
    options.correction = call->correction;
    stored.status = bl_reduce(NULL, call->op, &out, &in, 1, axes, false, &options);
    return stored;
}

static bool is_same(const struct stored *a, const struct stored *b)
{
    return a->status == BL_OK && b->status == BL_OK &&
           memcmp(a->at, b->at, sizeof a->at) == 0;
}

/* ---- every call after every other one ---- */

struct fresh {
    const struct call *call;
    struct stored stored;
};

static void *store_fresh(void *argument)
{
    struct fresh *const fresh = argument;

    fresh->stored = store(fresh->call);
    return NULL;
}

static void in_turns(void)
{
    static struct fresh fresh[CALLS];
    pthread_t thread;

    for (int k = 0; k < CALLS; k++) {
        fresh[k].call = &calls[k];
        fresh[k].stored.status = BL_ERR_MEMORY;
        if (pthread_create(&thread, NULL, store_fresh, &fresh[k]) == 0)
            pthread_join(thread, NULL);
    }
    for (int k = 0; k < CALLS; k++) {
        int wrong = 0, others = 0;

        for (int j = 0; j < CALLS; j++) {
            const struct stored first = store(&calls[j]), second = store(&calls[k]);
            const struct stored again = store(&calls[k]);

            wrong += !is_same(&first, &fresh[j].stored) ||
                     !is_same(&second, &fresh[k].stored) || !is_same(&again, &second);
            others += j != k && is_same(&fresh[j].stored, &fresh[k].stored);
        }
        tap_ok(wrong == 0, "%s, after each of the others", calls[k].what);
        tap_ok(others == 0, "%s: no other call has that result", calls[k].what);
    }
}

/* ---- within an allocation ---- */

static double large[LARGE];
static double inner_sum;
static bool is_inside;

static double sum_of(bl_context *ctx, int64_t count)
{
    const bl_array in = {large, F64, 1, &count, NULL, 0};
    double sum = -1;
    const bl_array out = {&sum, F64, 0, NULL, NULL, 0};

    return bl_sum_out(ctx, &out, &in, 0, NULL, false) == BL_OK ? sum : -1;
}

static void *reduce_and_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    if (!is_inside) {
        is_inside = true;
        inner_sum = sum_of(NULL, SMALL);
        is_inside = false;
    }
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    free(memory);
}

static void in_an_allocator(void)
{
    const bl_allocator allocator = {reduce_and_allocate, release, NULL};
    bl_context *ctx = NULL;

    for (int k = 0; k < LARGE; k++)
        large[k] = 1;
    if (tap_ok(bl_context_create(&ctx) == BL_OK &&
                   bl_context_set_allocator(ctx, &allocator) == BL_OK,
               "a context with an allocator that reduces")) {
        const double sum = sum_of(ctx, LARGE);

        tap_ok(sum == LARGE && inner_sum == SMALL, "its sums are %g and %g", sum,
               inner_sum);
    }
    bl_context_destroy(ctx);
}

int main(void)
{
    for (int k = 0; k < NUMBERS; k++)
        numbers[k] = 1 + (double)((k * 7919) % 1009) / 128;
    in_turns();
    in_an_allocator();
    return tap_done();
}
