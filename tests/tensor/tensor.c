/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contents of created tensors, single elements, views of data, and what is refused.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"
#include "harness/tap.h"

#define CHECK(call) check((call), #call)

static void check(bl_status status, const char *call)
{
    if (status != BL_OK) {
        tap_note("%s: %s", call, bl_error_message());
        abort();
    }
}

/* Whether every element of the tensor equals `want`, one element of its dtype. */
static bool holds(const bl_tensor *tensor, const void *want)
{
    const bl_array *const array = bl_tensor_array(tensor);
    bool pass = true;

    for (int64_t i = 0; i < ref_count(array); i++)
        pass = pass && memcmp(ref_at(array, i), want, ref_size(array->dtype)) == 0;
    return pass;
}

/* Odd extents, more elements than one thread takes. */
static void test_constants(void)
{
    static const int64_t extents[][2] = {{0, 3}, {1, 1}, {3, 5}, {701, 997}};

    for (int d = REF_DTYPES_BEGIN; d < REF_DTYPES_END; d++) {
        const bl_dtype dtype = (bl_dtype)d;
        unsigned char zero[REF_ELEMENT], one[REF_ELEMENT], value[REF_ELEMENT];
        bool pass = true;

        ref_make(dtype, 0.0, 0.0, zero);
        ref_make(dtype, 1.0, 0.0, one);
        ref_make(dtype, 3.0, -2.0, value);
        for (int i = 0; i < 4; i++) {
            bl_tensor *zeros, *ones, *full;

            CHECK(bl_tensor_zeros(NULL, dtype, 2, extents[i], &zeros));
            CHECK(bl_tensor_ones(NULL, dtype, 2, extents[i], &ones));
            CHECK(bl_tensor_full(NULL, dtype, 2, extents[i], value, &full));
            pass = pass && holds(zeros, zero) && holds(ones, one) && holds(full, value);
            pass = pass && bl_tensor_numel(full) == extents[i][0] * extents[i][1];
            bl_tensor_release(full);
            bl_tensor_release(ones);
            bl_tensor_release(zeros);
        }
        tap_ok(pass, "zeros, ones and full of %s", ref_dtype_name(dtype));
    }
}

static void test_zero_dimensional(void)
{
    const double value = 2.5;
    double read = 0.0;
    bl_tensor *tensor;

    CHECK(bl_tensor_full(NULL, BL_DTYPE_F64, 0, NULL, &value, &tensor));
    CHECK(bl_array_get(bl_tensor_array(tensor), NULL, &read));
    tap_ok(bl_tensor_numel(tensor) == 1 && read == value,
           "a 0-d tensor has one element");
    tap_ok((uintptr_t)bl_tensor_array(tensor)->data % 64 == 0, "aligned to 64 bytes");
    bl_tensor_release(tensor);
}

static const struct {
    double start, stop, step;
    int64_t count;
    bl_status status;
    const char *text;
} ranges[] = {
    {0, 10, 1, 10, BL_OK, NULL},
    {0, 10, 3, 4, BL_OK, NULL},
    {10, 0, -2.5, 4, BL_OK, NULL},
    {5, 5, 1, 0, BL_OK, NULL},
    {0, 100000, 0.5, 200000, BL_OK, NULL},
    {0, 1, 0, 0, BL_ERR_ARGUMENT, "step must be nonzero"},
    {0, 1, NAN, 0, BL_ERR_ARGUMENT, "step is NaN"},
    {0, INFINITY, 1, 0, BL_ERR_ARGUMENT, "unsupported range: 0 -> inf"},
    {0, 1, INFINITY, 0, BL_ERR_ARGUMENT, "unsupported step: inf"},
    {0, 1, -1, 0, BL_ERR_ARGUMENT,
     "upper bound and larger bound inconsistent with step sign"},
    {0, 1e300, 1e-300, 0, BL_ERR_OVERFLOW,
     "range 0 -> 1e+300 in steps of 1e-300 has too many elements"},
    {0, 0x1p62, 1, 0, BL_ERR_OVERFLOW,
     "Storage size calculation overflowed with sizes=[4611686018427387904] of f32"},
};

