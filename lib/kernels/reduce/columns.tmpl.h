/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of reducer.tmpl.h: reductions of columns, whose results are
 * adjacent.
 */

/* Accumulate numbers of one row in a register of lanes. */
BLI_INLINE void NAME(take_one_)(lane_number *lane, const number *x)
{
    *(any_vector *)lane = BLI_TAKE(*(any_vector *)lane, LOAD(x));
}

/*
 * Accumulate numbers of `rows` rows, a constant and a multiple of 4, `step` bytes
 * apart, in one register of lanes.
 */
BLI_INLINE void NAME(take_some_)(lane_number *lane, const char *x, int64_t step,
                                 int64_t rows)
{
#define ROW(r) LOAD((const number *)(const void *)(x + (r)*step))
    vector acc = *(any_vector *)lane;

#pragma GCC unroll 2
    for (int64_t r = 0; r < rows; r += 4)
        if (BLI_ORDER == ORDER_TREE) {
            acc = BLI_TAKE(acc, ROW(r));
            acc = BLI_TAKE(acc, ROW(r + 1));
            acc = BLI_TAKE(acc, ROW(r + 2));
            acc = BLI_TAKE(acc, ROW(r + 3));
        } else {
            const vector lower = BLI_JOIN(ROW(r), ROW(r + 1));

            acc = BLI_JOIN(acc, BLI_JOIN(lower, BLI_JOIN(ROW(r + 2), ROW(r + 3))));
        }
    *(any_vector *)lane = acc;
#undef ROW
}

/*
 * Accumulate the last `count` numbers of `rows` rows, which do not fill a register, in
 * their lanes.
 */
static void NAME(take_rest_)(const struct bli_reducer *how, lane_number *lane,
                             const char *data, int64_t step, int64_t rows,
                             int64_t count)
{
    _Alignas(BLI_EDGE) number x[BLI_EDGE / sizeof(number)];
    _Alignas(BLI_EDGE) lane_number acc[BLI_EDGE / sizeof(lane_number)];

    load_edge(acc, lane, 0, count, PER_REGISTER, sizeof *lane, how->identity[0]);
    for (int64_t r = 0; r < rows; r++) {
        load_edge(x, data + r * step, 0, count, PER_REGISTER, sizeof *x, how->padding);
        NAME(take_one_)(acc, x);
    }
    store_edge(lane, acc, count, sizeof *lane);
}

/*
 * Whether the last numbers of a row are taken with some before them, to fill a
 * register. With 512 bits they are loaded by masks.
 */
#define OVERLAPS (BLI_REPEATS && BLI_REGISTER < 64)

static void NAME(one_)(const struct bli_reducer *how, void *lane_, const char *data,
                       int64_t count, int64_t ahead)
{
    const number *const x = (const number *)(const void *)data;
    lane_number *const lane = lane_;
    const int64_t last = count - PER_REGISTER;
    int64_t i = 0;

    for (; i + PER_REGISTER <= count; i += PER_REGISTER) {
        __builtin_prefetch((const char *)(x + i) + ahead);
        NAME(take_one_)(lane + i, x + i);
    }
    if (OVERLAPS && i < count && i > 0)
        NAME(take_one_)(lane + last, x + last);
    else if (i < count)
        NAME(take_rest_)(how, lane + i, (const char *)(x + i), 0, 1, count - i);
}

#if BLI_REGISTER == 16 && !BLI_HAS_ROWS
/*
 * Accumulate numbers of four rows that are narrower than lanes: the compiler widens
 * their sums with fewer instructions than every number.
 */
BLI_INLINE void NAME(take_narrow_)(lane_number *lane, const char *data, int64_t step,
                                   int64_t count)
{
    typedef __typeof__(__builtin_choose_expr(sizeof(number) < 4, 0, lane[0])) sum;
#define VALUE(r)                                                                       \
    ((sum)PASTE(value_, BLI_T)(((const number *)(const void *)(data + (r)*step))[i]))

#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        lane[i] += (VALUE(0) + VALUE(1)) + (VALUE(2) + VALUE(3));
#undef VALUE
}
#define TAKE_NARROW(...) (NAME(take_narrow_)(__VA_ARGS__), true)
#else
#define TAKE_NARROW(...) false
#endif

/* Accumulate `rows` * turn rows, a constant: see `four` of struct bli_reducer. */
BLI_INLINE void NAME(some_)(const struct bli_reducer *how, lane_number *lane,
                            const char *data, int64_t step, int64_t turn, int64_t count,
                            int64_t ahead, bool next_row, int64_t rows)
{
    const int64_t size = sizeof(number), apart = turn * step;
    const int64_t last = count - PER_REGISTER;

    for (int64_t l = 0; l < turn; l++, lane += count) {
        const char *const x = data + l * step;
        const int64_t next = !next_row ? ahead : l + 1 < turn ? step : ahead - l * step;
        int64_t i = 0;

        if (rows == 4 && TAKE_NARROW(lane, x, apart, count))
            continue;
        for (; i + PER_LINE <= count; i += PER_LINE) {
            prefetch_rows(x + i * size + next, apart, rows);
#pragma GCC unroll 4
            for (int64_t k = 0; k < PER_LINE; k += PER_REGISTER)
                NAME(take_some_)(lane + i + k, x + (i + k) * size, apart, rows);
        }
        for (; i + PER_REGISTER <= count; i += PER_REGISTER)
            NAME(take_some_)(lane + i, x + i * size, apart, rows);
        if (OVERLAPS && i < count && i > 0)
            NAME(take_some_)(lane + last, x + last * size, apart, rows);
        else if (i < count)
            NAME(take_rest_)(how, lane + i, x + i * size, apart, rows, count - i);
    }
}

BLI_ON_A_LINE static void NAME(four_)(const struct bli_reducer *how, void *lane,
                                      const char *data, int64_t step, int64_t turn,
                                      int64_t count, int64_t ahead, bool next_row)
{
    NAME(some_)(how, lane, data, step, turn, count, ahead, next_row, 4);
}

#if BLI_HAS_EIGHT
BLI_ON_A_LINE static void NAME(eight_)(const struct bli_reducer *how, void *lane,
                                       const char *data, int64_t step, int64_t turn,
                                       int64_t count, int64_t ahead, bool next_row)
{
    NAME(some_)(how, lane, data, step, turn, count, ahead, next_row, 8);
}
#endif

#undef OVERLAPS
#undef TAKE_NARROW
