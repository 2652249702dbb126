/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries of the table of reducers: the constants of each operation and dtype, and the
 * functions that it shares with others. A part of reducers.c.
 */
#ifndef BLI_REDUCE_ENTRIES_H
#define BLI_REDUCE_ENTRIES_H

#define BL_DTYPE(name, value, class, stored, ...)                                      \
    enum { value_##name = (value), size_##name = (int)sizeof(stored) };
#include "core/tables/dtypes.def"
#undef BL_DTYPE

/*
 * Rows of fewer elements than fill the lanes so many times are reduced as columns, in
 * transposed staging buffers: a row costs the reduction of its lanes, however short it
 * is. With masks rows of f32 with 8 elements are summed in 0.83 of the time by rows,
 * with 5 in 1.2. Without masks what does not fill the lanes is converted by itself,
 * which costs halves and integers that become i64 much; others are better by rows once
 * lanes are full: on Zen 3 sums of f32 and f64 with 8 to 23 elements take .3 to .5 of
 * the time that they take as columns, largest f32 with 16 to 40 .4 to .75, but sums of
 * f16 with 12 take 2.7 times as long, of u8 with 8 6 times.
 */
#define SHORT_TURNS    (BLI_REGISTER == BLI_REDUCE_LANES ? 1 : 3)
#define TURNS_OF(name) (size_##name == 2 ? SHORT_TURNS : 1)

/*
 * The reducer of dtype `name` to partial results of dtype `to`, of so many numbers, by
 * the functions of an operation that read numbers `from` into lanes of numbers `lane`.
 */
#define REDUCER(name, to, count, turns, op, from, lane, pads, start, ...)              \
    [value_##name] = {.partial = (bl_dtype)value_##to,                                 \
                      .numbers = (count),                                              \
                      .size = size_##name,                                             \
                      .asks_less = BLI_REGISTER >= 32,                                 \
                      .partial_size = size_##to,                                       \
                      .lanes = BLI_REDUCE_LANES / size_##to,                           \
                      .short_row = BLI_REDUCE_LANES / size_##to * (turns),             \
                      .padding = (pads),                                               \
                      .identity = {start, (count) == 1 ? (start) : 0},                 \
                      .close = close_##op##_##lane,                                    \
                      .one = one_##op##_##from,                                        \
                      .four = four_##op##_##from,                                      \
                      .merge = merge_##op##_##lane,                                    \
                      .pairs = pairs_##op##_##lane,                                    \
                      __VA_ARGS__}
/* A number of 8, 16 or 32 bits in each place of 64. */
#define EACH_8  UINT64_C(0x0101010101010101)
#define EACH_16 UINT64_C(0x0001000100010001)
#define EACH_32 UINT64_C(0x0000000100000001)

/*
 * Such turns for sums of integers, of which a row costs more: where it ends within a
 * register, with 256 bits a copy of bytes, and with 512 bits, on Zen 4, 4 ns of masks.
 * Sums of rows of u8 with 8 to 40 elements take .3 to .8 of the time as columns, with
 * 24 and AVX2 .14, of u16 with 8 to 28 .28 to .93, i32 with 8 and 12 .41 and .59. But
 * i64, which is not converted, takes .95 to 2.6 times as long from 12 elements on.
 */
#if BLI_REGISTER == 64
#define SUM_TURNS(name)                                                                \
    (size_##name == 8 ? 1 : size_##name == 4 ? 2 : size_##name == 2 ? 4 : 6)
#elif BLI_REGISTER == 32
#define SUM_TURNS(name) (size_##name == 8 ? 1 : size_##name == 1 ? 4 : 3)
#else
#define SUM_TURNS(name) (size_##name == 8 ? 1 : 3)
#endif

/* Sums or products of integers to i64. */
#define WIDE(name, op, turns, pads, one, ...)                                          \
    REDUCER(name, i64, 1, turns, op, name, i64, pads, one, .is_free = true,            \
            .in_order = size_##name == 8,                                              \
            .in_registers = FEW(in_registers_##op##_##name), __VA_ARGS__)
#define WIDE_SUM(name, unsigned, sign)                                                 \
    WIDE(name, sum, SUM_TURNS(name), 0, 0, .accumulate = accumulate_sum_##unsigned,    \
         .flip = (sign))
#define WIDE_PRODUCT(name, each)                                                       \
    WIDE(name, prod, SHORT_TURNS, each, 1, .accumulate = accumulate_prod_##name)

/* Sums or products of real numbers to f64. */
#define REAL(name, op, from, pads, one, ...)                                           \
    REDUCER(name, f64, 1, TURNS_OF(name), op, from, f64, pads, one,                    \
            .accumulate = accumulate_##op##_##from, .in_order = WIDE_IN_ORDER(name),   \
            .in_registers = in_registers_##op##_##from, __VA_ARGS__)
#define WIDE_IN_ORDER(name)    WIDE_IN_ORDER_OF(size_##name)
#define WIDE_IN_ORDER_OF(size) ((size) == 8 && BLI_REGISTER == 32)
#define REAL_SUM(name, from, by_eight, by_adding)                                      \
    REAL(name, sum, from, 0, 0, .abreast = BLI_ABREAST, .beside = beside_sum_##from,   \
         .close_beside = close_beside_sum_f64, .eight = by_eight, .adding = by_adding)
#define REAL_PRODUCT(name, pad, one) REAL(name, prod, name, pad, one, .abreast = 0)
#define ONE_F16                      (EACH_16 * 0x3c00)
#define ONE_BF16                     (EACH_16 * 0x3f80)
#define ONE_F32                      (EACH_32 * 0x3f800000)
#define ONE_F64                      (UINT64_C(0x3ff) << 52)

/* Sums of complex numbers are sums of their components. */
#define COMPLEX_SUM(name, from, by_adding)                                             \
    REDUCER(name, c128, 2, TURNS_OF(name), sum, from, f64, 0, 0,                       \
            .accumulate = accumulate_sum_##from,                                       \
            .in_order = WIDE_IN_ORDER_OF(size_##name / 2),                             \
            .in_registers = in_registers_sum_##from, .eight = FEW(eight_sum_##from),   \
            .adding = by_adding)
#define COMPLEX_PRODUCT(name)                                                          \
    REDUCER(name, c128, 2, TURNS_OF(name), prod, name, c128, 0, ONE_F64,               \
            .accumulate = accumulate_prod_##name)

/* max or min, which starts with a number like `start` and is not less than it. */
#define EXTREME(name, lane, op, pads, start, free)                                     \
    REDUCER(name, lane, 1, TURNS_OF(name), op, name, lane, pads, start,                \
            .is_free = (free), .in_order = size_##lane >= 4,                           \
            .accumulate = accumulate_##op##_##name,                                    \
            .in_registers = FEW(in_registers_##op##_##name))
#define EXTREME_INTEGER(size, op, low, high)                                           \
    EXTREME(u##size, u##size, op, low, low, true),                                     \
        EXTREME(i##size, i##size, op, high, high, true)
/* `all` is 0 for the largest, all bits for the smallest. */
#define EXTREMES(op, all)                                                              \
    EXTREME_INTEGER(8, op, all, (all) ^ (EACH_8 << 7)),                                \
        EXTREME_INTEGER(16, op, all, (all) ^ (EACH_16 << 15)),                         \
        EXTREME_INTEGER(32, op, all, (all) ^ (EACH_32 << 31)),                         \
        EXTREME_INTEGER(64, op, all, (all) ^ (UINT64_C(1) << 63)),                     \
        EXTREME(f32, f32, op, INFINITE_32(all), INFINITE_32(all), false),              \
        EXTREME(f64, f64, op, INFINITE_64(all), INFINITE_64(all), false) HALVES(       \
            EXTREME(f16, f32, op, INFINITE_F16(all), INFINITE_32(all), false),         \
            EXTREME(bf16, f32, op, INFINITE_BF16(all), INFINITE_32(all), false))
/* The infinity that changes no result: positive where all bits are set. */
#define INFINITE_F16(all)  (EACH_16 * 0xfc00 ^ ((all) & (EACH_16 << 15)))
#define INFINITE_BF16(all) (EACH_16 * 0xff80 ^ ((all) & (EACH_16 << 15)))
#define INFINITE_32(all)   (EACH_32 * 0xff800000 ^ ((all) & (EACH_32 << 31)))
#define INFINITE_64(all)   (UINT64_C(0xfff) << 52 ^ ((all) & (UINT64_C(1) << 63)))

/*
 * Any and all of booleans, and of other dtypes of a byte, are the largest and smallest
 * of their bytes, of which any but 0 means true.
 */
#define BOOLEAN(name, op, start)                                                       \
    REDUCER(name, u8, 1, TURNS_OF(name), op, u8, u8, start, start, .is_free = true,    \
            .accumulate = accumulate_##op##_u8,                                        \
            .in_registers = FEW(in_registers_##op##_u8))
#define BOOLEANS(op, start)                                                            \
    BOOLEAN(bool, op, start), BOOLEAN(u8, op, start), BOOLEAN(i8, op, start)

/* f16 and bf16, where the machine widens them. */
#if BLI_WIDENS_HALVES
#define HALVES(...) , __VA_ARGS__
#else
#define HALVES(...)
#endif

#endif
