/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs of programs for Torch's TH: known numbers of elements that differ, and
 * where they leave TH.
 */
#include "th/shadow.h"

/* ---- calls ---- */

static void by_sub(void)
{
    THFloatTensor_csub(result, column, 1, row);
}

static void by_scaled_add(void)
{
    THFloatTensor_cadd(result, column, 2, row);
}

static void by_product(void)
{
    THFloatTensor_addcmul(result, column, 1, row, row);
}

static void by_own_kernel(void)
{
    THFloatTensor_cmax(result, column, row);
}

static void by_comparison(void)
{
    THByteTensor *const truth = THByteTensor_new();

    THFloatTensor_ltTensor(truth, column, row);
    THByteTensor_free(truth);
}

static void by_result_again(void)
{
    /* The second operand gets the result's shape first. */
    THFloatTensor_csub(row, column, 1, row);
}

static void check_numbers(void)
{
    static const struct {
        const char *what;
        void (*call)(void);
        int64_t compared, differ;
        double max_abs;
    } calls[] = {
        {"csub", by_sub, 1, 12, 30},
        {"cadd with a factor", by_scaled_add, 1, 12, 60},
        {"addcmul", by_product, 1, 12, 900},
        /* max: 0 10 20 30 in each row, and 1, 2, 3 where the row has 0. */
        {"cmax, a kernel of TH's own", by_own_kernel, 1, 12, 30},
        /* 0 < 0 is false; of the others, 0 is less than nothing. */
        {"ltTensor", by_comparison, 1, 6, 1},
        {"an operand that is the result", by_result_again, 0, 0, 0},
    };

    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        prepare(0);
        calls[k].call();
        find();
        if (!tap_ok(found.places == 1 && found.compared == calls[k].compared &&
                        found.elements == 16 * calls[k].compared &&
                        found.differ == calls[k].differ &&
                        found.max_abs == calls[k].max_abs && found.line > 0,
                    "%s", calls[k].what))
            tap_note("%d places, %d compared, %d of %d, %g", (int)found.places,
                     (int)found.compared, (int)found.differ, (int)found.elements,
                     found.max_abs);
        finish();
    }
}

/* A distance leaves TH as it is returned; one of too many pairs is not computed. */
static void check_dist(void)
{
    THFloatTensor *const tall = THFloatTensor_newWithSize2d(600, 1);
    THFloatTensor *const wide = THFloatTensor_newWithSize1d(600);
    double flat, broad;

    prepare(0);
    flat = THFloatTensor_dist(column, row, 2);
    find();
    broad = sqrt(4 * (14 + 1400) - 2 * 6 * 60);
    tap_ok(fabs(flat - sqrt(81 * 14)) < 1e-12 && found.differ == 1 &&
               fabs(found.max_abs - (broad - flat)) < 1e-12 &&
               count_reads("item " __FILE__ ":") == 1,
           "a distance is compared, and read where it is computed");
    bl_warnings_reset();
    THFloatTensor_fill(tall, 1);
    THFloatTensor_fill(wide, 1);
    THFloatTensor_dist(tall, wide, 2);
    find();
    tap_ok(found.places == 1 && found.compared == 0, "but not one of 360000 pairs");
    finish();
    THFloatTensor_free(tall);
    THFloatTensor_free(wide);
}

/* ---- where elements leave TH ---- */

static bool leave(void)
{
    THFloatTensor *const twice = THFloatTensor_new();
    THFloatTensor *const matrix = THFloatTensor_newWithSize2d(2, 4);
    THFloatTensor *const product = THFloatTensor_newWithSize2d(2, 1);
    THFile *const file = THMemoryFile_new("w");
    bool is_done;

    THFloatTensor_csub(result, column, 1, row);
    THFloatTensor_mul(twice, result, 2);
    is_done =
        THFloatTensor_get2d(twice, 3, 0) == -54 || THFloatTensor_get1d(row, 0) == 5;
    is_done =
        is_done && THFloatTensor_data(twice) && THFloatStorage_data(twice->storage);
    (void)THFloatStorage_get(twice->storage, 1);
    (void)THFloatTensor_sumall(result);
    (void)THFloatTensor_normall(twice, 2);
    THFile_writeFloat(file, twice->storage);
    THFloatTensor_fill(matrix, 1);
    THFloatTensor_zero(product);
    THFloatTensor_addmm(product, 0, product, 1, matrix, result);
    (void)THFloatTensor_get2d(product, 0, 0);
    THFloatTensor_fill(twice, 0);
    (void)THFloatTensor_get2d(twice, 0, 0); /* not any more */
    THFile_free(file);
    THFloatTensor_free(twice);
    THFloatTensor_free(matrix);
    THFloatTensor_free(product);
    return is_done;
}

static void check_leaving(void)
{
    bool is_done;

    prepare(0);
    is_done = leave();
    find();
    tap_ok(is_done && count_reads("data") == 2 && count_reads("item") == 5 &&
               count_reads("save") == 1,
           "addresses, items, sums and files are counted, also of products");
    tap_note("%s", found.reads);
    tap_ok(found.spread >= 3, "and so are the tensors that were computed");
    finish();
    prepare(5);
    is_done = leave();
    find();
    tap_ok(is_done && found.compared == 1 && found.differ == 0 && found.spread == 0 &&
               found.reads[0] == '\0',
           "nothing where elements are equal");
    finish();
}

/* ---- at which lines ---- */

static bool read_all(void)
{
    THFloatTensor *const other = THFloatTensor_newClone(result);
    double sum = 0;

    sum += THFloatTensor_get2d(result, 1, 0) + THFloatTensor_data(result)[1];
    sum +=
        THFloatStorage_get(result->storage, 1) + *THFloatStorage_data(result->storage);
    sum += THFloatTensor_trace(result) + THFloatTensor_maxall(result);
    sum += THFloatTensor_varall(result, 0) + THFloatTensor_meanall(result);
    sum += THFloatTensor_dot(result, other);
    sum += THFloatTensor_dist(result, other, 2);
    THFloatTensor_free(other);
    return !isnan(sum);
}

static void count_line(void *user, const bl_warning *warning)
{
    *(int *)user = warning->line;
}

static void check_lines(void)
{
    void (*const subtract)(THFloatTensor *, THFloatTensor *, float, THFloatTensor *) =
        THFloatTensor_csub;
    int line = -1;
    bool is_done;

    prepare(0);
    THFloatTensor_csub(result, column, 1, row);
    is_done = read_all();
    find();
    tap_ok(is_done && count_reads("data " __FILE__ ":") == 2 &&
               count_reads("item " __FILE__ ":") == 10 && !strchr(found.reads, '@'),
           "reads are at lines");
    tap_note("%s", found.reads);
    bl_warnings_set_handler(count_line, &line);
    subtract(result, column, 1, row);
    tap_ok(line == 0, "which no later call has");
    bl_warnings_set_handler(NULL, NULL);
    finish();
}

int main(void)
{
    tap_plan();
    if (bl_shadow_set_every(1) != BL_OK)
        return 1;
    check_numbers();
    check_dist();
    check_leaving();
    check_lines();
    return tap_done();
}
