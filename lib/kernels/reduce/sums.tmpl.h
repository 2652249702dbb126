/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: sums of rows of integers or booleans to i64. Sums that wrap have the same
 * bits in any order: neighbouring numbers are added in registers of numbers twice as
 * wide, which hold the sums of a block.
 *
 *   BLI_T          the name of the numbers in memory; undefined at the end
 *   BLI_WIDER       type of numbers twice as wide
 *   BLI_TRUTH(v)   a register of numbers as the values to add
 */
#define NAME(of) PASTE(of##sum_, BLI_T)
#define number   PASTE(number_, BLI_T)

typedef number NAME(numbers_) __attribute__((vector_size(BLI_REGISTER)));
typedef BLI_WIDER NAME(wide_) __attribute__((vector_size(BLI_REGISTER)));

/* The sums of neighbours of the numbers in a register, which are flipped already. */
BLI_INLINE NAME(wide_) NAME(neighbours_)(bits x)
{
    const int32_t half = 8 * sizeof(number);
    const NAME(wide_) v = (NAME(wide_))BLI_TRUTH((NAME(numbers_))x);

    return (v & (number)-1) + (v >> half);
}

/* The sums of a row, in as many lanes as a register has. */
BLI_INLINE bits NAME(row_)(const struct bli_reducer *how, const char *x, int64_t count)
{
    const bits flip = (bits){0} + (int64_t)how->flip;
    const int64_t bytes = count * (int64_t)sizeof(number);
    NAME(wide_) wide = {0};
    bits sums;
    int64_t i = 0;

    for (; i + 2 * BLI_REGISTER <= bytes; i += 2 * BLI_REGISTER)
        wide += NAME(neighbours_)(load_bits(x + i) ^ flip) +
                NAME(neighbours_)(load_bits(x + i + BLI_REGISTER) ^ flip);
    if (i + BLI_REGISTER <= bytes) {
        wide += NAME(neighbours_)(load_bits(x + i) ^ flip);
        i += BLI_REGISTER;
    }
    if (i < bytes)
        wide += NAME(neighbours_)(load_last_bits(x, i, bytes, flip));
    sums = widen_sums((bits)wide, sizeof(BLI_WIDER));
    sums[0] -= count * (int64_t)(number)how->flip;
    return sums;
}

BLI_ON_A_LINE static void NAME(accumulate_)(const struct bli_reducer *how, void *lane_,
                                            const char *data, int64_t step,
                                            int64_t rows, int64_t first, int64_t count,
                                            bool fresh, bool near)
{
    char *lane = lane_;

    (void)first, (void)near;
    for (int64_t r = 0; r < rows; r++, lane += BLI_REDUCE_LANES) {
        bits *const sums = (bits *)(void *)lane;
        const bits v = NAME(row_)(how, data + r * step, count);

        sums[0] = fresh ? v : sums[0] + v;
        for (int32_t k = 1; fresh && k < BLI_REGISTERS; k++)
            sums[k] = (bits){0};
    }
}

#undef NAME
#undef number
#undef BLI_T
#undef BLI_WIDER
#undef BLI_TRUTH
