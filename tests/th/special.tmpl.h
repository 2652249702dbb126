/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Special functions of one type at drawn numbers, and at known ones.
 */

/* The result of a function at a number. */
static double THTensor_(at)(enum function function, double x)
{
    THTensor *const t = THTensor_(newWithSize1d)(1);
    double result;

    THTensor_(fill)(t, (real)x);
    switch (function) {
    case DIGAMMA:
        THTensor_(digamma)(t, t);
        break;
    case TRIGAMMA:
        THTensor_(trigamma)(t, t);
        break;
    default:
        THTensor_(erfinv)(t, t);
    }
    result = (double)THTensor_(get1d)(t, 0);
    THTensor_(free)(t);
    return result;
}

/* The distance between a result and a value in units of the last place of `scale`. */
static double THTensor_(distance)(double got, long double want, double scale)
{
    const int digits = sizeof(real) == sizeof(float) ? FLT_MANT_DIG : DBL_MANT_DIG;
    const int lowest = sizeof(real) == sizeof(float) ? FLT_MIN_EXP : DBL_MIN_EXP;
    const double top = sizeof(real) == sizeof(float) ? (double)FLT_MAX : DBL_MAX;
    int exponent;

    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : (double)INFINITY;
    if (isinf(want) || fabsl(want) > (long double)top)
        return (double)got == (want > 0 ? (double)INFINITY : -(double)INFINITY)
                   ? 0
                   : (double)INFINITY;
    frexp(scale, &exponent);
    return (double)(fabsl((long double)got - want) /
                    ldexpl(1, THMax(exponent, lowest) - digits));
}

static void THTensor_(checkKnown)(void)
{
    double worst = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double got = THTensor_(at)(known[i].function, known[i].x);
        const double off =
            THTensor_(distance)(got, known[i].value, fabs((double)known[i].value));

        if (!(off <= 1))
            tap_note("%s(%g) = %.17g", names[known[i].function], known[i].x, got);
        worst = fmax(worst, off);
    }
    tap_ok(worst <= 1, "known values, type " TH_CONCAT_STRING_2(, Real));
}

/* Shapes, strides and results that are operands, as of every function of elements. */
static void THTensor_(checkShapes)(void)
{
    THTensor *const t = THTensor_(newWithSize2d)(3, 4), *const r = THTensor_(new)();
    THTensor *const turned = THTensor_(newTranspose)(t, 0, 1);
    int wrong = 0;

    THTensor_(fill)(t, (real).25);
    THTensor_(set2d)(t, 1, 2, (real).5);
    THTensor_(polygamma)(r, 0, turned);
    wrong += (double)THTensor_(get2d)(r, 2, 1) != THTensor_(at)(DIGAMMA, .5);
    THTensor_(polygamma)(turned, 1, turned);
    wrong += (double)THTensor_(get2d)(t, 1, 2) != THTensor_(at)(TRIGAMMA, .5);
    wrong += (double)THTensor_(get2d)(t, 2, 3) != THTensor_(at)(TRIGAMMA, .25);
    tap_ok(!wrong && r->size[0] == 4, "polygamma is digamma and trigamma");
    THTensor_(fill)(t, 1);
    REFUSED(THTensor_(polygamma)(t, 2, r),
            "polygamma(n,x) is not implemented for n >= 2");
    REFUSED(THTensor_(polygamma)(t, -1, r),
            "polygamma(n,x) is not implemented for n < 0");
    tap_ok(THTensor_(sumall)(t) == 12, "and any other writes nothing");
    THTensor_(free)(turned);
    THTensor_(free)(r);
    THTensor_(free)(t);
}

static void THTensor_(checkDrawn)(enum function function, int count)
{
    double worst = 0, worst_x = 0;

    for (int i = 0; i < count; i++) {
        const double x = (double)(real)drawn(function, i);
        const double got = THTensor_(at)(function, x);
        struct exact exact;
        double off;

        if (is_pole(function, x)) /* by rounding; known values have these */
            continue;
        exact = exact_value(function, x, got);
        off = THTensor_(distance)(got, exact.value, exact.scale);

        if (!(off <= worst)) {
            worst = off;
            worst_x = x;
        }
    }
    tap_note("%s, " TH_CONCAT_STRING_2(, Real) ": %.4f ULP at %.17g", names[function],
             worst, worst_x);
    tap_ok(worst <= 1, "%s of drawn numbers has an error of at most 1 ULP",
           names[function]);
}

static void THTensor_(check)(void)
{
    THTensor_(checkKnown)();
    THTensor_(checkShapes)();
    if (!has_exact_values) {
        tap_skip("no MPFR here", "functions of drawn numbers");
        return;
    }
    for (int function = 0; function < FUNCTIONS; function++)
        THTensor_(checkDrawn)(function, 400);
}
