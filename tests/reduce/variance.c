/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * var and std: the numbers, shapes and refusals of PyTorch, in variance.tsv; how exact
 * they are beside two passes in long double; options; parts of large arrays.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/ref.h"
#include "reference/ref_value.h"

enum { OP, DTYPE, SHAPE, AXES, KEEPDIM, CORRECTION, KIND, EXPECTED, VALUES };
enum { MOST_VALUES = 8, MOST_FIELDS = VALUES + MOST_VALUES, MOST_ELEMENTS = 8000 };

/* ---- rows of variance.tsv ---- */

/* Element i: that of element() in variance.py. */
static void put_element(const char *kind, bl_dtype dtype, int64_t i, void *element)
{
    const uint32_t mixed = ((uint32_t)i * UINT32_C(2654435761)) >> 16;
    double real = strcmp(kind, "far") == 0 ? 4096 : 0;

    real += (double)(mixed % 4093) / 256 - 8;
    if (strcmp(kind, "same") == 0)
        real = 2.5;
    if (strcmp(kind, "huge") == 0)
        real = (dtype == BL_DTYPE_F16   ? 6e4
                : dtype == BL_DTYPE_F64 ? 1e308
                                        : 3e38) *
               (i % 2 == 0 ? 1 : -1);
    if (i == 3 && strcmp(kind, "nan") == 0)
        real = NAN;
    if (i == 3 && strcmp(kind, "inf") == 0)
        real = INFINITY;
    ref_make(dtype, real, (double)(mixed % 511) / 64 - 4, element);
}

/* Read "(2,3)"; returns how many numbers. */
static int32_t read_list(const char *text, int64_t *number)
{
    int32_t count = 0;

    for (const char *at = text + 1; *at != ')' && *at != '\0'; at += *at == ',') {
        char *end;

        number[count++] = strtoll(at, &end, 10);
        at = end;
    }
    return count;
}

static int32_t split(char *line, char **field)
{
    int32_t fields = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; at && fields < MOST_FIELDS; fields++) {
        field[fields] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    return fields;
}

/* Whether the result has the shape and the elements of a row. */
static bool is_result(const bl_array *got, char **field, int32_t fields)
{
    int64_t extent[8];
    const int32_t rank = read_list(field[EXPECTED], extent);
    const double unit = got->dtype == BL_DTYPE_F64    ? 1e-13
                        : got->dtype == BL_DTYPE_F32  ? 3e-7
                        : got->dtype == BL_DTYPE_BF16 ? 0x1p-7
                                                      : 0x1p-10;

    if (got->rank != rank || ref_count(got) != fields - VALUES)
        return false;
    for (int32_t d = 0; d < rank; d++)
        if (got->extent[d] != extent[d])
            return false;
    for (int32_t i = 0; i < fields - VALUES; i++) {
        const double value = (double)ref_load(got->dtype, ref_at(got, i)).real;
        const double want = strtod(field[VALUES + i], NULL);
        const bool is_same = isnan(want) ? isnan(value) : value == want;

        if (!is_same && !(fabs(value - want) <= unit * want))
            return false;
    }
    return true;
}

static void check_row(char **field, int32_t fields)
{
    static _Alignas(16) char memory[MOST_ELEMENTS * 16];
    const bl_reduction op = bl_reduction_find(field[OP]);
    int64_t extent[8], axis[8];
    int32_t axes[8];
    bl_array in = {.data = memory,
                   .dtype = bl_dtype_find(field[DTYPE]),
                   .rank = read_list(field[SHAPE], extent),
                   .extent = extent};
    const int32_t count = read_list(field[AXES], axis);
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    bl_tensor *out = NULL;
    bool pass;

    for (int32_t k = 0; k < count; k++)
        axes[k] = (int32_t)axis[k];
    for (int64_t i = 0; i < ref_count(&in); i++)
        put_element(field[KIND], in.dtype, i, ref_at(&in, i));
    options.correction = atof(field[CORRECTION]);

    const bl_status status = bl_reduce_new(NULL, op, &in, count, axes,
                                           field[KEEPDIM][0] == '1', &options, &out);

    if (strcmp(field[EXPECTED], "E") == 0)
        pass = status != BL_OK &&
               strncmp(bl_error_message(), field[VALUES], strlen(field[VALUES])) == 0;
    else
        pass = status == BL_OK && is_result(bl_tensor_array(out), field, fields);
    tap_ok(pass, "%s of %s%s over %s, correction %s: %s", field[OP], field[DTYPE],
           field[SHAPE], field[AXES], field[CORRECTION], field[KIND]);
    if (!pass)
        tap_note("%s", status == BL_OK ? "another result" : bl_error_message());
    bl_tensor_release(out);
}

static void check_rows(void)
{
    const char *const folder = getenv("srcdir");
    char path[4096], line[4096], *field[MOST_FIELDS];
    int rows = 0;

    snprintf(path, sizeof path, "%s/tests/reduce/variance.tsv", folder ? folder : ".");

    FILE *const file = fopen(path, "r");

    while (file && fgets(line, sizeof line, file))
        if (line[0] != '#') {
            rows++;
            check_row(field, split(line, field));
        }
    if (file)
        fclose(file);
    tap_ok(rows > 300, "%s has more than 300 rows", path);
}

