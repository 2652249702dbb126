/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations of one type whose results differ from the library's
 * operators: TH's treatment of NaN and of halves, remainders of infinities, shifts.
 */
#include "apply.tmpl.h"

/* The scalar arguments of a kernel. */
struct THTensor_(numbers)
{
    real first;
    real second;
};

/*
 * Define a kernel: result = expression in a, b and c, the elements of the operands, and
 * n, the scalars.  Missing operands repeat the first.  Contiguous elements have a loop
 * of constant steps, which is vectorised.
 */
#define TH_KERNEL(name, expression)                                                    \
    static inline void THTensor_(name##Loop)(                                          \
        const struct THTensor_(numbers) n, int64_t count, char *const *at, int64_t r,  \
        int64_t sa, int64_t sb, int64_t sc)                                            \
    {                                                                                  \
        (void)n;                                                                       \
        TH_SIMD for (int64_t i = 0; i < count; i++)                                    \
        {                                                                              \
            const real a = *(const real *)(at[1] + i * sa);                            \
            const real b = *(const real *)(at[2] + i * sb);                            \
            const real c = *(const real *)(at[3] + i * sc);                            \
                                                                                       \
            (void)b;                                                                   \
            (void)c;                                                                   \
            *(real *)(at[0] + i * r) = (real)(expression);                             \
        }                                                                              \
    }                                                                                  \
    static void THTensor_(name##Kernel)(const void *user, int64_t count,               \
                                        char *const *at, const int64_t *step)          \
    {                                                                                  \
        const struct THTensor_(numbers) n = *(const struct THTensor_(numbers) *)user;  \
        const int64_t one = sizeof(real);                                              \
                                                                                       \
        if (step[0] == one && step[1] == one && step[2] == one && step[3] == one)      \
            THTensor_(name##Loop)(n, count, at, one, one, one, one);                   \
        else                                                                           \
            THTensor_(name##Loop)(n, count, at, step[0], step[1], step[2], step[3]);   \
    }

/*
 * Resize r_ to the shape of t and run a kernel over r_, t and up to two more tensors,
 * NULL for none.  An error where numel differs.
 */
static inline void THTensor_(mapOwn)(struct th_call call, THTensor *r_, THTensor *t,
                                     THTensor *src1, THTensor *src2, th_kernel kernel,
                                     real first, real second)
{
    const struct THTensor_(numbers) numbers = {first, second};
    const bl_array arrays[] = {TH_ARRAY(t), TH_ARRAY(src1 ? src1 : t),
                               TH_ARRAY(src2 ? src2 : t)};
    const bl_array *const all[] = {&arrays[0], &arrays[1], &arrays[2]};

    if (!th_admit(call, src2 ? "r_ src1 src2" : "r_ t src", r_ == t, src2 ? 3 : 2, all))
        return;
    THTensor_(resizeAs)(r_, t);
    {
        const bl_array arrays[] = {TH_ARRAY(r_), TH_ARRAY(t), TH_ARRAY(src1 ? src1 : t),
                                   TH_ARRAY(src2 ? src2 : t)};
        const bl_array *const list[] = {&arrays[0], &arrays[1], &arrays[2], &arrays[3]};

        th_map(4, list, kernel, &numbers);
    }
}

/* Define r_ = expression in elements of t. */
#define TH_OWN_UNARY(name, expression)                                                 \
    TH_KERNEL(name, expression)                                                        \
    void THTensor_(name)(THTensor * r_, THTensor * t)                                  \
    {                                                                                  \
        THTensor_(mapOwn)(TH_CALL(NULL), r_, t, NULL, NULL, THTensor_(name##Kernel),   \
                          0, 0);                                                       \
    }

/* Define r_ = expression in elements of t and a scalar. */
#define TH_OWN_SCALAR(name, expression)                                                \
    TH_KERNEL(name, expression)                                                        \
    void THTensor_(name)(THTensor * r_, THTensor * t, real value)                      \
    {                                                                                  \
        THTensor_(mapOwn)(TH_CALL(NULL), r_, t, NULL, NULL, THTensor_(name##Kernel),   \
                          value, 0);                                                   \
    }

/* Define r_ = expression in elements of t and src. */
#define TH_OWN_PAIRED(name, function, expression)                                      \
    TH_KERNEL(name, expression)                                                        \
    void THTensor_(name)(THTensor * r_, THTensor * t, THTensor * src)                  \
    {                                                                                  \
        THTensor_(mapOwn)(TH_CALL(function), r_, t, src, NULL,                         \
                          THTensor_(name##Kernel), 0, 0);                              \
    }

/* Clamp to [min, max]; NaN stays. */
TH_KERNEL(clamp, a<n.first ? n.first : a> n.second ? n.second : a)

void THTensor_(clamp)(THTensor *r_, THTensor *t, real min_value, real max_value)
{
    THTensor_(mapOwn)(TH_CALL(NULL), r_, t, NULL, NULL, THTensor_(clampKernel),
                      min_value, max_value);
}

#if TH_IS_INEXACT

#if defined(TH_REAL_IS_FLOAT)
#define TH_MATH(name) name##f
#else
#define TH_MATH(name) name
#endif

TH_OWN_UNARY(sign, a > 0 ? 1 : a < 0 ? -1 : 0)
TH_OWN_UNARY(round, TH_MATH(round)(a))
TH_OWN_UNARY(frac, a - TH_MATH(trunc)(a))
TH_OWN_SCALAR(remainder, n.first == 0 ? NAN : a - n.first * TH_MATH(floor)(a / n.first))
TH_OWN_PAIRED(cremainder, "remainder", b == 0 ? NAN : a - b * TH_MATH(floor)(a / b))
TH_OWN_SCALAR(cmaxValue, a > n.first ? a : n.first)
TH_OWN_SCALAR(cminValue, a < n.first ? a : n.first)
TH_OWN_PAIRED(cmax, "max", a > b ? a : b)
TH_OWN_PAIRED(cmin, "min", a < b ? a : b)
TH_OWN_SCALAR(lshift, a *TH_MATH(pow)(2, n.first))
TH_OWN_SCALAR(rshift, a / TH_MATH(pow)(2, n.first))
TH_OWN_PAIRED(clshift, "__lshift__", a *TH_MATH(pow)(2, b))
TH_OWN_PAIRED(crshift, "__rshift__", a / TH_MATH(pow)(2, b))

TH_OWN_UNARY(digamma, THTensor_(digammaOf)(a))
TH_OWN_UNARY(trigamma, THTensor_(trigammaOf)(a))
TH_OWN_UNARY(erfinv, THTensor_(erfinvOf)(a))

void THTensor_(polygamma)(THTensor *r_, int64_t n, THTensor *t)
{
    TH_REFUSE(n < 0 || n > 1, "polygamma(n,x) is not implemented for n %s",
              n < 0 ? "< 0" : ">= 2");
    THTensor_(mapOwn)(TH_CALL(NULL), r_, t, NULL, NULL,
                      n == 0 ? THTensor_(digammaKernel) : THTensor_(trigammaKernel), 0,
                      0);
}

TH_KERNEL(lerp, a + n.first * (b - a))

void THTensor_(lerp)(THTensor *r_, THTensor *t, THTensor *src, real weight)
{
    THTensor_(mapOwn)(TH_CALL("lerp"), r_, t, src, NULL, THTensor_(lerpKernel), weight,
                      0);
}

#define TH_INTEGERS_ONLY(name)                                                         \
    void THTensor_(name)(THTensor * r_, THTensor * t, real value)                      \
    {                                                                                  \
        (void)r_, (void)t, (void)value;                                                \
        THError(#name " is only supported for integer type tensors");                  \
    }                                                                                  \
    void THTensor_(c##name)(THTensor * r_, THTensor * t, THTensor * src)               \
    {                                                                                  \
        (void)r_, (void)t, (void)src;                                                  \
        THError("c" #name " is only supported for integer type tensors");              \
    }

TH_INTEGERS_ONLY(bitand)
TH_INTEGERS_ONLY(bitor)
TH_INTEGERS_ONLY(bitxor)

#undef TH_INTEGERS_ONLY
#undef TH_MATH

#else

/* A logical shift, whatever the sign; 0 for the type's width or more. */
#define TH_RIGHT(by)                                                                   \
    ((uint64_t)(by) >= 8 * sizeof(real)                                                \
         ? 0                                                                           \
         : ((uint64_t)a & UINT64_MAX >> (64 - 8 * sizeof(real))) >> (by))

TH_OWN_SCALAR(rshift, TH_RIGHT(n.first))
TH_OWN_PAIRED(crshift, "__rshift__", TH_RIGHT(b))

#undef TH_RIGHT

TH_KERNEL(cinv, a == 1 ? 1 : a == (real)-1 ? -1 : 0)

void THTensor_(cinv)(THTensor *r_, THTensor *t)
{
    const bl_array divisor = TH_ARRAY(t);

    if (th_has_zero(&divisor))
        THError("cinv: integer division by zero");
    else
        THTensor_(mapOwn)(TH_CALL(NULL), r_, t, NULL, NULL, THTensor_(cinvKernel), 0,
                          0);
}

TH_KERNEL(addcdiv, (uint64_t)a + (uint64_t)th_quotient(n.first, b, c))

void THTensor_(addcdiv)(THTensor *r_, THTensor *t, real value, THTensor *src1,
                        THTensor *src2)
{
    const bl_array divisor = TH_ARRAY(src2);

    if (th_has_zero(&divisor))
        THError("addcdiv: integer division by zero");
    else
        THTensor_(mapOwn)(TH_CALL("addcdiv"), r_, t, src1, src2,
                          THTensor_(addcdivKernel), value, 0);
}

#endif

#undef TH_KERNEL
#undef TH_OWN_UNARY
#undef TH_OWN_SCALAR
#undef TH_OWN_PAIRED
#undef TH_IS_INEXACT
