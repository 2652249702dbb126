/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the loops of loops.h stand on: a kernel's arguments as rows, inputs that stand
 * still, and blocks of widened elements.
 */
#ifndef BLI_ROWS_H
#define BLI_ROWS_H

#include <string.h>

#include "isa/form.h"
#include "isa/half.h"

/* Sizes and forms are constants only after inlining, and the loops depend on it. */
#define BLI_INLINE static inline __attribute__((always_inline))

/*
 * A kernel's arguments with the loops fused or exchanged where that makes rows longer.
 */
struct bli_rows {
    int32_t form;
    int64_t inner;
    int64_t outer;
    int64_t step[BLI_MAX_OPERANDS]; /* from element to element */
    int64_t next[BLI_MAX_OPERANDS]; /* from row to row */
    char *data[BLI_MAX_OPERANDS];
};

/* The widest element, for an input that stands still. */
union bli_held {
    char bytes[16];
    double align;
};

BLI_INLINE void rows_open(struct bli_rows *rows, int32_t operands, char *const *data,
                          const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                          int64_t outer, const int64_t *size)
{
    const int32_t in = inner == 1; /* then the outer loop is the only one */
    bool is_even = true;

    for (int32_t k = 0; k < operands; k++) {
        rows->data[k] = data[k];
        rows->step[k] = stride[in][k];
        rows->next[k] = stride[1][k];
        is_even &= stride[1][k] == stride[0][k] * inner;
    }
    const bool is_one = is_even || in || outer == 1;

    rows->inner = is_one ? inner * outer : inner;
    rows->outer = is_one ? 1 : outer;
    rows->form =
        rows->inner == 1 ? BLI_FORM_CONTIGUOUS : bli_form(operands, rows->step, size);
}

/* To the next row. */
BLI_INLINE void rows_next(struct bli_rows *rows, int32_t operands)
{
    for (int32_t k = 0; k < operands; k++)
        rows->data[k] += rows->next[k];
}

/*
 * An input at `from`, whose step is `step`: the address to read it at.  One that stands
 * still is copied to `held`, which no store can change: its load leaves the loop.
 */
BLI_INLINE const char *hold(union bli_held *held, const char *from, int64_t step,
                            int64_t size)
{
    if (step != 0)
        return from;
    memcpy(held->bytes, from, (size_t)size);
    return held->bytes;
}

/* Elements of a block: a few KiB on the stack, in the first cache. */
#define BLI_BLOCK 256

/* The address to read `count` elements at, of which those of 16 bits are widened. */
BLI_INLINE const char *stage(float *block, const char *from, int64_t count, bool staged)
{
    if (!staged)
        return from;
    bli_widen_f16(block, from, count);
    return (const char *)block;
}

/* What `stage` made is stepped through as floats. */
BLI_INLINE int64_t stage_step(int64_t step, bool staged)
{
    return staged && step != 0 ? (int64_t)sizeof(float) : step;
}

/*
 * Whether rows are too short for blocks: with rows of 7 a block costs 1.7 ns an
 * element, one at a time 0.5 ns.
 */
BLI_INLINE bool is_short(const struct bli_rows *rows, bool staged)
{
    return staged && rows->inner < 16;
}

#endif