/* ---- accuracy ---- */

/* The variance by two passes in long double. */
static long double reference(const float *x, int64_t count, int64_t step)
{
    long double sum = 0, squares = 0;

    for (int64_t i = 0; i < count; i++)
        sum += x[i * step];
    sum /= (long double)count;
    for (int64_t i = 0; i < count; i++)
        squares += (x[i * step] - sum) * (x[i * step] - sum);
    return squares / (long double)(count - 1);
}

/*
 * Large arrays, reduced in parts where there are several threads or one, over rows and
 * over columns: each variance is the nearest f32 to the exact one, or its neighbour.
 */
static void check_large(const struct setting *settings)
{
    enum { ROWS = 1031, COLUMNS = 2053, RESULTS = 2053 };
    static float x[ROWS * COLUMNS], got[2][RESULTS];
    const int64_t extent[] = {ROWS, COLUMNS};
    const bl_array in = {x, BL_DTYPE_F32, 2, extent, NULL, 0};

    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] =
            300 + (float)((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) >> 40) * 0x1p-20f;
    for (int32_t axis = 0; axis < 2; axis++) {
        const int64_t results = extent[1 - axis], step = axis == 0 ? COLUMNS : 1;
        const bl_array out = {got[0], BL_DTYPE_F32, 1, &results, NULL, 0};
        const bl_array again = {got[1], BL_DTYPE_F32, 1, &results, NULL, 0};
        bool is_exact = true, is_same = true;

        for (int32_t s = 0; s < SETTINGS; s += 3) {
            const bl_array *const to = s == 0 ? &out : &again;

            is_same = is_same &&
                      bl_var_out(settings[s].ctx, to, &in, 1, &axis, false) == BL_OK &&
                      memcmp(got[0], to->data, (size_t)results * sizeof(float)) == 0;
        }
        for (int64_t r = 0; r < results; r++) {
            const float want =
                (float)reference(x + r * (axis == 0 ? 1 : COLUMNS), extent[axis], step);

            is_exact = is_exact && got[0][r] >= nextafterf(want, 0) &&
                       got[0][r] <= nextafterf(want, INFINITY);
        }
        tap_ok(is_exact, "var of %d x %d over axis %d is within one unit of exact",
               ROWS, COLUMNS, (int)axis);
        tap_ok(is_same, "and has the same bits for each team and instruction set");
    }
}

/* ---- options, results ---- */

static bool is_refused(bl_status status, bl_status want, const char *text)
{
    if (status == want && strcmp(bl_error_message(), text) == 0)
        return true;
    tap_note("status %d, \"%s\"", (int)status, bl_error_message());
    return false;
}

static void check_calls(void)
{
    static const int64_t four = 4;
    float x[4] = {1, 2, 4, 9}, one = 0;
    const bl_array in = {x, BL_DTYPE_F32, 1, &four, NULL, 0};
    const bl_array out = {&one, BL_DTYPE_F32, 0, NULL, NULL, 0};
    const bl_array over = {x + 2, BL_DTYPE_F32, 0, NULL, NULL, 0};
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    bl_dtype dtype;

    options.correction = NAN;
    tap_ok(is_refused(
               bl_reduce(NULL, BL_REDUCTION_VAR, &out, &in, 0, NULL, false, &options),
               BL_ERR_ARGUMENT, "options: correction nan is not finite") &&
               one == 0,
           "a correction that is no number is refused");
    options.correction = 0.5;
    options.dtype = BL_DTYPE_F64;
    tap_ok(is_refused(
               bl_reduce(NULL, BL_REDUCTION_STD, &out, &in, 0, NULL, false, &options),
               BL_ERR_DTYPE, "std has a dtype of its own, not f64"),
           "a dtype is refused");
    options.dtype = BL_DTYPE_NONE;
    tap_ok(bl_reduce(NULL, BL_REDUCTION_VAR, &out, &in, 0, NULL, false, &options) ==
                   BL_OK &&
               one == (float)(38 / 3.5),
           "a correction may be a fraction");
    options.size = offsetof(bl_reduce_options, correction);
    tap_ok(bl_reduce(NULL, BL_REDUCTION_VAR, &out, &in, 0, NULL, false, &options) ==
                   BL_OK &&
               one == (float)(38 / 3.0),
           "a program that does not know of it has 1");
    tap_ok(bl_std_out(NULL, &over, &in, 0, NULL, false) == BL_OK &&
               x[2] == (float)sqrt(38 / 3.0),
           "the result may be an element of the operand");
    tap_ok(bl_reduction_find("std") == BL_REDUCTION_STD &&
               bl_reduction_result_dtype(BL_REDUCTION_VAR, BL_DTYPE_C128, &dtype) ==
                   BL_OK &&
               dtype == BL_DTYPE_F64,
           "they are found by name, and of complex numbers real");
}

int main(void)
{
    struct setting settings[SETTINGS];

    tap_plan();
    check_rows();
    check_calls();
    settings_open(settings);
    check_large(settings);
    settings_close(settings);
    return tap_done();
}
