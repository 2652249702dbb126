/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions between all dtypes, and copies of elements, for one instruction set:
 * BLI_ISA_NAME, a row of isa.def, compiled with its flags. Exports bli_isa_<name>.
 */
#include "kernels/expand.h"
#include "kernels/convert/half_vector.h"
#include "kernels/copy/non_temporal.h"
#include "kernels/integer/zeros.h"

/*
 * Whether blocks of one dtype become blocks of f32, which are narrowed to f16 or bf16;
 * and whether a conversion goes through blocks of f32. With AVX2 f32 to bf16 takes .71
 * of the time so, integers of up to 32 bits .75 to .83, with 512 bits .9 to 1.0; truths
 * would take 8.6, f64 and 64 bits, which are rounded to odd, .95 to 1.08 (Zen 5).
 */
#define BLI_NARROWS(from, from_size, to)                                               \
    ((to) == BL_DTYPE_F16 || ((to) == BL_DTYPE_BF16 && BLI_WIDE >= 32 &&               \
                              (from) != BL_DTYPE_BOOL && (from_size) <= 4))
#define BLI_IS_STAGED(from, from_size, to)                                             \
    (BLI_NARROWS(from, from_size, to) || (from) == BL_DTYPE_F16)

/* Elements of a block of which one side, or both, are f16 or bf16. */
#define BLI_STAGED_LEAST(from, from_size, to, to_size)                                 \
    (BLI_NARROWS(from, from_size, to)                                                  \
         ? BLI_HALF_LEAST(from_size, (to) == BL_DTYPE_F16)                             \
         : BLI_HALF_LEAST(to_size, true))

/*
 * Convert such a block through a block of f32: compilers do not emit the instruction
 * that converts eight f16 to or from f32 for a loop.  `one` converts between another
 * dtype and f32.
 */
BLI_INLINE void staged_block(bli_apply *one, int32_t from, int64_t from_size,
                             int32_t to, int64_t to_size, char *r, const char *a)
{
    _Alignas(BLI_ALIGNMENT) float own[BLI_HALF_MOST];
    const bool narrows = BLI_NARROWS(from, from_size, to);
    const bool widens = from == BL_DTYPE_F16 || (from == BL_DTYPE_BF16 && narrows);
    const int64_t least = BLI_STAGED_LEAST(from, from_size, to, to_size);
    const int64_t size[BLI_LOOP_OPERANDS] = {narrows ? 4 : to_size,
                                             narrows ? from_size : 4};
    float *const wide = to == BL_DTYPE_F32 ? (float *)(void *)r : own;

    if (widens)
        widen_block(wide, a, least, from == BL_DTYPE_F16);
    if (from != BL_DTYPE_F32 && to != BL_DTYPE_F32 && widens != narrows)
        block_of(one, least, size, narrows ? (char *)own : r,
                 narrows ? a : (const char *)own, NULL, NULL, NULL);
    if (narrows)
        narrow_block(r, from == BL_DTYPE_F32 ? (const float *)(const void *)a : own,
                     least, to == BL_DTYPE_F16);
}

/* Loops of single elements, [from][to], of the first instruction set. */
extern bli_loop *const bli_conversions_single[BLI_DTYPES][BLI_DTYPES];

#define BLI_DTYPE_TEMPLATE "kernels/convert/convert.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE

/* The copy kernel of elements of `size` bytes. */
#define BLI_MOVE(size)                                                                 \
    ((size) == 1   ? &bli_move_1                                                       \
     : (size) == 2 ? &bli_move_2                                                       \
     : (size) == 4 ? &bli_move_4                                                       \
     : (size) == 8 ? &bli_move_8                                                       \
                   : &bli_move_16)

/* The unsigned dtype of the same size, of signed integers; of others they themselves.
 */
#define BLI_UNSIGNED_i8        , u8
#define BLI_UNSIGNED_i16       , u16
#define BLI_UNSIGNED_i32       , u32
#define BLI_UNSIGNED_i64       , u64
#define BLI_SECOND_(a, b, ...) b
#define BLI_SECOND(...)        BLI_SECOND_(__VA_ARGS__)
#define BLI_UNSIGNED(x)        BLI_SECOND(PASTE(BLI_UNSIGNED_, x), x, )

/*
 * The kernel of a conversion, which several may share: to the same dtype, and between
 * integers of one size, it copies elements; narrower integers, and whether an integer
 * is 0, do not depend on its sign; and what is made modulo 2^n, also of floats in at
 * most 16 bits, does not on the sign of the result.
 */
