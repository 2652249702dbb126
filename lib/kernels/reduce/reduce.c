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

/*
 * Bytes of a row that is long. Where rows have gaps its pieces are missed by the
 * hardware's prefetcher, too, but the next row is far enough away to be prefetched:
 * four of these, 16 KiB.
 */
#define FAR_ROW 4000

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

/*
 * Whether rows are left to the hardware's prefetcher.
 *
 * With gaps between rows the hardware's prefetcher does not recognize a stream. 512
 * columns of f32[32768,1000] are read at 31 GB/s on one core of an AMD EPYC (Zen 5) if
 * a line of each of the next four rows is prefetched with a line of these, at 16
 * without, at 17 if all lines of a row are at once.
 *
 * Long rows without gaps the hardware prefetches, and in the caches those with gaps,
 * too; of shorter ones there the next row is better than the next four. Zen 3: columns
 * of f32[1000,1000] take .65 of the time so, by two threads .73, f64 .63, f32[20000,
 * 1000] .85, f64[500,2000] .83, but f32[60000,16], whose rows are not long, would take
 * 1.4 with nothing prefetched, f32[2000,10000] from memory 1.15. Zen 4 with 512 bits:
 * f32[1000,1000] .81. With 128 bits that was not measured.
 *
 * So it does eight long rows that are read at once. Zen 4: f32[8192,8192], transposed,
 * from memory, takes .79 of the time so, AVX2 .78; with prefetches eight rows take .98
 * of the time of four.
 */
static bool is_read_ahead(const struct bli_reducer *how, int64_t bytes, bool is_stream)
{
    return how->asks_less && bytes >= FAR_ROW && is_stream;
}

void bli_reducer_columns(const struct bli_reducer *how, void *lane, const char *data,
                         int64_t step, int64_t first, int64_t rows, int64_t width,
                         int64_t turn, const char *next, bool near)
{
    const int64_t count = width * how->numbers;
    const int64_t begun = first % turn, open = begun == 0 ? 0 : turn - begun;
    const bool is_dense = width * how->size == step;
    const int64_t some_step = is_dense ? turn * step : step;
    const int64_t some_turn = is_dense ? 1 : turn;
    const int64_t some_count = is_dense ? turn * count : count;
    const int64_t bytes = is_dense ? some_step : width * how->size;
    const bool next_row = bytes >= FAR_ROW || (how->asks_less && near);
    bool by_eight = how->eight && !near && rows >= 8 * turn;
    /* Asking for a line that is being read takes 1.03 of the time of not asking. */
    const bool asks = !is_read_ahead(how, bytes, is_dense || near || by_eight);
    int64_t r = rows < open ? rows : open;

    one_turn(how, (char *)lane + begun * width * how->partial_size, data, step, r,
             width, 4 * turn * step);
    for (int64_t done; r + 4 * turn <= rows; r += done) {
        by_eight = by_eight && r + 8 * turn <= rows;
        done = (by_eight ? 8 : 4) * turn;

        const int64_t to_next =
            next && r + 2 * done > rows ? next - (data + r * step) : done * step;

        (by_eight ? how->eight : how->four)(how, lane, data + r * step, some_step,
                                            some_turn, some_count, asks ? to_next : 0,
                                            asks && next_row);
    }
    for (int64_t some; r < rows; r += some) {
        some = rows - r < turn ? rows - r : turn;
        one_turn(how, lane, data + r * step, step, some, width, 4 * turn * step);
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

void bli_reducer_combine(const struct bli_reducer *how, void *partial, int64_t row,
                         int64_t blocks, int64_t count)
{
    char *const first = partial;

    for (int64_t gap = 1; gap < blocks; gap *= 2)
        for (int64_t b = 0; b + gap < blocks; b += 2 * gap)
            how->merge(first + b * row, first + (b + gap) * row, count);
}
