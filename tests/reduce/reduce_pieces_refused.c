/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in pieces that are refused, by name and with nothing changed; damaged
 * bytes; every allocation failing in turn.
 */
#include <stdlib.h>
#include <string.h>

#include <broadloom/describe.h>

#include "harness/tap.h"
#include "reduce/subject.h"

static double numbers[3000];

/* A sum of two rows of f64, of which elements 10 to 2099 are there. */
static bl_reduce_pieces *make_sum(bl_context *ctx)
{
    static const int64_t two[] = {2}, extent[] = {2, 1000}, middle[] = {2, 90};
    static const int64_t repeat[] = {0, 1};
    static const int32_t axis = 1;
    const bl_array long_piece = {numbers, BL_DTYPE_F64, 2, extent, repeat, 0};
    const bl_array piece = {numbers, BL_DTYPE_F64, 2, middle, repeat, 0};
    bl_reduce_pieces *sum = NULL;

    if (bl_reduce_pieces_create(ctx, BL_REDUCTION_SUM, BL_DTYPE_F64, 1, two, NULL,
                                &sum) != BL_OK ||
        bl_reduce_pieces_add(ctx, sum, 1100, &long_piece, 1, &axis) != BL_OK ||
        bl_reduce_pieces_add(ctx, sum, 100, &long_piece, 1, &axis) != BL_OK ||
        bl_reduce_pieces_add(ctx, sum, 10, &piece, 1, &axis) != BL_OK)
        abort();
    return sum;
}

/* ---- calls ---- */

static const int64_t piece_extent[] = {2, 20}, turned_extent[] = {20, 2};
static const int64_t two[] = {2};
static const bl_array piece = {numbers, BL_DTYPE_F64, 2, piece_extent, NULL, 0};
static const bl_array turned = {numbers, BL_DTYPE_F64, 2, turned_extent, NULL, 0};
static const bl_array narrow = {numbers, BL_DTYPE_F32, 2, piece_extent, NULL, 0};
static const bl_array lost = {NULL, BL_DTYPE_F64, 2, piece_extent, NULL, 0};

