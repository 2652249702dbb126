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

#include "kernels/bits.h"
#include "kernels/convert/half.h"

/* As a macro, bool would be replaced before it can become part of a name. */
#undef bool
typedef _Bool bool;

#if defined(__AVX512F__)
#define BLI_REGISTER 64
#define BLI_EACH_REGISTER(do)                                                          \
    do                                                                                 \
    (0)
#elif defined(__AVX2__)
#define BLI_REGISTER 32
#define BLI_EACH_REGISTER(do)                                                          \
    do                                                                                 \
    (0) do(1)
#else
#define BLI_REGISTER 16
#define BLI_EACH_REGISTER(do)                                                          \
    do                                                                                 \
    (0) do(1) do(2) do(3)
#endif
#define BLI_REGISTERS (BLI_REDUCE_LANES / BLI_REGISTER)

/* Rows that are reduced at once: with four registers of sums none waits for another. */
#define BLI_ROWS (4 / BLI_REGISTERS)

#define PASTE_(a, b)        a##b
#define PASTE(a, b)         PASTE_(a, b)
#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d)  PASTE4_(a, b, c, d)

#define BL_DTYPE(name, value, ...) enum { value_##name = (value) };
#include "core/tables/dtypes.def"
#undef BL_DTYPE

#include "kernels/convert/widen.h"

/* ---- the components of a dtype: one or two numbers ---- */

typedef uint8_t number_bool, number_u8;
typedef int8_t number_i8;
typedef uint16_t number_u16, number_f16, number_bf16;
typedef int16_t number_i16;
typedef uint32_t number_u32;
typedef int32_t number_i32;
typedef uint64_t number_u64;
typedef int64_t number_i64;
typedef float number_f32, number_c64;
typedef double number_f64, number_c128;

/* A type that holds the sum of a block: for narrow dtypes more fit in a register. */
typedef int32_t sum_of_u8, sum_of_i8, sum_of_u16, sum_of_i16;
typedef int64_t sum_of_u32, sum_of_i32, sum_of_u64, sum_of_i64;

#define LOWEST_u8  0
#define LOWEST_i8  INT8_MIN
#define LOWEST_u16 0
#define LOWEST_i16 INT16_MIN
#define LOWEST_u32 0
#define LOWEST_i32 INT32_MIN
#define LOWEST_u64 0
#define LOWEST_i64 INT64_MIN
/* For f16 and bf16 lanes are f32. */
#define LOWEST_f16   -INFINITY
#define LOWEST_bf16  -INFINITY
#define LOWEST_f32   -INFINITY
#define LOWEST_f64   -INFINITY
#define HIGHEST_u8   UINT8_MAX
#define HIGHEST_i8   INT8_MAX
#define HIGHEST_u16  UINT16_MAX
#define HIGHEST_i16  INT16_MAX
#define HIGHEST_u32  UINT32_MAX
#define HIGHEST_i32  INT32_MAX
#define HIGHEST_u64  UINT64_MAX
#define HIGHEST_i64  INT64_MAX
#define HIGHEST_f16  INFINITY
#define HIGHEST_bf16 INFINITY
#define HIGHEST_f32  INFINITY
#define HIGHEST_f64  INFINITY

/* ---- the operations: on registers, and on the numbers of one element ---- */

#define BLI_WHOLE(x) (x)
/* Of booleans: 1 for any byte except 0. */
#define BLI_TRUTH(x) (((x) != 0) & 1)

#define BLI_PICK(mask, a, b) ((lanes)(((mask) & (bits)(b)) | (~(mask) & (bits)(a))))
#define BLI_PLUS(a, b)       ((a) + (b))
#define BLI_TIMES(a, b)      ((a) * (b))
#define BLI_OR(a, b)         ((a) | (b))
#define BLI_AND(a, b)        ((a) & (b))
#define BLI_LARGER(a, b)     BLI_PICK((bits)((b) > (a)) | (bits)((b) != (b)), a, b)
#define BLI_SMALLER(a, b)    BLI_PICK((bits)((b) < (a)) | (bits)((b) != (b)), a, b)

