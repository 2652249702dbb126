/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the true elements of a mask, and moves elements between an array and a compact
 * row of the selected ones.
 */
#include "exec/pack.h"
#include "exec/loops/loop_nest.h"

#include <string.h>

/* Elements of a boolean mask that are tested together: the bytes of a word. */
#define WORD ((int64_t)sizeof(uint64_t))
static const uint64_t all_true = UINT64_C(0x0101010101010101);

/*
 * Each element size has its own loops: GCC, left to itself, makes a call for each word.
 */
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Progress within a block. */
struct pack_cursor {
    char *row;    /* of the next selected element */
    int64_t left; /* true elements still to come in this block */
};

/* Return the iterations of a block. */
static bl_range block_range(const struct bli_pack *pack, int64_t block)
{
    const int64_t begin = block * BLI_PACK_BLOCK;
    const int64_t rest = pack->both.count - begin;

    return (bl_range){begin, begin + (rest < BLI_PACK_BLOCK ? rest : BLI_PACK_BLOCK)};
}

int64_t bli_pack_blocks(const struct bli_pack *pack)
{
    return pack->both.count / BLI_PACK_BLOCK +
           (pack->both.count % BLI_PACK_BLOCK != 0 ? 1 : 0);
}

/* ---- counting ---- */

/* A count of so many elements fits in a byte; vectors add 16 or more bytes at once. */
#define BYTE_COUNT 240

/* Return how many of at most BYTE_COUNT contiguous mask elements are true. */
static int64_t count_bytes(const char *mask, int64_t count)
{
    uint8_t found = 0;

#pragma omp simd reduction(+ : found)
    for (int64_t j = 0; j < count; j++)
        found = (uint8_t)(found + (mask[j] != 0));
    return found;
}

/*
 * Kernel: add the number of true elements of operand BLI_PACK_MASK to the int64_t that
 * `*params` points to.
 */
static void count_rows(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                       int64_t inner, int64_t outer, const void *params,
                       bli_kernel *kernel)
{
    int64_t *const total = *(int64_t *const *)params;
    const int64_t step = stride[0][BLI_PACK_MASK];

    (void)kernel;
    for (int64_t i = 0; i < outer; i++) {
        const char *const mask = data[BLI_PACK_MASK] + i * stride[1][BLI_PACK_MASK];
        int64_t found = 0;

        for (int64_t j = 0; j < inner && step == 1; j += BYTE_COUNT)
            found +=
                count_bytes(mask + j, inner - j < BYTE_COUNT ? inner - j : BYTE_COUNT);
        for (int64_t j = 0; j < inner && step != 1; j++)
            found += mask[j * step] != 0;
        *total += found;
    }
}

static bli_kernel count_kernel = {count_rows};

void bli_pack_count_blocks(const void *argument, int32_t thread, bl_range blocks)
{
    const struct bli_pack *const pack = argument;
    char *const data[BLI_MAX_OPERANDS] = {pack->mask, pack->mask};

    (void)thread;
    for (int64_t block = blocks.begin; block < blocks.end; block++) {
        int64_t total = 0;
        int64_t *const params = &total;

        bli_walk(&pack->masks, &count_kernel, &params, data, block_range(pack, block));
        pack->before[block + 1] = total;
    }
}

void bli_pack_add_up(const struct bli_pack *pack)
{
    const int64_t blocks = bli_pack_blocks(pack);

    pack->before[0] = 0;
    for (int64_t block = 0; block < blocks; block++)
        pack->before[block + 1] += pack->before[block];
}

/* ---- moving ---- */

/* A row of the mask and the array, and the bytes from one element to the next. */
struct row {
    const char *mask;
    char *array;
    int64_t mask_step;
    int64_t array_step;
};

/*
 * Copy every element to where the next true one belongs; a true one stays there.  Stop
 * with the last true one, so that nothing is written behind the block's part.
 */
INLINE void pack_batch(struct pack_cursor *cursor, const struct row *from,
                       int64_t count, size_t size)
{
    for (int64_t j = 0; j < count && cursor->left > 0; j++) {
        const bool is_true = from->mask[j * from->mask_step] != 0;

        memcpy(cursor->row, from->array + j * from->array_step, size);
        cursor->row += is_true ? size : 0;
        cursor->left -= is_true;
    }
}

/*
 * Copy the next packed element to every true one of `to`; write those that are not true
 * with the value they had.  Stop with the last true one.
 */
