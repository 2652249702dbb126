/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of complex elements with results of one byte, by one loop of unknown length:
 * compilers have no vectors for them in blocks of constant length.
 */
#ifndef BLI_LOOPS_WHOLE_H
#define BLI_LOOPS_WHOLE_H

#include "kernels/loops/loops.h"

/* Compute rows by one loop of unknown length; inputs in the set `scalars` have stride
 * 0. */
BLI_INLINE void whole_form(bli_apply *one, const struct bli_layout o,
                           BLI_LOOP_PARAMETERS)
{
    const int64_t a_size = o.size[1], b_size = o.size[2];
    const int64_t c_size = (scalars & 4) != 0 ? 0 : o.size[3];
    const int64_t d_size = (scalars & 8) != 0 ? 0 : o.size[4];
    struct bli_places at = places_open(o.inputs, data, stride);

    for (int64_t i = 0; i < outer; i++) {
        struct bli_block held_c, held_d;
        char *const r = at.r;
        const char *p[4] = {at.p[0], at.p[1], at.p[2], at.p[3]};

        if (scalars != 0) {
            p[2] = splat_block(&held_c, p[2], o.size[3], 1);
            p[3] = splat_block(&held_d, p[3], o.size[4], 1);
        }
#pragma omp simd
        for (int64_t j = 0; j < inner; j++)
            one(r + j * o.size[0], p[0] + j * a_size, p[1] + j * b_size,
                p[2] + j * c_size, p[3] + j * d_size);
        places_next(&at, o.inputs);
    }
}

/* Compute rows of contiguous inputs, of which the last two of four may be scalars. */
BLI_INLINE void whole_rows(bli_apply *one, const struct bli_layout o,
                           BLI_LOOP_PARAMETERS)
{
    if (o.inputs == 4 && scalars != 0)
        whole_form(one, o, data, stride, inner, outer, 12);
    else
        whole_form(one, o, data, stride, inner, outer, 0);
}

/* Elements of a row whose results are made one byte together. */
enum { BLI_WORDS = 64 };

/*
 * Compute rows of four inputs of c128, of which the last two may be scalars, with a
 * function whose results are 0 or 1 as 64 bits. Loops then have registers of as many
 * elements as of f64: with results of one byte they would have 32, and up to 15 KB;
 * isclose takes .6 to .95 of the time, but of c64, whose parts are widened, up to 1.5.
 */
BLI_INLINE void word_form(bli_apply *one, const struct bli_layout o,
                          BLI_LOOP_PARAMETERS)
{
    struct bli_layout part = o;

    part.size[0] = sizeof(int64_t);
    for (int64_t i = 0; i < outer; i++) {
        char *const r = data[0] + i * stride[1][0];

        for (int64_t j = 0; j < inner; j += BLI_WORDS) {
            const int64_t count = inner - j < BLI_WORDS ? inner - j : BLI_WORDS;
            int64_t words[BLI_WORDS];
            char *at[BLI_LOOP_OPERANDS] = {(char *)words};

#pragma GCC unroll 4
            for (int32_t k = 1; k < BLI_LOOP_OPERANDS; k++)
                at[k] = bli_address(data, k) + i * stride[1][k] +
                        ((scalars >> (k - 1) & 1) != 0 ? 0 : j * o.size[k]);
            whole_form(one, part, at, stride, count, 1, scalars);
            for (int64_t k = 0; k < count; k++)
                r[j + k] = (char)words[k];
        }
    }
}

BLI_INLINE void word_rows(bli_apply *one, const struct bli_layout o,
                          BLI_LOOP_PARAMETERS)
{
    if (scalars != 0)
        word_form(one, o, data, stride, inner, outer, 12);
    else
        word_form(one, o, data, stride, inner, outer, 0);
}

#endif
