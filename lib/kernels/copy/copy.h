/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that copy elements of 1, 2, 4, 8 and 16 bytes between any strides: the copy
 * operator between equal dtypes, and the packing of operands into staging buffers in
 * L1.
 */
#ifndef BLI_COPY_H
#define BLI_COPY_H

#include <stdbool.h>

#include "kernels/copy/gather.h"
#include "kernels/copy/interleave.h"
#include "kernels/loops/rows.h"
#include "kernels/copy/broadcast_copy.h"
#include "kernels/copy/non_temporal.h"
#include "kernels/copy/transpose.h"

/* Exchange the inner and outer loops. */
BLI_INLINE void move_exchange(struct bli_move *m)
{
    *m = (struct bli_move){m->r,      m->a,      m->outer,  m->inner,
                           m->r_next, m->a_next, m->r_step, m->a_step};
}

/* Whether a loop is contiguous in the result, or else in the input, from its end. */
BLI_INLINE bool move_is_backward(int64_t r_step, int64_t a_step, int64_t size)
{
    return r_step == -size || (a_step == -size && r_step != size);
}

/* Reverse the loops that are contiguous from their end. */
BLI_INLINE void move_turn(struct bli_move *m, int64_t size)
{
    if (move_is_backward(m->r_step, m->a_step, size)) {
        m->r += (m->inner - 1) * m->r_step;
        m->a += (m->inner - 1) * m->a_step;
        m->r_step = -m->r_step;
        m->a_step = -m->a_step;
    }
    if (move_is_backward(m->r_next, m->a_next, size)) {
        m->r += (m->outer - 1) * m->r_next;
        m->a += (m->outer - 1) * m->a_next;
        m->r_next = -m->r_next;
        m->a_next = -m->a_next;
    }
}

/*
 * The arguments of a kernel as two loops: innermost the one along which the result is
 * contiguous, or else the input, and loops with a common stride fused.
 */
BLI_INLINE struct bli_move move_open(char *const *data,
                                     const int64_t (*stride)[BLI_MAX_OPERANDS],
                                     int64_t inner, int64_t outer, int64_t size)
{
    char *const r = bli_address(data, 0), *const a = bli_address(data, 1);
    struct bli_move m = {
        r, a, inner, outer, stride[0][0], stride[0][1], stride[1][0], stride[1][1]};

    move_turn(&m, size);
    const bool is_inner = m.r_step == size || (m.a_step == size && m.r_next != size);
    const bool is_outer = m.r_next == size || m.a_next == size;

    if (inner == 1 || (outer != 1 && !is_inner && is_outer))
        move_exchange(&m);
    if (m.outer != 1 && m.r_next == m.inner * m.r_step &&
        m.a_next == m.inner * m.a_step) {
        m.inner *= m.outer;
        m.outer = 1;
    }
    return m;
}

/*
 * Copy with any strides, an element at a time. Short rows are walked by columns, 64
 * rows at a time: rows of 3 elements, 4 bytes each, 5 bytes a cycle instead of 2.5.
 */
BLI_INLINE void move_singly(const struct bli_move *m, int64_t size)
{
    if (m->inner >= 12 || m->outer < m->inner) {
        for (int64_t i = 0; i < m->outer; i++)
            walk_singly(m->r + i * m->r_next, m->r_step, m->a + i * m->a_next,
                        m->a_step, size, m->inner);
        return;
    }
    for (int64_t i = 0; i < m->outer; i += 64)
        for (int64_t j = 0; j < m->inner; j++)
            walk_singly(m->r + i * m->r_next + j * m->r_step, m->r_next,
                        m->a + i * m->a_next + j * m->a_step, m->a_next, size,
                        m->outer - i < 64 ? m->outer - i : 64);
}

/* Copy where the result is contiguous along the inner loop and the input is strided. */
BLI_INLINE void move_gathered(const struct bli_move *m, int64_t size)
{
    const int64_t least = 16 / size;
    const bool is_near = m->inner >= 16 && m->a_step > 0 && m->a_step <= 4 * size;

    if (size < 16 && !is_near && m->a_next == size && m->inner >= least &&
        m->outer >= least)
        transpose(m, size);
    else if (size < 8 && is_interleaved(m, size))
        interleave(m, size);
    else if (m->inner >= 16)
        for (int64_t i = 0; i < m->outer; i++)
            bli_gather(m->r + i * m->r_next, m->a + i * m->a_next, m->a_step, size,
                       m->inner);
    else
        move_singly(m, size);
}

/* Copy where the result is strided along the inner loop. */
BLI_INLINE void move_scattered(const struct bli_move *m, int64_t size)
{
    if (m->a_step == size && m->inner >= 16)
        for (int64_t i = 0; i < m->outer; i++)
            bli_scatter(m->r + i * m->r_next, m->a + i * m->a_next, m->r_step, size,
                        m->inner);
    else
        move_singly(m, size);
}

/*
 * Copy elements of `size` bytes between any strides, by the fastest of these routines.
 * Does nothing where the input is the result.
 */
BLI_INLINE void move_any(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                         int64_t inner, int64_t outer, int64_t size)
{
    if (inner <= 0 || outer <= 0 || data[0] == data[1])
        return;

    const struct bli_move m = move_open(data, stride, inner, outer, size);
    const int64_t bytes = m.inner * size;

    if (m.r_step != size)
        move_scattered(&m, size);
    else if (m.a_step == size && m.a_next == 0)
        repeat_row(&m, bytes);
    else if (m.a_step == size)
        copy_rows(&m, bytes);
    else if (m.a_step == 0 && m.a_next == size && m.r_next == bytes &&
             has_words(&m, size))
        repeat_words(&m, size);
    else if (BLI_PERMUTES && m.a_step == 0 && m.a_next == size && m.r_next == bytes &&
             bytes < 16 && (size < 4 || BLI_REPEATED == 0))
        repeat_each(&m, size);
    else if (m.a_step == 0)
        fill_rows(&m, size);
    else
        move_gathered(&m, size);
}

/*
 * bli_move_<size>: the kernel that copies elements of `size` bytes from its one input.
 * Elements need only byte alignment.
 */
#define BLI_MOVE_OF(size)                                                              \
    static void move_##size(BLI_PARAMETERS, bli_kernel *kernel)                        \
    {                                                                                  \
        (void)params, (void)kernel;                                                    \
        move_any(data, stride, inner, outer, size);                                    \
    }                                                                                  \
    bli_kernel bli_move_##size = {move_##size};

BLI_MOVE_OF(1)
BLI_MOVE_OF(2)
BLI_MOVE_OF(4)
BLI_MOVE_OF(8)
BLI_MOVE_OF(16)

#endif
