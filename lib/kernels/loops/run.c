/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the loops of every kernel are run, for one instruction set: short rows, rows
 * that are packed into blocks first, and non-temporal stores.
 */
#include "kernels/loops/rows.h"

#include "kernels/copy/copy.h"
#include "kernels/copy/non_temporal.h"

/*
 * Rows of fewer elements than this are computed one element at a time, whatever the
 * strides: entering a vector loop costs more. Four rows of 4 f32 take 9 ns this way, 22
 * ns with vectors. A single row is not worth packing up to BLI_ONE_ROW_MAX.
 */
#define BLI_SHORT_ROW_MAX 8
#define BLI_ONE_ROW_MAX   24

/*
 * Bytes of a result that are computed at a time before non-temporal stores, so many
 * that calls of a loop do not count: against 256, floor of f32 takes .81 of the time.
 * BLI_NT_PREFETCH is the prefetch distance in bytes.
 */
#define BLI_NT_BLOCK    1024
#define BLI_NT_PREFETCH 2048

/*
 * Elements of a block at most, and bytes that the blocks of all operands have together,
 * on the stack and in L1.
 */
#define BLI_PACK       1024
#define BLI_PACK_BYTES 11264

static bli_kernel *const moves[5] = {bli_move_1, bli_move_2, bli_move_4, bli_move_8,
                                     bli_move_16};

/* Fill `rows` from a kernel's arguments; inputs 1 and 2 exchanged where `swapped`. */
BLI_INLINE void rows_open(struct bli_rows *rows, int32_t operands, bool swapped,
                          BLI_PARAMETERS)
{
    const int32_t in = inner == 1; /* then the outer loop is the only one */
    bool is_even = true;

    (void)params;
#pragma GCC unroll 5
    for (int32_t k = 0; k < operands; k++) {
        const int32_t from = swapped && k > 0 ? 3 - k : k;

        rows->data[k] = bli_address(data, from);
        rows->step[k] = stride[in][from];
        rows->next[k] = stride[1][from];
        is_even &= stride[1][from] == stride[0][from] * inner;
    }
    const bool is_one = is_even || in || outer == 1;

    rows->inner = is_one ? inner * outer : inner;
    rows->outer = is_one ? 1 : outer;
}

/* Whether `dense` takes the operands' inner strides. */
BLI_INLINE bool strides_fit(const struct bli_loops *loops, const struct bli_rows *rows,
                            int32_t operands)
{
    bool fits = rows->step[0] == loops->size[0];
    uint32_t scalars = 0;

#pragma GCC unroll 5
    for (int32_t k = 1; k < operands; k++) {
        fits &= rows->step[k] == loops->size[k] || rows->step[k] == 0;
        scalars |= (uint32_t)(rows->step[k] == 0) << (k - 1);
    }
    return (fits && (loops->forms >> scalars & 1) != 0) || rows->inner == 1;
}

/* ---- rows that are packed first ---- */

/* Copy `many` rows of `count` elements of `size` bytes. */
static void move_rows(char *to, int64_t to_step, int64_t to_next, char *from,
                      int64_t from_step, int64_t from_next, int64_t size, int64_t count,
                      int64_t many)
{
    char *const data[] = {to, from};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{to_step, from_step},
                                                 {to_next, from_next}};

    moves[__builtin_ctz((unsigned int)size)](data, stride, count, many, NULL);
}

/* Repeat the first `count` elements of a block until there are `least`. */
static void pad_block(char *block, int64_t size, int64_t count, int64_t least)
{
    for (int64_t done = count; done < least; done *= 2)
        memcpy(block + done * size, block,
               (size_t)((done < least - done ? done : least - done) * size));
}

/* The set of inputs that are one element in all rows, or none where not all may be. */
static uint32_t whole_scalars(const struct bli_loops *loops,
                              const struct bli_rows *rows, int32_t operands)
{
    uint32_t scalars = 0;

    for (int32_t k = 1; k < operands; k++)
        if (rows->step[k] == 0 && (rows->next[k] == 0 || rows->outer == 1))
            scalars |= UINT32_C(1) << (k - 1);
    return (loops->forms >> scalars & 1) != 0 ? scalars : 0;
}

/*
 * Compute one row of fewer elements than a block, whose strides fit: its inputs are
 * padded to one.
 */