#define BLI_IS_INT(x)         ((int)PASTE(class_, x) == (int)BLI_CLASS_INT)
#define BLI_IS_BOOL(x)        ((int)PASTE(class_, x) == (int)BLI_CLASS_BOOL)
#define BLI_SIZE_OF(x)        sizeof(PASTE(stored_, x))
#define BLI_CONVERT(to, from) BLI_KERNEL_AT(PASTE3(PASTE(kernel_, to), _from_, from))
#define BLI_CHOOSE_LOOP(from, to, moved, of)                                           \
    ((int)PASTE(value_, from) == (int)PASTE(value_, to) ||                             \
     (BLI_IS_INT(from) && BLI_IS_INT(to) && BLI_SIZE_OF(from) == BLI_SIZE_OF(to)))     \
        ? (moved)                                                                      \
    : BLI_IS_INT(from) && BLI_IS_BOOL(to) ? of(to, BLI_UNSIGNED(from))                 \
    : BLI_IS_INT(from) && BLI_IS_INT(to) && BLI_SIZE_OF(to) < BLI_SIZE_OF(from)        \
        ? of(BLI_UNSIGNED(to), BLI_UNSIGNED(from))                                     \
    : BLI_IS_INT(from) || BLI_IS_BOOL(from) || BLI_SIZE_OF(to) <= 2                    \
        ? of(BLI_UNSIGNED(to), from)                                                   \
        : of(to, from)
#define BLI_CONVERSION(from, to)                                                       \
    BLI_CHOOSE_LOOP(from, to, BLI_MOVE(BLI_SIZE_OF(from)), BLI_CONVERT)

static bli_kernel *const moves[] = {&bli_move_1, &bli_move_2, &bli_move_4, &bli_move_8,
                                    &bli_move_16};

static bli_kernel *const conversions[BLI_DTYPES][BLI_DTYPES] = {
#define BLI_DTYPE_TEMPLATE "kernels/convert/conversions.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
};

#if defined BLI_ISA_IS_FIRST
/*
 * Loops of single elements, which only a conversion with a kernel of its own needs. It
 * takes any strides: the real part of a complex element is a float.
 */
#define BLI_REAL_c64         , f32
#define BLI_REAL_c128        , f64
#define BLI_REAL_OF(x)       BLI_SECOND(PASTE(BLI_REAL_, x), x, )
#define BLI_ID(to, from)     ((int)PASTE(value_, to) << 8 | (int)PASTE(value_, from))
#define BLI_IS_COMPLEX(x)    ((int)PASTE(class_, x) == (int)BLI_CLASS_COMPLEX)
#define BLI_ONE_BY(to, from) PASTE3(PASTE(single_, to), _from_, from)
#undef BLI_CONVERSION
#define BLI_CONVERSION(from, to)                                                       \
    (BLI_CHOOSE_LOOP(from, to, -1, BLI_ID)) != BLI_ID(to, from) ? NULL                 \
    : BLI_IS_COMPLEX(to) || BLI_IS_BOOL(to)                     ? BLI_ONE_BY(to, from) \
                                            : BLI_ONE_BY(to, BLI_REAL_OF(from))
bli_loop *const bli_conversions_single[BLI_DTYPES][BLI_DTYPES] = {
#define BLI_DTYPE_TEMPLATE "kernels/convert/conversions.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
};
#endif

/*
 * In cpu.c, compiled without this file's flags: it may run on a machine without
 * them.
 */
bool PASTE(bli_isa_available_, BLI_ISA_NAME)(void);

/* Defined by kernels.h. */
extern bli_kernel *const PASTE(bli_integers_, BLI_ISA_NAME)[][BLI_DTYPES];
extern bli_kernel *const PASTE(bli_inexact_, BLI_ISA_NAME)[][BLI_DTYPES];

/* Defined by registers/machines.c. */
bli_prepare_program BLI_OF_ISA(bli_prepare_program);
bli_run_program BLI_OF_ISA(bli_run_program);
bli_run_apart BLI_OF_ISA(bli_run_apart);

extern const struct bli_isa PASTE(bli_isa_, BLI_ISA_NAME);
const struct bli_isa PASTE(bli_isa_, BLI_ISA_NAME) = {
    .name = STRING(BLI_ISA_NAME),
    .available = PASTE(bli_isa_available_, BLI_ISA_NAME),
    .integers = PASTE(bli_integers_, BLI_ISA_NAME),
    .inexact = PASTE(bli_inexact_, BLI_ISA_NAME),
    .convert = conversions,
    .move = moves,
    .stream = bli_nt_copy,
    .stream_fence = bli_nt_fence,
    .prepare_program = BLI_OF_ISA(bli_prepare_program),
    .run_program = BLI_OF_ISA(bli_run_program),
    .run_apart = BLI_OF_ISA(bli_run_apart),
    .register_bytes = BLI_WIDE,
    .has_zero = bli_has_zero,
};
