/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of a kernel, made of a function of one element or of one block. They know
 * bytes and strides, not dtypes. Everything is inlined, with sizes as constants.
 */
#ifndef BLI_LOOPS_H
#define BLI_LOOPS_H

#include "kernels/loops/nt_lines.h"

/* Compute the block at element j. */
BLI_INLINE void block_at(bli_apply *block, const struct bli_layout o, char *r,
                         const char *const *p, const int64_t *step, int64_t j)
{
    block(r + j * o.size[0], p[0] + j * step[0], p[1] + j * step[1], p[2] + j * step[2],
          p[3] + j * step[3]);
}

/* Where the operands' rows are: read once, since results may be stored over them. */
struct bli_places {
    char *r;
    const char *p[4];
    int64_t r_next;
    int64_t next[4];
};

BLI_INLINE struct bli_places places_open(int32_t inputs, char *const *data,
                                         const int64_t (*stride)[BLI_MAX_OPERANDS])
{
    struct bli_places at = {.r = bli_address(data, 0), .r_next = stride[1][0]};

#pragma GCC unroll 4
    for (int32_t k = 0; k < inputs; k++) {
        at.p[k] = bli_address(data, 1 + k);
        at.next[k] = stride[1][1 + k];
    }
    return at;
}

BLI_INLINE void places_next(struct bli_places *at, int32_t inputs)
{
    at->r += at->r_next;
#pragma GCC unroll 4
    for (int32_t k = 0; k < inputs; k++)
        at->p[k] += at->next[k];
}

/*
 * Compute rows of at least one block with a function of a block. The inputs in the set
 * `scalars`, bit k for input k, have stride 0: they are read from a block of copies,
 * which stays in registers. The last block of a row overlaps the one before it. It is
 * computed before that one, and stored last: the result may be an input. Before that
 * memory is read in order, which is prefetched: 40 rows of 100 f64, .92 to .99. Blocks
 * of few registers are computed by twos: loops of a few instructions depend on where
 * they lie in memory.
 */
BLI_INLINE void short_rows(bli_apply *block, const struct bli_layout o,
                           BLI_LOOP_PARAMETERS)
{
    const int64_t last = inner - o.least;
    struct bli_places at = places_open(o.inputs, data, stride);
    int64_t step[4] = {0};
    bool is_small = true;

#pragma GCC unroll 4
    for (int32_t k = 0; k < o.inputs; k++) {
        step[k] = (scalars >> k & 1) != 0 ? 0 : o.size[1 + k];
        is_small &= o.least * o.size[1 + k] < 4 * BLI_WIDE;
    }
    for (int64_t i = 0; i < outer; i++) {
        struct bli_block held_a, held_b, held_c, held_d, end;
        struct bli_block *const held[] = {&held_a, &held_b, &held_c, &held_d};
        char *const r = at.r;
        const char *p[4] = {at.p[0], at.p[1], at.p[2], at.p[3]};

#pragma GCC unroll 4
        for (int32_t k = 0; k < o.inputs; k++)
            if (step[k] == 0)
                p[k] = splat_block(held[k], p[k], o.size[1 + k], o.least);
        int64_t j = 0;

        for (; is_small && j <= last - 2 * o.least; j += 2 * o.least) {
            block_at(block, o, r, p, step, j);
            block_at(block, o, r, p, step, j + o.least);
        }
        block(end.bytes, p[0] + last * step[0], p[1] + last * step[1],
              p[2] + last * step[2], p[3] + last * step[3]);
        for (; j < last; j += o.least)
            block_at(block, o, r, p, step, j);
        move_piece(r + last * o.size[0], end.bytes, o.least * o.size[0]);
        places_next(&at, o.inputs);
    }
}

/*
 * The same with one copy of the function, for any set of scalars. A row is two loops:
 * the first block, which is stored last, and the others, of which the first overlaps
 * it. So memory is read in order: with the last block before the others, floor_divide
 * of i32 from memory, by rows of some hundred, takes 1.3 times as long.
 */
