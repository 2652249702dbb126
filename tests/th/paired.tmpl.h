/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of paired.c for one type.  Expected values are computed here, element by
 * element, in C.
 */
#define COUNT 24

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define IS_INEXACT 1
#else
#define IS_INEXACT 0
#endif

/* Make a tensor of COUNT elements in one of several layouts, with nonzero values. */
static THTensor *THPaired_(make)(int layout, int start)
{
    THTensor *t = NULL, *base;
    int i = 0;

    switch (layout) {
    case 0:
        t = THTensor_(newWithSize3d)(2, 3, 4);
        break;
    case 1:
        t = THTensor_(newWithSize1d)(COUNT);
        break;
    case 2:
        t = THTensor_(newWithSize2d)(COUNT, 1);
        break;
    case 3:
        base = THTensor_(newWithSize2d)(4, 6);
        t = THTensor_(newTranspose)(base, 0, 1);
        THTensor_(free)(base);
        break;
    case 4:
        base = THTensor_(newWithSize2d)(5, 9);
        t = THTensor_(newNarrow)(base, 0, 1, 4);
        THTensor_(narrow)(t, NULL, 1, 2, 6);
        THTensor_(free)(base);
        break;
    default:
        base = THTensor_(newWithSize3d)(3, 8, 2);
        t = THTensor_(newSelect)(base, 2, 1);
        THTensor_(free)(base);
        break;
    }
    TH_TENSOR_APPLY(real, t, *t_data = (real)((i * 7 + start) % 11 + 1); i++;)
    return t;
}

static void THPaired_(list)(THTensor *t, real *elements)
{
    int i = 0;

    TH_TENSOR_APPLY(real, t, elements[i++] = *t_data;)
}

/* ---- what is expected ---- */