static void padded(const struct bli_loops *loops, const struct bli_rows *rows,
                   int32_t operands)
{
    struct bli_block block[BLI_LOOP_OPERANDS];
    struct bli_rows part = *rows;
    const int64_t bytes = rows->inner * loops->size[0];

    part.inner = loops->least;
    part.data[0] = block[0].bytes;
    for (int32_t k = 1; k < operands; k++) {
        const int64_t size = loops->size[k];

        if (part.step[k] == 0 && rows->inner > 1)
            continue;
        part.step[k] = size;
        part.data[k] = block[k].bytes;
        memcpy(part.data[k], rows->data[k], (size_t)(rows->inner * size));
        pad_block(part.data[k], size, rows->inner, loops->least);
    }
    loops->dense(&part);
    memcpy(rows->data[0], part.data[0], (size_t)bytes);
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
    const int64_t least = loops->takes_fewer ? 0 : loops->least;
    const uint32_t scalars = whole_scalars(loops, rows, operands);
    bool is_kept[BLI_LOOP_OPERANDS] = {false}; /* the same block for all rows */
    struct bli_rows part = {.outer = 1};
    char *room = bytes;

    for (int32_t k = 0; k < operands; k++) {
        block[k] = room;
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
                const int64_t size = loops->size[k], step = rows->step[k];
                const int64_t next = rows->next[k];
                char *const from = rows->data[k] + i * next + j * step;

                part.step[k] = size;
                part.data[k] = from;
                if (step == size && (many == 1 || next == across * size) && !is_short)
                    continue;
                if (k > 0 && (scalars >> (k - 1) & 1) != 0) {
                    part.step[k] = 0;
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
            loops->dense(&part);
            if (part.data[0] == block[0])
                move_rows(rows->data[0] + i * rows->next[0] + j * rows->step[0],
                          rows->step[0], rows->next[0], block[0], loops->size[0],
                          across * loops->size[0], loops->size[0], across, many);
        }
}

/* ---- non-temporal stores ---- */

/* Compute `count` elements at `rows->data`, and advance to those after them. */
static void compute_part(const struct bli_loops *loops, struct bli_rows *rows,
                         int32_t operands, int64_t count)
{
    rows->inner = count;
    if (count <= 0)
        return;
    if (count >= loops->least || loops->takes_fewer)
        loops->dense(rows);
    else if (*loops->single != NULL)
        (*loops->single)(rows);
    else
        padded(loops, rows, operands);
    for (int32_t k = 0; k < operands; k++)
        rows->data[k] += count * rows->step[k];
}

/*
 * Prefetch the later blocks of an input: while results are written with non-temporal
 * stores, the hardware prefetcher does not run far enough ahead.
 */
static void prefetch_block(const char *at, int64_t step, int64_t many)
{
    for (int64_t b = 0; b < many * step; b += 64)
        __builtin_prefetch(at + BLI_NT_PREFETCH + b, 0, 3);
}

/*
 * Compute one row with non-temporal stores, except at the ends that fill no block. A
 * block is written while the next one is computed: its own stores have then left the
 * store buffer, from which registers of another width cannot be loaded.
 */
static void stream_row(const struct bli_loops *loops, const struct bli_rows *rows,
                       int32_t operands)
{
    _Alignas(BLI_ALIGNMENT) char block[2][BLI_NT_BLOCK];
    const int64_t size = loops->size[0], many = BLI_NT_BLOCK / size;
    const int64_t skip = (int64_t)(-(uintptr_t)rows->data[0] & 63);
    const int64_t head =
        skip % size != 0 || skip / size > rows->inner ? rows->inner : skip / size;
    const int64_t blocks = (rows->inner - head) / many;
    struct bli_rows part = *rows;
    char *r;

    part.outer = 1;
    compute_part(loops, &part, operands, head);
    r = part.data[0];
    for (int64_t i = 0; i < blocks; i++) {
        for (int32_t k = 1; k < operands; k++)
            prefetch_block(part.data[k], part.step[k], many);
        part.data[0] = block[i & 1];
        compute_part(loops, &part, operands, many);
        if (i > 0)
            bli_nt_store_lines(r + (i - 1) * BLI_NT_BLOCK, block[~i & 1], BLI_NT_BLOCK);
    }
    if (blocks > 0)
        bli_nt_store_lines(r + (blocks - 1) * BLI_NT_BLOCK, block[~blocks & 1],
                           BLI_NT_BLOCK);
    part.data[0] = r + blocks * BLI_NT_BLOCK;
    compute_part(loops, &part, operands, rows->inner - head - blocks * many);
}

/* ---- kernels ---- */

/* Run a kernel's loops; the number of operands is constant. */
BLI_INLINE void run(const struct bli_loops *loops, int32_t operands, bool swapped,
                    BLI_PARAMETERS)
{
    bli_loop *const single = *loops->single;
    struct bli_rows rows;

    rows_open(&rows, operands, swapped, BLI_ARGUMENTS);
    if (rows.inner <= 0 || rows.outer <= 0)
        return;

    const bool is_short = rows.inner < loops->least;

    if (single != NULL &&
        (rows.inner < BLI_SHORT_ROW_MAX ||
         (rows.outer == 1 && is_short && rows.inner < BLI_ONE_ROW_MAX)))
        single(&rows);
    else if (!strides_fit(loops, &rows, operands) || (is_short && rows.outer > 1))
        packed(loops, &rows, operands);
    else if (is_short && !loops->takes_fewer)
        padded(loops, &rows, operands);
    else if (params != BLI_NT_STORES)
        loops->dense(&rows);
    else
        for (int64_t i = 0; i < rows.outer; i++) {
            stream_row(loops, &rows, operands);
            for (int32_t k = 0; k < operands; k++)
                rows.data[k] += rows.next[k];
        }
}

void bli_run_2(BLI_PARAMETERS, const struct bli_loops *loops)
{
    run(loops, 2, false, BLI_ARGUMENTS);
}

void bli_run_3(BLI_PARAMETERS, const struct bli_loops *loops)
{
    run(loops, 3, false, BLI_ARGUMENTS);
}

void bli_run_4(BLI_PARAMETERS, const struct bli_loops *loops)
{
    run(loops, 4, false, BLI_ARGUMENTS);
}

void bli_run_5(BLI_PARAMETERS, const struct bli_loops *loops)
{
    run(loops, 5, false, BLI_ARGUMENTS);
}

void bli_run_swapped(BLI_PARAMETERS, const struct bli_loops *loops)
{
    run(loops, 3, true, BLI_ARGUMENTS);
}
