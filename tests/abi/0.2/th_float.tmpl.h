/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What floating-point types alone have: functions, moments, distributions.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_float.tmpl.h"
#else

#define GIVES(call, ...)                                                               \
    do {                                                                               \
        call;                                                                          \
        TH_HAS(r, V, __VA_ARGS__);                                                     \
    } while (0)

/* A function of the tensor 0.25 0.5 0.75. */
#define FUNCTION(name, f)                                                              \
    do {                                                                               \
        THTensor_(name)(r, t);                                                         \
        for (long i = 0; i < 3; i++) {                                                 \
            const double x = 0.25 * (double)(i + 1), y = f;                            \
                                                                                       \
            kept_check(fabs(V(THTensor_(get1d)(r, i)) - y) <= 1e-6 * (1 + fabs(y)),    \
                       #name, __FILE__, __LINE__);                                     \
        }                                                                              \
    } while (0)

static void TH_CONCAT_2(check_functions_, Real)(THTensor *r, THTensor *t)
{
    FUNCTION(cinv, 1 / x);
    FUNCTION(sigmoid, 1 / (1 + exp(-x)));
    FUNCTION(log, log(x));
    FUNCTION(log10, log10(x));
    FUNCTION(log1p, log1p(x));
    FUNCTION(log2, log2(x));
    FUNCTION(exp, exp(x));
    FUNCTION(expm1, expm1(x));
    FUNCTION(cos, cos(x));
    FUNCTION(acos, acos(x));
    FUNCTION(cosh, cosh(x));
    FUNCTION(sin, sin(x));
    FUNCTION(asin, asin(x));
    FUNCTION(sinh, sinh(x));
    FUNCTION(tan, tan(x));
    FUNCTION(atan, atan(x));
    FUNCTION(tanh, tanh(x));
    FUNCTION(erf, erf(x));
    FUNCTION(erfc, erfc(x));
    FUNCTION(lgamma, lgamma(x));
    FUNCTION(sqrt, sqrt(x));
    FUNCTION(rsqrt, 1 / sqrt(x));
    FUNCTION(ceil, ceil(x));
    FUNCTION(floor, floor(x));
    FUNCTION(round, round(x));
    FUNCTION(trunc, trunc(x));
    FUNCTION(frac, x);
}

static void TH_CONCAT_2(check_moments_, Real)(THTensor *r, THTensor *t)
{
    THTensor *const m = THTensor_(newWithSize2d)(2, 2), *const s =
                                                            THTensor_(newClone)(t);

    for (long i = 0; i < 4; i++)
        THTensor_(set2d)(m, i / 2, i % 2, (real)(i + 1));
    THTensor_(fill)(s, 1);
    GIVES(THTensor_(atan2)(r, t, t), M_PI / 4, M_PI / 4, M_PI / 4);
    GIVES(THTensor_(lerp)(r, t, s, (real)0.5), 0.625, 0.75, 0.875);
    GIVES(THTensor_(linspace)(r, 1, 2, 3), 1, 1.5, 2);
    GIVES(THTensor_(logspace)(r, 0, 2, 3), 1, 10, 100);
    NEAR((double)THTensor_(dist)(t, s, 1), 1.5);
    NEAR((double)THTensor_(normall)(m, 1), 10);
    NEAR((double)THTensor_(varall)(m, 1), 1.25);
    NEAR((double)THTensor_(stdall)(m, 1), sqrt(1.25));
    GIVES(THTensor_(mean)(r, m, 0, 0), 2, 3);
    GIVES(THTensor_(var)(r, m, 0, 0, 0), 2, 2);
    GIVES(THTensor_(std)(r, m, 0, 1, 0), 1, 1);
    GIVES(THTensor_(norm)(r, m, 1, 0, 1), 4, 6);
    THTensor_(free)(s);
    THTensor_(free)(m);
}

#define DRAW(call, low, high)                                                          \
    do {                                                                               \
        call;                                                                          \
        CHECK((double)THTensor_(minall)(r) >= (low) &&                                 \
              (double)THTensor_(maxall)(r) <= (high));                                 \
    } while (0)

static void TH_CONCAT_2(check_distributions_, Real)(THTensor *r, THTensor *t,
                                                    THGenerator *generator)
{
    THLongStorage *const size = THLongStorage_newWithSize2(2, 3);
    THLongTensor *const drawn = THLongTensor_new();

    THTensor_(resizeAs)(r, t);
    DRAW(THTensor_(uniform)(r, generator, 3, 4), 3, 4);
    DRAW(THTensor_(normal)(r, generator, 100, 0.5), 90, 110);
    DRAW(THTensor_(normal_means)(r, generator, t, 0.5), -10, 10);
    DRAW(THTensor_(normal_stddevs)(r, generator, 100, t), 90, 110);
    DRAW(THTensor_(normal_means_stddevs)(r, generator, t, t), -10, 10);
    DRAW(THTensor_(exponential)(r, generator, 5), 0, 20);
    DRAW(THTensor_(cauchy)(r, generator, 0, 1e-3), -1e6, 1e6);
    DRAW(THTensor_(logNormal)(r, generator, 1, 0.5), 0, 1000);
    DRAW(THTensor_(rand)(r, generator, size), 0, 1);
    DRAW(THTensor_(randn)(r, generator, size), -10, 10);
    CHECK(THTensor_(nElement)(r) == 6);
    THTensor_(multinomial)(drawn, generator, t, 3, 0);
    CHECK(THLongTensor_sumall(drawn) == 3 && THLongTensor_maxall(drawn) == 2);
    THLongTensor_free(drawn);
    THLongStorage_free(size);
}

static void TH_CONCAT_2(check_float_, Real)(THGenerator *generator)
{
    THTensor *const t = THTensor_(newWithSize1d)(3), *const r = THTensor_(new)();

    for (long i = 0; i < 3; i++)
        THTensor_(set1d)(t, i, (real)0.25 * (real)(i + 1));
    TH_CONCAT_2(check_functions_, Real)(r, t);
    TH_CONCAT_2(check_moments_, Real)(r, t);
    TH_CONCAT_2(check_distributions_, Real)(r, t, generator);
    THTensor_(free)(r);
    THTensor_(free)(t);
}

#undef DRAW
#undef FUNCTION
#undef GIVES
#endif