#define EXPECT(name, expression)                                                       \
    static real THPaired_(expect_##name)(real a, real b)                               \
    {                                                                                  \
        return (real)(expression);                                                     \
    }

EXPECT(cadd, a + 3 * b)
EXPECT(csub, a - 3 * b)
EXPECT(cmul, a *b)
EXPECT(cdiv, a / b)
EXPECT(cpow, pow(a, b > 4 ? 2 : b))
EXPECT(cfmod, fmod((double)a, (double)b))
EXPECT(cremainder, a - b * floor((double)a / (double)b))
EXPECT(clshift, a *pow(2, b > 3 ? 1 : b))
EXPECT(cmax, a > b ? a : b)
EXPECT(cmin, a < b ? a : b)
EXPECT(addcmul, a + 2 * a * b)
EXPECT(addcdiv, IS_INEXACT ? a + 2.0 * a / b : a + (long)(2 * a) / (long)b)
EXPECT(ltTensorT, a < b)
EXPECT(leTensorT, a <= b)
EXPECT(gtTensorT, a > b)
EXPECT(geTensorT, a >= b)
EXPECT(neTensorT, a != b)
EXPECT(eqTensorT, a == b)
#if IS_INEXACT
EXPECT(atan2, atan2(a, b))
EXPECT(lerp, a + (real)0.25 * (b - a))
#else
EXPECT(cbitand, a &b)
EXPECT(cbitor, a | b)
EXPECT(cbitxor, a ^ b)
EXPECT(crshift, (long)a >> (b > 3 ? 1 : b))
#endif

/* ---- the functions, with a common signature ---- */

static void THPaired_(cadd)(THTensor *r, THTensor *t, THTensor *src)
{
    THTensor_(cadd)(r, t, 3, src);
}

static void THPaired_(csub)(THTensor *r, THTensor *t, THTensor *src)
{
    THTensor_(csub)(r, t, 3, src);
}

static void THPaired_(addcmul)(THTensor *r, THTensor *t, THTensor *src)
{
    THTensor *const kept = THTensor_(newClone)(t);

    THTensor_(addcmul)(r, t, 2, kept, src);
    THTensor_(free)(kept);
}

static void THPaired_(addcdiv)(THTensor *r, THTensor *t, THTensor *src)
{
    THTensor *const kept = THTensor_(newClone)(t);

    THTensor_(addcdiv)(r, t, 2, kept, src);
    THTensor_(free)(kept);
}

/* Call `function` with elements of `src` beyond `most` replaced by `by`. */
static void THPaired_(limited)(void (*function)(THTensor *, THTensor *, THTensor *),
                               THTensor *r, THTensor *t, THTensor *src, real most,
                               real by)
{
    THTensor *const small = THTensor_(newWithTensor)(src);
    THByteTensor *const mask = THByteTensor_new();

    THTensor_(gtValue)(mask, src, most);
    THTensor_(maskedFill)(small, mask, by);
    function(r, t, small);
    THByteTensor_free(mask);
    THTensor_(free)(small);
}

static void THPaired_(cpow)(THTensor *r, THTensor *t, THTensor *src)
{
    THPaired_(limited)(THTensor_(cpow), r, t, src, 4, 2);
}

static void THPaired_(clshift)(THTensor *r, THTensor *t, THTensor *src)
{
    THPaired_(limited)(THTensor_(clshift), r, t, src, 3, 1);
}

#if IS_INEXACT
static void THPaired_(lerp)(THTensor *r, THTensor *t, THTensor *src)
{
    THTensor_(lerp)(r, t, src, (real)0.25);
}
#else
static void THPaired_(crshift)(THTensor *r, THTensor *t, THTensor *src)
{
    THPaired_(limited)(THTensor_(crshift), r, t, src, 3, 1);
}
#endif

/* ---- the check ---- */

static const struct {
    const char *name;
    void (*function)(THTensor *r, THTensor *t, THTensor *src);
    real (*expect)(real a, real b);
} THPaired_(cases)[] = {
    {"cadd", THPaired_(cadd), THPaired_(expect_cadd)},
    {"csub", THPaired_(csub), THPaired_(expect_csub)},
    {"cmul", THTensor_(cmul), THPaired_(expect_cmul)},
    {"cdiv", THTensor_(cdiv), THPaired_(expect_cdiv)},
    {"cpow", THPaired_(cpow), THPaired_(expect_cpow)},
    {"cfmod", THTensor_(cfmod), THPaired_(expect_cfmod)},
    {"cremainder", THTensor_(cremainder), THPaired_(expect_cremainder)},
    {"clshift", THPaired_(clshift), THPaired_(expect_clshift)},
    {"cmax", THTensor_(cmax), THPaired_(expect_cmax)},
    {"cmin", THTensor_(cmin), THPaired_(expect_cmin)},
    {"addcmul", THPaired_(addcmul), THPaired_(expect_addcmul)},
    {"addcdiv", THPaired_(addcdiv), THPaired_(expect_addcdiv)},
    {"ltTensorT", THTensor_(ltTensorT), THPaired_(expect_ltTensorT)},
    {"leTensorT", THTensor_(leTensorT), THPaired_(expect_leTensorT)},
    {"gtTensorT", THTensor_(gtTensorT), THPaired_(expect_gtTensorT)},
    {"geTensorT", THTensor_(geTensorT), THPaired_(expect_geTensorT)},
    {"neTensorT", THTensor_(neTensorT), THPaired_(expect_neTensorT)},
    {"eqTensorT", THTensor_(eqTensorT), THPaired_(expect_eqTensorT)},
#if IS_INEXACT
    {"atan2", THTensor_(atan2), THPaired_(expect_atan2)},
    {"lerp", THPaired_(lerp), THPaired_(expect_lerp)},
#else
    {"cbitand", THTensor_(cbitand), THPaired_(expect_cbitand)},
    {"cbitor", THTensor_(cbitor), THPaired_(expect_cbitor)},
    {"cbitxor", THTensor_(cbitxor), THPaired_(expect_cbitxor)},
    {"crshift", THPaired_(crshift), THPaired_(expect_crshift)},
#endif
};

/* Check one function with layouts of t and src, into a new tensor or into t. */
static int THPaired_(agrees)(size_t c, int layout_t, int layout_src, int in_place)
{
    THTensor *const t = THPaired_(make)(layout_t, 3);
    THTensor *const src = THPaired_(make)(layout_src, 8);
    THTensor *const shape = THTensor_(newWithTensor)(t);
    THTensor *const r = in_place ? t : THTensor_(new)();
    real a[COUNT], b[COUNT], result[COUNT];
    int agree;

    THPaired_(list)(t, a);
    THPaired_(list)(src, b);
    THPaired_(cases)[c].function(r, t, src);
    THPaired_(list)(r, result);
    agree = THTensor_(isSameSizeAs)(r, shape);
    for (int i = 0; i < COUNT; i++) {
        const double want = (double)THPaired_(cases)[c].expect(a[i], b[i]);

        agree = agree &&
                fabs((double)result[i] - want) <= (IS_INEXACT ? 1e-6 * fabs(want) : 0);
    }
    if (!in_place)
        THTensor_(free)(r);
    THTensor_(free)(shape);
    THTensor_(free)(src);
    THTensor_(free)(t);
    return agree;
}

static void THPaired_(check)(void)
{
    const size_t count = sizeof THPaired_(cases) / sizeof THPaired_(cases)[0];

    for (size_t c = 0; c < count; c++) {
        int wrong = 0;

        for (int k = 0; k < 6 * 6 * 2; k++) {
            if (THPaired_(agrees)(c, k % 6, k / 6 % 6, k / 36))
                continue;
            tap_note("layouts %d and %d%s", k % 6, k / 6 % 6,
                     k / 36 ? " in place" : "");
            wrong++;
        }
        tap_ok(wrong == 0, "%s of " TH_CONCAT_STRING_2(Real, Tensor) " in all layouts",
               THPaired_(cases)[c].name);
    }
}

#undef COUNT
#undef IS_INEXACT
#undef EXPECT
