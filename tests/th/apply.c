/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's loop macros: their names, `break`, the order of elements, and errors in the
 * middle.
 */
#include <TH/TH.h>

#include <setjmp.h>

#include "harness/tap.h"

static jmp_buf out_of_error;
static char error_text[300];
static int error_argument;

static void on_error(const char *text, void *data)
{
    snprintf(error_text, sizeof error_text, "%s", text);
    *(int *)data += 1;
    longjmp(out_of_error, 1);
}

static void on_argument(int number, const char *text, void *data)
{
    error_argument = number;
    on_error(text, data);
}

/* Make 0, 1, 2, ... as (rows,columns), or its transpose. */
static THDoubleTensor *matrix(long rows, long columns, int transposed)
{
    THDoubleTensor *const t = THDoubleTensor_new();

    THDoubleTensor_range(t, 0, (double)(rows * columns - 1), 1);
    THDoubleTensor_resize2d(t, rows, columns);
    if (transposed)
        THDoubleTensor_transpose(t, NULL, 0, 1);
    return t;
}

static void check_order(void)
{
    THDoubleTensor *const x = matrix(3, 2, 1); /* (2,3): 0 2 4 1 3 5 */
    THDoubleTensor *const y = THDoubleTensor_newWithSize1d(6);
    THFloatTensor *const z = THFloatTensor_newWithSize3d(3, 1, 2);
    double seen[6] = {0};
    int n = 0;

    TH_TENSOR_APPLY(double, x, seen[n++] = *x_data;)
    tap_ok(n == 6 && seen[1] == 2 && seen[3] == 1 && seen[5] == 5,
           "one tensor is walked in its own row-major order");
    TH_TENSOR_APPLY2(double, y, double, x, *y_data = *x_data * 10;)
    tap_ok(THDoubleTensor_get1d(y, 1) == 20 && THDoubleTensor_get1d(y, 5) == 50,
           "two tensors of other shapes meet");
    TH_TENSOR_APPLY3(float, z, double, x, double, y, double a = *x_data, b = *y_data;
                     *z_data = (float)(a + b);)
    tap_ok(THFloatTensor_get3d(z, 1, 0, 0) == 44 &&
               THFloatTensor_get3d(z, 2, 0, 1) == 55,
           "three, and code with commas");
    THDoubleTensor_free(x);
    THDoubleTensor_free(y);
    THFloatTensor_free(z);
}

static void check_names(void)
{
    THDoubleTensor *const base = matrix(2, 6, 0);
    THDoubleTensor *const x = THDoubleTensor_newNarrow(base, 1, 0, 3);
    int good = 1, steps = 0;

    TH_TENSOR_APPLY(double, x,
                    good = good && x_size == 3 && x_stride == 1 && x_dim == 0 &&
                           x_counter[0] == steps / 3 && x_i == steps % 3 && x_n == 6;
                    steps++;)
    tap_ok(good && steps == 6, "the segment's names");
    good = 1;
    steps = 0;
    TH_TENSOR_APPLY_D(double, base, 1, good = good && *base_dimOffset == steps % 6;
                      steps++;)
    tap_ok(good, "the place in a dimension");
    THDoubleTensor_free(x);
    THDoubleTensor_free(base);
}

/* A dot product as TH wrote it: by contiguous segments, left by break. */
static double dot(THDoubleTensor *x, THDoubleTensor *y)
{
    double sum = 0;

    TH_TENSOR_APPLY2(double, x, double, y,
                     long length =
                         (x_size - x_i < y_size - y_i ? x_size - x_i : y_size - y_i);
                     for (long k = 0; k < length; k++) sum +=
                     x_data[k * x_stride] * y_data[k * y_stride];
                     x_i += length; y_i += length; x_data += length * x_stride;
                     y_data += length * y_stride; break;)
    return sum;
}

static int finds(THDoubleTensor *x, double value)
{
    int found = 0;

    TH_TENSOR_APPLY(
        double, x, if (*x_data == value) {
            found = 1;
            TH_TENSOR_APPLY_hasFinished = 1;
            break;
        })
    return found;
}

static int first_row_or_return(THDoubleTensor *x)
{
    TH_TENSOR_APPLY(double, x, THFree(x_counter); return (int)*x_data + 100;)
    return 0;
}

