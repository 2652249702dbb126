/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions of one type in plain memory.
 */
#include "generic/wide.tmpl.h"

/* r += alpha * the convolution: for each element of the kernel, row by row. */
static void THTensor_(convolve)(const struct convolution *c, real *r, real alpha,
                                real *t, real *k)
{
    const bool is_full = c->cover == FULL;
    /* The rows that are gone through are the input's, or the result's. */
    const long *const rows = is_full ? c->in : c->out;
    const long last = volume(c->kernel) - 1;

    for (long n = 0; n <= last; n++) {
        const real weight =
            (real)((TH_WIDE)alpha * (TH_WIDE)k[c->is_flipped ? last - n : n]);
        const long at[3] = {n / c->kernel[2] / c->kernel[1],
                            n / c->kernel[2] % c->kernel[1], n % c->kernel[2]};
        for (long z = 0; z < rows[0]; z++)
            for (long y = 0; y < rows[1]; y++) {
                const long *const other = is_full ? c->out : c->in;
                const long met =
                    (met_by(c, 0, z, at[0]) * other[1] + met_by(c, 1, y, at[1])) *
                        other[2] +
                    met_by(c, 2, 0, at[2]);
                const long row = (z * rows[1] + y) * rows[2];
                const long step = c->cover == REVERSED ? 1 : c->step[2];

                if (is_full)
                    THBlas_(axpy)(rows[2], weight, t + row, 1, r + met, step);
                else
                    THBlas_(axpy)(rows[2], weight, t + met, step, r + row, 1);
            }
    }
}

/* ---- by their names in TH ---- */

static void THTensor_(convolvePlain)(enum cover cover, bool is_flipped, real *r,
                                     real alpha, real *t, const long *in, real *k,
                                     const long *kernel, const long *step)
{
    struct convolution c = {cover,
                            is_flipped,
                            {in[0], in[1], in[2]},
                            {kernel[0], kernel[1], kernel[2]},
                            {step[0], step[1], step[2]},
                            {0, 0, 0}};

    if (measure(&c))
        THTensor_(convolve)(&c, r, alpha, t, k);
}

#define TH_PLAIN(planes, volumes, cover, is_flipped)                                   \
    void THTensor_(planes)(real * r_, real alpha, real * t_, long ir, long ic,         \
                           real *k_, long kr, long kc, long sr, long sc)               \
    {                                                                                  \
        THTensor_(convolvePlain)(cover, is_flipped, r_, alpha, t_,                     \
                                 (long[]){1, ir, ic}, k_, (long[]){1, kr, kc},         \
                                 (long[]){1, sr, sc});                                 \
    }                                                                                  \
    void THTensor_(volumes)(real * r_, real alpha, real * t_, long it, long ir,        \
                            long ic, real *k_, long kt, long kr, long kc, long st,     \
                            long sr, long sc)                                          \
    {                                                                                  \
        THTensor_(convolvePlain)(cover, is_flipped, r_, alpha, t_,                     \
                                 (long[]){it, ir, ic}, k_, (long[]){kt, kr, kc},       \
                                 (long[]){st, sr, sc});                                \
    }

TH_PLAIN(validXCorr2Dptr, validXCorr3Dptr, VALID, false)
TH_PLAIN(validConv2Dptr, validConv3Dptr, VALID, true)
TH_PLAIN(fullXCorr2Dptr, fullXCorr3Dptr, FULL, true)
TH_PLAIN(fullConv2Dptr, fullConv3Dptr, FULL, false)
TH_PLAIN(validXCorr2DRevptr, validXCorr3DRevptr, REVERSED, false)

#undef TH_PLAIN
