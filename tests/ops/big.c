/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A result of more than 2^31 elements is right at its last one and between.  Only in
 * the long suite: the result takes 2 GiB; the operands are broadcast and take nothing.
 */
#include <inttypes.h>

#include "harness/problem.h"
#include "harness/tap.h"

enum { ROWS = 46349, COLUMNS = 46351 }; /* primes: 2^31 + 839 451 elements */

static int8_t column[ROWS];
static int8_t row[COLUMNS];

static bool is_right(const int8_t *result, int64_t i)
{
    const int8_t want = (int8_t)(column[i / COLUMNS] - row[i % COLUMNS]);

    if (result[i] == want)
        return true;
    tap_note("element %" PRId64 " is %d, not %d", i, result[i], want);
    return false;
}

static bool check(const bl_tensor *result, struct rng *rng)
{
    const int8_t *elements = bl_tensor_array(result)->data;
    const int64_t count = bl_tensor_numel(result);
    const int64_t edges[] = {
        0,         INT32_MAX - 1,   INT32_MAX, (int64_t)INT32_MAX + 1,
        count / 2, count - COLUMNS, count - 2, count - 1};

    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        if (!is_right(elements, edges[i]))
            return false;
    for (int32_t i = 0; i < 10000000; i++)
        if (!is_right(elements, rng_below(rng, count)))
            return false;
    return true;
}

int main(void)
{
    const int64_t rows[2] = {ROWS, 1};
    const int64_t columns[1] = {COLUMNS};
    const bl_array a = {column, BL_DTYPE_I8, 2, rows, NULL, 0};
    const bl_array b = {row, BL_DTYPE_I8, 1, columns, NULL, 0};
    bl_tensor *result = NULL;
    struct rng rng;

    tap_plan();
    if (!test_is_long()) {
        tap_skip("BROADLOOM_TEST_LONG is not set", "2^31 elements and some");
        return tap_done();
    }
    rng = rng_new();
    for (int32_t i = 0; i < ROWS; i++)
        column[i] = (int8_t)(i % 113 - 50);
    for (int32_t i = 0; i < COLUMNS; i++)
        row[i] = (int8_t)(i % 71 - 30);
    const bl_status status = bl_sub(NULL, &a, &b, &result);

    if (status == BL_ERR_MEMORY)
        tap_skip("not enough memory", "2^31 elements and some");
    else if (!tap_ok(status == BL_OK && check(result, &rng), "2^31 elements and some"))
        tap_note("%s", bl_error_message());
    bl_tensor_release(result);
    return tap_done();
}
