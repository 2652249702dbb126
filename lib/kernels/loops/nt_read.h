/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where rows are read whose result is written with non-temporal stores, and what is
 * prefetched there.
 */
#ifndef BLI_NT_READ_H
#define BLI_NT_READ_H

#include "kernels/loops/pack.h"

/*
 * Bytes between what is computed and what is prefetched: while results are written with
 * non-temporal stores, the hardware does not prefetch far enough ahead. On Zen 5,
 * without prefetches where of f32 takes 2 to 3 times as long; with 2048 bytes rows of
 * 64 and 1000 f32 take 1.02 to 1.07 of the time with two threads, with 4096 three
 * operands do, which then meet in sets of L1.
 */
#define BLI_NT_PREFETCH 3072

/*
 * Zen 3 takes a load for one of a store that waits if the last 12 bits of their
 * addresses are the same: a prefetch less than 1.5 KiB behind the result, so seen,
 * waits for what is stored. Arrays that begin on pages, as large ones do, are such:
 * rows of 1000 f32 take 0.76 to 0.86 of the time with 2048 bytes instead of 3072,
 * but 1.2 where an input begins 1088 bytes after a page. So the first of these that is
 * neither behind nor at the result is taken. Zen 4 with 512 bits: rows of 1000 f32 .7,
 * columns of as many .93, others .95 to 1.05.
 */
static const int64_t nt_prefetch[] = {BLI_NT_PREFETCH, 2048, 3648};
#define BLI_NT_PAGE  4096
#define BLI_NT_NEAR  256
#define BLI_NT_CLEAR 2560

/* The bytes that input `a` of a result at `r` is prefetched ahead. */
BLI_INLINE int64_t prefetch_ahead(const char *r, const char *a)
{
    int64_t ahead = BLI_NT_PREFETCH;

    for (size_t i = 0; i < sizeof nt_prefetch / sizeof *nt_prefetch; i++) {
        const uintptr_t to = (uintptr_t)a + (uintptr_t)nt_prefetch[i];
        const uintptr_t apart = (to - (uintptr_t)r) & (BLI_NT_PAGE - 1);

        ahead = nt_prefetch[i];
        if (apart >= BLI_NT_NEAR && apart < BLI_NT_CLEAR)
            break;
    }
    return ahead;
}

/* Where rows are read. */
struct bli_read {
    const char *at[BLI_LOOP_OPERANDS];
    int64_t step[BLI_LOOP_OPERANDS]; /* bytes from element to element */
    int64_t line[BLI_LOOP_OPERANDS]; /* bytes that a line of the result needs */
    int64_t ahead[BLI_LOOP_OPERANDS];
    bool is_thin; /* one array at most, a line of each input: see store_thin() */
};

/* Prefetch what some lines of the result need, counted from where rows are read. */
BLI_INLINE void prefetch_lines(const struct bli_read *read, int32_t operands,
                               int64_t first, int64_t lines)
{
#pragma GCC unroll 4
    for (int32_t k = 1; k < operands; k++) {
        const char *const from = read->at[k] + read->ahead[k] + first * read->line[k];

        for (int64_t b = 0; b < lines * read->line[k]; b += BLI_ALIGNMENT)
            __builtin_prefetch(from + b, 0, 3);
    }
}

/* Set where rows are read. */
BLI_INLINE void open_read(struct bli_read *read, const struct bli_rows *part,
                          int32_t operands, int32_t shift)
{
    int32_t arrays = 0;
    bool is_narrow = true;

#pragma GCC unroll 4
    for (int32_t k = 1; k < operands; k++) {
        read->at[k] = part->data[k];
        read->step[k] = part->stride[0][k];
        read->line[k] = read->step[k] * BLI_ALIGNMENT >> shift;
        read->ahead[k] =
            read->step[k] == 0 ? 0 : prefetch_ahead(part->data[0], part->data[k]);
        is_narrow = is_narrow && read->line[k] <= BLI_ALIGNMENT;
        arrays += read->step[k] != 0 && (part->outer == 1 || part->stride[1][k] != 0);
    }
    read->is_thin = is_narrow && arrays <= 1;
}

#endif