INLINE void unpack_batch(struct pack_cursor *cursor, const struct row *to,
                         int64_t count, size_t size)
{
    for (int64_t j = 0; j < count && cursor->left > 0; j++) {
        const bool is_true = to->mask[j * to->mask_step] != 0;
        char *const at = to->array + j * to->array_step;
        /*
         * Select one of two addresses without a branch: GCC branches for `?:`, at 4 ns.
         */
        const uintptr_t which = (uintptr_t)0 - is_true;
        const uintptr_t from =
            ((uintptr_t)cursor->row & which) | ((uintptr_t)at & ~which);
        char element[16];

        memcpy(element, (const char *)from, size);
        memcpy(at, element, size);
        cursor->row += is_true ? size : 0;
        cursor->left -= is_true;
    }
}

/*
 * Pack or unpack one row; words of the mask that are all false or all true are handled
 * at once.
 */
INLINE void move_row(struct pack_cursor *cursor, struct row row, int64_t count,
                     size_t size, bool unpacks)
{
    const bool has_words = row.mask_step == 1;
    const bool is_dense = row.array_step == (int64_t)size;
    const int64_t batch_size = has_words ? WORD : count;

    for (int64_t n; count > 0 && cursor->left > 0; count -= n) {
        uint64_t word = all_true >> 1; /* neither all false nor all true */

        n = count < batch_size ? count : batch_size;
        if (has_words && n == WORD)
            memcpy(&word, row.mask, sizeof word);
        if (word == all_true && is_dense) {
            memcpy(unpacks ? row.array : cursor->row, unpacks ? cursor->row : row.array,
                   size * sizeof word);
            cursor->row += size * sizeof word;
            cursor->left -= WORD;
        } else if (word != 0 && unpacks) {
            unpack_batch(cursor, &row, n, size);
        } else if (word != 0) {
            pack_batch(cursor, &row, n, size);
        }
        row.mask += n * row.mask_step;
        row.array += n * row.array_step;
    }
}

/*
 * The body of the kernels below; a constant `size` and `unpacks` make it a loop
 * specialised for them.
 */
INLINE void move_rows(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                      int64_t inner, int64_t outer, const void *params, size_t size,
                      bool unpacks)
{
    struct pack_cursor *const shared = *(struct pack_cursor *const *)params;
    struct pack_cursor cursor = *shared; /* in registers: stores may be to `shared` */
    const int64_t *const next = stride[1];

    for (int64_t i = 0; i < outer && cursor.left > 0; i++) {
        const struct row row = {data[BLI_PACK_MASK] + i * next[BLI_PACK_MASK],
                                data[BLI_PACK_ARRAY] + i * next[BLI_PACK_ARRAY],
                                stride[0][BLI_PACK_MASK], stride[0][BLI_PACK_ARRAY]};

        move_row(&cursor, row, inner, size, unpacks);
    }
    *shared = cursor;
}

#define MOVES(size)                                                                    \
    static void pack_##size(char *const *data,                                         \
                            const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner,   \
                            int64_t outer, const void *params, bli_kernel *kernel)     \
    {                                                                                  \
        (void)kernel;                                                                  \
        move_rows(data, stride, inner, outer, params, size, false);                    \
    }                                                                                  \
    static void unpack_##size(char *const *data,                                       \
                              const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner, \
                              int64_t outer, const void *params, bli_kernel *kernel)   \
    {                                                                                  \
        (void)kernel;                                                                  \
        move_rows(data, stride, inner, outer, params, size, true);                     \
    }
MOVES(1)
MOVES(2)
MOVES(4)
MOVES(8)
MOVES(16)
#undef MOVES

/* Kernels by the size of elements, then by `unpacks`. */
static bli_kernel kernels[][2] = {
    [1] = {{pack_1}, {unpack_1}},    [2] = {{pack_2}, {unpack_2}},
    [4] = {{pack_4}, {unpack_4}},    [8] = {{pack_8}, {unpack_8}},
    [16] = {{pack_16}, {unpack_16}},
};

void bli_pack_move_blocks(const void *argument, int32_t thread, bl_range blocks)
{
    const struct bli_pack *const pack = argument;
    char *const data[BLI_MAX_OPERANDS] = {pack->mask, pack->mask, pack->array};
    bli_kernel *const kernel = &kernels[pack->size][pack->unpacks];

    (void)thread;
    for (int64_t block = blocks.begin; block < blocks.end; block++) {
        const int64_t *const before = &pack->before[block];
        struct pack_cursor cursor = {pack->row + before[0] * pack->size,
                                     before[1] - before[0]};
        struct pack_cursor *const params = &cursor;

        if (cursor.left > 0)
            bli_walk(&pack->both, kernel, &params, data, block_range(pack, block));
    }
}
