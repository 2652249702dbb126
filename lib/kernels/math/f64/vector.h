/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SLEEF's vectors of doubles, from its deterministic families: finz where the machine
 * has FMA, cinz where that is not known.
 *
 * SLEEF raises exceptions that the function does not have, and is wrong for some
 * numbers near the ends of the range. So exceptions are masked and discarded while it
 * computes, and results that are infinite, NaN or doubtful are checked one at a time.
 */
#ifndef BLI_F64_VECTOR_H
#define BLI_F64_VECTOR_H

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <sleef.h>

#include "kernels/bits.h"
#include "kernels/math/f64/scalar.h"

/*
 * For each instruction set: a vector of BLI_DOUBLES elements, SLEEF's names, a mask of
 * elements, those of which one of two is NaN, and whether there are any.
 */
#if defined(__AVX512DQ__)
enum { BLI_DOUBLES = 8 };
typedef __m512d bli_vector;
#define BLI_LOAD_VECTOR  _mm512_loadu_pd
#define BLI_STORE_VECTOR _mm512_storeu_pd
typedef __mmask8 bli_mask;
#define BLI_UNORDERED(a, b)        _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q)
#define BLI_ANY(mask)              ((mask) != 0)
#define BLI_SLEEF(name, precision) Sleef_finz_##name##d8_##precision##avx512f
#elif defined(__AVX2__)
enum { BLI_DOUBLES = 4 };
typedef __m256d bli_vector;
#define BLI_LOAD_VECTOR            _mm256_loadu_pd
#define BLI_STORE_VECTOR           _mm256_storeu_pd
typedef __m256i bli_mask;
#define BLI_UNORDERED(a, b)        _mm256_castpd_si256(_mm256_cmp_pd(a, b, _CMP_UNORD_Q))
#define BLI_ANY(mask)              (_mm256_movemask_epi8(mask) != 0)
#define BLI_SLEEF(name, precision) Sleef_finz_##name##d4_##precision##avx2
#else
enum { BLI_DOUBLES = 2 };
typedef __m128d bli_vector;
#define BLI_LOAD_VECTOR            _mm_loadu_pd
#define BLI_STORE_VECTOR           _mm_storeu_pd
typedef __m128i bli_mask;
#define BLI_UNORDERED(a, b)        _mm_castpd_si128(_mm_cmpunord_pd(a, b))
#define BLI_ANY(mask)              (_mm_movemask_epi8(mask) != 0)
#define BLI_SLEEF(name, precision) Sleef_cinz_##name##d2_##precision##sse2
#endif

/* ---- exceptions ---- */

/* The caller's control and status register, and exceptions to raise in the end. */
struct bli_guard {
    unsigned int csr;
    int raised;
};

enum { BLI_CSR_INEXACT = 0x20, BLI_CSR_MASKS = 0x1f80 };

/* Mask all traps; rounding is to nearest already, as SLEEF needs it. */
static inline void bli_guard_set(const struct bli_guard *guard)
{
    _mm_setcsr(guard->csr | BLI_CSR_MASKS);
}

/* Start a section in which all exceptions raised are discarded except "inexact". */
static inline struct bli_guard bli_guard_open(void)
{
    const struct bli_guard guard = {.csr = _mm_getcsr()};

    bli_guard_set(&guard);
    return guard;
}

/*
 * End the section: restore the caller's state and raise the exceptions that were
 * recorded.
 */
static inline void bli_guard_close(const struct bli_guard *guard)
{
    _mm_setcsr(guard->csr | (_mm_getcsr() & BLI_CSR_INEXACT));
    if (guard->raised != 0)
        feraiseexcept(guard->raised);
}

/*
 * Restore the caller's state, for functions of single elements: the exceptions that
 * they raise stay raised. Returns errno, for bli_guard_resume.
 */
static inline int bli_guard_pause(const struct bli_guard *guard)
{
    _mm_setcsr(guard->csr);
    return errno;
}

/* Resume the section, with the exceptions raised since the pause, and restore errno. */
static inline void bli_guard_resume(struct bli_guard *guard, int kept)
{
    guard->csr = _mm_getcsr();
    bli_guard_set(guard);
    errno = kept;
}

/* ---- elements ---- */

/* Properties of a SLEEF function. A pole is an infinite result of finite arguments. */
enum bli_trait {
    BLI_TRAIT_POLE = 1,        /* all infinite results are poles */
    BLI_TRAIT_POLE_BELOW = 2,  /* negative infinite results are poles */
    BLI_TRAIT_POLE_OF_0 = 4,   /* infinite results for a = 0 are poles */
    BLI_TRAIT_TINY = 8,        /* not accurate where a is tiny */
    BLI_TRAIT_TINY_RESULT = 16 /* not accurate where the result is tiny */
};

/* Whether |x| is less than 2^-1000 and not 0. */
static inline bool bli_is_tiny(double x)
{
    return (fabs(x) < 0x1p-1000) & (x != 0);
}

/*
 * Whether y, the result for a and b, has to be computed again; if not, records the
 * exception of a pole. "Invalid" is recorded for all results together.
 */
static inline bool bli_is_doubtful(double a, double b, double y, int traits,
                                   struct bli_guard *guard)
{
    const int poles = BLI_TRAIT_POLE | (y < 0 ? BLI_TRAIT_POLE_BELOW : 0) |
                      (a == 0 ? BLI_TRAIT_POLE_OF_0 : 0);

    if (a != a || b != b || y != y)
        return false;
    if (fabs(y) <= DBL_MAX)
        return ((traits & BLI_TRAIT_TINY) != 0 && bli_is_tiny(a)) ||
               ((traits & BLI_TRAIT_TINY_RESULT) != 0 && bli_is_tiny(y));
    if (fabs(a) > DBL_MAX || fabs(b) > DBL_MAX)
        return false;
    if ((traits & poles) != 0) {
        guard->raised |= FE_DIVBYZERO;
        return false;
    }
    return true;
}

/* ---- chunks ---- */

/* Elements that are computed at a time: 2 KiB. */
enum { BLI_CHUNK = 256 };

static inline int64_t bli_chunk(int64_t count)
{
    return count < BLI_CHUNK ? count : BLI_CHUNK;
}

/*
 * Loops that look for an element have functions of their own: inlined, GCC 12 keeps
 * what they have found in memory, and silu takes 1.05 times as long.
 */
#define BLI_SEARCH static __attribute__((noinline)) bool

/* Whether any element of whole vectors is infinite or NaN: one less itself is not 0. */
static inline bool bli_any_wild(const double *y, int64_t count)
{
    bli_vector sum = {0}, other = {0};
    int64_t j = 0;

    for (; j <= count - 2 * BLI_DOUBLES; j += 2 * BLI_DOUBLES) {
        sum += BLI_LOAD_VECTOR(y + j) - BLI_LOAD_VECTOR(y + j);
        other +=
            BLI_LOAD_VECTOR(y + j + BLI_DOUBLES) - BLI_LOAD_VECTOR(y + j + BLI_DOUBLES);
    }
    if (j < count)
        sum += BLI_LOAD_VECTOR(y + j) - BLI_LOAD_VECTOR(y + j);
    sum += other;
    return BLI_ANY(BLI_UNORDERED(sum, sum));
}

/* Whether any element is tiny. */
BLI_SEARCH bli_any_tiny(const double *x, int64_t count)
{
    uint64_t any = 0;

#pragma omp simd reduction(| : any)
    for (int64_t j = 0; j < count; j++)
        any |= bli_is_tiny(x[j]) ? 1 : 0;
    return any != 0;
}

#endif
