/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mathematical functions of single complex numbers, by the C library. For each VECTOR
 * operator of ops.def that takes complex dtypes there are the functions
 *
 *   static inline float _Complex bli_<name>_c64(float _Complex a[, float _Complex b])
 *   static inline double _Complex bli_<name>_c128(double _Complex a[, ...])
 *
 * except that those of angle return the real type. Infinities, NaN and zeros are
 * treated as in Annex G of the C standard. The error, in units in the last place of the
 * exact result's modulus, is at most 1 for c64, which is computed in double and
 * rounded; for c128 it is at most 4, and 1 for powers, which are computed in long
 * double: the C library's long double functions would be within 1 everywhere, and take
 * five times as long.
 */
#ifndef BLI_COMPLEX_FUNCTIONS_H
#define BLI_COMPLEX_FUNCTIONS_H

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- what the C library lacks, or does not compute accurately enough ---- */

/* a * factor for a real factor. */
static inline double _Complex bli_alpha_call(double _Complex a, double factor)
{
    return __builtin_complex(creal(a) * factor, cimag(a) * factor);
}

static inline double _Complex bli_clog2(double _Complex a)
{
    return bli_alpha_call(clog(a), 0x1.71547652b82fep+0);
}

static inline double _Complex bli_clog10(double _Complex a)
{
    return bli_alpha_call(clog(a), 0x1.bcb7b1526e50ep-2);
}

/* Whether bli_far_tan computes tan(x + iy): in the range where ctan is 5 units off. */
static inline bool bli_is_far(double x, double y)
{
    return isgreaterequal(fabs(y), 0.5) && isless(fabs(y), 350) &&
           isless(fabs(x), 0x1p1000);
}

/* tan(x + iy) from u = exp(-2 |y|), whose error matters less the larger |y| is. */
static inline double _Complex bli_far_tan(double x, double y)
{
    const double u = exp(-2 * fabs(y));
    const double below = 1 + u * (2 * cos(2 * x) + u);

    return __builtin_complex(2 * u * sin(2 * x) / below,
                             copysign((1 - u) * (1 + u), y) / below);
}

static inline double _Complex bli_ctan(double _Complex a)
{
    return bli_is_far(creal(a), cimag(a)) ? bli_far_tan(creal(a), cimag(a)) : ctan(a);
}

/* tanh(z) = -i tan(iz) */
static inline double _Complex bli_ctanh(double _Complex a)
{
    if (bli_is_far(cimag(a), creal(a))) {
        const double _Complex turned = bli_far_tan(-cimag(a), creal(a));

        return __builtin_complex(cimag(turned), -creal(turned));
    }
    return ctanh(a);
}

/*
 * atan(x + iy) by real functions of arguments that are computed in long double and
 * rounded once, for parts whose squares are normal numbers and away from the poles:
 * catan is 4.2 units off.
 */
static inline double _Complex bli_atan_parts(double x, double y)
{
    const long double u = fabs(x), v = fabs(y);
    const long double pole = u * u + (v - 1) * (v - 1);
    const long double larger = fmaxl(u, v), smaller = fminl(u, v);
    const long double inside = (1 - larger) * (1 + larger) - smaller * smaller;
    const double angle = atan2(2 * x, (double)inside);
    const double distance = log1p((double)(4 * v / pole));

    return __builtin_complex(angle / 2, copysign(distance / 4, y));
}

/* Whether the squares of both parts are normal numbers, as bli_atan_parts needs. */
static inline bool bli_is_plain(double _Complex a)
{
    const double x = fabs(creal(a)), y = fabs(cimag(a));

    return isgreater(x, 0x1p-400) && isless(x, 0x1p400) && isgreater(y, 0x1p-400) &&
           isless(y, 0x1p400);
}

static inline double _Complex bli_catan(double _Complex a)
{
    return bli_is_plain(a) ? bli_atan_parts(creal(a), cimag(a)) : catan(a);
}

/* atanh(z) = -i atan(iz) */
static inline double _Complex bli_catanh(double _Complex a)
{
    if (bli_is_plain(a)) {
        const double _Complex turned = bli_atan_parts(-cimag(a), creal(a));

        return __builtin_complex(cimag(turned), -creal(turned));
    }
    return catanh(a);
}

