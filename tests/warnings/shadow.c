/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs: calls that differ are computed both ways, by known numbers of elements;
 * the program goes on with the result that it asked for.
 */
#include <stdint.h>
#include <stdlib.h>

#include <broadloom/compat.h>

#include "harness/tap.h"
#include "shadow.h"

/* ---- known numbers ---- */

/*
 * Elements of (4,1) and (4) to be added, as numbers of a dtype.  The broadcast result
 * has 16 elements, of which those off the diagonal may differ from the row's own.
 */
static const struct {
    const char *what;
    bl_dtype dtype;
    double a[4], b[4];
    int64_t differ, not_finite, max_ulp;
    double max_abs, max_rel;
} cases[] = {
    /* clang-format off */
    {"equal elements", BL_DTYPE_F32, {1, 2, 3, 4}, {5, 5, 5, 5}, 0, 0, 0, 0, 0},
    {"one unit", BL_DTYPE_F32, {1, 1, 1, 1}, {0, 0, 0, 0x1p-23}, 6, 0, 1, 0x1p-23, 0x1p-23},
    {"one unit of f64", BL_DTYPE_F64, {1, 1, 1, 1}, {0, 0, 0, 0x1p-52}, 6, 0, 1, 0x1p-52, 0x1p-52},
    {"units of f16", BL_DTYPE_F16, {1, 1, 1, 1}, {0, 0x1p-10, 0, 0x1p-9}, 10, 0, 2, 0x1p-9,
     0x1p-9 / (1 + 0x1p-9)},
    {"units of bf16", BL_DTYPE_BF16, {1, 1, 1, 1}, {0, 0, 0, 0x1p-7}, 6, 0, 1, 0x1p-7,
     0x1p-7 / (1 + 0x1p-7)},
    {"across zero", BL_DTYPE_F32, {0, 0, 0, 0}, {0x1p-149, 0, 0, -0x1p-149}, 10, 0, 2, 0x1p-148, 2},
    {"zeros of two signs", BL_DTYPE_F32, {-0.0, -0.0, -0.0, -0.0}, {0, -0.0, 0, -0.0}, 0, 0, 0, 0, 0},
    {"NaN in one", BL_DTYPE_F32, {1, 1, 1, 1}, {2, 2, 2, NAN}, 6, 6, 0, 0, 0},
    {"NaN in both", BL_DTYPE_F32, {NAN, NAN, NAN, NAN}, {1, 2, 3, 4}, 0, 0, 0, 0, 0},
    {"an infinity", BL_DTYPE_F64, {0, 0, 0, 0}, {1, 1, 3, INFINITY}, 10, 6, 0x18000000000000, 2,
     2. / 3},
    {"integers", BL_DTYPE_I32, {0, 0, 0, 0}, {7, 7, -3, 7}, 6, 0, 10, 10, 10. / 7},
    {"bytes", BL_DTYPE_U8, {0, 0, 0, 0}, {255, 0, 255, 255}, 6, 0, 255, 255, 1},
    {"complex numbers", BL_DTYPE_C64, {0, 0, 0, 0}, {1, 1, 1, 3}, 6, 0, 0x00c00000, 2, 2. / 3},
    /* clang-format on */
};

