/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logarithms and exponentials to nearly all bits of binary64, for f32 functions whose
 * terms cancel: logaddexp, lgamma.
 */
#ifndef BLI_F32_EXTRA_PRECISION_H
#define BLI_F32_EXTRA_PRECISION_H

#include "kernels/math/f32/log1p.h"

/* log(x) for positive normal x, to 2^-52 of it; 2 atanh(s) as in log2_first(). */
BLI_INLINE double log_finest(double x)
{
    const struct stage32 split = log_split(x);
    const double s = split.v / (split.v + 2);
    const double z = s * s;
    const double zz = z * z;
    const double p1 = 0x1.55555555555aep-1 + 0x1.999999997abefp-2 * z;
    const double p2 = 0x1.2492494537380p-2 + 0x1.c71c4fe53c39fp-3 * z;
    const double p3 = 0x1.74669ea53e8f9p-3 + 0x1.399939e94c893p-3 * z;
    const double p4 = p3 + 0x1.2f52a7e4021abp-3 * zz;
    const double part = 2 * s + s * z * (p1 + zz * (p2 + zz * p4));

    return split.u * 0x1.62e42fefa39efp-1 + part;
}

/* log(1 + x) for 0 <= x <= 1, to 2^-52 of it: 2 atanh(s) for s <= 1/3, minimax. */
BLI_INLINE double log1p_finest(double x)
{
    const double s = x / (x + 2);
    const double z = s * s + BLI_TINY;
    const double zz = z * z;
    const double z4 = zz * zz;
    const double p0 = 0x1.5555555555525p-1 + 0x1.99999999a1fa9p-2 * z;
    const double p1 = 0x1.24924920039fap-2 + 0x1.c71c7450ddd91p-3 * z;
    const double p2 = 0x1.745cadfb5aa53p-3 + 0x1.3b1e4a1913e88p-3 * z;
    const double p3 = 0x1.1062c235dd2adp-3 + 0x1.f01f7a30ff9bbp-4 * z;
    const double p4 = 0x1.54964695ee2d5p-4 + 0x1.5d6988f84c0b7p-3 * z;

    return 2 * s + s * z * ((p0 + zz * p1) + z4 * ((p2 + zz * p3) + z4 * p4));
}

/*
 * e^x for |x| <= 600, to 2^-52 of it where |x| <= 1: the polynomial is the minimax one
 * of (2^r - 1) / r on [-1/2, 1/2].
 */
BLI_INLINE double exp_finest(double x)
{
    const double t = x * 0x1.71547652b82fep+0;
    const double shifted = t + 0x1.8p52;
    const double r = t - (shifted - 0x1.8p52);
    const double scale = bli_f64_of_bits((bli_bits_of_f64(shifted) + 1023) << 52);
    const double rr = r * r;
    const double r4 = rr * rr;
    const double p0 = 0x1.62e42fefa39efp-1 + 0x1.ebfbdff82c598p-3 * r;
    const double p1 = 0x1.c6b08d704a08ep-5 + 0x1.3b2ab6fba1e3fp-7 * r;
    const double p2 = 0x1.5d87fe78b218ap-10 + 0x1.4309130959113p-13 * r;
    const double p3 = 0x1.ffcbfc1e819eap-17 + 0x1.62bfd4b429438p-20 * r;
    const double p4 = 0x1.b525a0d6c2501p-24 + 0x1.e605d3993ad8ep-28 * r;
    const double p5 = p4 + 0x1.e8ca589f40ea8p-32 * rr;
    const double part = r * ((p0 + rr * p1) + r4 * ((p2 + rr * p3) + r4 * p5));

    return scale + scale * part;
}

#endif