static void check_break(void)
{
    THDoubleTensor *const x = matrix(3, 4, 0), *const y = matrix(4, 3, 1);
    THDoubleTensor *const v = THDoubleTensor_newWithSize1d(12);
    THDoubleTensor *const narrow = THDoubleTensor_newNarrow(x, 1, 0, 2);
    int count = 0;

    THDoubleTensor_fill(v, 1);
    tap_ok(dot(x, v) == 66, "segments of contiguous tensors");
    tap_ok(dot(y, x) == THDoubleTensor_dot(x, y) && dot(y, v) == 66,
           "segments of a transposed tensor");
    tap_ok(finds(y, 7) && !finds(y, 12), "a loop that is finished early");
    TH_TENSOR_APPLY(double, narrow, count++; break;)
    tap_ok(count == 3, "break of one tensor goes on with the next segment");
    tap_ok(first_row_or_return(x) == 100, "a loop that is returned from");
    THDoubleTensor_free(x);
    THDoubleTensor_free(y);
    THDoubleTensor_free(v);
    THDoubleTensor_free(narrow);
}

static void check_lines(void)
{
    THDoubleTensor *const x = matrix(4, 3, 1); /* (3,4) */
    THDoubleTensor *const sums = THDoubleTensor_newWithSize2d(3, 1);
    THDoubleTensor *const copy = THDoubleTensor_newWithSize2d(3, 4);
    int lines = 0;

    TH_TENSOR_DIM_APPLY2(double, x, double, sums, 1, double sum = 0;
                         for (long i = 0; i < x_size; i++) sum += x_data[i * x_stride];
                         *sums_data = sum;)
    tap_ok(THDoubleTensor_get2d(sums, 0, 0) == 18 &&
               THDoubleTensor_get2d(sums, 2, 0) == 26,
           "sums of lines");
    TH_TENSOR_DIM_APPLY3(double, copy, double, x, double, sums, 1,
                         for (long i = 0; i < x_size; i++) copy_data[i * copy_stride] =
                             x_data[i * x_stride] / *sums_data;)
    tap_ok(THDoubleTensor_get2d(copy, 2, 3) == 11.0 / 26, "three tensors by lines");
    TH_TENSOR_DIM_APPLY(double, x, 0, lines++; if (lines == 2) break;)
    tap_ok(lines == 2, "break ends the loop");
    THDoubleTensor_free(x);
    THDoubleTensor_free(sums);
    THDoubleTensor_free(copy);
}

static void check_errors(void)
{
    THDoubleTensor *const x = matrix(2, 3, 0), *const y = matrix(2, 4, 0);
    THDoubleTensor *const empty = THDoubleTensor_new();
    volatile int errors = 0;
    int steps = 0;

    THSetErrorHandler(on_error, (void *)&errors);
    THSetArgErrorHandler(on_argument, (void *)&errors);
    if (!setjmp(out_of_error))
        TH_TENSOR_APPLY2(double, x, double, y, steps++;)
    tap_ok(errors == 1 && steps == 0 &&
               strstr(error_text,
                      "inconsistent tensor size, expected x [2 x 3] and y [2 x 4] to "
                      "have the same number of elements, but got 6 and 8 elements "
                      "respectively at ") == error_text,
           "unequal numbers of elements are refused before the loop");
    if (!setjmp(out_of_error))
        THDoubleTensor_cadd(x, x, 1, y);
    tap_ok(errors == 2 && strstr(error_text, "r_ [2 x 3], t [2 x 3] and src [2 x 4]"),
           "as by operations");
    if (!setjmp(out_of_error)) {
        TH_TENSOR_APPLY(double, x, THFree(x_counter); THError("at %d", 5);)
    }
    tap_ok(errors == 3 && strncmp(error_text, "at 5 at ", 8) == 0 &&
               strstr(error_text, "apply.c:"),
           "code may raise errors, which name the place");
    if (!setjmp(out_of_error))
        THDoubleTensor_narrow(x, NULL, 0, 0, 0);
    tap_ok(errors == 4 && error_argument == 4 &&
               strncmp(error_text, "out of range at ", 16) == 0,
           "a wrong argument and its number");
    if (!setjmp(out_of_error))
        TH_TENSOR_DIM_APPLY2(double, x, double, y, 0, steps++;)
    tap_ok(errors == 5 && steps == 0, "lines of other extents are refused");
    TH_TENSOR_APPLY(double, empty, steps++;)
    tap_ok(steps == 0 && errors == 5, "empty tensors have no elements");
    THSetErrorHandler(NULL, NULL);
    THSetArgErrorHandler(NULL, NULL);
    THDoubleTensor_free(x);
    THDoubleTensor_free(y);
    THDoubleTensor_free(empty);
}

int main(void)
{
    tap_plan();
    check_order();
    check_names();
    check_break();
    check_lines();
    check_errors();
    return tap_done();
}
