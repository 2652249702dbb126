/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions of one reducer, as struct bli_reducer has them.  Parameters
 * are described in reducers.tmpl.h; those of a fold are undefined at the end.
 *
 * Numbers are what elements have one or two of.
 */
#define NAME(of)  PASTE4(of, BLI_FOLD, _, BLI_T)
#define numbers   NAME(numbers_)
#define lanes     NAME(lanes_)
#define any_lanes NAME(any_lanes_)
#define number    PASTE(number_, BLI_T)

enum {
    NAME(per_block_) = BLI_REDUCE_LANES / (int)sizeof(BLI_LANE),
    NAME(per_register_) = BLI_REGISTER / (int)sizeof(BLI_LANE)
};
#define PER_BLOCK    NAME(per_block_)
#define PER_REGISTER NAME(per_register_)
#define PER_LINE     (BLI_ALIGNMENT / (int64_t)sizeof(number))

/* A register of lanes, the same anywhere in memory, and as many numbers in memory. */
typedef BLI_LANE lanes __attribute__((vector_size(BLI_REGISTER)));
typedef BLI_LANE any_lanes
    __attribute__((vector_size(BLI_REGISTER), aligned(sizeof(BLI_LANE)), may_alias));
typedef number numbers
    __attribute__((vector_size(BLI_REGISTER / sizeof(BLI_LANE) * sizeof(number)),
                   aligned(sizeof(number)), may_alias));

#if defined(BLI_LOAD)
#define LOAD(x) ((lanes)BLI_LOAD(x))
#else
#define LOAD(x) __builtin_convertvector(BLI_VALUE(*(const numbers *)(x)), lanes)
#endif

/* The element at r takes the one at b, both in lanes; or, at x, in memory. */
static inline void NAME(take_)(BLI_LANE *r, const BLI_LANE *b)
{
    BLI_TAKE(r, b);
}

static inline void NAME(take_element_)(BLI_LANE *r, const number *x)
{
    BLI_LANE b[BLI_PARTS];

    for (int32_t p = 0; p < BLI_PARTS; p++)
        b[p] = (BLI_LANE)BLI_VALUE(x[p]);
    NAME(take_)(r, b);
}

static void NAME(fill_)(void *partial, int64_t count)
{
    BLI_LANE *const to = partial;

    for (int64_t i = 0; i < count * BLI_PARTS; i++)
        to[i] = i % BLI_PARTS == 0 ? BLI_IDENTITY : 0;
}

static void NAME(merge_)(void *into, const void *other, int64_t count)
{
    BLI_LANE *const r = into;
    const BLI_LANE *const b = other;
    int64_t i = 0;

    for (; i + PER_REGISTER <= count * BLI_PARTS; i += PER_REGISTER)
        *(any_lanes *)(r + i) =
            BLI_JOIN(*(any_lanes *)(r + i), *(const any_lanes *)(b + i));
    for (; i < count * BLI_PARTS; i += BLI_PARTS)
        NAME(take_)(r + i, b + i);
}

static void NAME(pairs_)(void *partial, int64_t count)
{
    BLI_LANE *const at = partial;

    for (; count > 1; count = count / 2 + count % 2)
        for (int64_t i = 0; i < count; i += 2) {
            if (i + 1 < count)
                NAME(take_)(at + i * BLI_PARTS, at + (i + 1) * BLI_PARTS);
            memmove(at + i / 2 * BLI_PARTS, at + i * BLI_PARTS, BLI_PARTS * sizeof *at);
        }
}

/*
 * A register of each of four turns of the lanes: of a fold that associates they may be
 * joined first, so that lanes wait for one join instead of four.
 */
static inline lanes NAME(join_four_)(const number *x)
{
    const lanes lower = BLI_JOIN(LOAD(x), LOAD(x + PER_BLOCK));
    const lanes upper = BLI_JOIN(LOAD(x + 2 * PER_BLOCK), LOAD(x + 3 * PER_BLOCK));

    return BLI_JOIN(lower, upper);
}

/*
 * `rows` rows of `count` numbers, a constant of at most BLI_ROWS, while what is `ahead`
 * bytes further is fetched, the next rows: without, f32[67108864] takes 1.1 times as
 * long, one thread or two.  Several rows do not wait for each other's sums.
 */
BLI_INLINE void NAME(some_)(BLI_LANE *partial, const char *data, int64_t step,
                            int64_t rows, int64_t ahead, int64_t count)
{
    _Alignas(BLI_REDUCE_LANES) BLI_LANE lane[BLI_ROWS][PER_BLOCK];
    lanes acc[BLI_ROWS][BLI_REGISTERS];
    int64_t i = 0;

#define ROW(r) ((const number *)(const void *)(data + (r)*step) + i)
    for (int64_t r = 0; r < rows; r++) {
        NAME(fill_)(lane[r], PER_BLOCK / BLI_PARTS);
        memcpy(acc[r], lane[r], sizeof acc[r]);
    }
    for (; BLI_ASSOCIATES && i + 4 * PER_BLOCK <= count; i += 4 * PER_BLOCK) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++) {
            for (int64_t b = 0; b < 4 * PER_BLOCK; b += PER_LINE)
                __builtin_prefetch((const char *)(ROW(r) + b) + ahead);
#define BLI_DO(k)                                                                      \
    acc[r][k] = BLI_JOIN(acc[r][k], NAME(join_four_)(ROW(r) + (k)*PER_REGISTER));
            BLI_EACH_REGISTER(BLI_DO)
#undef BLI_DO
        }
    }
    for (; i + PER_BLOCK <= count; i += PER_BLOCK) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++) {
            __builtin_prefetch((const char *)ROW(r) + ahead);
#define BLI_DO(k) acc[r][k] = BLI_JOIN(acc[r][k], LOAD(ROW(r) + (k)*PER_REGISTER));
            BLI_EACH_REGISTER(BLI_DO)
#undef BLI_DO
        }
    }
    for (int64_t r = 0; r < rows; r++) {
        memcpy(lane[r], acc[r], sizeof acc[r]);
        for (int64_t l = 0; i + l < count; l += BLI_PARTS)
            NAME(take_element_)(lane[r] + l, ROW(r) + l);
        for (int64_t h = PER_BLOCK / 2; h >= BLI_PARTS; h /= 2)
            for (int64_t l = 0; l < h && l + h < count; l += BLI_PARTS)
                NAME(take_)(lane[r] + l, lane[r] + l + h);
        memcpy(partial + r * BLI_PARTS, lane[r], BLI_PARTS * sizeof *lane[r]);
    }
