/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: what one operation does with lanes and partial results of one type, members
 * of struct bli_reducer.
 *
 *   BLI_L            the name of the numbers
 *   BLI_REDUCE_OP    the operation's name
 *   BLI_JOIN(a, b)   the operation on registers
 *   BLI_SMALL_JOIN   the operation on 16 bytes
 *   BLI_IS_NEUTRAL   whether the identity may be joined to any number: a complex 1
 *                    times an infinity is NaN
 */
#define NAME(of)         PASTE4(of, BLI_REDUCE_OP, _, BLI_L)
#define number           PASTE(number_, BLI_L)
#define vector           PASTE(lanes_, BLI_L)
#define any_vector       PASTE(any_lanes_, BLI_L)
#define small            PASTE(small_, BLI_L)
#define PER_SMALL        ((int64_t)(sizeof(small) / sizeof(number)))
#define SMALL_JOIN(a, b) ((small)BLI_SMALL_JOIN(a, b))

/* An element, or 16 bytes of numbers. */
BLI_INLINE small NAME(get_)(const void *from, size_t bytes)
{
    small v = {0};

    memcpy(&v, from, bytes);
    return v;
}

static void NAME(merge_)(void *into, const void *other, int64_t count)
{
    const int64_t per = sizeof(vector) / sizeof(number);
    const int64_t step = BLI_IS_NEUTRAL ? 1 : 2;
    const size_t bytes = (size_t)step * sizeof(number);
    const number *const b = other;
    number *const r = into;
    int64_t i = 0;

    for (; i + per <= count; i += per)
        *(any_vector *)(r + i) =
            BLI_JOIN(*(any_vector *)(r + i), *(const any_vector *)(b + i));
    for (; i < count; i += step) {
        const small v = SMALL_JOIN(NAME(get_)(r + i, bytes), NAME(get_)(b + i, bytes));

        memcpy(r + i, &v, bytes);
    }
}

/* Reduce the numbers in 16 bytes to the first one. */
BLI_INLINE small NAME(close_small_)(small v)
{
    if (sizeof(number) <= 8)
        v = SMALL_JOIN(v, (small)BLI_SHIFTED_8(v));
    if (sizeof(number) <= 4)
        v = SMALL_JOIN(v, (small)BLI_SHIFTED_4(v));
    if (sizeof(number) <= 2)
        v = SMALL_JOIN(v, (small)BLI_SHIFTED_2(v));
    if (sizeof(number) <= 1)
        v = SMALL_JOIN(v, (small)BLI_SHIFTED_1(v));
    return v;
}

/* Reduce the lanes of one row. */
BLI_INLINE void NAME(close_one_)(const struct bli_reducer *how, void *partial,
                                 const void *lane, int64_t count)
{
    const char *const from = lane;
    small v[4];

    (void)count;
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; k++)
        v[k] = NAME(get_)(from + 16 * k, 16);
#pragma GCC unroll 4
    for (int32_t h = 2; h > 0; h /= 2) {
#pragma GCC unroll 4
        for (int32_t k = 0; k < h; k++)
            if (BLI_IS_NEUTRAL || (k + h) * PER_SMALL < count)
                v[k] = SMALL_JOIN(v[k], v[k + h]);
    }
    if (how->numbers == 2) {
        memcpy(partial, v, sizeof *v);
    } else {
        v[0] = NAME(close_small_)(v[0]);
        memcpy(partial, v, sizeof(number));
    }
}

#if BLI_CLOSES_ROWS
/* Join halves of 2 * `half` of each of two registers of rows side by side. */
#define HALVE(a, b, half)                                                              \
    ((bits)BLI_JOIN((vector)BLI_LOWER_##half(a, b), (vector)BLI_UPPER_##half(a, b)))

/* Reduce the lanes of as many rows as a register holds of 64 bits. */
BLI_INLINE void NAME(close_rows_)(const struct bli_reducer *how, char *partial,
                                  const bits *lane)
{
    const bits ab = HALVE(lane[0], lane[1], 4), cd = HALVE(lane[2], lane[3], 4);
    const bits ef = HALVE(lane[4], lane[5], 4), gh = HALVE(lane[6], lane[7], 4);
    const bits lower = HALVE(ab, cd, 2), upper = HALVE(ef, gh, 2);

    if (how->numbers == 2) {
        memcpy(partial, &lower, sizeof lower);
        memcpy(partial + sizeof lower, &upper, sizeof upper);
        return;
    }

    bits v = HALVE(lower, upper, 1);

    for (size_t size = 4; size >= sizeof(number); size /= 2)
        v = (bits)BLI_JOIN((vector)v, (vector)((ubits)v >> 8 * size));
    store_narrow(partial, v, sizeof(number));
}
#undef HALVE
#else
BLI_INLINE void NAME(close_rows_)(const struct bli_reducer *how, char *partial,
                                  const bits *lane)
{
    (void)how, (void)partial, (void)lane;
}
#endif

static void NAME(close_)(const struct bli_reducer *how, void *partial, const void *lane,
                         int64_t rows, int64_t count)
{
    const int64_t size = how->partial_size;
    const char *const from = lane;
    char *const to = partial;
    int64_t r = 0;

    for (; BLI_CLOSES_ROWS && BLI_IS_NEUTRAL && r + 8 <= rows; r += 8)
        NAME(close_rows_)
    (how, to + r * size, (const bits *)(const void *)(from + r * BLI_REDUCE_LANES));
    for (; r < rows; r++)
        NAME(close_one_)(how, to + r * size, from + r * BLI_REDUCE_LANES, count);
}

#if BLI_HAS_BESIDE
/* Reduce the lanes of one of the rows side by side, and start them again. */
static void NAME(close_beside_)(const struct bli_reducer *how, void *partial,
                                void *lane, int64_t row)
{
    const int64_t lanes = BLI_REDUCE_LANES / sizeof(number);
    any_vector *const all = lane;
    vector v[BLI_REDUCE_LANES / sizeof(number)];
    bits this_row = {0};

    this_row[row] = -1;
#pragma GCC unroll 8
    for (int64_t l = 0; l < lanes; l++)
        v[l] = all[l];
#pragma GCC unroll 4
    for (int64_t h = lanes / 2; h > 0; h /= 2)
#pragma GCC unroll 4
        for (int64_t l = 0; l < h; l++)
            v[l] = BLI_JOIN(v[l], v[l + h]);
    *(number *)partial = v[0][row];
#pragma GCC unroll 8
    for (int64_t l = 0; l < lanes; l++)
        all[l] = (vector)BLI_PICK(this_row, (bits)all[l], identity_of(how));
}
#endif

/* Combine neighbours, elements of `bytes`, a constant: see struct bli_reducer. */
BLI_INLINE void NAME(combine_)(char *at, int64_t count, int64_t bytes)
{
    for (; count > 1; count = count / 2 + count % 2)
        for (int64_t i = 0; i < count; i += 2) {
            const char *const from = at + i * bytes;
            small v = NAME(get_)(from, (size_t)bytes);

            if (i + 1 < count)
                v = SMALL_JOIN(v, NAME(get_)(from + bytes, (size_t)bytes));
            memcpy(at + i / 2 * bytes, &v, (size_t)bytes);
        }
}

static void NAME(pairs_)(const struct bli_reducer *how, void *partial, int64_t count)
{
    if (how->numbers == 2)
        NAME(combine_)(partial, count, 16);
    else
        NAME(combine_)(partial, count, sizeof(number));
}

#undef NAME
#undef number
#undef vector
#undef any_vector
#undef small
#undef PER_SMALL
#undef SMALL_JOIN