#define BLI_TAKE_PLUS(r, b)      ((r)[0] += (b)[0])
#define BLI_TAKE_PLUS_BOTH(r, b) ((r)[0] += (b)[0], (r)[1] += (b)[1])
#define BLI_TAKE_TIMES(r, b)     ((r)[0] *= (b)[0])
#define BLI_TAKE_OR(r, b)        ((r)[0] |= (b)[0])
#define BLI_TAKE_AND(r, b)       ((r)[0] &= (b)[0])
#define BLI_TAKE_LARGER(r, b)                                                          \
    ((r)[0] = (b)[0] > (r)[0] || (b)[0] != (b)[0] ? (b)[0] : (r)[0])
#define BLI_TAKE_SMALLER(r, b)                                                         \
    ((r)[0] = (b)[0] < (r)[0] || (b)[0] != (b)[0] ? (b)[0] : (r)[0])

/* ---- products of complex numbers ---- */

/* re = ar * br - ai * bi, im = ar * bi + ai * br. */

#if BLI_REGISTER == 64
#define BLI_REAL(v) __builtin_shufflevector(v, v, 0, 0, 2, 2, 4, 4, 6, 6)
#define BLI_IMAG(v) __builtin_shufflevector(v, v, 1, 1, 3, 3, 5, 5, 7, 7)
#define BLI_SWAP(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#define BLI_MINUS                                                                      \
    (parts)                                                                            \
    {                                                                                  \
        -0.0, 0, -0.0, 0, -0.0, 0, -0.0, 0                                             \
    }
#elif BLI_REGISTER == 32
#define BLI_REAL(v) __builtin_shufflevector(v, v, 0, 0, 2, 2)
#define BLI_IMAG(v) __builtin_shufflevector(v, v, 1, 1, 3, 3)
#define BLI_SWAP(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
#define BLI_MINUS                                                                      \
    (parts)                                                                            \
    {                                                                                  \
        -0.0, 0, -0.0, 0                                                               \
    }
#else
#define BLI_REAL(v) __builtin_shufflevector(v, v, 0, 0)
#define BLI_IMAG(v) __builtin_shufflevector(v, v, 1, 1)
#define BLI_SWAP(v) __builtin_shufflevector(v, v, 1, 0)
#define BLI_MINUS                                                                      \
    (parts)                                                                            \
    {                                                                                  \
        -0.0, 0                                                                        \
    }
#endif

/* Products of the complex numbers in two registers. */
static inline parts times_complex(parts a, parts b)
{
    const parts crossed = BLI_IMAG(a) * BLI_SWAP(b);

    return BLI_REAL(a) * b + (parts)((bits)crossed ^ (bits)BLI_MINUS);
}

/* Multiply the complex number r by b. */
static inline void take_times_complex(double *r, const double *b)
{
    /* Not a difference: GCC 12 would make one fused instruction of it and the sum. */
    const double real = r[0] * b[0] + bli_negative_f64(r[1]) * b[1];

    r[1] = r[0] * b[1] + r[1] * b[0];
    r[0] = real;
}

/*
 * Prefetch a cache line of each of the four rows that are read next: with gaps between
 * rows the hardware prefetcher does not recognize a stream. 512 columns of f32[32768,
 * 1000] are read at 31 GB/s on one core of an AMD EPYC (Zen 5), at 16 without, at 17
 * when all lines of a row are prefetched at once.
 */
static inline void prefetch_four(const char *data, int64_t step)
{
    __builtin_prefetch(data);
    __builtin_prefetch(data + step);
    __builtin_prefetch(data + 2 * step);
    __builtin_prefetch(data + 3 * step);
}

/* ---- a dtype's reducers, by its kind ---- */

#define KIND_BOOL    1
#define KIND_INT     2
#define KIND_HALF    3
#define KIND_REAL    4
#define KIND_COMPLEX 5
#define KIND_NARROW  6

#define BLI_DTYPE_TEMPLATE "kernels/reduce/reducers.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE

