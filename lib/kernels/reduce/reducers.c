/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All reducers for one instruction set: BLI_ISA_NAME, a row of isa.def, with the
 * compiler's flags for it. Exports the table bli_reducers_<name> and nothing else.
 *
 * The loops are written for registers of the machine's width, BLI_REGISTER bytes; the
 * BLI_REDUCE_LANES bytes of lanes take one, two or four of them.
 */
#include "kernels/reduce/reduce.h"

#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
#define BLI_REGISTER 64
#elif defined(__AVX2__)
#define BLI_REGISTER 32
#else
#define BLI_REGISTER 16
#endif
#define BLI_REGISTERS (BLI_REDUCE_LANES / BLI_REGISTER)

/*
 * Whether columns of few elements have functions. The least capable set has only those
 * that do everything.
 */
#define BLI_HAS_FEW (BLI_REGISTER > 16)
#if BLI_HAS_FEW
#define FEW(function) function
#else
#define FEW(function) NULL
#endif

/* Rows side by side whose lanes of f64 fill eight registers. */
#define BLI_ABREAST (BLI_REGISTER / (int64_t)sizeof(double))

/* Whether to define functions for eight rows, and to read pairs: see reals.tmpl.h. */
#define BLI_HAS_EIGHT 0
#define BLI_HAS_PAIRS 0

/* Whether f32 is summed by additions alone. */
#define BLI_ADDS_ALONE 0

#define PASTE_(a, b)        a##b
#define PASTE(a, b)         PASTE_(a, b)
#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d)  PASTE4_(a, b, c, d)

/* As a macro, bool would be replaced before it can become part of a name. */
#undef bool
typedef _Bool bool;

#include "kernels/reduce/edge.h"
#include "kernels/reduce/vectors.h"

/* ---- the functions: operations, and the numbers that each takes ---- */

#define ORDER_TREE   1
#define ORDER_GROUPS 2
#define ORDER_FREE   3

/* Sums. */
#define BLI_REDUCE_OP        sum
#define BLI_JOIN(a, b)       ((a) + (b))
#define BLI_SMALL_JOIN(a, b) BLI_JOIN(a, b)
#define BLI_FIRST(v)         ((v) + 0)
#define BLI_IS_NEUTRAL       1
#define BLI_REPEATS          0
#define BLI_HAS_ROWS         1
#define BLI_HAS_BESIDE       1
#define BLI_TAKE(a, b)       BLI_ADD_WIDENED(a, b)
/*
 * Four rows of 512 bits are read faster from L3 than eight: f32[1000,1000] in 0.75 to
 * 0.82 of the time, f64 in 0.93. f16, which is widened twice, waits longer.
 */
#define BLI_CHAINS (BLI_HAS_FEW && (BLI_REGISTER < 64 || sizeof(number) == 2) ? 8 : 4)
#include "kernels/reduce/reals.tmpl.h"
#undef BLI_TAKE
/*
 * Sums of f32 by additions alone, for processors that convert where they multiply.
 * Emerald Rapids, AVX2: f32[8000] takes .91 of the time, f32[64000] .76, rows of
 * f32[1000,64] .8, columns .79; c64[256000] .88; bf16 and f16 .97 to 1.0.
 */
