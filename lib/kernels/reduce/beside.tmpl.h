/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of reducer.tmpl.h: reductions of rows that are neighbours in memory,
 * as many as a register has lanes, with all lanes in registers.
 */
#if BLI_HAS_BESIDE
#define LANE(l) (*(any_vector *)(lane + (l)*PER_REGISTER))

BLI_ON_A_LINE static void NAME(beside_)(void *lane_, const char *data, int64_t step,
                                        int64_t first, int64_t count)
{
    lane_number *const lane = lane_;
    vector acc[PER_BLOCK];
    const char *x = data;

#define NUMBERS(l) LOAD((const number *)(const void *)(x + (l)*step))
    for (int64_t l = first % PER_BLOCK; l % PER_BLOCK > 0 && count > 0; l++) {
        LANE(l) = BLI_TAKE(LANE(l), NUMBERS(0));
        x += step;
        count--;
    }
    if (count >= PER_BLOCK) {
#pragma GCC unroll 8
        for (int64_t l = 0; l < PER_BLOCK; l++)
            acc[l] = LANE(l);
        for (; count >= PER_BLOCK; count -= PER_BLOCK, x += PER_BLOCK * step)
#pragma GCC unroll 8
            for (int64_t l = 0; l < PER_BLOCK; l++)
                acc[l] = BLI_TAKE(acc[l], NUMBERS(l));
#pragma GCC unroll 8
        for (int64_t l = 0; l < PER_BLOCK; l++)
            LANE(l) = acc[l];
    }
    for (int64_t l = 0; l < count; l++, x += step)
        LANE(l) = BLI_TAKE(LANE(l), NUMBERS(0));
#undef NUMBERS
}
#undef LANE
#endif