/* Divide by `number` and replace every NaN, as struct bli_reducers has it. */
static void finalize(double *partial, int64_t count, double number)
{
    /* A division takes as long as the rest of a short sum. */
    for (int64_t i = 0; number != 1 && i < count; i++)
        partial[i] /= number;
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        partial[i] = bli_choose_f64(partial[i] == partial[i], partial[i], (double)NAN);
}

/*
 * Rows of fewer elements than fill the lanes so many times are reduced as columns, in
 * transposed staging buffers: a row costs the reduction of its lanes, however short it
 * is. With masks rows of f32 with 8 elements are summed in 0.83 of the time by rows,
 * with 5 in 1.2; without masks, with 17 in 1.4.
 */
#define BLI_SHORT_TURNS (BLI_REGISTER == BLI_REDUCE_LANES ? 1 : 3)

/* A row of the table: the functions that reducer.tmpl.h made. */
#define ENTRY(fold, name, to)                                                          \
    [value_##name] = {(bl_dtype)value_##to,                                            \
                      BLI_REDUCE_LANES / size_##to,                                    \
                      BLI_REDUCE_LANES / size_##to * BLI_SHORT_TURNS,                  \
                      rows_##fold##_##name,                                            \
                      parts_##fold##_##name,                                           \
                      close_##fold##_##name,                                           \
                      columns_##fold##_##name,                                         \
                      columns_in_registers_##fold##_##name,                            \
                      fill_##fold##_##name,                                            \
                      merge_##fold##_##name,                                           \
                      pairs_##fold##_##name}

/* The element size of each dtype, in bytes. */
#define BL_DTYPE(name, value, class, stored, ...)                                      \
    enum { size_##name = (int)sizeof(stored) };
#include "core/tables/dtypes.def"
#undef BL_DTYPE

#define WIDENED(fold)                                                                  \
    ENTRY(fold, u8, i64), ENTRY(fold, i8, i64), ENTRY(fold, u16, i64),                 \
        ENTRY(fold, i16, i64), ENTRY(fold, u32, i64), ENTRY(fold, i32, i64),           \
        ENTRY(fold, u64, i64), ENTRY(fold, i64, i64), ENTRY(fold, f32, f64),           \
        ENTRY(fold, f64, f64), ENTRY(fold, c64, c128), ENTRY(fold, c128, c128)
#define CHOSEN(fold)                                                                   \
    ENTRY(fold, u8, u8), ENTRY(fold, i8, i8), ENTRY(fold, u16, u16),                   \
        ENTRY(fold, i16, i16), ENTRY(fold, u32, u32), ENTRY(fold, i32, i32),           \
        ENTRY(fold, u64, u64), ENTRY(fold, i64, i64), ENTRY(fold, f32, f32),           \
        ENTRY(fold, f64, f64)

/* Entries of f16 and bf16, where the machine widens them. */
#if BLI_WIDENS_HALVES
#define HALVES(fold, to) , ENTRY(fold, f16, to), ENTRY(fold, bf16, to)
#else
#define HALVES(fold, to)
#endif

static const struct bli_reducer of[BLI_REDUCE_OPS][BLI_DTYPES] = {
    [BLI_REDUCE_OP_SUM] = {ENTRY(sum, bool, i64), WIDENED(sum) HALVES(sum, f64)},
    [BLI_REDUCE_OP_PROD] = {WIDENED(prod) HALVES(prod, f64)},
    [BLI_REDUCE_OP_MAX] = {CHOSEN(max) HALVES(max, f32)},
    [BLI_REDUCE_OP_MIN] = {CHOSEN(min) HALVES(min, f32)},
    [BLI_REDUCE_OP_ANY] = {ENTRY(any, bool, bool)},
    [BLI_REDUCE_OP_ALL] = {ENTRY(all, bool, bool)},
};

extern const struct bli_reducers PASTE(bli_reducers_, BLI_ISA_NAME);
const struct bli_reducers PASTE(bli_reducers_, BLI_ISA_NAME) = {of, finalize};