BLI_INLINE void long_rows(bli_apply *block, const struct bli_layout o,
                          BLI_LOOP_PARAMETERS)
{
    struct bli_block held_a, held_b, held_c, held_d, first;
    struct bli_block *const held[] = {&held_a, &held_b, &held_c, &held_d};
    struct bli_places at = places_open(o.inputs, data, stride);
    const int64_t others = (inner - 1) / o.least, begin = inner - others * o.least;
    int64_t step[4] = {0};

    (void)scalars;
#pragma GCC unroll 4
    for (int32_t k = 0; k < o.inputs; k++)
        step[k] = o.inputs > 1 ? stride[0][1 + k] : o.size[1];
    for (int64_t i = 0; i < outer; i++) {
        char *const r = at.r;
        char *to = first.bytes;
        const char *p[4] = {at.p[0], at.p[1], at.p[2], at.p[3]}, *q[4] = {NULL};
        int64_t blocks = 1, later = others;

#pragma GCC unroll 4
        for (int32_t k = 0; k < o.inputs; k++) {
            if (step[k] == 0)
                p[k] = splat_block(held[k], p[k], o.size[1 + k], o.least);
            q[k] = p[k];
        }
        do {
            do {
                block(to, q[0], q[1], q[2], q[3]);
                to += o.least * o.size[0];
#pragma GCC unroll 4
                for (int32_t k = 0; k < o.inputs; k++)
                    q[k] += o.least * step[k];
            } while (--blocks > 0);
            blocks = later;
            later = 0;
            to = r + begin * o.size[0];
#pragma GCC unroll 4
            for (int32_t k = 0; k < o.inputs; k++)
                q[k] = p[k] + begin * step[k];
        } while (blocks > 0);
        move_piece(r, first.bytes, o.least * o.size[0]);
        places_next(&at, o.inputs);
    }
}

/* Compute rows whose scalars are the set `form`, a constant, if it has a loop. */
BLI_INLINE bool form_rows(bli_apply *block, const struct bli_layout o, uint32_t form,
                          BLI_LOOP_PARAMETERS)
{
    const bool is_left = o.inputs <= 2 && form == (uint32_t)o.inputs - 1;

    if (!BLI_HAS_FORMS || (o.often >> form & 1) == 0 || (scalars != form && !is_left))
        return false;
    short_rows(block, o, data, stride, inner, outer, form);
    return true;
}

/*
 * Compute rows by short_rows for frequent sets of scalars, else by long_rows. Lines for
 * nt_lines come before the set that is left where no other is.
 */
BLI_INLINE void dense_rows(bli_apply *block, const struct bli_layout o,
                           BLI_LOOP_PARAMETERS)
{
    if (o.inputs > 1 && (form_rows(block, o, 0, BLI_LOOP_ARGUMENTS) ||
                         form_rows(block, o, 2, BLI_LOOP_ARGUMENTS)))
        return;
    if (!nt_lines_rows(block, o, data, inner, scalars) &&
        !(o.inputs == 1 && form_rows(block, o, 0, BLI_LOOP_ARGUMENTS)) &&
        !form_rows(block, o, 1, BLI_LOOP_ARGUMENTS) &&
        !form_rows(block, o, 4, BLI_LOOP_ARGUMENTS) &&
        !form_rows(block, o, 8, BLI_LOOP_ARGUMENTS) &&
        !form_rows(block, o, 10, BLI_LOOP_ARGUMENTS) &&
        !form_rows(block, o, 12, BLI_LOOP_ARGUMENTS))
        long_rows(block, o, BLI_LOOP_ARGUMENTS);
}

/* Compute lines for nt_lines by it, other rows by long_rows. */
BLI_INLINE void lines_rows(bli_apply *block, const struct bli_layout o,
                           BLI_LOOP_PARAMETERS)
{
    if (!nt_lines_rows(block, o, data, inner, scalars))
        long_rows(block, o, BLI_LOOP_ARGUMENTS);
}

/* Compute rows with any strides, an element at a time. */
BLI_INLINE void single_rows(bli_apply *one, int32_t inputs, BLI_LOOP_PARAMETERS)
{
    struct bli_places at = places_open(inputs, data, stride);
    const int64_t r_step = stride[0][0];
    int64_t step[4] = {0};

    (void)scalars;
#pragma GCC unroll 4
    for (int32_t k = 0; k < inputs; k++)
        step[k] = stride[0][1 + k];
    for (int64_t i = 0; i < outer; i++) {
        char *r = at.r;
        const char *p[4] = {at.p[0], at.p[1], at.p[2], at.p[3]};

        for (int64_t left = inner; left > 0; left--) {
            __asm__ volatile(""); /* no vectors */
            one(r, p[0], p[1], p[2], p[3]);
            r += r_step;
#pragma GCC unroll 4
            for (int32_t k = 0; k < inputs; k++)
                p[k] += step[k];
        }
        places_next(&at, inputs);
    }
}

#endif