/* Whether the elements are start + i * step, computed in double and converted. */
static bool is_range(const bl_tensor *tensor, double start, double step)
{
    const bl_array *const array = bl_tensor_array(tensor);
    bool pass = true;

    for (int64_t i = 0; i < ref_count(array); i++) {
        const double value = start + (double)i * step;
        unsigned char want[REF_ELEMENT];

        ref_convert(BL_DTYPE_F64, &value, array->dtype, want);
        pass = pass && memcmp(want, ref_at(array, i), ref_size(array->dtype)) == 0;
    }
    return pass;
}

static void test_ranges(void)
{
    static const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F64, BL_DTYPE_BF16,
                                      BL_DTYPE_F16, BL_DTYPE_I8,  BL_DTYPE_I64};

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        bl_tensor *tensor = NULL;
        bl_status status = BL_OK;
        bool pass = true;

        for (int d = 0; d < (ranges[i].status == BL_OK ? 6 : 1); d++) {
            status = bl_tensor_arange(NULL, dtypes[d], ranges[i].start, ranges[i].stop,
                                      ranges[i].step, &tensor);
            if (status != BL_OK)
                break;
            pass = pass && bl_tensor_numel(tensor) == ranges[i].count &&
                   is_range(tensor, ranges[i].start, ranges[i].step);
            bl_tensor_release(tensor);
        }
        tap_ok(pass && status == ranges[i].status &&
                   (status == BL_OK || strcmp(bl_error_message(), ranges[i].text) == 0),
               "range %g to %g by %g: %s", ranges[i].start, ranges[i].stop,
               ranges[i].step, status == BL_OK ? "right" : bl_error_message());
    }
}

/* ---- views and single elements ---- */

static float at(const bl_tensor *tensor, int64_t i, int64_t j)
{
    const int64_t index[] = {i, j};
    float value;

    CHECK(bl_array_get(bl_tensor_array(tensor), index, &value));
    return value;
}

static void test_views(void)
{
    static const int64_t shape[] = {3, 4}, wide[] = {2, 6};
    bl_tensor *range, *m, *t, *flipped, *step, *wide_view, *wide_copy;
    const float written = 99.0f;

    CHECK(bl_tensor_arange(NULL, BL_DTYPE_F32, 0, 12, 1, &range));
    CHECK(bl_tensor_view(range, 2, shape, &m));
    CHECK(bl_tensor_transpose(m, 0, 1, &t));
    CHECK(bl_tensor_flip(m, 1, &flipped));
    CHECK(bl_tensor_slice(flipped, 0, BL_SLICE_END, BL_SLICE_END, -2, &step));
    CHECK(bl_tensor_reshape(NULL, m, 2, wide, &wide_view));
    (void)bl_error_set(BL_ERR_ARGUMENT, "earlier");
    CHECK(bl_tensor_reshape(NULL, t, 2, wide, &wide_copy));
    tap_ok(strcmp(bl_error_message(), "earlier") == 0,
           "a reshape that has to copy is no error");
    tap_ok(at(m, 1, 2) == 6 && at(m, -1, -1) == 11, "a view of a range");
    tap_ok(at(t, 2, 1) == 6 && at(t, 3, 0) == 3, "its transpose");
    tap_ok(at(flipped, 0, 0) == 3 && at(flipped, 2, 3) == 8, "columns flipped");
    tap_ok(at(step, 0, 0) == 11 && at(step, 1, 3) == 0, "rows backwards, by two");
    tap_ok(at(wide_view, 1, 0) == 6 && bl_tensor_shares_storage(wide_view, range),
           "reshape of a compact tensor is a view");
    tap_ok(at(wide_copy, 0, 1) == 4 && at(wide_copy, 1, 5) == 11 &&
               !bl_tensor_shares_storage(wide_copy, range),
           "reshape of a transposed one is a copy");

    CHECK(bl_array_set(bl_tensor_array(step), (const int64_t[]){-1, -1}, &written));
    tap_ok(at(m, 0, 0) == written, "writing through a view writes the tensor");
    bl_tensor_release(wide_copy);
    bl_tensor_release(wide_view);
    bl_tensor_release(step);
    bl_tensor_release(flipped);
    bl_tensor_release(t);
    bl_tensor_release(m);
    bl_tensor_release(range);
}

int main(void)
{
    tap_plan();
    test_constants();
    test_zero_dimensional();
    test_ranges();
    test_views();
    return tap_done();
}
