/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PyTorch's loops over the lines of three tensors: a macro says which extents are
 * refused.
 */
#define TH_DIM_APPLY_SIZE_CHECK

#include "th/kit.h"

/* The check of scatter: lists of indices may be shorter than what they index. */
#define NOT_LONGER(INDEX, TENSOR, SRC, DIMENSION)                                      \
    {                                                                                  \
        int longer = 0, others = 0;                                                    \
        for (TH_TENSOR_DIM_APPLY_i = 0; TH_TENSOR_DIM_APPLY_i < INDEX->nDimension;     \
             TH_TENSOR_DIM_APPLY_i++) {                                                \
            const long extent = INDEX->size[TH_TENSOR_DIM_APPLY_i];                    \
            if (extent > SRC->size[TH_TENSOR_DIM_APPLY_i])                             \
                longer = 1;                                                            \
            if (TH_TENSOR_DIM_APPLY_i != DIMENSION &&                                  \
                extent > TENSOR->size[TH_TENSOR_DIM_APPLY_i])                          \
                others = 1;                                                            \
        }                                                                              \
        if (longer || others)                                                          \
            THError("expected %s to be smaller than %s", #INDEX, #SRC);                \
    }

/* Make 0, 1, 2 ... in rows. */
static THFloatTensor *matrix(long rows, long columns)
{
    THFloatTensor *const t = THFloatTensor_new();

    THFloatTensor_range(t, 0, (double)(rows * columns - 1), 1);
    THFloatTensor_resize2d(t, rows, columns);
    return t;
}

/* Scatter: each line of `index` says where the elements of a line of `src` go. */
static void scatter(THFloatTensor *tensor, THFloatTensor *src, THLongTensor *index)
{
    long i;

    TH_TENSOR_DIM_APPLY3(
        long, index, float, tensor, float, src, 1, NOT_LONGER,
        for (i = 0; i < index_size; i++) {
            tensor_data[index_data[i * index_stride] * tensor_stride] =
                src_data[i * src_stride];
        })
}

static void scale(THFloatTensor *r, THFloatTensor *t, THFloatTensor *factor)
{
    TH_TENSOR_DIM_APPLY3(float, r, float, t, float, factor, 1,
                         TH_TENSOR_DIM_APPLY3_SIZE_EQ_EXCEPT_DIM, long i, n = r_size;
                         for (i = 0; i < n; i++) r_data[i * r_stride] =
                             t_data[i * t_stride] * *factor_data;)
}

static void check_equal(void)
{
    THFloatTensor *const t = matrix(3, 4), *const r = matrix(3, 4);
    THFloatTensor *const factor = matrix(3, 1), *const other = matrix(2, 4);
    THFloatTensor *const row = THFloatTensor_newWithSize1d(4);

    scale(r, t, factor);
    tap_ok(THFloatTensor_get2d(r, 0, 3) == 0 && THFloatTensor_get2d(r, 1, 0) == 4 &&
               THFloatTensor_get2d(r, 2, 3) == 22,
           "lines whose other extents are checked to be equal");
    REFUSED_AS(scale(r, t, other),
               "inconsistent tensor size, expected r [3 x 4], t [3 x 4] and factor "
               "[2 x 4] to have the same sizes but in dimension 1",
               "others are refused");
    REFUSED_AS(
        scale(r, row, factor),
        "inconsistent tensor size, expected r [3 x 4], t [4] and factor [3 x 1] to "
        "have the same number of dimensions",
        "other ranks are refused");
    REFUSED_AS(scale(row, row, row),
               "invalid dimension 1 (expected to be 0 <= dim < 1)",
               "as are dimensions that are none");
    THFloatTensor_free(t);
    THFloatTensor_free(r);
    THFloatTensor_free(factor);
    THFloatTensor_free(other);
    THFloatTensor_free(row);
}

static void check_own(void)
{
    THFloatTensor *const r = matrix(3, 4), *const src = matrix(3, 3);
    THLongTensor *const index = THLongTensor_newWithSize2d(2, 2);

    THLongTensor_set2d(index, 0, 0, 3);
    THLongTensor_set2d(index, 0, 1, 0);
    THLongTensor_set2d(index, 1, 0, 1);
    THLongTensor_set2d(index, 1, 1, 2);
    scatter(r, src, index);
    tap_ok(THFloatTensor_get2d(r, 0, 3) == 0 && THFloatTensor_get2d(r, 0, 0) == 1 &&
               THFloatTensor_get2d(r, 1, 1) == 3 && THFloatTensor_get2d(r, 1, 2) == 4 &&
               THFloatTensor_get2d(r, 2, 0) == 8,
           "a check of the program's own lets other extents pass");
    THLongTensor_resize2d(index, 4, 2);
    THLongTensor_zero(index);
    REFUSED_AS(scatter(r, src, index), "expected index to be smaller than src",
               "and refuses what it refuses");
    THFloatTensor_free(r);
    THFloatTensor_free(src);
    THLongTensor_free(index);
}

int main(void)
{
    handle_errors();
    tap_plan();
    check_equal();
    check_own();
    return tap_done();
}
