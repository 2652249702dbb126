/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_template.h"
#else

#if defined(TH_REAL_IS_FLOAT)
#define NUMBERS numbersFloat
#define SHOW    showFloat
#else
#define NUMBERS numbersDouble
#define SHOW    showDouble
#endif

static void Module_(update)(THTensor *output, THTensor *input, THTensor *weight,
                            real scale)
{
    if (scale > 0)
        THTensor_(addcmul)(output, input, scale, weight, input);
    else
        THTensor_(csub)(output, input, scale, weight);
    THTensor_(copy)(input, weight);
}

static accreal Module_(distance)(THTensor *a, THTensor *b)
{
    return THTensor_(dist)(a, b, 1);
}

static void Module_(forEach)(void)
{
    THTensor *a = NUMBERS(2, 3, 1), *b = NUMBERS(6, 0, 3);
    THTensor *c = NUMBERS(3, 1, 2), *d = NUMBERS(3, 0, 5), *r = THTensor_(new)();

    printf("%g\n", (double)Module_(distance)(c, d));
    Module_(update)(r, c, d, 2);
    SHOW("addcmul", r);
    Module_(update)(r, a, b, -1);
    SHOW("csub", r);
    SHOW("copy", a);
    THTensor_(free)(a);
    THTensor_(free)(b);
    THTensor_(free)(c);
    THTensor_(free)(d);
    THTensor_(free)(r);
}

#undef NUMBERS
#undef SHOW
#endif
