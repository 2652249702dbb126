/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of rows and columns by a reducer's functions: loops over rows that all
 * instruction sets and dtypes share.
 */
#include "config.h"

#include "kernels/reduce/reduce.h"

#include <string.h>

/* Bytes that are filled without calling the C library. */
#define FILLED 256

/* Rows whose lanes are in L1 at once. */
#define ROWS 64

/*
 * Columns from which on one row of lanes is enough where the order is free: narrower
 * ones do not fill registers.
 */
#define WIDE_COLUMNS 64

void bli_reducer_fill(const struct bli_reducer *how, void *partial, int64_t count)
{
    const int64_t bytes = count * how->partial_size;
    const int64_t some = bytes < FILLED ? bytes : FILLED;
    const int64_t pattern = sizeof how->identity;
    char *const to = partial;
    int64_t done = 0;

    for (; done + pattern <= some; done += pattern)
        memcpy(to + done, how->identity, sizeof how->identity);
    memcpy(to + done, how->identity, (size_t)(some - done));
    for (done = some; done < bytes; done += done)
        memcpy(to + done, to, (size_t)(done < bytes - done ? done : bytes - done));
}

void bli_reducer_rows(const struct bli_reducer *how, void *partial, const char *data,
                      int64_t step, int64_t rows, int64_t count, bool near)
{
    _Alignas(BLI_REDUCE_LANES) char lane[ROWS * BLI_REDUCE_LANES];
    const int64_t numbers = count * how->numbers;
    char *to = partial;

    for (int64_t r = 0; r < rows; r += ROWS, to += ROWS * how->partial_size) {
        const int64_t some = rows - r < ROWS ? rows - r : ROWS;

        how->accumulate(how, lane, data + r * step, step, some, 0, numbers, true, near);
        how->close(how, to, lane, some, numbers);
    }
}

int64_t bli_reducer_turn(const struct bli_reducer *how, int64_t width)
{
    return how->is_free && width >= WIDE_COLUMNS ? 1 : how->lanes;
}

/*
 * Accumulate rows, each in a row of lanes, at most a turn of them: without gaps they
 * are one long row.
 */
static void one_turn(const struct bli_reducer *how, char *lane, const char *data,
                     int64_t step, int64_t rows, int64_t width, int64_t ahead)
{
    const int64_t count = width * how->numbers;
    const bool is_dense = width * how->size == step;
    const int64_t calls = is_dense && rows > 0 ? 1 : rows;

    for (int64_t r = 0; r < calls; r++)
        how->one(how, lane + r * width * how->partial_size, data + r * step,
                 is_dense ? rows * count : count, ahead);
}

void bli_reducer_columns(const struct bli_reducer *how, void *lane, const char *data,
                         int64_t step, int64_t first, int64_t rows, int64_t width,
                         int64_t turn, const char *next, bool near)
{
    const int64_t count = width * how->numbers, ahead = 4 * turn * step;
    const int64_t begun = first % turn, open = begun == 0 ? 0 : turn - begun;
    const bool is_dense = width * how->size == step;
    int64_t r = rows < open ? rows : open;

    one_turn(how, (char *)lane + begun * width * how->partial_size, data, step, r,
             width, ahead);
    for (int64_t to_next; r + 4 * turn <= rows; r += 4 * turn) {
        to_next = next && r + 8 * turn > rows ? next - (data + r * step) : ahead;
        if (is_dense)
            how->four(how, lane, data + r * step, turn * step, 1, turn * count, to_next,
                      near);
        else
            how->four(how, lane, data + r * step, step, turn, count, to_next, near);
    }
    for (int64_t some; r < rows; r += some) {
        some = rows - r < turn ? rows - r : turn;
        one_turn(how, lane, data + r * step, step, some, width, ahead);
    }
}

void bli_reducer_close_columns(const struct bli_reducer *how, void *lane, int64_t turn,
                               int64_t used, int64_t width)
{
    const int64_t row = width * how->partial_size, count = width * how->numbers;

    for (int64_t h = turn / 2; h > 0; h /= 2)
        if (h < used)
            how->merge(lane, (char *)lane + h * row,
                       (used - h < h ? used - h : h) * count);
}
