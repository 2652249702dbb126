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
 * For each instruction set: a vector of BLI_DOUBLES elements, SLEEF's name of a
 * function, whether in any lane y is infinite or NaN without x being NaN (wild), and
 * whether in any lane |x| is less than BLI_TINY_LIMIT and not 0 (tiny).
 */
#define BLI_TINY_LIMIT 0x1p-1000
#if defined(__AVX512DQ__)
enum { BLI_DOUBLES = 8 };
typedef __m512d bli_vector;
#define BLI_LOAD_VECTOR            _mm512_loadu_pd
#define BLI_STORE_VECTOR           _mm512_storeu_pd
#define BLI_ADD_VECTORS            _mm512_add_pd
#define BLI_SLEEF(name, precision) Sleef_finz_##name##d8_##precision##avx512f

static inline bool bli_any_wild(bli_vector x, bli_vector y)
{
    enum { QUIET = 0x01, PLUS_INFINITY = 0x08, MINUS_INFINITY = 0x10 };

    return _mm512_mask_fpclass_pd_mask(_mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), y,
                                       QUIET | PLUS_INFINITY | MINUS_INFINITY) != 0;
}

static inline bool bli_any_tiny(bli_vector x)
{
    const __m512d size = _mm512_andnot_pd(_mm512_set1_pd(-0.0), x);
    const __m512d limit = _mm512_set1_pd(BLI_TINY_LIMIT);
    const __mmask8 below = _mm512_cmp_pd_mask(size, limit, _CMP_LT_OQ);

    return _mm512_mask_cmp_pd_mask(below, x, _mm512_setzero_pd(), _CMP_NEQ_OQ) != 0;
}
#elif defined(__AVX2__)
enum { BLI_DOUBLES = 4 };
typedef __m256d bli_vector;
#define BLI_LOAD_VECTOR            _mm256_loadu_pd
#define BLI_STORE_VECTOR           _mm256_storeu_pd
#define BLI_ADD_VECTORS            _mm256_add_pd
#define BLI_SLEEF(name, precision) Sleef_finz_##name##d4_##precision##avx2

static inline bool bli_any_wild(bli_vector x, bli_vector y)
{
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), y);
    const __m256d wild = _mm256_cmp_pd(size, _mm256_set1_pd(DBL_MAX), _CMP_NLE_UQ);
    const __m256d number = _mm256_cmp_pd(x, x, _CMP_ORD_Q);

    return _mm256_movemask_pd(_mm256_and_pd(wild, number)) != 0;
}

static inline bool bli_any_tiny(bli_vector x)
{
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
    const __m256d limit = _mm256_set1_pd(BLI_TINY_LIMIT);
    const __m256d below = _mm256_cmp_pd(size, limit, _CMP_LT_OQ);
    const __m256d other = _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_NEQ_OQ);

    return _mm256_movemask_pd(_mm256_and_pd(below, other)) != 0;
}
#else
enum { BLI_DOUBLES = 2 };
typedef __m128d bli_vector;
#define BLI_LOAD_VECTOR            _mm_loadu_pd
#define BLI_STORE_VECTOR           _mm_storeu_pd
#define BLI_ADD_VECTORS            _mm_add_pd
#define BLI_SLEEF(name, precision) Sleef_cinz_##name##d2_##precision##sse2

static inline bool bli_any_wild(bli_vector x, bli_vector y)
{
    const __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), y);
    const __m128d wild = _mm_cmpnle_pd(size, _mm_set1_pd(DBL_MAX));

    return _mm_movemask_pd(_mm_and_pd(wild, _mm_cmpord_pd(x, x))) != 0;
}

static inline bool bli_any_tiny(bli_vector x)
{
    const __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), x);
    const __m128d below = _mm_cmplt_pd(size, _mm_set1_pd(BLI_TINY_LIMIT));
    const __m128d other = _mm_cmpneq_pd(x, _mm_setzero_pd());

    return _mm_movemask_pd(_mm_and_pd(below, other)) != 0;
}
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

static inline bool bli_is_tiny(double x)
{
    return fabs(x) < BLI_TINY_LIMIT && x != 0;
}

/*
 * Whether y, the result for a and b, has to be computed again; if not, records the
 * exceptions that it raises.
 */
static inline bool bli_is_doubtful(double a, double b, double y, int traits,
                                   struct bli_guard *guard)
{
    const int poles = BLI_TRAIT_POLE | (y < 0 ? BLI_TRAIT_POLE_BELOW : 0) |
                      (a == 0 ? BLI_TRAIT_POLE_OF_0 : 0);

    if (a != a || b != b)
        return false;
    if (y != y) {
        guard->raised |= FE_INVALID;
        return false;
    }
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

#define BLI_COLD static __attribute__((noinline, cold))

/* y with the doubtful lanes computed again from `a` by `one`. */
BLI_COLD bli_vector bli_repair_unary(bli_unary_one_f64 *one, int traits,
                                     struct bli_guard *guard, const double *a,
                                     bli_vector y)
{
    double lane[BLI_DOUBLES];

    BLI_STORE_VECTOR(lane, y);
    for (int j = 0; j < BLI_DOUBLES; j++)
        if (bli_is_doubtful(a[j], 0, lane[j], traits, guard)) {
            const int kept = bli_guard_pause(guard);

            lane[j] = one(a[j]);
            bli_guard_resume(guard, kept);
        }
    return BLI_LOAD_VECTOR(lane);
}

/* y with the doubtful lanes computed again from `a` and `b` by `one`. */
BLI_COLD bli_vector bli_repair_binary(bli_binary_one_f64 *one, int traits,
                                      struct bli_guard *guard, const double *a,
                                      const double *b, bli_vector y)
{
    double lane[BLI_DOUBLES];

    BLI_STORE_VECTOR(lane, y);
    for (int j = 0; j < BLI_DOUBLES; j++)
        if (bli_is_doubtful(a[j], b[j], lane[j], traits, guard)) {
            const int kept = bli_guard_pause(guard);

            lane[j] = one(a[j], b[j]);
            bli_guard_resume(guard, kept);
        }
    return BLI_LOAD_VECTOR(lane);
}

#endif
