/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: pow of blocks of one real dtype.  Where b is 2 the power is a * a, which is
 * rounded once and takes a tenth of the time: squares of differences are the most
 * frequent powers.  All parameters are undefined at the end.
 *
 *   BLI_SQUARES_REAL         the type
 *   BLI_SQUARES_COUNT        an integer of its size
 *   BLI_SQUARES_TWO          the bits of 2
 *   BLI_SQUARES_BITS(x)      those of a number
 *   BLI_SQUARES_CHOOSE       bli_choose_<dtype>
 *   BLI_SQUARES_NAME(name)   bli_<name>_<dtype>; pow_any is the power for all exponents
 */
#define REAL      BLI_SQUARES_REAL
#define N(name)   BLI_SQUARES_NAME(name)
#define IS_TWO(x) (BLI_SQUARES_BITS(x) == BLI_SQUARES_TWO)

/* Of one piece, of which some are squares; r may be a or b. */
static void N(pow_some)(REAL *r, const REAL *a, const REAL *b, int64_t count)
{
    REAL square[BLI_SQUARES_PIECE], exponent[BLI_SQUARES_PIECE];

    for (int64_t j = 0; j < count; j++) {
        const REAL number = BLI_SQUARES_CHOOSE(IS_TWO(b[j]), a[j], 0);

        square[j] = number * number;
        exponent[j] = b[j];
    }
    N(pow_any)(r, a, b, count);
    for (int64_t j = 0; j < count; j++)
        r[j] = BLI_SQUARES_CHOOSE(IS_TWO(exponent[j]), square[j], r[j]);
}

/* Of one piece. */
BLI_INLINE void N(pow_piece)(REAL *r, const REAL *a, const REAL *b, int64_t count)
{
    BLI_SQUARES_COUNT squares = 0;

#pragma omp simd reduction(+ : squares)
    for (int64_t j = 0; j < count; j++)
        squares += IS_TWO(b[j]);
    if (squares == 0) {
        N(pow_any)(r, a, b, count);
    } else if (squares < count) {
        N(pow_some)(r, a, b, count);
    } else {
#pragma omp simd
        for (int64_t j = 0; j < count; j++)
            r[j] = a[j] * a[j];
    }
}

static void N(pow)(REAL *r, const REAL *a, const REAL *b, int64_t count)
{
    for (int64_t j = 0, part; j < count; j += part) {
        part = count - j < BLI_SQUARES_PIECE ? count - j : BLI_SQUARES_PIECE;
        N(pow_piece)(r + j, a + j, b + j, part);
    }
}

#undef REAL
#undef N
#undef IS_TWO
#undef BLI_SQUARES_REAL
#undef BLI_SQUARES_COUNT
#undef BLI_SQUARES_TWO
#undef BLI_SQUARES_BITS
#undef BLI_SQUARES_CHOOSE
#undef BLI_SQUARES_NAME
