/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the operators of ops.def, and loads and stores, on one register of f32 or
 * f64. Each is a loop over the lanes around the expression of ops.def, which compilers
 * turn into the instructions that they use in kernels.
 *
 *   BLI_T      f32 or f64
 *   BLI_BITS   bits of an element
 *
 * Both are undefined at the end.
 */
#define BLI_NUMBER    PASTE(computed_, BLI_T)
#define BLI_LANE_BITS PASTE(lane_, BLI_T)
#define BLI_VECTOR    PASTE(vector_, BLI_T)
#define BLI_TRUTH     PASTE(truth_, BLI_T)
#define BLI_COUNT     ((int32_t)(sizeof(BLI_VECTOR) / sizeof(BLI_NUMBER)))
#define BLI_VF(name)  PASTE3(PASTE(lanes_, name), _, BLI_T)

/*
 * A lane that is true, and its type. SSE2 has no vectors for integers that are chosen
 * by f64.
 */
#if BLI_BITS == 64 && defined(__SSE2__) && !defined(__SSE4_2__)
#define BLI_TRUE   bli_f64_of_bits(UINT64_MAX)
#define BLI_CHOSEN double
#else
#define BLI_TRUE   (-1)
#define BLI_CHOSEN BLI_LANE_BITS
#endif

/* A register's lanes as numbers, and as truths or bits. */
typedef PASTE3(int, BLI_BITS, _t) BLI_LANE_BITS;
typedef BLI_NUMBER BLI_VECTOR __attribute__((vector_size(BLI_WIDE)));
typedef BLI_LANE_BITS BLI_TRUTH __attribute__((vector_size(BLI_WIDE)));

/* A function of lanes: `type` is of the result's lanes, `r` is what it computes. */
#define BLI_OF_LANES(name, type, r)                                                    \
    BLI_INLINE BLI_VECTOR BLI_VF(name)(BLI_VECTOR x, BLI_VECTOR y)                     \
    {                                                                                  \
        const union {                                                                  \
            BLI_VECTOR all;                                                            \
            BLI_NUMBER lane[BLI_COUNT];                                                \
        } p = {x}, q = {y};                                                            \
        union {                                                                        \
            BLI_VECTOR all;                                                            \
            type lane[BLI_COUNT];                                                      \
        } s;                                                                           \
                                                                                       \
        _Pragma("omp simd") for (int32_t k = 0; k < BLI_COUNT; k++)                    \
        {                                                                              \
            const BLI_NUMBER a = p.lane[k], b = q.lane[k];                             \
                                                                                       \
            s.lane[k] = r;                                                             \
            (void)a, (void)b;                                                          \
        }                                                                              \
        return s.all;                                                                  \
    }

/* Operators of numbers with expressions: others are not in instructions.def. */
#define BLI_VECTORS_ELEMENT(inputs, domain, name, result, expression)                  \
    BLI_VECTORS_##domain(BLI_VECTORS_##inputs(name, result, expression))
#define BLI_VECTORS_LONG     BLI_VECTORS_ELEMENT
#define BLI_VECTORS_PRODUCT  BLI_VECTORS_ELEMENT
#define BLI_VECTORS_QUOTIENT BLI_VECTORS_ELEMENT
#define BLI_VECTORS_SHIFT    BLI_VECTORS_ELEMENT
#define BLI_VECTORS_ROUNDED  BLI_VECTORS_ELEMENT
#define BLI_VECTORS_BITWISE(...)
#define BLI_VECTORS_VECTOR(...)
#define BLI_VECTORS_VECTOR_ALL(...)
#define BLI_VECTORS_BITS(...)
#define BLI_VECTORS_INT(...)
#define BLI_VECTORS_ALL(...)                        __VA_ARGS__
#define BLI_VECTORS_REAL(...)                       __VA_ARGS__
#define BLI_VECTORS_ORDERED(...)                    __VA_ARGS__
#define BLI_VECTORS_NUMBER(...)                     __VA_ARGS__
#define BLI_VECTORS_INEXACT(...)                    __VA_ARGS__
#define BLI_VECTORS_FLOAT(...)                      __VA_ARGS__
#define BLI_VECTORS_UNARY(name, result, expression) BLI_LANES_##result(name, expression)
#define BLI_VECTORS_BINARY                          BLI_VECTORS_UNARY
#define BLI_VECTORS_TERNARY(...)
#define BLI_VECTORS_QUATERNARY(...)
#define BLI_LANES_SAME(name, expression)      BLI_OF_LANES(name, BLI_NUMBER, expression)
#define BLI_LANES_REAL_PART(name, expression) BLI_OF_LANES(name, BLI_NUMBER, expression)
#define BLI_LANES_BOOL(name, expression)                                               \
    BLI_OF_LANES(name, BLI_CHOSEN, (expression) ? BLI_TRUE : 0)

#define BL_OP(name, value, inputs, domain, result, impl, expression, doc)              \
    BLI_VECTORS_##impl(inputs, domain, name, result, expression)
