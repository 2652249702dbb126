/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of user functions: dtypes, scalar functions, overlap, and what is refused.
 */
#include <stdatomic.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

static bl_context *ctx;

static atomic_int_least64_t seen; /* elements that functions were called for */

/* User function r = a + 3 * b of f32 and i16. */
static void sum(void *user, int64_t count, void *out, const void *const *in)
{
    const float *const a = in[0];
    const int16_t *const b = in[1];
    float *const r = out;

    for (int64_t i = 0; i < count; i++)
        r[i] = a[i] + (float)*(const int *)user * (float)b[i];
    atomic_fetch_add(&seen, count);
}

/* ---- dtypes ---- */

/* User function r = a * b of f64. */
static void product(void *user, int64_t count, void *out, const void *const *in)
{
    const double *const a = in[0], *const b = in[1];
    double *const r = out;

    (void)user;
    for (int64_t i = 0; i < count; i++)
        r[i] = a[i] * b[i];
    atomic_fetch_add(&seen, count);
}

static void check_dtypes(void)
{
    enum { COUNT = 1000 };
    static const int64_t extent[] = {COUNT};
    static int32_t a[COUNT];
    static float r[COUNT], expected_r[COUNT];
    const bl_scalar half = bl_scalar_f64(0.5);
    const bl_array left = {a, BL_DTYPE_I32, 1, extent, NULL, 0};
    const bl_array right = bl_scalar_array(&half);
    const bl_array out = {r, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array whole = {a, BL_DTYPE_I32, 1, extent, NULL, 0};
    const bl_array *in[] = {&left, &right};
    bl_map_options options = BL_MAP_OPTIONS_DEFAULT;
    bl_tensor *made = NULL;
    bool pass = true;

    for (int i = 0; i < COUNT; i++) {
        a[i] = i * 7 - 1000;
        expected_r[i] = (float)a[i] / 2;
    }
    options.dtype = BL_DTYPE_F64;
    tap_ok(bl_map(ctx, product, NULL, &out, 2, in, &options) == BL_OK &&
               memcmp(r, expected_r, sizeof r) == 0,
           "i32 and a number by a function of f64, into f32");
    tap_ok(bl_map(ctx, product, NULL, &whole, 2, in, &options) == BL_ERR_DTYPE,
           "a result of f64 into i32 is refused: %s", bl_error_message());
    options.dtype = BL_DTYPE_I16;
    tap_ok(bl_map(ctx, product, NULL, &out, 2, in, &options) == BL_ERR_DTYPE,
           "f64 to a function of i16 is refused: %s", bl_error_message());
    options.dtype = BL_DTYPE_F64;
    if (tap_ok(bl_map_new(ctx, product, NULL, 2, in, BL_DTYPE_F16, &options, &made) ==
                   BL_OK,
               "a new tensor of f16")) {
        for (int64_t i = 0; i < COUNT; i++) {
            uint16_t bits, other;
            bl_tensor *cast = NULL;
            const int64_t one[] = {1};
            const bl_array number = {&expected_r[i], BL_DTYPE_F32, 1, one, NULL, 0};
            const int64_t first[] = {0};

            pass &= bl_cast(ctx, &number, BL_DTYPE_F16, &cast) == BL_OK &&
                    bl_array_get(bl_tensor_array(cast), first, &other) == BL_OK &&
                    bl_array_get(bl_tensor_array(made), &i, &bits) == BL_OK &&
                    bits == other;
            bl_tensor_release(cast);
        }
        tap_ok(pass, "its elements are rounded once");
    }
    bl_tensor_release(made);
}

static double minus_square(void *user, double a)
{
    return *(double *)user - a * a;
}

static double ratio(void *user, double a, double b)
{
    return *(double *)user * a / b;
}

static void check_singles(void)
{
    static const int64_t extent[] = {2, 3}, across[] = {1, 2}, row[] = {3};
    float a[6] = {1, 2, 3, 4, 5, 6}, r[6];
    double b[3] = {2, 4, 8};
    double one = 1;
    const bl_array left = {a, BL_DTYPE_F32, 2, extent, across, 0};
    const bl_array right = {b, BL_DTYPE_F64, 1, row, NULL, 0};
    const bl_array out = {r, BL_DTYPE_F32, 2, extent, NULL, 0};
    static const float first[] = {0, -8, -24, -3, -15, -35};
    static const float second[] = {0.5, 0.75, 0.625, 1, 1, 0.75};

    tap_ok(bl_map_unary_f64(ctx, minus_square, &one, &out, &left) == BL_OK &&
               memcmp(r, first, sizeof r) == 0,
           "a function of one number");
    tap_ok(bl_map_binary_f64(ctx, ratio, &one, &out, &left, &right) == BL_OK &&
               memcmp(r, second, sizeof r) == 0,
           "a function of two numbers");
    tap_ok(bl_map_unary_f64(ctx, NULL, NULL, &out, &left) == BL_ERR_ARGUMENT &&
               bl_map_binary_f64(ctx, NULL, NULL, &out, &left, &right) ==
                   BL_ERR_ARGUMENT,
           "no function of numbers is refused");
}

/* ---- in place and overlapping ---- */

static void check_overlap(void)
{
    enum { COUNT = 20000 };
    static const int64_t extent[] = {COUNT}, back[] = {-1};
    static float a[COUNT + 1], expected_a[COUNT + 1];
    static int16_t b[1] = {2};
    const bl_array in_place = {a, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array after = {a + 1, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array turned = {a + COUNT - 1, BL_DTYPE_F32, 1, extent, back, 0};
    const bl_array two = {b, BL_DTYPE_I16, 0, NULL, NULL, 0};
    const struct {
        const char *what;
        const bl_array *in;
        int64_t first, step; /* of the element that a's element 0 comes from */
    } cases[] = {
        {"in place", &in_place, 0, 1},
        {"a neighbour's elements", &after, 1, 1},
        {"the same elements backwards", &turned, COUNT - 1, -1},
    };
    int three = 3;

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const bl_array *in[] = {cases[c].in, &two};
        bl_status status;

        for (int64_t i = 0; i <= COUNT; i++)
            a[i] = expected_a[i] = (float)i;
        for (int64_t i = 0; i < COUNT; i++)
            expected_a[i] = (float)(cases[c].first + i * cases[c].step) + 6;
        status = bl_map(ctx, sum, &three, &in_place, 2, in, NULL);
        tap_ok(status == BL_OK && memcmp(a, expected_a, sizeof a) == 0, "%s",
               cases[c].what);
    }
    const bl_array *in[] = {&turned, &two};

    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               bl_map(ctx, sum, &three, &in_place, 2, in, NULL) == BL_ERR_OVERLAP &&
               memcmp(a, expected_a, sizeof a) == 0 &&
               bl_context_set_overlap(ctx, BL_OVERLAP_COPY) == BL_OK,
           "overlap is refused where the context says so");
}

/* ---- empty, 0-d, refused ---- */

static void check_edges(void)
{
    static const int64_t none[] = {0, 3}, row[] = {3}, four[] = {4};
    float a[4] = {1, 2, 3, 4}, r[4] = {0};
    int16_t b[4] = {1, 2, 3, 4};
    const bl_array empty = {NULL, BL_DTYPE_F32, 2, none, NULL, 0};
    const bl_array point = {a, BL_DTYPE_F32, 0, NULL, NULL, 0};
    const bl_array point_b = {b, BL_DTYPE_I16, 0, NULL, NULL, 0};
    const bl_array out = {r, BL_DTYPE_F32, 0, NULL, NULL, 0};
    const bl_array three_b = {b, BL_DTYPE_I16, 1, row, NULL, 0};
    const bl_array four_a = {a, BL_DTYPE_F32, 1, four, NULL, 0};
    const bl_array constant = {a, BL_DTYPE_F32, 1, four, NULL, BL_ARRAY_READ_ONLY};
    const bl_array *pair[] = {&empty, &three_b}, *points[] = {&point, &point_b};
    const bl_array *misfit[] = {&four_a, &three_b}, *fit[] = {&four_a, &point_b};
    bl_map_options options = BL_MAP_OPTIONS_DEFAULT;
    bl_tensor *made = NULL;
    int three = 3;

    atomic_store(&seen, 0);
    tap_ok(bl_map(ctx, sum, &three, &empty, 2, pair, NULL) == BL_OK &&
               atomic_load(&seen) == 0,
           "nothing is called for no elements");
    tap_ok(bl_map(ctx, sum, &three, &out, 2, points, NULL) == BL_OK && r[0] == 4,
           "arrays without dimensions");
    atomic_store(&seen, 0);
    tap_ok(bl_map(ctx, sum, &three, &four_a, 2, misfit, NULL) == BL_ERR_SHAPE &&
               bl_map_new(ctx, sum, &three, 2, misfit, BL_DTYPE_F32, NULL, &made) ==
                   BL_ERR_SHAPE,
           "shapes that do not fit: %s", bl_error_message());
    tap_ok(strcmp(bl_error_where(), "bl_map_new(a f32[4], b i16[3])") == 0,
           "the place is reported: %s", bl_error_where());
    tap_ok(bl_map(ctx, NULL, NULL, &four_a, 2, fit, NULL) == BL_ERR_ARGUMENT &&
               bl_map(ctx, sum, &three, &four_a, 0, fit, NULL) == BL_ERR_ARGUMENT &&
               bl_map(ctx, sum, &three, &four_a, 8, fit, NULL) == BL_ERR_ARGUMENT &&
               bl_map(ctx, sum, &three, &four_a, 2, NULL, NULL) == BL_ERR_ARGUMENT &&
               bl_map(ctx, sum, &three, NULL, 2, fit, NULL) == BL_ERR_ARGUMENT &&
               bl_map(ctx, sum, &three, &constant, 2, fit, NULL) == BL_ERR_ARGUMENT,
           "what is missing or read-only is refused");
    tap_ok(bl_map_new(ctx, sum, &three, 2, fit, BL_DTYPE_F32, NULL, NULL) ==
                   BL_ERR_ARGUMENT &&
               bl_map_new(ctx, sum, &three, 2, fit, (bl_dtype)99, NULL, &made) ==
                   BL_ERR_ARGUMENT,
           "a new result of no dtype is refused");
    options.size = 4;
    tap_ok(bl_map(ctx, sum, &three, &four_a, 2, fit, &options) == BL_ERR_ARGUMENT,
           "options of another size are refused");
    options = (bl_map_options)BL_MAP_OPTIONS_DEFAULT;
    options.element_ns = -1;
    tap_ok(bl_map(ctx, sum, &three, &four_a, 2, fit, &options) == BL_ERR_ARGUMENT,
           "a time below 0 is refused");
    tap_ok(made == NULL && atomic_load(&seen) == 0, "nothing was called or made");
}

int main(void)
{
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    check_dtypes();
    check_singles();
    check_overlap();
    check_edges();
    bl_context_destroy(ctx);
    return tap_done();
}
