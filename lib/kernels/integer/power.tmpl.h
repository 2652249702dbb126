/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: powers of blocks of one integer dtype. All parameters are undefined at the
 * end.
 *
 *   BLI_POWER_TYPE          the type
 *   BLI_POWER_BITS          the unsigned integer of its size
 *   BLI_POWER_IS_BELOW(x)   whether x is negative
 *   BLI_POWER_NAME(name)    bli_<name>_<dtype>
 */
#define TYPE    BLI_POWER_TYPE
#define BITS    BLI_POWER_BITS
#define N(name) BLI_POWER_NAME(name)

/* The state of up to BLI_POWER_PIECE powers by squaring. */
struct N(powers) {
    BITS power[BLI_POWER_PIECE];
    BITS square[BLI_POWER_PIECE];
    BITS exponent[BLI_POWER_PIECE];
};

/*
 * Start the powers; returns the union of the exponents' bits. With a negative exponent
 * only the powers of 1 and -1 are integers, and depend on its last bit; the others are
 * 0.
 */
static inline BITS N(open_powers)(struct N(powers) * powers, const TYPE *a,
                                  const TYPE *b, int64_t count)
{
    BITS any = 0;

#pragma omp simd reduction(| : any)
    for (int64_t j = 0; j < count; j++) {
        const BITS below = BLI_POWER_IS_BELOW(b[j]) ? (BITS)-1 : 0;
        const BITS unit = (BITS)((BITS)(a[j] + 1) & (BITS)~2) == 0; /* 1 or -1 */
        const BITS exponent = (BITS)((BITS)b[j] & ((BITS)~below | 1));

        powers->power[j] = (BITS)((unit | (BITS)~below) & 1);
        powers->square[j] = (BITS)a[j];
        powers->exponent[j] = exponent;
        any |= exponent;
    }
    return any;
}

/* Advance all powers by one bit of the exponents. */
static inline void N(raise_powers)(struct N(powers) * powers, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const BITS square = powers->square[j];
        const BITS exponent = powers->exponent[j];
        const BITS chosen = (BITS)(0 - (exponent & 1));
        const BITS factor = (BITS)((square & chosen) | (1 & (BITS)~chosen));

        powers->power[j] = (BITS)(powers->power[j] * factor);
        powers->square[j] = (BITS)(square * square);
        powers->exponent[j] = (BITS)(exponent >> 1);
    }
}

/* r = a to the power of b, for any count; `r` may be `a` or `b`. */
static void N(pow)(TYPE *r, const TYPE *a, const TYPE *b, int64_t count)
{
    for (int64_t from = 0; from < count; from += BLI_POWER_PIECE) {
        const int64_t left = count - from;
        const int64_t piece = left < BLI_POWER_PIECE ? left : BLI_POWER_PIECE;
        struct N(powers) powers;

        for (BITS any = N(open_powers)(&powers, a + from, b + from, piece); any != 0;
             any = (BITS)(any >> 1))
            N(raise_powers)(&powers, piece);
        for (int64_t j = 0; j < piece; j++)
            r[from + j] = (TYPE)powers.power[j];
    }
}

#undef TYPE
#undef BITS
#undef N
#undef BLI_POWER_TYPE
#undef BLI_POWER_BITS
#undef BLI_POWER_IS_BELOW
#undef BLI_POWER_NAME
