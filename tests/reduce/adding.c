/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reducers that take each other's place by the processor, of sums by products by 1 and
 * by additions alone: rows, columns, and rows side by side have the same bits, on
 * whichever of them the tests run.
 */
#include <string.h>

#include "harness/tap.h"
#include "kernels/reduce/reduce.h"

enum { MOST_ROWS = 80, MOST_ELEMENTS = BLI_REDUCE_BLOCK, PADDING = 16 };
enum { NUMBERS = MOST_ROWS * (MOST_ELEMENTS + PADDING) * 2 };

static float data[NUMBERS];
static _Alignas(BLI_REDUCE_LANES) double want[NUMBERS], got[NUMBERS];

static const int64_t lengths[] = {1,  2,  3,  7,  8,   9,   15,  16,  17,   23,  31,
                                  32, 33, 64, 65, 100, 127, 128, 500, 1023, 1024};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static bool is_same(int64_t numbers)
{
    return memcmp(want, got, (size_t)numbers * sizeof *want) == 0;
}

/* Rows of one block, in the caches and from memory. */
static bool check_rows(const struct bli_reducer *how, int64_t rows, int64_t count)
{
    const int64_t step = (count + PADDING / 4) * how->size;
    bool same = true;

    for (int near = 0; near < 2; near++) {
        const char *const from = (const char *)data;

        bli_reducer_rows(how, want, from, step, rows, count, near);
        bli_reducer_rows(how->adding, got, from, step, rows, count, near);
        same &= is_same(rows * how->numbers);
    }
    return same;
}

/* Parts of rows, which begin in any lane. */
static bool check_parts(const struct bli_reducer *how, int64_t rows, int64_t first)
{
    const int64_t count = 41, step = count * how->size;
    bool same = true;

    for (int64_t i = 0; i < MOST_ROWS * how->lanes * how->numbers; i++)
        want[i] = got[i] = (double)i / 3;
    for (int near = 0; near < 2; near++) {
        const char *const from = (const char *)data;

        how->accumulate(how, want, from, step, rows, first, count, false, near);
        how->adding->accumulate(how->adding, got, from, step, rows, first, count, false,
                                near);
        same &= is_same(rows * BLI_REDUCE_LANES / (int64_t)sizeof *want);
    }
    return same;
}

static void take_columns(const struct bli_reducer *how, double *lane, int64_t rows,
                         int64_t width, int64_t step, bool near)
{
    const int64_t turn = bli_reducer_turn(how, width);

    bli_reducer_fill(how, lane, turn * width);
    bli_reducer_columns(how, lane, (const char *)data, step, 0, rows, width, turn, NULL,
                        near);
    bli_reducer_close_columns(how, lane, turn, rows < turn ? rows : turn, width);
}

/* Columns, dense and with gaps, through lanes in memory. */
static bool check_columns(const struct bli_reducer *how, int64_t rows, int64_t width)
{
    bool same = true;

    for (int gap = 0; gap < 2; gap++)
        for (int near = 0; near < 2; near++) {
            const int64_t step = (width + 3 * gap) * how->size;

            take_columns(how, want, rows, width, step, near);
            take_columns(how->adding, got, rows, width, step, near);
            same &= is_same(width * how->numbers);
        }
    return same;
}

/* Columns whose lanes are in registers. */
static bool check_registers(const struct bli_reducer *how, int64_t rows, int64_t width)
{
    const int64_t step = (width + 1) * how->size, numbers = width * how->numbers;
    const char *const from = (const char *)data;
    const bool done = how->in_registers(how, want, from, step, rows, numbers, NULL);

    return how->adding->in_registers(how->adding, got, from, step, rows, numbers,
                                     NULL) == done &&
           (!done || is_same(numbers));
}

/* Rows side by side; complex numbers have none. */
static bool check_beside(const struct bli_reducer *how, int64_t first, int64_t count)
{
    const int64_t numbers = how->lanes * how->abreast;

    if (how->abreast == 0)
        return how->adding->abreast == 0;
    for (int64_t i = 0; i < numbers; i++)
        want[i] = got[i] = (double)i / 7;
    how->beside(want, (const char *)data, 40, first, count);
    how->adding->beside(got, (const char *)data, 40, first, count);
    return is_same(numbers);
}

static void check_reducer(const struct bli_isa *isa, const struct bli_reducer *how,
                          const char *dtype)
{
    bool rows = true, parts = true, columns = true, registers = true, beside = true;

    for (int i = 0; i < LENGTHS; i++) {
        for (int64_t n = 1; n <= 9; n++) {
            rows &= check_rows(how, n, lengths[i]);
            columns &= check_columns(how, lengths[i], n) &&
                       check_columns(how, lengths[i], 8 * n + 1);
        }
        for (int64_t first = 0; first < 9; first++)
            beside &= check_beside(how, first, lengths[i]);
        for (int64_t width = 1; width < 40 && lengths[i] <= MOST_ROWS; width++)
            registers &= check_registers(how, lengths[i], width);
    }
    for (int64_t n = 1; n <= 9; n++)
        for (int64_t first = 0; first < 24; first++)
            parts &= check_parts(how, n, first * how->numbers);
    tap_ok(rows, "rows of %s, %s", dtype, isa->name);
    tap_ok(parts, "parts of rows of %s, %s", dtype, isa->name);
    tap_ok(columns, "columns of %s, %s", dtype, isa->name);
    tap_ok(registers, "columns of %s in registers, %s", dtype, isa->name);
    tap_ok(beside, "rows of %s side by side, %s", dtype, isa->name);
}

int main(void)
{
    int tested = 0;

    for (int64_t i = 0; i < NUMBERS; i++)
        data[i] = (float)(i * 7919 % 1000003) / 7 - 60000;
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++) {
        const struct bli_isa *const isa = bli_isa_all[k];

        for (int32_t d = 0; d < BLI_DTYPES && bli_isa_pick(isa) == isa; d++) {
            const struct bli_reducer *const how =
                &bli_isa_reducers(isa)->of[BLI_REDUCE_OP_SUM][d];

            if (how->adding) {
                check_reducer(isa, how, bl_dtype_name((bl_dtype)d));
                tested++;
            }
        }
    }
    if (tested == 0)
        tap_skip("sums by additions", "no instruction set that has them");
    return tap_done();
}