/* ---- powers ---- */

static inline long double _Complex bli_product(long double _Complex a,
                                               long double _Complex b)
{
    const long double ar = creall(a), ai = cimagl(a);
    const long double br = creall(b), bi = cimagl(b);

    return __builtin_complex(ar * br - ai * bi, ar * bi + ai * br);
}

/* a^exponent by repeated multiplication, so that small integers have exact powers. */
static inline long double _Complex bli_whole_power(long double _Complex a,
                                                   int32_t exponent)
{
    long double _Complex power = 1;

    for (int32_t rest = exponent < 0 ? -exponent : exponent; rest != 0; rest >>= 1) {
        if ((rest & 1) != 0)
            power = bli_product(power, a);
        if (rest > 1)
            a = bli_product(a, a);
    }
    return exponent < 0 ? 1 / power : power;
}

/*
 * a^b. As in PyTorch and NumPy it is 1 where b is 0, whatever a is, and 0 where a is 0
 * and the real part of b is positive.
 */
static inline long double _Complex bli_cpow(long double _Complex a,
                                            long double _Complex b)
{
    const long double exponent = creall(b);
    long double _Complex power;

    if (b == 0)
        return 1;
    if (a == 0 && isgreater(exponent, 0))
        return 0;
    if (cimagl(b) == 0 && islessequal(fabsl(exponent), 256) &&
        exponent == (int32_t)exponent && isfinite(creall(a)) && isfinite(cimagl(a))) {
        power = bli_whole_power(a, (int32_t)exponent);
        if (isfinite(creall(power)) && isfinite(cimagl(power)))
            return power;
    }
    return cpowl(a, b);
}

/* ---- the functions; none of them changes errno ---- */

#define BLI_COMPLEX(name, in_c64, in_c128)                                             \
    static inline float _Complex bli_##name##_c64(float _Complex a)                    \
    {                                                                                  \
        const int kept = errno;                                                        \
        const double _Complex r = in_c64(a);                                           \
        errno = kept;                                                                  \
        return __builtin_complex((float)creal(r), (float)cimag(r));                    \
    }                                                                                  \
    static inline double _Complex bli_##name##_c128(double _Complex a)                 \
    {                                                                                  \
        const int kept = errno;                                                        \
        const double _Complex r = in_c128(a);                                          \
        errno = kept;                                                                  \
        return r;                                                                      \
    }
BLI_COMPLEX(exp, cexp, cexp)
BLI_COMPLEX(log, clog, clog)
BLI_COMPLEX(log2, bli_clog2, bli_clog2)
BLI_COMPLEX(log10, bli_clog10, bli_clog10)
BLI_COMPLEX(sin, csin, csin)
BLI_COMPLEX(cos, ccos, ccos)
BLI_COMPLEX(tan, ctan, bli_ctan)
BLI_COMPLEX(asin, casin, casin)
BLI_COMPLEX(acos, cacos, cacos)
BLI_COMPLEX(atan, catan, bli_catan)
BLI_COMPLEX(sinh, csinh, csinh)
BLI_COMPLEX(cosh, ccosh, ccosh)
BLI_COMPLEX(tanh, ctanh, bli_ctanh)
BLI_COMPLEX(asinh, casinh, casinh)
BLI_COMPLEX(acosh, cacosh, cacosh)
BLI_COMPLEX(atanh, catanh, bli_catanh)
#undef BLI_COMPLEX

static inline float _Complex bli_pow_c64(float _Complex a, float _Complex b)
{
    const int kept = errno;
    const long double _Complex r = bli_cpow(a, b);

    errno = kept;
    return __builtin_complex((float)creall(r), (float)cimagl(r));
}

static inline double _Complex bli_pow_c128(double _Complex a, double _Complex b)
{
    const int kept = errno;
    const long double _Complex r = bli_cpow(a, b);

    errno = kept;
    return __builtin_complex((double)creall(r), (double)cimagl(r));
}

static inline float bli_angle_c64(float _Complex a)
{
    return (float)atan2(cimagf(a), crealf(a));
}

static inline double bli_angle_c128(double _Complex a)
{
    return atan2(cimag(a), creal(a));
}

#endif