#include "core/tables/ops.def"
#undef BL_OP

/* The square, which is a power, and rounding to integers: under rounding to nearest. */
BLI_OF_LANES(square_nearest, BLI_NUMBER, a *a)

#if BLI_ROUNDS
#define BLI_ROUNDING(name, op, how)                                                    \
    BLI_INLINE BLI_VECTOR BLI_VF(name)(BLI_VECTOR x, BLI_VECTOR y)                     \
    {                                                                                  \
        (void)y;                                                                       \
        return (BLI_VECTOR)PASTE(BLI_ROUND_, BLI_BITS)(x, how);                        \
    }
#else
#define BLI_ROUNDING(name, op, how)                                                    \
    BLI_INLINE BLI_VECTOR BLI_VF(name)(BLI_VECTOR x, BLI_VECTOR y)                     \
    {                                                                                  \
        return BLI_VF(op)(x, y);                                                       \
    }
#endif

BLI_ROUNDING(round_down, floor, _MM_FROUND_TO_NEG_INF)
BLI_ROUNDING(round_even, round, _MM_FROUND_TO_NEAREST_INT)

/* ---- truths ---- */

#define BLI_TRUTHS(name, r)                                                            \
    BLI_INLINE BLI_VECTOR BLI_VF(name)(BLI_VECTOR x, BLI_VECTOR y)                     \
    {                                                                                  \
        const BLI_TRUTH a = (BLI_TRUTH)x, b = (BLI_TRUTH)y;                            \
                                                                                       \
        (void)b;                                                                       \
        return (BLI_VECTOR)(r);                                                        \
    }

BLI_TRUTHS(both, a &b)
BLI_TRUTHS(either, a | b)
BLI_TRUTHS(differ, a ^ b)
BLI_TRUTHS(not, ~a)
BLI_OF_LANES(truth, BLI_CHOSEN, a != 0 ? BLI_TRUE : 0)

/* Truths as the numbers 0 and 1. */
BLI_INLINE BLI_VECTOR BLI_VF(number)(BLI_VECTOR x, BLI_VECTOR y)
{
    (void)y;
    return BLI_VF(both)(x, (BLI_VECTOR){0} + 1);
}

#ifdef BLI_BLEND
#define BLI_LANES_OF BLI_BLEND
#else
#define BLI_LANES_OF(c, a, b)                                                          \
    BLI_VF(either)(BLI_VF(both)(c, a), BLI_VF(both)(BLI_VF(not )(c, c), b))
#endif

/* Lanes of `a` where c is true, else of `b`. */
BLI_INLINE BLI_VECTOR BLI_VF(where)(BLI_VECTOR c, BLI_VECTOR a, BLI_VECTOR b)
{
    return (BLI_VECTOR)BLI_LANES_OF(c, a, b);
}

/* ---- memory ---- */

BLI_INLINE BLI_VECTOR BLI_VF(load)(const char *at)
{
    BLI_VECTOR x;

    memcpy(&x, at, sizeof x);
    return x;
}

BLI_INLINE BLI_VECTOR BLI_VF(still)(const char *at)
{
    const BLI_NUMBER a = *(const BLI_NUMBER *)(const void *)at;
    BLI_VECTOR x;

    for (int32_t k = 0; k < BLI_COUNT; k++)
        x[k] = a;
    return x;
}

BLI_INLINE void BLI_VF(store)(char *at, BLI_VECTOR x)
{
    memcpy(at, &x, sizeof x);
}

#ifdef BLI_NT_STORE
#define BLI_STORE_PAST BLI_NT_STORE
#else
#define BLI_STORE_PAST(at, x) memcpy(at, &(x), sizeof(x))
#endif

BLI_INLINE void BLI_VF(nt_store)(char *at, BLI_VECTOR x)
{
    BLI_STORE_PAST(at, x);
}

/* Truths of bytes that are not 0, and as bytes 0 and 1. */
BLI_INLINE BLI_VECTOR BLI_VF(load_bool)(const char *at)
{
    const BLI_TRUTH bytes = (BLI_TRUTH)PASTE(bli_load_bytes_, BLI_BITS)(at);

    return (BLI_VECTOR)(BLI_TRUTH)(bytes != 0);
}

BLI_INLINE void BLI_VF(store_bool)(char *at, BLI_VECTOR x)
{
    PASTE(bli_store_bytes_, BLI_BITS)(at, (bli_wide)((BLI_TRUTH)x & 1));
}

#undef BLI_NUMBER
#undef BLI_LANE_BITS
#undef BLI_VECTOR
#undef BLI_TRUTH
#undef BLI_COUNT
#undef BLI_VF
#undef BLI_TRUE
#undef BLI_CHOSEN
#undef BLI_OF_LANES
#undef BLI_ROUNDING
#undef BLI_TRUTHS
#undef BLI_STORE_PAST
#undef BLI_LANES_OF
#undef BLI_T
#undef BLI_BITS
