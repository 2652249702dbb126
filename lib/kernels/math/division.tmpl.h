/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: fmod, remainder and floor_divide of blocks of one real dtype.  All
 * parameters are undefined at the end.
 *
 *   BLI_DIVIDE_REAL         the type
 *   BLI_DIVIDE_BITS         the signed integer of its size, as which magnitudes are
 *                           compared: with AVX2 that is fewer instructions
 *   BLI_DIVIDE_INFINITY     infinity's bits
 *   BLI_DIVIDE_NORMAL       the bits of the smallest normal number
 *   BLI_DIVIDE_APART        how far above the divisor's bits a dividend's may be,
 *   BLI_DIVIDE_LIMIT        and how large, for bli_rest_<dtype>
 *   BLI_DIVIDE_BY(a, b)     the C library's fmod
 *   BLI_DIVIDE_BY_VECTORS   whether bli_rest_<dtype> is vectorized
 *   BLI_DIVIDE_NAME(name)   bli_<name>_<dtype>
 */
#define REAL    BLI_DIVIDE_REAL
#define BITS    BLI_DIVIDE_BITS
#define N(name) BLI_DIVIDE_NAME(name)

/*
 * Whether finite numbers with these magnitude bits have a truncated quotient of 1 or
 * more.
 */
static inline bool N(has_quotient)(BITS a, BITS b)
{
    return (a < BLI_DIVIDE_INFINITY) & (b != 0) & (a >= b);
}

/* Whether bli_rest_<dtype>() does not take such a dividend a, at least b. */
static inline bool N(is_far)(BITS a, BITS b)
{
    const bool is_apart = a - b >= BLI_DIVIDE_APART;

    return is_apart | (a >= BLI_DIVIDE_LIMIT) | (b < BLI_DIVIDE_NORMAL);
}

/*
 * The remainder without a quotient: a itself where it is below the divisor; NaN for an
 * infinite a, or a divisor of 0.
 */
static inline REAL N(plain_rest)(REAL a, REAL b)
{
    const BITS x = (BITS)N(size)(a);
    const BITS y = (BITS)N(size)(b);
    const bool is_below = (x < y) & (y <= BLI_DIVIDE_INFINITY);

    return N(choose)(is_below, a, (REAL)NAN);
}

/* Remainders by division; returns whether any are left to compute in another way. */
static inline bool N(near_rests)(REAL *rest, const REAL *a, const REAL *b,
                                 int64_t count)
{
    BITS any_far = 0;

#pragma omp simd reduction(| : any_far)
    for (int64_t j = 0; j < count; j++) {
        const BITS x = (BITS)N(size)(a[j]);
        const BITS y = (BITS)N(size)(b[j]);
        const bool has_quotient = N(has_quotient)(x, y);
        const bool is_far = N(is_far)(x, y);
        const bool is_near = has_quotient & !is_far;
        const REAL p = N(choose)(is_near, a[j], 1);
        const REAL q = N(choose)(is_near, b[j], 1);
        const REAL near = N(copysign)(N(rest)(p, q), p);

        any_far |= (BITS)(has_quotient & is_far);
        rest[j] = N(choose)(is_near, near, N(plain_rest)(a[j], b[j]));
    }
    return any_far != 0;
}

/* Remainders of up to BLI_DIVIDE_PIECE elements, with the signs of the dividends. */
static inline void N(rests)(REAL *rest, const REAL *a, const REAL *b, int64_t count)
{
    if (BLI_DIVIDE_BY_VECTORS && !N(near_rests)(rest, a, b, count))
        return;
    for (int64_t j = 0; j < count; j++) {
        const BITS x = (BITS)N(size)(a[j]);
        const BITS y = (BITS)N(size)(b[j]);

        if (!N(has_quotient)(x, y))
            rest[j] = N(plain_rest)(a[j], b[j]);
        else if (!BLI_DIVIDE_BY_VECTORS || N(is_far)(x, y))
            rest[j] = BLI_DIVIDE_BY(a[j], b[j]);
    }
}

/* ---- the operators, from a remainder `rest` with the dividend's sign ---- */

static inline REAL N(fmod_of)(REAL a, REAL b, REAL rest)
{
    (void)a;
    (void)b;
    return rest;
}

/* Whether the remainder is not 0 and its sign differs from the divisor's. */
static inline bool N(is_beyond)(REAL b, REAL rest)
{
    const bool is_other = N(sign_bit)(b) != N(sign_bit)(rest);

    return is_other & (N(size)(rest) != 0);
}

static inline REAL N(remainder_of)(REAL a, REAL b, REAL rest)
{
    (void)a;
    return rest + N(choose)(N(is_beyond)(b, rest), b, (REAL)-0.0);
}

/*
 * Without the remainder, a multiple of b is left, whose quotient is nearly an integer.
 */
static inline REAL N(floor_divide_of)(REAL a, REAL b, REAL rest)
{
    const REAL multiple = a - N(choose)(b == 0, 0, rest);
    const REAL quotient = multiple / b - N(choose)(N(is_beyond)(b, rest), 1, 0);
    const bool is_finite = N(isfinite)(quotient);
    const REAL part = N(choose)(is_finite, quotient, 0);
    const REAL below = N(floor)(part);
    const REAL nearest = below + N(choose)(part - below > (REAL)0.5, 1, 0);
    const REAL zero = N(copysign)(0, N(choose)(N(signbit)(a), N(negative)(b), b));
    const REAL whole = N(choose)(part == 0, zero, nearest);

    return N(choose)(is_finite, whole, quotient);
}

/* ---- blocks ---- */

/* r = result_of(a, b, remainder of a by b), in pieces. */
BLI_INLINE void N(divide)(REAL *r, const REAL *a, const REAL *b, int64_t count,
                          REAL (*result_of)(REAL a, REAL b, REAL rest))
{
    for (int64_t from = 0; from < count; from += BLI_DIVIDE_PIECE) {
        const int64_t left = count - from;
        const int64_t piece = left < BLI_DIVIDE_PIECE ? left : BLI_DIVIDE_PIECE;
        REAL rest[BLI_DIVIDE_PIECE];

        N(rests)(rest, a + from, b + from, piece);
#pragma omp simd
        for (int64_t j = 0; j < piece; j++)
            r[from + j] = result_of(a[from + j], b[from + j], rest[j]);
    }
}

/* The operators, for any count; `r` may be `a` or `b`. */
static void N(fmod)(REAL *r, const REAL *a, const REAL *b, int64_t count)
{
    N(divide)(r, a, b, count, N(fmod_of));
}

static void N(remainder)(REAL *r, const REAL *a, const REAL *b, int64_t count)
{
    N(divide)(r, a, b, count, N(remainder_of));
}

static void N(floor_divide)(REAL *r, const REAL *a, const REAL *b, int64_t count)
{
    N(divide)(r, a, b, count, N(floor_divide_of));
}

#undef REAL
#undef BITS
#undef N
#undef BLI_DIVIDE_REAL
#undef BLI_DIVIDE_BITS
#undef BLI_DIVIDE_INFINITY
#undef BLI_DIVIDE_NORMAL
#undef BLI_DIVIDE_APART
#undef BLI_DIVIDE_LIMIT
#undef BLI_DIVIDE_BY
#undef BLI_DIVIDE_BY_VECTORS
#undef BLI_DIVIDE_NAME
