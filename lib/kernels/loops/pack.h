/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that a kernel's `dense` loop does not take as they are: they are packed into
 * blocks first, or padded to one.
 */
#ifndef BLI_PACK_H
#define BLI_PACK_H

#include "kernels/copy/copy.h"
#include "kernels/loops/rows.h"

/*
 * Elements of a block at most, and bytes that the blocks of all operands have together,
 * on the stack and in L1.
 */
#define BLI_PACK       4096
#define BLI_PACK_BYTES 9728

/*
 * Rows of fewer elements than this are computed one element at a time, whatever the
 * strides: entering a vector loop costs more. Four rows of 4 f32 take 9 ns this way, 22
 * ns with vectors. A single row is not worth packing up to BLI_ONE_ROW_MAX.
 */
#define BLI_SHORT_ROW_MAX 8
#define BLI_ONE_ROW_MAX   24

static bli_kernel *const moves[5] = {&bli_move_1, &bli_move_2, &bli_move_4, &bli_move_8,
                                     &bli_move_16};

/* Copy `many` rows of `count` elements of `size` bytes. */
static void move_rows(char *to, int64_t to_step, int64_t to_next, char *from,
                      int64_t from_step, int64_t from_next, int64_t size, int64_t count,
                      int64_t many)
{
    char *const data[] = {to, from};
    int64_t stride[2][BLI_MAX_OPERANDS]; /* to fill the rest would take 30 cycles */

    stride[0][0] = to_step;
    stride[0][1] = from_step;
    stride[1][0] = to_next;
    stride[1][1] = from_next;
    bli_kernel_run(moves[__builtin_ctz((unsigned int)size)], data,
                   (const int64_t(*)[BLI_MAX_OPERANDS])stride, count, many, NULL);
}

/* Repeat the first `count` elements of a block until there are `least`. */
static void pad_block(char *block, int64_t size, int64_t count, int64_t least)
{
    for (int64_t done = count; done < least; done *= 2)
        memcpy(block + done * size, block,
               (size_t)((done < least - done ? done : least - done) * size));
}

/* The set of inputs with inner stride 0. */
static uint32_t scalar_set(const struct bli_rows *rows, int32_t operands)
{
    uint32_t scalars = 0;

    for (int32_t k = 1; k < operands; k++)
        scalars |= (uint32_t)(rows->stride[0][k] == 0) << (k - 1);
    return scalars;
}

/* Run a loop for rows that it takes. */
static void run_loop(bli_loop *loop, const struct bli_rows *rows, uint32_t scalars)
{
    loop(rows->data, rows->stride, rows->inner, rows->outer, scalars);
}

/* The set of inputs that are one element in all rows, or none where not all may be. */
static uint32_t whole_scalars(const struct bli_loops *loops,
                              const struct bli_rows *rows, int32_t operands)
{
    uint32_t scalars = 0;

    for (int32_t k = 1; k < operands; k++)
        if (rows->stride[0][k] == 0 && (rows->stride[1][k] == 0 || rows->outer == 1))
            scalars |= UINT32_C(1) << (k - 1);
    return (loops->forms >> scalars & 1) != 0 ? scalars : 0;
}

/* A register of the `bytes` bytes, a power of two below its size, at a and b in turns.
 */
static bli_wide pair(const char *a, const char *b, int64_t bytes)
{
    char both[16];

    if (bytes >= 16)
        return join_pieces(a, b, bytes);
    if (bytes == 8) {
        memcpy(both, a, 8);
        memcpy(both + 8, b, 8);
        return splat(both, 16);
    }
    if (bytes == 4) {
        memcpy(both, a, 4);
        memcpy(both + 4, b, 4);
        return splat(both, 8);
    }
    memcpy(both, a, 2);
    memcpy(both + 2, b, 2);
    return splat(both, 4);
}

/*
 * Fill a block of `room` bytes with the first and the last `bytes` of a row in turns, a
 * power of two; the last ones are at a + last.
 */
static void pad(char *block, const char *a, int64_t last, int64_t bytes, int64_t room)
{
    if (bytes < BLI_WIDE) {
        const bli_wide v = pair(a, a + last, bytes);

        for (int64_t at = 0; at < room; at += BLI_WIDE)
            memcpy(block + at, &v, sizeof v);
        return;
    }
    for (int64_t at = 0; at < room; at += BLI_WIDE)
        move_piece(block + at, a + ((at & bytes) != 0 ? last : 0) + (at & (bytes - 1)),
                   BLI_WIDE);
}

/* Copy the first and the last `bytes` of a row from such a block. */
static void unpad(char *r, const char *block, int64_t last, int64_t bytes)
{
    if (bytes == 8) {
        move_piece(r, block, 8);
        move_piece(r + last, block + 8, 8);
    } else if (bytes == 16) {
        move_piece(r, block, 16);
        move_piece(r + last, block + 16, 16);
    } else if (bytes >= 32) {
        for (int64_t at = 0; at < bytes; at += 32) {
            move_piece(r + at, block + at, 32);
            move_piece(r + last + at, block + bytes + at, 32);
        }
    } else {
        memcpy(r, block, (size_t)bytes);
        memcpy(r + last, block + bytes, (size_t)bytes);
    }
}

