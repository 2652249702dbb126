/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows whose result is written with non-temporal stores: pieces of them are computed
 * into blocks, of which whole cache lines are stored, wherever rows begin and end.
 */
#ifndef BLI_NT_ROWS_H
#define BLI_NT_ROWS_H

#include "kernels/copy/non_temporal.h"
#include "kernels/loops/nt_read.h"

/*
 * Bytes of a result that are computed at a time, and whether prefetches are between the
 * lines that are stored, or all before a piece is computed.  Prefetches between them,
 * and 1024 bytes instead of 512: Zen 3, rows of 64 and 1000 f32 take 0.8 to 1.0 of the
 * time, where of f32 0.9, with 512 bytes 0.95, with 2048 columns take 1.1; Zen 4 with
 * 512 bits, sums of i8 .7, of f32 and a number .83, columns of 1000 f32 .8, rows of 3,
 * of 64 and a transposed operand .9 to .95, comparisons 1.05.  On Zen 5 with AVX-512
 * floor of f32 took 1.03 of the time with 1024 bytes, computed and stored in turns.
 * With registers of 128 bits rows of 3 f32 take 1.2 times as long.
 *
 * Prefetches are to all caches: to L1 alone, Zen 3 takes as long, Emerald Rapids two
 * times as long.
 */
#if BLI_WIDE < 32
#define BLI_NT_BLOCK      512
#define BLI_NT_INTERLEAVE false
#else
#define BLI_NT_BLOCK      1024
#define BLI_NT_INTERLEAVE true
#endif
_Static_assert(BLI_NT_BLOCK >= BLI_BLOCK_BYTES, "a piece is at least a block");

/* A block, and room before it for a line that the one before has begun. */
struct bli_piece {
    _Alignas(BLI_ALIGNMENT) char begun[BLI_ALIGNMENT];
    char bytes[BLI_NT_BLOCK + BLI_BLOCK_BYTES];
};

/* Bytes of a result that are computed and not stored yet, and where they go. */
struct bli_pending {
    char *to;
    char *from;
    int64_t bytes;
};

/* The lines that so many bytes begin or fill. */
BLI_INLINE int64_t lines_of(int64_t bytes)
{
    return (bytes + BLI_ALIGNMENT - 1) / BLI_ALIGNMENT;
}

/* Store bytes of which some fill no line. */
static __attribute__((noinline)) void store_edges(char *to, const char *from,
                                                  int64_t bytes)
{
    bli_nt_copy(to, from, bytes);
}

/*
 * Store whole lines, and before each prefetch the line of each input that one more
 * needs: few enough instructions for the processor to compute the next piece meanwhile.
 * Where one array is read sqrt takes .85 to .93 of the time so, floor .92, a row added
 * to rows .88; where two are, sums of f64 take 1.03 to 1.08 (Zen 3).
 */
BLI_INLINE void store_thin(char *to, const char *from, int64_t bytes,
                           const struct bli_read *read, int32_t operands)
{
    const char *next[BLI_LOOP_OPERANDS];

#pragma GCC unroll 4
    for (int32_t k = 1; k < operands; k++)
        next[k] = read->at[k] + read->ahead[k];
    for (int64_t b = 0; b < bytes; b += BLI_ALIGNMENT) {
#pragma GCC unroll 4
        for (int32_t k = 1; k < operands; k++) {
            __builtin_prefetch(next[k], 0, 3);
            next[k] += read->line[k];
        }
        bli_nt_store_lines(to + b, from + b, BLI_ALIGNMENT);
    }
}

/*
 * Store bytes; if they are whole lines, prefetch what as many lines need between them.
 * Return how many were prefetched.
 */
BLI_INLINE int64_t store_bytes(char *to, const char *from, int64_t bytes,
                               const struct bli_read *read, int32_t operands)
{
    if ((((uintptr_t)to | (uintptr_t)bytes) & (BLI_ALIGNMENT - 1)) != 0) {
        store_edges(to, from, bytes);
        return 0;
    }
    if (!BLI_NT_INTERLEAVE) {
        bli_nt_store_lines(to, from, bytes);
        return 0;
    }
    if (read->is_thin)
        store_thin(to, from, bytes, read, operands);
    else
        for (int64_t b = 0; b < bytes; b += BLI_ALIGNMENT) {
            prefetch_lines(read, operands, b / BLI_ALIGNMENT, 1);
            bli_nt_store_lines(to + b, from + b, BLI_ALIGNMENT);
        }
    return bytes / BLI_ALIGNMENT;
}

/*
 * Store what is pending, and make `next` pending. Where `next` goes on with a line that
 * is not whole, that is left to it: of rows of 1000 f32 every other one begins in a
 * line, which took twice as long when each row was stored for itself.
 */