#if BLI_REGISTER == 32
#define BLI_TAKE(a, b) BLI_JOIN(a, b)
#define BLI_ORDER      ORDER_TREE
#define BLI_L          f64
#define BLI_T          single
#undef BLI_ADDS_ALONE
#define BLI_ADDS_ALONE 1
#undef BLI_HAS_EIGHT
#define BLI_HAS_EIGHT 1
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_HAS_EIGHT
#define BLI_HAS_EIGHT 0
#undef BLI_ADDS_ALONE
#define BLI_ADDS_ALONE 0
#undef BLI_L
#undef BLI_ORDER
#undef BLI_TAKE
#endif
#undef BLI_CHAINS
#undef BLI_HAS_BESIDE
#define BLI_HAS_BESIDE 0
#define BLI_TAKE(a, b) BLI_JOIN(a, b)
#define BLI_CHAINS     4
#define BLI_ORDER      ORDER_FREE
#define BLI_L          i64
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T i64
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_HAS_ROWS
#define BLI_HAS_ROWS 0
#define BLI_T        bool
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T u8
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i8
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T u16
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i16
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T u32
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i32
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T        bool
#define BLI_WIDER    uint16_t
#define BLI_TRUTH(v) (((v) != 0) & 1)
#include "kernels/reduce/sums.tmpl.h"
#define BLI_T        u8
#define BLI_WIDER    uint16_t
#define BLI_TRUTH(v) (v)
#include "kernels/reduce/sums.tmpl.h"
#define BLI_T        u16
#define BLI_WIDER    uint32_t
#define BLI_TRUTH(v) (v)
#include "kernels/reduce/sums.tmpl.h"
#define BLI_T        u32
#define BLI_WIDER    uint64_t
#define BLI_TRUTH(v) (v)
#include "kernels/reduce/sums.tmpl.h"
#undef BLI_HAS_ROWS
#undef BLI_JOIN
#undef BLI_FIRST
#undef BLI_REDUCE_OP

/* Products. */
#define BLI_REDUCE_OP  prod
#define BLI_JOIN(a, b) ((a) * (b))
#define BLI_FIRST(v)   (v)
#define BLI_HAS_ROWS   1
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T u8
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i8
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T u16
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i16
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T u32
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i32
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T i64
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#undef BLI_ORDER
#include "kernels/reduce/reals.tmpl.h"
#undef BLI_JOIN
#undef BLI_SMALL_JOIN
#undef BLI_IS_NEUTRAL

/* Products of complex numbers. */
#define BLI_JOIN(a, b)       times_complex(a, b)
#define BLI_SMALL_JOIN(a, b) times_one_complex(a, b)
#define BLI_IS_NEUTRAL       0
#define BLI_ORDER            ORDER_TREE
#define BLI_L                c128
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T c64
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T c128
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#undef BLI_ORDER
#undef BLI_JOIN
#undef BLI_SMALL_JOIN
#undef BLI_IS_NEUTRAL
#undef BLI_REPEATS
#undef BLI_REDUCE_OP

/* The largest, the smallest. */
#define BLI_IS_NEUTRAL 1
#define BLI_REDUCE_OP  max
#include "kernels/reduce/extremes.tmpl.h"
#define BLI_REDUCE_OP min
#include "kernels/reduce/extremes.tmpl.h"

/* u64 and i64 wrap alike. */
#define accumulate_sum_u64    accumulate_sum_i64
#define one_sum_u64           one_sum_i64
#define four_sum_u64          four_sum_i64
#define in_registers_sum_u64  in_registers_sum_i64
#define accumulate_prod_u64   accumulate_prod_i64
#define one_prod_u64          one_prod_i64
#define four_prod_u64         four_prod_i64
#define in_registers_prod_u64 in_registers_prod_i64

/* ---- the tables ---- */

/* Divide by `number` and replace every NaN, as struct bli_reducers has it. */
static void finalize(double *partial, int64_t count, double number, bool is_root)
{
    /* A division takes as long as the rest of a short sum. */
    for (int64_t i = 0; number != 1 && i < count; i++)
        partial[i] /= number;
    for (int64_t i = 0; is_root && i < count; i++)
        partial[i] = sqrt(partial[i]);
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        partial[i] = bli_choose_f64(partial[i] == partial[i], partial[i], (double)NAN);
}

/* A sum of zeros is 0, and so is one that was flushed, as BLI_FIRST makes it. */
static void finalize_sum(double *partial, int64_t count, double number, bool is_root)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        partial[i] += 0;
    finalize(partial, count, number, is_root);
}