static const struct {
    const char *what;
    int64_t first;
    const bl_array *piece;
    int32_t axes_count, axes[2];
    bl_status status;
    const char *text;
} refused[] = {
    {"a piece that overlaps the first one",
     0,
     &piece,
     1,
     {1, 0},
     BL_ERR_ARGUMENT,
     "elements 10 to 19 are there already"},
    {"a piece inside another one",
     1200,
     &piece,
     1,
     {1, 0},
     BL_ERR_ARGUMENT,
     "elements 1200 to 1219 are there already"},
    {"a piece that overlaps the last one",
     2095,
     &piece,
     1,
     {1, 0},
     BL_ERR_ARGUMENT,
     "elements 2095 to 2099 are there already"},
    {"another number of results",
     3000,
     &turned,
     1,
     {1, 0},
     BL_ERR_SHAPE,
     "piece has results [20], the reduction [2]"},
    {"all axes",
     3000,
     &piece,
     0,
     {0, 0},
     BL_ERR_SHAPE,
     "piece has results [], the reduction [2]"},
    {"another dtype",
     3000,
     &narrow,
     1,
     {1, 0},
     BL_ERR_DTYPE,
     "piece is f32, the reduction of f64"},
    {"an axis out of range",
     3000,
     &piece,
     1,
     {2, 0},
     BL_ERR_ARGUMENT,
     "Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
    {"no data", 3000, &lost, 1, {1, 0}, BL_ERR_ARGUMENT, "piece: data is null"},
    {"no piece", 3000, NULL, 1, {1, 0}, BL_ERR_ARGUMENT, "piece: array is null"},
    {"a negative place",
     -5,
     &piece,
     1,
     {1, 0},
     BL_ERR_ARGUMENT,
     "first -5 is negative"},
    {"elements past the last number",
     INT64_MAX - 5,
     &piece,
     1,
     {1, 0},
     BL_ERR_OVERFLOW,
     "20 elements from 9223372036854775802 on are too many"},
};

/* Whether two reductions have the same bytes. */
static bool are_same(const bl_reduce_pieces *a, const bl_reduce_pieces *b)
{
    const size_t size = bl_reduce_pieces_size(a);
    char *const first = malloc(size), *const second = malloc(size);
    const bool same = first && second && size == bl_reduce_pieces_size(b) &&
                      bl_reduce_pieces_save(a, first, size) == BL_OK &&
                      bl_reduce_pieces_save(b, second, size) == BL_OK &&
                      memcmp(first, second, size) == 0;

    free(first);
    free(second);
    return same;
}

static bool is_refusal(bl_status got, bl_status status, const char *text)
{
    if (got == status && strcmp(bl_error_message(), text) == 0)
        return true;
    tap_note("status %d, '%s'", (int)got, bl_error_message());
    return false;
}

static void check_adding(void)
{
    bl_reduce_pieces *const sum = make_sum(NULL), *const same = make_sum(NULL);

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        tap_ok(is_refusal(bl_reduce_pieces_add(NULL, sum, refused[i].first,
                                               refused[i].piece, refused[i].axes_count,
                                               refused[i].axes),
                          refused[i].status, refused[i].text) &&
                   are_same(sum, same),
               "%s", refused[i].what);
    bl_reduce_pieces_destroy(sum);
    bl_reduce_pieces_destroy(same);
}

/* ---- joins and results ---- */

static void check_joins(void)
{
    const struct {
        bl_reduction op;
        bl_dtype dtype, wanted;
        int64_t results;
        const char *text;
    } others[] = {
        {BL_REDUCTION_MEAN, BL_DTYPE_F64, 0, 2, "other is of mean, pieces of sum"},
        {BL_REDUCTION_SUM, BL_DTYPE_F32, 0, 2,
         "other is of f32 to f32, pieces of f64 to f64"},
        {BL_REDUCTION_SUM, BL_DTYPE_F64, BL_DTYPE_F32, 2,
         "other is of f64 to f32, pieces of f64 to f64"},
        {BL_REDUCTION_SUM, BL_DTYPE_F64, 0, 3, "other has results [3], pieces [2]"},
    };
    bl_reduce_pieces *const sum = make_sum(NULL), *const same = make_sum(NULL);
    bool pass = true;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
        bl_reduce_pieces *other = NULL;

        options.dtype = others[i].wanted;
        pass = bl_reduce_pieces_create(NULL, others[i].op, others[i].dtype, 1,
                                       &others[i].results, &options, &other) == BL_OK &&
               is_refusal(bl_reduce_pieces_join(NULL, sum, other), BL_ERR_ARGUMENT,
                          others[i].text) &&
               pass;
        bl_reduce_pieces_destroy(other);
    }
    tap_ok(pass, "a join of other reductions");
    tap_ok(is_refusal(bl_reduce_pieces_join(NULL, sum, same), BL_ERR_ARGUMENT,
                      "elements 10 to 99 are there already") &&
               is_refusal(bl_reduce_pieces_join(NULL, sum, sum), BL_ERR_ARGUMENT,
                          "elements 10 to 99 are there already") &&
               are_same(sum, same),
           "a join of elements that are there, and with itself");
    bl_reduce_pieces_destroy(sum);
    bl_reduce_pieces_destroy(same);
}

static bool check_finish(const bl_reduce_pieces *sum, const bl_array *out,
                         int64_t count, bl_status status, const char *text)
{
    double before[2];

    memcpy(before, numbers, sizeof before);
    return is_refusal(bl_reduce_pieces_finish(NULL, out, sum, count), status, text) &&
           memcmp(before, numbers, sizeof before) == 0;
}