BLI_INLINE void store_pending(struct bli_pending *pending, struct bli_pending next,
                              const struct bli_read *read, int32_t operands)
{
    const bool goes_on = next.to == pending->to + pending->bytes;
    const int64_t begun = goes_on ? (uintptr_t)next.to & (BLI_ALIGNMENT - 1) : 0;
    const int64_t rest = begun < pending->bytes ? begun : pending->bytes;
    const int64_t bytes = pending->bytes - rest;
    int64_t line = store_bytes(pending->to, pending->from, bytes, read, operands);

    for (; BLI_NT_INTERLEAVE && line < lines_of(next.bytes); line++)
        prefetch_lines(read, operands, line, 1);
    if (rest > 0) {
        move_piece(next.from - BLI_ALIGNMENT,
                   pending->from + pending->bytes - BLI_ALIGNMENT, BLI_ALIGNMENT);
        next.to -= rest;
        next.from -= rest;
        next.bytes += rest;
    }
    *pending = next;
}

/* Whether rows are short, and their results lie apart. */
static bool are_apart(const struct bli_loops *loops, const struct bli_rows *part)
{
    const int64_t bytes = part->inner * loops->size[0];

    return BLI_NT_INTERLEAVE && part->outer > 1 && 2 * bytes <= BLI_NT_BLOCK &&
           part->stride[1][0] != bytes;
}

/*
 * Compute such rows, as many at a time as a piece holds; otherwise as nt_rows(). Tiles
 * of a transposed operand have them: one by one, add of 64 x 64 f32 takes 1.2 times as
 * long.
 */
BLI_INLINE void nt_rows_apart(const struct bli_loops *loops, struct bli_rows *part,
                              int32_t operands)
{
    struct bli_piece piece[2];
    const int32_t shift = __builtin_ctz(loops->size[0]);
    const int64_t outer = part->outer, next = part->stride[1][0];
    const int64_t bytes = part->inner << shift, at_once = BLI_NT_BLOCK / bytes;
    const uint32_t scalars = scalar_set(part, operands);
    char *r = part->data[0], *block = piece[0].bytes, *pending = piece[1].bytes;
    struct bli_read read;

    open_read(&read, part, operands, shift);
    part->stride[1][0] = bytes;
    for (int64_t i = 0, rows = 0; i < outer || rows > 0;) {
        const int64_t stored = rows;

        rows = at_once < outer - i ? at_once : outer - i;
        part->outer = rows;
        part->data[0] = block;
        if (rows > 0)
            run_loop(loops->dense, part, scalars);
        for (int64_t j = 0; j < stored; j++, r += next) {
            store_bytes(r, pending + j * bytes, bytes, &read, operands);
#pragma GCC unroll 4
            for (int32_t k = 1; k < operands; k++)
                read.at[k] += part->stride[1][k];
        }
#pragma GCC unroll 4
        for (int32_t k = 1; k < operands; k++) {
            read.at[k] = part->data[k];
            part->data[k] += rows * part->stride[1][k];
        }
        i += rows;
        block = pending;
        pending = part->data[0];
    }
}

/*
 * Compute rows that `dense` takes; `part` is used up. A piece is a part of a row, or
 * some short rows whose results are adjacent. It is stored after the next one is
 * computed: its own stores have then left the store buffer, from which registers of
 * another width cannot be loaded. For the same reason nothing is read from `part` that
 * was just written: add of bf16 would take 1.1 times as long.
 */
BLI_INLINE void nt_rows(const struct bli_loops *loops, struct bli_rows *part,
                        int32_t operands)
{
    struct bli_piece piece[2];
    const int32_t shift = __builtin_ctz(loops->size[0]);
    const int64_t fewest = loops->fewest, many = BLI_NT_BLOCK >> shift;
    const int64_t inner = part->inner, outer = part->outer;
    const int64_t r_next = part->stride[1][0];
    const int64_t at_once =
        2 * inner <= many && r_next == inner << shift ? many / inner : 1;
    const uint32_t scalars = scalar_set(part, operands);
    char *r = part->data[0], *block = piece[0].bytes, *other = piece[1].bytes;
    struct bli_pending pending = {r, other, 0};
    struct bli_read read;
    const char *row[BLI_LOOP_OPERANDS];

    open_read(&read, part, operands, shift);
#pragma GCC unroll 4
    for (int32_t k = 1; k < operands; k++)
        row[k] = part->data[k];
    for (int64_t i = 0, rows; i < outer; i += rows, r += rows * r_next) {
        rows = at_once < outer - i ? at_once : outer - i;
        part->outer = rows;
#pragma GCC unroll 4
        for (int32_t k = 1; k < operands; k++) {
            read.at[k] = row[k];
            row[k] += rows * part->stride[1][k];
        }
        for (int64_t left = inner, count, done = 0; left > 0; left -= count) {
            count = left >= many + fewest ? many : left;

            const struct bli_pending next = {r + done, block, rows * count << shift};

            part->inner = count;
            part->data[0] = block;
#pragma GCC unroll 4
            for (int32_t k = 1; k < operands; k++)
                part->data[k] = (char *)read.at[k];
            if (!BLI_NT_INTERLEAVE)
                prefetch_lines(&read, operands, 0, lines_of(next.bytes));
            run_loop(loops->dense, part, scalars);
            store_pending(&pending, next, &read, operands);
#pragma GCC unroll 4
            for (int32_t k = 1; k < operands; k++)
                read.at[k] += read.step[k] * count;
            done += next.bytes;
            block = other;
            other = next.from;
        }
    }
    store_edges(pending.to, pending.from, pending.bytes);
}

#endif