/* Squares of distances of real and complex numbers, as struct bli_reducers has them. */
static void centre(double *tile, const double *mean, int64_t count, bool each)
{
#define SQUARE(m)                                                                      \
    for (int64_t i = 0; i < count; i++)                                                \
    tile[i] = (tile[i] - (m)) * (tile[i] - (m))

    if (each)
#pragma omp simd
        SQUARE(mean[i]);
    else
#pragma omp simd
        SQUARE(mean[0]);
#undef SQUARE
}

static void centre_complex(double *tile, const double *mean, int64_t count, bool each)
{
    for (int64_t i = 0; i < count; i++, mean += each ? 2 : 0) {
        const double re = tile[2 * i] - mean[0], im = tile[2 * i + 1] - mean[1];

        tile[i] = re * re + im * im;
    }
}

#include "kernels/reduce/entries.h"

#if BLI_REGISTER == 32
static const struct bli_reducer adding[] = {
    REAL_SUM(f32, single, eight_sum_single, NULL), COMPLEX_SUM(c64, single, NULL)};
#define ADDING(name) (&adding[value_##name])
#else
#define ADDING(name) NULL
#endif

static const struct bli_reducer of[BLI_REDUCE_OPS][BLI_DTYPES] = {
    [BLI_REDUCE_OP_SUM] = {WIDE_SUM(bool, bool, 0), WIDE_SUM(u8, u8, 0),
                           WIDE_SUM(i8, u8, EACH_8 << 7), WIDE_SUM(u16, u16, 0),
                           WIDE_SUM(i16, u16, EACH_16 << 15), WIDE_SUM(u32, u32, 0),
                           WIDE_SUM(i32, u32, EACH_32 << 31), WIDE_SUM(u64, u64, 0),
                           WIDE_SUM(i64, u64, 0),
                           REAL_SUM(f32, f32, FEW(eight_sum_f32), ADDING(f32)),
                           REAL_SUM(f64, f64, FEW(eight_sum_f64), NULL),
                           COMPLEX_SUM(c64, f32, ADDING(c64)),
                           COMPLEX_SUM(c128, f64, NULL)
                               HALVES(REAL_SUM(f16, f16, NULL, NULL),
                                      REAL_SUM(bf16, bf16, NULL, NULL))},
    [BLI_REDUCE_OP_PROD] = {WIDE_PRODUCT(u8, EACH_8), WIDE_PRODUCT(i8, EACH_8),
                            WIDE_PRODUCT(u16, EACH_16), WIDE_PRODUCT(i16, EACH_16),
                            WIDE_PRODUCT(u32, EACH_32), WIDE_PRODUCT(i32, EACH_32),
                            WIDE_PRODUCT(u64, 1), WIDE_PRODUCT(i64, 1),
                            REAL_PRODUCT(f32, ONE_F32, ONE_F64),
                            REAL_PRODUCT(f64, ONE_F64, ONE_F64), COMPLEX_PRODUCT(c64),
                            COMPLEX_PRODUCT(c128)
                                HALVES(REAL_PRODUCT(f16, ONE_F16, ONE_F64),
                                       REAL_PRODUCT(bf16, ONE_BF16, ONE_F64))},
    [BLI_REDUCE_OP_MAX] = {EXTREMES(max, UINT64_C(0))},
    [BLI_REDUCE_OP_MIN] = {EXTREMES(min, ~UINT64_C(0))},
    [BLI_REDUCE_OP_ANY] = {BOOLEANS(max, 0)},
    [BLI_REDUCE_OP_ALL] = {BOOLEANS(min, ~UINT64_C(0))},
};

extern const struct bli_reducers PASTE(bli_reducers_, BLI_ISA_NAME);
const struct bli_reducers PASTE(bli_reducers_, BLI_ISA_NAME) = {
    of, {finalize, finalize_sum}, {centre, centre_complex}};