/* A tensor of a dtype with these elements. */
static bl_tensor *tensor_of(bl_dtype dtype, const double *element, int32_t rank,
                            const int64_t *extent)
{
    const bl_array from = {(void *)(uintptr_t)element, BL_DTYPE_F64, rank, extent, NULL,
                           BL_ARRAY_READ_ONLY};
    bl_tensor *tensor;

    return bl_cast(NULL, &from, dtype, &tensor) == BL_OK ? tensor : NULL;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

static void check_case(size_t k, bl_context *ctx, const char *rules, int64_t elements)
{
    bl_tensor *const a = tensor_of(cases[k].dtype, cases[k].a, 2, column);
    bl_tensor *const b = tensor_of(cases[k].dtype, cases[k].b, 1, row);
    bl_tensor *out = NULL;
    struct sum sum;
    bool is_found;

    begin(1);
    is_found = bl_add(ctx, bl_tensor_array(a), bl_tensor_array(b), &out) == BL_OK &&
               bl_tensor_numel(out) == elements;
    sum = found();
    is_found =
        is_found && sum.places == 1 && sum.count == 1 && sum.compared == 1 &&
        sum.elements == 16 && sum.differ == cases[k].differ &&
        sum.unequal == (cases[k].differ > 0) && sum.not_finite == cases[k].not_finite &&
        sum.max_ulp == cases[k].max_ulp && is_near(sum.max_abs, cases[k].max_abs) &&
        is_near(sum.max_rel, cases[k].max_rel);
    if (!tap_ok(is_found, "%s rules: %s", rules, cases[k].what))
        tap_note("%d of %d differ, %d not finite, %lld ULP, %g, %g", (int)sum.differ,
                 (int)sum.elements, (int)sum.not_finite, (long long)sum.max_ulp,
                 sum.max_abs, sum.max_rel);
    bl_tensor_release(a);
    bl_tensor_release(b);
    bl_tensor_release(out);
}

static void check_rules(void)
{
    static const char *const rules[] = {"modern", "transitional", "legacy"};
    bl_context *ctx;

    for (size_t r = 0; r < 3; r++) {
        if (bl_context_create(&ctx) != BL_OK ||
            bl_context_set_rules(ctx, bl_rules_find(rules[r])) != BL_OK)
            return;
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            check_case(k, ctx, rules[r], r == 2 ? 4 : 16);
        bl_context_destroy(ctx);
    }
}

/* Calls that have no other result: what modern rules refuse, and other kinds. */
static void check_others(void)
{
    float square[4] = {1, 2, 3, 4}, line[4] = {1, 2, 3, 4};
    const int64_t two[2] = {2, 2};
    const bl_array a = {square, BL_DTYPE_F32, 2, two, NULL, 0};
    const bl_array b = {line, BL_DTYPE_F32, 1, row, NULL, 0};
    bl_context *ctx = NULL;
    struct sum sum;
    bool is_done = begin(1) && bl_context_create(&ctx) == BL_OK;

    is_done = is_done && bl_context_set_rules(ctx, bl_rules_transitional()) == BL_OK &&
              bl_add_inplace(ctx, &a, &b) == BL_OK && square[3] == 8;
    sum = found();
    tap_ok(is_done && sum.count == 1 && sum.compared == 0,
           "a fallback has nothing to compare with");
    bl_context_destroy(ctx);
}

/* Compute the distance of a column and a row of n elements; NaN if that fails. */
static double distance_of(bl_context *ctx, float *memory, int64_t n)
{
    const int64_t tall[2] = {n, 1};
    const bl_array a = {memory, BL_DTYPE_F32, 2, tall, NULL, 0};
    const bl_array b = {memory + n, BL_DTYPE_F32, 1, &n, NULL, 0};
    bl_tensor *distance = NULL, *product = NULL;
    double value = NAN;

    if (begin(1) && bl_dist(ctx, &a, &b, 2, &distance) == BL_OK &&
        bl_mul(ctx, &b, &b, &product) == BL_OK)
        value = *(const float *)bl_tensor_data(distance);
    bl_tensor_release(distance);
    bl_tensor_release(product);
    return value;
}

/* dist() is one number, which is compared, under any rules. */
static void check_dist(void)
{
    enum { N = 600 };
    static float memory[2 * N];
    float eight[8] = {0, 1, 2, 3, 0, 10, 20, 30};
    bl_context *ctx = NULL;
    struct sum sum;

    for (int is_flat = 0; is_flat < 2; is_flat++) {
        const double flat = sqrt(81 * 14), broad = sqrt(4 * (14 + 1400) - 2 * 6 * 60);
        const double value = distance_of(ctx, eight, 4);

        sum = found();
        tap_ok(fabs(value - (is_flat ? flat : broad)) < 1e-4 && sum.count == 1 &&
                   sum.compared == 1 && sum.elements == 1 && sum.differ == 1 &&
                   fabs(sum.max_abs - (broad - flat)) < 1e-4,
               "dist() of %s operands, and no other call",
               is_flat ? "paired" : "broadcast");
        tap_ok(is_flat || (bl_context_create(&ctx) == BL_OK &&
                           bl_context_set_rules(ctx, bl_rules_legacy()) == BL_OK),
               "legacy rules");
    }
    tap_ok(distance_of(NULL, memory, N) == 0 && found().compared == 1,
           "many operands that broadcast are paired, too");
    tap_ok(distance_of(ctx, memory, N) == 0 && found().count == 1 &&
               found().compared == 0,
           "so many that are paired are not broadcast");
    bl_context_destroy(ctx);
}

/* Of a large result so many elements are compared as the header says. */
static void check_large(void)
{
    enum { N = 4000 };
    const int64_t tall[2] = {N, 1}, wide[1] = {N};
    float *const memory = calloc(3 * N, sizeof *memory);
    const bl_array a = {memory, BL_DTYPE_F32, 2, tall, NULL, 0};
    const bl_array b = {memory + N, BL_DTYPE_F32, 1, wide, NULL, 0};
    const bl_array out = {memory + 2 * N, BL_DTYPE_F32, 2, tall, NULL, 0};
    const int64_t rows = (N - 1) / (N / (262144 / N) + 1) + 1;
    bl_options options = BL_OPTIONS_DEFAULT;
    struct sum sum;
    bool is_done = memory && begin(1);

    for (int i = 0; i < N; i++)
        memory[N + i] = (float)i;
    options.rules = bl_rules_legacy();
    is_done = is_done && bl_apply(NULL, BL_OP_SUB, &out, 2,
                                  (const bl_array *const[]){&a, &b}, &options) == BL_OK;
    sum = found();
    tap_ok(is_done && sum.compared == 1 && sum.elements > 262144 / 2 &&
               sum.elements <= 262144 && sum.elements % N == 0 &&
               sum.differ == sum.elements - sum.elements / N &&
               sum.max_abs > N - 2 * (double)N / (double)rows &&
               memory[3 * N - 1] == 1 - N,
           "of 16 million elements, %d rows are compared", (int)(sum.elements / N));
    free(memory);
}

int main(void)
{
    tap_plan();
    check_rules();
    check_others();
    check_dist();
    check_large();
    return tap_done();
}
