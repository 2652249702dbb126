/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: floor_divide, remainder and fmod of blocks of one 64-bit dtype. All
 * parameters are undefined at the end.
 *
 *   BLI_DIVIDE64_TYPE         the type
 *   BLI_DIVIDE64_LEAST        the least small integer; 2^bits from there on are small
 *   BLI_DIVIDE64_BITS         the number of those bits
 *   BLI_DIVIDE64_NAME(name)   bli_<name>_<dtype>
 */
#define TYPE    BLI_DIVIDE64_TYPE
#define N(name) BLI_DIVIDE64_NAME(name)

/* Whether all elements of a and b are small. */
static inline bool N(are_small)(const TYPE *a, const TYPE *b, int64_t count)
{
    const uint64_t least = (uint64_t)BLI_DIVIDE64_LEAST;
    uint64_t any = 0;

#pragma omp simd reduction(| : any)
    for (int64_t j = 0; j < count; j++)
        any |= ((uint64_t)a[j] - least) | ((uint64_t)b[j] - least);
    return any >> BLI_DIVIDE64_BITS == 0;
}

/*
 * r = a divided by b, in pieces: by `small` in f64 where all of a piece are small, else
 * by `other`.
 */
BLI_INLINE void N(divide_blocks)(TYPE *r, const TYPE *a, const TYPE *b, int64_t count,
                                 double (*small)(double a, double b),
                                 TYPE (*other)(TYPE a, TYPE b))
{
    for (int64_t from = 0; from < count; from += BLI_DIVIDE64_PIECE) {
        const int64_t left = count - from;
        const int64_t end =
            from + (left < BLI_DIVIDE64_PIECE ? left : BLI_DIVIDE64_PIECE);

        if (BLI_DIVIDE64_BY_VECTORS && N(are_small)(a + from, b + from, end - from)) {
#pragma omp simd
            for (int64_t j = from; j < end; j++)
                r[j] = (TYPE)bli_small_of_f64(small(bli_f64_of_small((int64_t)a[j]),
                                                    bli_f64_of_small((int64_t)b[j])));
        } else {
#pragma omp simd
            for (int64_t j = from; j < end; j++)
                r[j] = other(a[j], b[j]);
        }
    }
}

/* The operators, for any count; `r` may be `a` or `b`. */
static void N(floor_divide)(TYPE *r, const TYPE *a, const TYPE *b, int64_t count)
{
    N(divide_blocks)(r, a, b, count, bli_floor_divide_small, N(floor_divide_one));
}

static void N(remainder)(TYPE *r, const TYPE *a, const TYPE *b, int64_t count)
{
    N(divide_blocks)(r, a, b, count, bli_remainder_small, N(remainder_one));
}

static void N(fmod)(TYPE *r, const TYPE *a, const TYPE *b, int64_t count)
{
    N(divide_blocks)(r, a, b, count, bli_fmod_small, N(fmod_one));
}

#undef TYPE
#undef N
#undef BLI_DIVIDE64_TYPE
#undef BLI_DIVIDE64_LEAST
#undef BLI_DIVIDE64_BITS
#undef BLI_DIVIDE64_NAME
