/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls whose inputs the caches do not hold: the tiles in which they are staged, the
 * instruction set that reads them, and the bits, which are those of small parts. Vector
 * functions whose results they do not hold.
 */
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "kernels/kernel.h"

enum { MANY = 2200000, FEW = 20000, PART = 10007, LARGE = 12 << 20 };

/* Elements of 4 bytes in tiles of those that are apart, not read by 512 bits, and of
 * others. */
enum { APART = 512, LONG = 2048 };

static const struct {
    const char *what;
    bl_op op;
    bl_dtype dtype[2];
    int64_t step, count;
    int64_t tile;   /* of elements */
    bool is_narrow; /* 256 bits are read at a time */
} cases[] = {
    {"i32 and f32", BL_OP_ADD, {BL_DTYPE_I32, BL_DTYPE_F32}, 1, MANY, 1024, true},
    {"i16 and i32", BL_OP_MUL, {BL_DTYPE_I16, BL_DTYPE_I32}, 1, 2 * MANY, 1024, true},
    {"f32 by twos", BL_OP_SUB, {BL_DTYPE_F32, BL_DTYPE_F32}, 2, MANY, APART, true},
    {"f32 backwards", BL_OP_LT, {BL_DTYPE_F32, BL_DTYPE_F32}, -1, MANY, APART, true},
    {"f64 by eights", BL_OP_ADD, {BL_DTYPE_F64, BL_DTYPE_F64}, 8, MANY, 1024, false},
    {"pow of i32", BL_OP_POW, {BL_DTYPE_I32, BL_DTYPE_F32}, 1, MANY, LONG, false},
    {"a few i32 and f32", BL_OP_ADD, {BL_DTYPE_I32, BL_DTYPE_F32}, 1, FEW, LONG, false},
    {"a few f32 by twos", BL_OP_SUB, {BL_DTYPE_F32, BL_DTYPE_F32}, 2, FEW, LONG, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Contiguous operands: which of them wait for cache lines alone. */
static const struct {
    bl_op op;
    bl_dtype dtype;
    int64_t count, other; /* elements of both inputs */
    bool is_narrow;       /* 256 bits are read at a time */
} lines[] = {
    {BL_OP_ADD, BL_DTYPE_F32, 2 * MANY, 2 * MANY, true},
    {BL_OP_MUL, BL_DTYPE_F64, MANY, MANY, true},
    {BL_OP_LT, BL_DTYPE_I64, MANY, MANY, true},
    {BL_OP_MAXIMUM, BL_DTYPE_U8, 8 * MANY, 8 * MANY, true},
    {BL_OP_ADD, BL_DTYPE_C64, MANY, MANY, true},
    {BL_OP_MUL, BL_DTYPE_I64, MANY, MANY, false},
    {BL_OP_MUL, BL_DTYPE_U8, 8 * MANY, 8 * MANY, false},
    {BL_OP_MUL, BL_DTYPE_C64, MANY, MANY, false},
    {BL_OP_FMOD, BL_DTYPE_F32, 2 * MANY, 2 * MANY, false},
    {BL_OP_ADD, BL_DTYPE_BF16, 4 * MANY, 4 * MANY, false},
    {BL_OP_ADD, BL_DTYPE_F32, 2 * MANY, 1, false},
    {BL_OP_ADD, BL_DTYPE_F32, FEW, FEW, false},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static void test_lines(bl_context *ctx, const char *isa, const char *narrow)
{
    for (int i = 0; i < LINES; i++) {
        const bl_array a = {NULL, lines[i].dtype, 1, &lines[i].count, NULL, 0};
        const bl_array b = {NULL, lines[i].dtype, 1, &lines[i].other, NULL, 0};
        const bl_array *const in[] = {&a, &b};
        const char *const expected = lines[i].is_narrow ? narrow : isa;
        bl_plan_info info = {.size = sizeof info};
        bl_plan *plan;

        must(bl_plan_create(ctx, lines[i].op, NULL, 2, in, NULL, &plan));
        must(bl_plan_query(plan, &info));
        tap_ok(strcmp(info.isa, expected) == 0, "%s of %lld %s and %lld by %s on %s",
               bli_ops[lines[i].op].name, (long long)lines[i].count,
               bl_dtype_name(lines[i].dtype), (long long)lines[i].other, info.isa, isa);
        bl_plan_destroy(plan);
    }
}

/* Whether calls of the context use an instruction set of this name. */
static bool has_isa(bl_context *ctx, const char *name)
{
    return bl_context_set_isa(ctx, name) == BL_OK &&
           strcmp(bl_context_isa(ctx), name) == 0;
}

static void test_plan(bl_context *ctx, int i, const char *isa, const char *narrow)
{
    const int64_t shape[] = {cases[i].count}, step[] = {cases[i].step};
    const bl_array a = {NULL, cases[i].dtype[0], 1, shape, step, 0};
    const bl_array b = {NULL, cases[i].dtype[1], 1, shape, NULL, 0};
    const bl_array *const in[] = {&a, &b};
    const char *const expected = cases[i].is_narrow ? narrow : isa;
    const bool are_long = cases[i].tile == APART && strcmp(narrow, "avx512") == 0;
    const int64_t tile = are_long ? LONG : cases[i].tile;
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan;

    must(bl_plan_create(ctx, cases[i].op, NULL, 2, in, NULL, &plan));
    must(bl_plan_query(plan, &info));
    if (!tap_ok(info.tile[0] * info.tile[1] == tile && strcmp(info.isa, expected) == 0,
                "%s: tiles, by %s on %s", cases[i].what, expected, isa))
        tap_note("%lld elements, %s", (long long)(info.tile[0] * info.tile[1]),
                 info.isa);
    bl_plan_destroy(plan);
}

/*
 * Whether the result of a vector function is staged for non-temporal stores: where
 * memory is read with 512 bits, or where it is staged anyway.
 */
static void test_function(bl_context *ctx, bl_dtype dtype, const struct bli_isa *isa)
{
    const int64_t shape[] = {LARGE * 4 / bl_dtype_size(dtype)};
    const bl_array a = {NULL, dtype, 1, shape, NULL, 0}, *const in[] = {&a};
    const bool is_wide =
        bli_isa_has_512_bits(dtype == BL_DTYPE_F16 ? isa : bli_isa_for_memory(isa));
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan;

    must(bl_plan_create(ctx, BL_OP_EXP, NULL, 1, in, NULL, &plan));
    must(bl_plan_query(plan, &info));
    tap_ok(info.non_temporal == is_wide, "exp of large %s: %s stores, %s",
           bl_dtype_name(dtype), is_wide ? "non-temporal" : "cached", isa->name);
    bl_plan_destroy(plan);
}

/* Fill an array with small whole numbers. */
static void fill(bl_context *ctx, const bl_array *out)
{
    const int64_t count = out->extent[0];
    int32_t *const numbers = malloc(4 * (size_t)count);
    const bl_array from = {numbers, BL_DTYPE_I32, 1, out->extent, NULL, 0};
    const bl_array *const in[] = {&from};

    for (int64_t i = 0; i < count; i++)
        numbers[i] = (int32_t)(i * 2654435761 % 1009 - 504);
    must(bl_apply(ctx, BL_OP_COPY, out, 1, in, NULL));
    free(numbers);
}

/* The part of an array that begins at element `at`. */
static bl_array part_of(bl_array whole, int64_t at, const int64_t *count)
{
    const int64_t step = whole.stride ? whole.stride[0] : 1;

    whole.data = (char *)whole.data + at * step * bl_dtype_size(whole.dtype);
    whole.extent = count;
    return whole;
}

/* Whether a call has the bits of calls of its parts, which the caches hold. */
static void test_bits(bl_context *ctx, int i, const char *isa)
{
    const int64_t count = cases[i].count, step = cases[i].step;
    const int64_t size = bl_dtype_size(cases[i].dtype[0]),
                  apart = step < 0 ? -step : step;
    char *const x = calloc((size_t)(apart * count), (size_t)size);
    char *const y = calloc((size_t)count, 8), *const s = calloc((size_t)count, 8);
    const bl_array a = {step < 0 ? x + apart * (count - 1) * size : x,
                        cases[i].dtype[0],
                        1,
                        &count,
                        &step,
                        0};
    const bl_array b = {y, cases[i].dtype[1], 1, &count, NULL, 0};
    const bl_array *const in[] = {&a, &b};
    bl_tensor *whole;
    bl_array parts;

    fill(ctx, &a);
    fill(ctx, &b);
    must(bl_apply_new(ctx, cases[i].op, 2, in, NULL, &whole));
    parts = *bl_tensor_array(whole);
    parts.data = s;
    for (int64_t at = 0; at < count; at += PART) {
        const int64_t some = count - at < PART ? count - at : PART;
        const bl_array out = part_of(parts, at, &some);
        const bl_array a_part = part_of(a, at, &some), b_part = part_of(b, at, &some);
        const bl_array *const in_part[] = {&a_part, &b_part};

        must(bl_apply(ctx, cases[i].op, &out, 2, in_part, NULL));
    }
    tap_ok(arrays_are_same(bl_tensor_array(whole), &parts), "%s: bits of its parts, %s",
           cases[i].what, isa);
    free(x);
    free(y);
    free(s);
    bl_tensor_release(whole);
}

int main(void)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    const struct bli_isa *widest;
    const char *narrow;
    bl_context *ctx;

    tap_plan();
    /* A machine whose caches do not keep the results. */
    setenv("HWLOC_SYNTHETIC", "l3:1(size=32MiB) core:2 pu:1", 1);
    must(bl_context_create(&ctx));
    widest = bli_isa_find("avx512");
    narrow = widest ? bli_isa_for_memory(widest)->name : NULL;
    for (int k = 0; k < 3 && has_isa(ctx, names[k]); k++) {
        for (int i = 0; i < CASES; i++) {
            test_plan(ctx, i, names[k], k == 2 ? narrow : names[k]);
            test_bits(ctx, i, names[k]);
        }
        test_lines(ctx, names[k], k == 2 ? narrow : names[k]);
        test_function(ctx, BL_DTYPE_F32, bli_isa_find(names[k]));
        test_function(ctx, BL_DTYPE_F16, bli_isa_find(names[k]));
    }
    bl_context_destroy(ctx);
    return tap_done();
}
