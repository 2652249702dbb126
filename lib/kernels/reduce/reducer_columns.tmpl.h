/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of reducer.tmpl.h: reductions of columns, whose results are
 * adjacent.
 */

/* Accumulate `count` contiguous numbers, each in its lane. */
static inline void NAME(flat_)(BLI_LANE *lane, const char *data, int64_t count)
{
    const number *const x = (const number *)(const void *)data;
    int64_t i = 0;

    for (; i + PER_REGISTER <= count; i += PER_REGISTER)
        *(any_lanes *)(lane + i) = BLI_JOIN(*(any_lanes *)(lane + i), LOAD(x + i));
    for (; i < count; i += BLI_PARTS)
        NAME(take_element_)(lane + i, x + i);
}

/* Accumulate numbers of four rows in one register of lanes. */
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
 * Accumulate four rows, `step` bytes apart, with lanes in registers, and prefetch the
 * four rows that are `ahead` bytes further.
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
        /* Rows without gaps: one row for each lane, together, are one long row. */
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

/*
 * Reduce columns of `rows` rows with their lanes in registers: only the first `turn`
 * lanes, a constant, as the others have no elements.
 */
BLI_INLINE void NAME(register_rows_)(BLI_LANE *partial, const char *data, int64_t step,
                                     int64_t rows, int64_t turn, int64_t count)
{
    lanes identity[BLI_REGISTERS];
    int64_t i = 0;

    NAME(fill_)(identity, PER_BLOCK / BLI_PARTS);
#define ROW(r) ((const number *)(const void *)(data + (r)*step) + i)
    for (; i + PER_REGISTER <= count; i += PER_REGISTER) {
        lanes acc[PER_BLOCK];
        int64_t r = turn;

#pragma GCC unroll 16
        for (int64_t l = 0; l < turn; l++)
            acc[l] = l < rows ? BLI_JOIN(*identity, LOAD(ROW(l))) : *identity;
        for (; r + turn <= rows; r += turn) {
#pragma GCC unroll 16
            for (int64_t l = 0; l < turn; l++)
                acc[l] = BLI_JOIN(acc[l], LOAD(ROW(r + l)));
        }
#pragma GCC unroll 16
        for (int64_t l = 0; l < turn; l++)
            if (r + l < rows)
                acc[l] = BLI_JOIN(acc[l], LOAD(ROW(r + l)));
#pragma GCC unroll 4
        for (int64_t h = turn / 2; h > 0; h /= 2) {
#pragma GCC unroll 8
            for (int64_t l = 0; l < h; l++)
                acc[l] = BLI_JOIN(acc[l], acc[l + h]);
        }
        *(any_lanes *)(partial + i) = acc[0];
    }
    for (; i < count; i += BLI_PARTS) {
        BLI_LANE lane[PER_BLOCK];

        NAME(fill_)(lane, turn);
        for (int64_t r = 0; r < rows; r++)
            NAME(take_element_)(lane + r % turn * BLI_PARTS, ROW(r));
        for (int64_t h = turn / 2; h > 0; h /= 2)
            for (int64_t l = 0; l < h; l++)
                NAME(take_)(lane + l * BLI_PARTS, lane + (l + h) * BLI_PARTS);
        memcpy(partial + i, lane, BLI_PARTS * sizeof *lane);
    }
#undef ROW
}

static bool NAME(columns_in_registers_)(void *partial, const char *data, int64_t step,
                                        int64_t rows, int64_t width)
{
    const int64_t turn = PER_BLOCK / BLI_PARTS, count = width * BLI_PARTS;

    /* More lanes than registers are not implemented. */
    if (turn > 16 || !BLI_IS_NEUTRAL)
        return false;
    if (rows == turn)
        NAME(register_rows_)(partial, data, step, turn, turn, count);
    else if (rows > 4)
        NAME(register_rows_)(partial, data, step, rows, turn, count);
    else if (rows > 2)
        NAME(register_rows_)(partial, data, step, rows, 4, count);
    else if (rows == 2)
        NAME(register_rows_)(partial, data, step, 2, 2, count);
    else
        NAME(register_rows_)(partial, data, step, 1, 1, count);
    return true;
}