#undef ROW
}

static void NAME(rows_)(void *partial, const char *data, int64_t step, int64_t rows,
                        int64_t count, bool near)
{
    const int64_t most = count * BLI_PARTS, all = BLI_ROWS;
    BLI_LANE *to = partial;
    int64_t r = 0;

    for (; near && r + all <= rows; r += all, to += all * BLI_PARTS)
        NAME(some_)(to, data + r * step, step, all, all * step, most);
    for (; r < rows; r++, to += BLI_PARTS)
        NAME(some_)(to, data + r * step, step, 1, step, most);
}

/* `count` numbers side by side to a lane each. */
static inline void NAME(flat_)(BLI_LANE *lane, const char *data, int64_t count)
{
    const number *const x = (const number *)(const void *)data;
    int64_t i = 0;

    for (; i + PER_REGISTER <= count; i += PER_REGISTER)
        *(any_lanes *)(lane + i) = BLI_JOIN(*(any_lanes *)(lane + i), LOAD(x + i));
    for (; i < count; i += BLI_PARTS)
        NAME(take_element_)(lane + i, x + i);
}

/* One register of lanes takes numbers of four rows. */
static inline void NAME(four_)(BLI_LANE *lane, const number *x, const number *y,
                               const number *z, const number *w)
{
    lanes acc = *(any_lanes *)lane;

    acc = BLI_JOIN(acc, LOAD(x));
    acc = BLI_JOIN(acc, LOAD(y));
    acc = BLI_JOIN(acc, LOAD(z));
    *(any_lanes *)lane = BLI_JOIN(acc, LOAD(w));
}

/*
 * Four rows `step` apart, with lanes in registers, while the four that are `ahead`
 * bytes further are fetched.
 */
static inline void NAME(flat_four_)(BLI_LANE *lane, const char *data, int64_t step,
                                    int64_t ahead, int64_t count)
{
    const number *const x = (const number *)(const void *)data;
    const number *const y = (const number *)(const void *)(data + step);
    const number *const z = (const number *)(const void *)(data + 2 * step);
    const number *const w = (const number *)(const void *)(data + 3 * step);
    int64_t i = 0;

    for (; i + PER_LINE <= count; i += PER_LINE) {
        prefetch_four((const char *)(x + i) + ahead, step);
        for (int64_t k = i; k < i + PER_LINE; k += PER_REGISTER)
            NAME(four_)(lane + k, x + k, y + k, z + k, w + k);
    }
    for (; i + PER_REGISTER <= count; i += PER_REGISTER)
        NAME(four_)(lane + i, x + i, y + i, z + i, w + i);
    for (; i < count; i += BLI_PARTS) {
        NAME(take_element_)(lane + i, x + i);
        NAME(take_element_)(lane + i, y + i);
        NAME(take_element_)(lane + i, z + i);
        NAME(take_element_)(lane + i, w + i);
    }
}

static void NAME(columns_)(void *lane_, const char *data, int64_t step, int64_t first,
                           int64_t rows, int64_t width)
{
    const int64_t turn = PER_BLOCK / BLI_PARTS, count = width * BLI_PARTS;
    const int64_t bytes = count * (int64_t)sizeof(number);
    BLI_LANE *const lane = lane_;
    int64_t r = 0;

    for (; r < rows && (first + r) % turn != 0; r++)
        NAME(flat_)(lane + (first + r) % turn * count, data + r * step, count);
    if (step == bytes) {
        /* Rows without gaps: those of all lanes together are one. */
        for (; r + 4 * turn <= rows; r += 4 * turn)
            NAME(flat_four_)
        (lane, data + r * step, turn * step, 4 * turn * step, turn * count);
        for (; r + turn <= rows; r += turn)
            NAME(flat_)(lane, data + r * step, turn * count);
    } else {
        for (; r + 4 * turn <= rows; r += 4 * turn)
            for (int64_t l = 0; l < turn; l++)
                NAME(flat_four_)
        (lane + l * count, data + (r + l) * step, turn * step, 4 * turn * step, count);
    }
    for (; r < rows; r++)
        NAME(flat_)(lane + (first + r) % turn * count, data + r * step, count);
}

#undef NAME
#undef numbers
#undef lanes
#undef any_lanes
#undef number
#undef PER_BLOCK
#undef PER_REGISTER
#undef PER_LINE
#undef LOAD
#undef BLI_LOAD
#undef BLI_FOLD
#undef BLI_LANE
#undef BLI_PARTS
#undef BLI_IDENTITY
#undef BLI_VALUE
#undef BLI_JOIN
#undef BLI_TAKE
#undef BLI_ASSOCIATES