/* Whether filling a block is faster than single elements for a row of `count`. */
static bool is_padded(const struct bli_loops *loops, int32_t operands, int64_t count)
{
    const int64_t r_size = loops->size[0], size = loops->size[operands - 1];
    const bool is_small = loops->least * (r_size > size ? r_size : size) <= BLI_WIDE;

    return *loops->single == NULL ||
           count >= (is_small ? BLI_SHORT_ROW_MAX : BLI_ONE_ROW_MAX);
}

/*
 * Compute one row of fewer elements than a block, whose strides fit: blocks are filled
 * with its first and its last 2^n elements, more than half of them.
 */
static void padded(const struct bli_loops *loops, int32_t operands, char *const *data,
                   const int64_t *step, int64_t count)
{
    struct bli_block block[BLI_LOOP_OPERANDS];
    const int64_t many = INT64_C(1) << (63 - __builtin_clzll((uint64_t)count));
    const int64_t last = count - many;
    int64_t stride[2][BLI_MAX_OPERANDS];
    char *part[BLI_LOOP_OPERANDS];
    uint32_t scalars = 0;

    for (int32_t k = 0; k < operands; k++) {
        const int64_t size = loops->size[k];

        part[k] = block[k].bytes;
        stride[0][k] = size;
        stride[1][k] = 0;
        if (k > 0 && step[k] == 0 && count > 1) {
            part[k] = data[k];
            stride[0][k] = 0;
            scalars |= UINT32_C(1) << (k - 1);
        } else if (k > 0) {
            pad(part[k], data[k], last * size, many * size, loops->least * size);
        }
    }
    loops->dense(part, (const int64_t(*)[BLI_MAX_OPERANDS])stride, loops->least, 1,
                 scalars);
    unpad(data[0], part[0], last * loops->size[0], many * loops->size[0]);
}

/* Elements that blocks of all operands have room for, a multiple of whole lines. */
static int64_t block_elements(const struct bli_loops *loops, int32_t operands)
{
    int64_t all = 0, most;

    for (int32_t k = 0; k < operands; k++)
        all += loops->size[k];
    most = BLI_PACK_BYTES / all / BLI_ALIGNMENT * BLI_ALIGNMENT;
    return most < BLI_PACK ? most : BLI_PACK;
}

/*
 * Compute rows that `dense` does not take: inputs are packed into blocks, and the
 * result is copied from one. Short rows share a block: one at a time, each would cost
 * as much as a block.
 */
static void packed(const struct bli_loops *loops, const struct bli_rows *rows,
                   int32_t operands)
{
    _Alignas(BLI_ALIGNMENT) char bytes[BLI_PACK_BYTES];
    char *block[BLI_LOOP_OPERANDS];
    const int64_t elements = block_elements(loops, operands);
    const int64_t columns = rows->inner < elements ? rows->inner : elements;
    const int64_t most = columns > 0 ? elements / columns : 1;
    const int64_t least = loops->fewest;
    const uint32_t scalars = whole_scalars(loops, rows, operands);
    bool is_kept[BLI_LOOP_OPERANDS] = {false}; /* the same block for all rows */
    struct bli_rows part;
    char *room = bytes;

    part.outer = 1;
    for (int32_t k = 0; k < operands; k++) {
        block[k] = room;
        part.stride[1][k] = 0;
        room += elements * loops->size[k];
    }
    for (int64_t i = 0; i < rows->outer; i += most)
        for (int64_t j = 0; j < rows->inner; j += columns) {
            const int64_t many = rows->outer - i < most ? rows->outer - i : most;
            const int64_t left = rows->inner - j;
            const int64_t across = left < columns ? left : columns;
            const int64_t count = many * across;
            const bool is_short = count < least;

            part.inner = is_short ? least : count;
            for (int32_t k = 0; k < operands; k++) {
                const int64_t size = loops->size[k], step = rows->stride[0][k];
                const int64_t next = rows->stride[1][k];
                char *const from = rows->data[k] + i * next + j * step;

                part.stride[0][k] = size;
                part.data[k] = from;
                if (step == size && (many == 1 || next == across * size) && !is_short)
                    continue;
                if (k > 0 && (scalars >> (k - 1) & 1) != 0) {
                    part.stride[0][k] = 0;
                    continue;
                }
                part.data[k] = block[k];
                if (k == 0 || is_kept[k])
                    continue;
                move_rows(block[k], size, across * size, from, step, next, size, across,
                          many);
                pad_block(block[k], size, count, least);
                is_kept[k] = (next == 0 || rows->outer == 1) &&
                             (step == 0 || columns == rows->inner);
            }
            run_loop(loops->dense, &part, scalar_set(&part, operands));
            if (part.data[0] == block[0])
                move_rows(
                    rows->data[0] + i * rows->stride[1][0] + j * rows->stride[0][0],
                    rows->stride[0][0], rows->stride[1][0], block[0], loops->size[0],
                    across * loops->size[0], loops->size[0], across, many);
        }
}

#endif
