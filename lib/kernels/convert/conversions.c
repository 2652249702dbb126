/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions between all dtypes, and copies of elements, for one instruction set:
 * BLI_ISA_NAME, a row of isa.def, compiled with its flags. Exports bli_isa_<name>.
 */
#include "kernels/expand.h"
#include "kernels/convert/half_vector.h"
#include "kernels/copy/copy.h"
#include "kernels/copy/non_temporal.h"
#include "kernels/integer/zeros.h"

/*
 * Convert one contiguous row of which one side is f16, a block at a time: the
 * instruction that converts eight f16 to or from f32 is not emitted by compilers for a
 * loop. `one` converts between the other side and f32.
 */
BLI_INLINE void staged_row(bli_unary *one, char *r, const char *a, int64_t r_size,
                           int64_t a_size, bool to_half, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) float block[BLI_BLOCK];

    for (int64_t j = 0; j < count; j += BLI_BLOCK) {
        const int64_t many = count - j < BLI_BLOCK ? count - j : BLI_BLOCK;
        char *const to = to_half ? (char *)block : r + j * r_size;
        const char *const from = to_half ? a + j * a_size : (const char *)block;
        const int64_t to_size = to_half ? (int64_t)sizeof *block : r_size;
        const int64_t from_size = to_half ? a_size : (int64_t)sizeof *block;

        if (!to_half)
            bli_widen_f16(block, a + j * a_size, many);
#pragma omp simd
        for (int64_t k = 0; k < many; k++)
            one(to + k * to_size, from + k * from_size);
        if (to_half)
            bli_narrow_f16(r + j * r_size, block, many);
    }
}

/*
 * Kernel body of a conversion from or to f16: rows by staged_row, strided or short rows
 * through contiguous blocks.
 */
BLI_INLINE void unary_staged(bli_kernel *self, bli_unary *one, int64_t r_size,
                             int64_t a_size, bool to_half, BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, a_size};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer);

    const int32_t form = rows_form(&rows, 2, size);

    if (form != BLI_ACCESS_CONTIGUOUS || (rows.outer > 1 && rows.inner < 16)) {
        strided(self, 2, size, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 2))
        staged_row(one, rows.data[0], rows.data[1], r_size, a_size, to_half,
                   rows.inner);
}

/* Kernel: f16 to f32, which needs no element function. */
static void widen_f16(BLI_PARAMETERS)
{
    const int64_t size[] = {sizeof(float), sizeof(uint16_t)};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer);

    const int32_t form = rows_form(&rows, 2, size);

    if (form != BLI_ACCESS_CONTIGUOUS || (rows.outer > 1 && rows.inner < 16)) {
        strided(widen_f16, 2, size, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 2))
        bli_widen_f16((float *)(void *)rows.data[0], rows.data[1], rows.inner);
}

/* Convert a row of f32 to f16; with non-temporal stores where `streams`. */
static void narrow_row(char *r, const float *a, int64_t count, bool streams)
{
    const int64_t many = BLI_NT_BLOCK / (int64_t)sizeof(uint16_t);
    _Alignas(BLI_ALIGNMENT) char block[BLI_NT_BLOCK];
    int64_t j;

    if (!streams) {
        bli_narrow_f16(r, a, count);
        return;
    }
    j = stream_head(r, sizeof(uint16_t), count);
    bli_narrow_f16(r, a, j);
    for (; j + many <= count; j += many) {
        bli_narrow_f16(block, a + j, many);
        bli_nt_store_lines(r + 2 * j, block, BLI_NT_BLOCK);
    }
    bli_narrow_f16(r + 2 * j, a + j, count - j);
}

/* Kernel: f32 to f16, with non-temporal stores where `params` says so. */
static void narrow_f16(BLI_PARAMETERS)
{
    const int64_t size[] = {sizeof(uint16_t), sizeof(float)};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer);

    const int32_t form = rows_form(&rows, 2, size);

    if (form != BLI_ACCESS_CONTIGUOUS || (rows.outer > 1 && rows.inner < 16)) {
        strided(narrow_f16, 2, size, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 2))
        narrow_row(rows.data[0], (const float *)(const void *)rows.data[1], rows.inner,
                   params == BLI_NT_STORES);
}

#define BLI_DTYPE_TEMPLATE "kernels/convert/convert.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE

static bli_kernel *const moves[] = {bli_move_1, bli_move_2, bli_move_4, bli_move_8,
                                    bli_move_16};

/* The kernel of a conversion: one to the same dtype copies elements. */
#define BLI_MOVE(size)                                                                 \
    ((size) == 1   ? bli_move_1                                                        \
     : (size) == 2 ? bli_move_2                                                        \
     : (size) == 4 ? bli_move_4                                                        \
     : (size) == 8 ? bli_move_8                                                        \
                   : bli_move_16)
#define BLI_PAIR(from, to)                                                             \
    ((int)PASTE(value_, from) * BLI_DTYPES + (int)PASTE(value_, to))
#define BLI_CONVERSION(from, to)                                                       \
    (BLI_PAIR(from, to) == BLI_PAIR(f16, f32)   ? widen_f16                            \
     : BLI_PAIR(from, to) == BLI_PAIR(f32, f16) ? narrow_f16                           \
     : BLI_PAIR(from, to) == BLI_PAIR(from, from)                                      \
         ? BLI_MOVE(sizeof(PASTE(stored_, from)))                                      \
         : PASTE3(PASTE(convert_, to), _from_, from))

static bli_kernel *const conversions[BLI_DTYPES][BLI_DTYPES] = {
#define BLI_DTYPE_TEMPLATE "kernels/convert/conversions.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
};

/*
 * In cpu.c, compiled without this file's flags: it may run on a machine without
 * them.
 */
bool PASTE(bli_isa_available_, BLI_ISA_NAME)(void);

/* Defined by kernels.h. */
extern bli_kernel *const PASTE(bli_integers_, BLI_ISA_NAME)[][BLI_DTYPES];
extern bli_kernel *const PASTE(bli_inexact_, BLI_ISA_NAME)[][BLI_DTYPES];

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
    .has_zero = bli_has_zero,
};
