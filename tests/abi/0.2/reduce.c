/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions by number and by name, sums to a shape, distances.
 */
#include "kept.h"

static double a[] = {1, 2, 3, 4, 5, 6};
static const int32_t rows[] = {0};

typedef bl_status new_form(bl_context *, const bl_array *, int32_t, const int32_t *,
                           bool, bl_tensor **);
typedef bl_status out_form(bl_context *, const bl_array *, const bl_array *, int32_t,
                           const int32_t *, bool);

/* The first three elements of a double or bool array as doubles. */
static bool holds(const bl_array *array, const double *expected)
{
    bool equal = true;

    for (int i = 0; i < 3; i++)
        equal = equal && kept_near(array->dtype == BL_DTYPE_BOOL
                                       ? ((const bool *)array->data)[i]
                                       : ((const double *)array->data)[i],
                                   expected[i]);
    return equal;
}

/* A reduction over the rows of a, directly and by its symbols. */
#define NAMED(name, ...)                                                               \
    do {                                                                               \
        static const double expected[] = {__VA_ARGS__};                                \
        new_form *volatile make = bl_##name;                                           \
        out_form *volatile write = bl_##name##_out;                                    \
        bl_tensor *tensor = NULL, *again = NULL;                                       \
                                                                                       \
        if (!OK(bl_##name(NULL, BL_VIEW(a, 2, 3), 1, rows, false, &tensor)) ||         \
            !OK(make(NULL, BL_VIEW(a, 2, 3), 1, rows, false, &again)))                 \
            break;                                                                     \
        CHECK(holds(bl_tensor_array(tensor), expected));                               \
        CHECK(holds(bl_tensor_array(again), expected));                                \
        memset(bl_tensor_array(again)->data, 0, 3);                                    \
        OK(bl_##name##_out(NULL, bl_tensor_array(again), BL_VIEW(a, 2, 3), 1, rows,    \
                           false));                                                    \
        CHECK(holds(bl_tensor_array(again), expected));                                \
        memset(bl_tensor_array(again)->data, 0, 3);                                    \
        OK(write(NULL, bl_tensor_array(again), BL_VIEW(a, 2, 3), 1, rows, false));     \
        CHECK(holds(bl_tensor_array(again), expected));                                \
        bl_tensor_release(again);                                                      \
        bl_tensor_release(tensor);                                                     \
    } while (0)

static void check_by_number(void)
{
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    bl_dtype dtype = BL_DTYPE_NONE;
    bl_tensor *tensor = NULL;
    double sum = 0;
    float narrow = 0;

    OK(bl_reduce(NULL, BL_REDUCTION_SUM, BL_VIEW(&sum, 1, 1), BL_VIEW(a, 2, 3), 0, NULL,
                 true, NULL));
    CHECK(sum == 21);
    options.dtype = BL_DTYPE_F32;
    OK(bl_reduce(NULL, BL_REDUCTION_PROD, BL_VIEW(&narrow, 1), BL_VIEW(a, 6), 0, NULL,
                 true, &options));
    CHECK(narrow == 720);
    if (OK(bl_reduce_new(NULL, BL_REDUCTION_MAX, BL_VIEW(a, 2, 3), 1, rows, true, NULL,
                         &tensor)))
        HAS(tensor, 4, 5, 6);
    CHECK(bl_reduction_find("mean") == BL_REDUCTION_MEAN);
    CHECK(strcmp(bl_reduction_name(BL_REDUCTION_ANY), "any") == 0);
    OK(bl_reduction_result_dtype(BL_REDUCTION_SUM, BL_DTYPE_I8, &dtype));
    CHECK(dtype == BL_DTYPE_I64);
}

static void check_sums_and_distances(void)
{
    static const int64_t shape[] = {2, 1};
    static double b[] = {1, 2, 6, 4, 5, 10}, sums[2];
    bl_tensor *tensor = NULL;

    if (OK(bl_sum_to_shape(NULL, BL_VIEW(a, 2, 3), 2, shape, &tensor)))
        HAS(tensor, 6, 15);
    OK(bl_sum_to_shape_out(NULL, BL_VIEW(sums, 2, 1), BL_VIEW(a, 2, 3)));
    CHECK(sums[0] == 6 && sums[1] == 15);
    OK(bl_sum_to_shape_check((bl_shape){2, (const int64_t[]){2, 3}},
                             (bl_shape){2, shape}));
    if (OK(bl_dist(NULL, BL_VIEW(a, 6), BL_VIEW(b, 6), 2, &tensor)))
        HAS(tensor, 5);
}

int main(void)
{
    NAMED(sum, 5, 7, 9);
    NAMED(prod, 4, 10, 18);
    NAMED(mean, 2.5, 3.5, 4.5);
    NAMED(max, 4, 5, 6);
    NAMED(min, 1, 2, 3);
    NAMED(any, 1, 1, 1);
    NAMED(all, 1, 1, 1);
    check_by_number();
    check_sums_and_distances();
    return failures;
}