static void check_results(void)
{
    static const int64_t still[] = {0};
    const bl_array out = {numbers, BL_DTYPE_F64, 1, two, NULL, 0};
    const bl_array other = {numbers, BL_DTYPE_F32, 1, two, NULL, 0};
    const bl_array flat = {numbers, BL_DTYPE_F64, 1, two, still, 0};
    bl_reduce_pieces *sum = make_sum(NULL), *most = NULL;

    tap_ok(
        check_finish(sum, &out, 2100, BL_ERR_ARGUMENT, "elements 0 to 9 are missing"),
        "missing elements at the beginning");
    tap_ok(bl_reduce_pieces_add(NULL, sum, 0,
                                &(const bl_array){numbers, BL_DTYPE_F64, 2,
                                                  (const int64_t[]){2, 10}, NULL, 0},
                                1, &(const int32_t){1}) == BL_OK &&
               check_finish(sum, &out, 2200, BL_ERR_ARGUMENT,
                            "elements 2100 to 2199 are missing"),
           "missing elements at the end");
    tap_ok(check_finish(sum, &out, 2000, BL_ERR_ARGUMENT,
                        "there are 2100 elements, count is 2000") &&
               check_finish(sum, &out, -1, BL_ERR_ARGUMENT, "count -1 is negative"),
           "more elements than are counted");
    tap_ok(
        check_finish(sum, &other, 2100, BL_ERR_DTYPE, "out is f32, the result is f64"),
        "a result of another dtype");
    tap_ok(check_finish(sum, &flat, 2100, BL_ERR_ARGUMENT,
                        "unsupported operation: more than one element of the "
                        "written-to tensor refers to a single memory location. Please "
                        "clone() the tensor before performing the operation."),
           "a result that overlaps itself");
    bl_reduce_pieces_destroy(sum);
    tap_ok(bl_reduce_pieces_create(NULL, BL_REDUCTION_MAX, BL_DTYPE_F64, 1, two, NULL,
                                   &most) == BL_OK &&
               check_finish(most, &out, 0, BL_ERR_ARGUMENT, "max of no elements"),
           "the largest of nothing");
    bl_reduce_pieces_destroy(most);
}

static void check_creating(void)
{
    static const int64_t negative[] = {-2}, many[] = {INT64_MAX / 4};
    bl_reduce_pieces *made = NULL;
    bool pass = true;

    tap_ok(is_refusal(bl_reduce_pieces_create(NULL, (bl_reduction)99, BL_DTYPE_F64, 0,
                                              NULL, NULL, &made),
                      BL_ERR_ARGUMENT, "op: 99 is no reduction") &&
               is_refusal(bl_reduce_pieces_create(NULL, BL_REDUCTION_SUM, BL_DTYPE_F64,
                                                  1, negative, NULL, &made),
                          BL_ERR_ARGUMENT, "extent -2 of dimension 0 is negative") &&
               is_refusal(bl_reduce_pieces_create(NULL, BL_REDUCTION_SUM, BL_DTYPE_F64,
                                                  1, many, NULL, &made),
                          BL_ERR_OVERFLOW, "2305843009213693951 results are too many"),
           "no operation, and extents that are none");
    /* Every other reduction takes its elements twice. */
    for (int32_t op = BL_REDUCTION_ALL + 1; bl_reduction_name((bl_reduction)op); op++)
        pass = bl_reduce_pieces_create(NULL, (bl_reduction)op, BL_DTYPE_F64, 0, NULL,
                                       NULL, &made) == BL_ERR_UNSUPPORTED &&
               strstr(bl_error_message(), "takes its elements twice") && pass;
    tap_ok(pass && !made, "reductions that take their elements twice");
    tap_ok(bl_reduce_pieces_count(NULL) == 0 && bl_reduce_pieces_size(NULL) == 0 &&
               bl_reduce_pieces_size_most(NULL, 3) == 0 &&
               bl_reduce_pieces_size_of(NULL, 0, NULL) == 0,
           "numbers of nothing");
    bl_reduce_pieces_destroy(NULL);
}

int main(void)
{
    tap_plan();
    for (int32_t i = 0; i < 3000; i++)
        numbers[i] = i;
    check_creating();
    check_adding();
    check_joins();
    check_results();
    return tap_done();
}
