/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * digamma, trigamma, polygamma and erfinv: known values, and the error at drawn numbers
 * against MPFR.
 */
#include "config.h"

#include <math.h>

#include "th/kit.h"

enum function { DIGAMMA, TRIGAMMA, ERFINV, FUNCTIONS };
static const char *const names[FUNCTIONS] = {"digamma", "trigamma", "erfinv"};

/* The exact value, and the number of whose last place an error is counted. */
struct exact {
    long double value;
    double scale;
};

#if defined(BLI_HAVE_MPFR)

#include <mpfr.h>

enum { has_exact_values = 1, BITS = 700, STEP = 160 };

/* The derivative of digamma, by its difference over a step that is small beside the
 * distance from the nearest pole. */
static void exact_trigamma(mpfr_t result, double x)
{
    mpfr_t left, step;

    mpfr_inits2(BITS, left, step, (mpfr_ptr)NULL);
    mpfr_set_d(step, x > 0 ? x : x - rint(x), MPFR_RNDN);
    mpfr_div_2ui(step, step, STEP, MPFR_RNDN);
    mpfr_set_d(result, x, MPFR_RNDN);
    mpfr_sub(left, result, step, MPFR_RNDN);
    mpfr_add(result, result, step, MPFR_RNDN);
    mpfr_digamma(left, left, MPFR_RNDN);
    mpfr_digamma(result, result, MPFR_RNDN);
    mpfr_sub(result, result, left, MPFR_RNDN);
    mpfr_div(result, result, step, MPFR_RNDN);
    mpfr_div_2ui(result, result, 1, MPFR_RNDN);
    mpfr_clears(left, step, (mpfr_ptr)NULL);
}

/* Newton's method from what was got: each step doubles the digits. */
static void exact_erfinv(mpfr_t result, double y, double got)
{
    mpfr_t over, slope;

    mpfr_inits2(BITS, over, slope, (mpfr_ptr)NULL);
    mpfr_set_d(result, got, MPFR_RNDN);
    for (int i = 0; i < 3; i++) {
        mpfr_erf(over, result, MPFR_RNDN);
        mpfr_sub_d(over, over, y, MPFR_RNDN);
        mpfr_sqr(slope, result, MPFR_RNDN);
        mpfr_exp(slope, slope, MPFR_RNDN);
        mpfr_mul(over, over, slope, MPFR_RNDN);
        mpfr_const_pi(slope, MPFR_RNDN);
        mpfr_sqrt(slope, slope, MPFR_RNDN);
        mpfr_mul(over, over, slope, MPFR_RNDN);
        mpfr_div_2ui(over, over, 1, MPFR_RNDN);
        mpfr_sub(result, result, over, MPFR_RNDN);
    }
    mpfr_clears(over, slope, (mpfr_ptr)NULL);
}

static struct exact exact_value(enum function function, double x, double got)
{
    struct exact exact;
    mpfr_t value;

    mpfr_init2(value, BITS);
    mpfr_set_d(value, x, MPFR_RNDN);
    if (function == DIGAMMA)
        mpfr_digamma(value, value, MPFR_RNDN);
    else if (function == TRIGAMMA)
        exact_trigamma(value, x);
    else
        exact_erfinv(value, x, got);
    exact.value = mpfr_get_ld(value, MPFR_RNDN);
    exact.scale = fabs((double)exact.value);
    if (function == DIGAMMA && x < 0)
        exact.scale = fmax(exact.scale, fabs(M_PI / tan(M_PI * (x - rint(x)))));
    mpfr_clear(value);
    return exact;
}

#else

enum { has_exact_values = 0 };

static struct exact exact_value(enum function function, double x, double got)
{
    (void)function, (void)x;
    return (struct exact){got, got};
}

#endif

static int is_pole(enum function function, double x)
{
    return function == ERFINV ? fabs(x) == 1 : x <= 0 && x == floor(x);
}

/* The i-th number at which a function is tried. */
static double drawn(enum function function, int i)
{
    const double part = draw(1, 1 << 22) / (double)(1 << 22);
    const double sign = i & 8 ? -1 : 1;

    if (function == ERFINV) {
        switch (i % 4) {
        case 0:
            return sign * ldexp(part, -draw(0, 100));
        case 1:
            return sign * (1 - ldexp(1 + part, -draw(2, 53)));
        default:
            return sign * part;
        }
    }
    switch (i % 6) {
    case 0:
        return ldexp(part, draw(-60, 60));
    case 1:
        return 1.4616321449683623 + ldexp(part - .5, -draw(0, 53));
    case 2:
        return sign * ldexp(part, -draw(0, 20)) - draw(0, 20);
    case 3:
        return -(double)draw(1, 1 << 20) * 3.7 - part;
    default:
        return 20 * part;
    }
}

static const struct {
    enum function function;
    double x;
    long double value;
} known[] = {
    {DIGAMMA, 1, -.577215664901532860607L},
    {DIGAMMA, .5, -1.96351002602142347944L},
    {DIGAMMA, 10, 2.25175258906672110765L},
    {DIGAMMA, -.5, .0364899739785765205590L},
    {DIGAMMA, 1.5, .0364899739785765205590L},
    {DIGAMMA, 0, INFINITY},
    {DIGAMMA, -3, INFINITY},
    {DIGAMMA, INFINITY, INFINITY},
    {DIGAMMA, NAN, NAN},
    {TRIGAMMA, 1, 1.64493406684822643647L},
    {TRIGAMMA, .5, 4.93480220054467930942L},
    {TRIGAMMA, -.5, 8.93480220054467930942L},
    {TRIGAMMA, 0, INFINITY},
    {TRIGAMMA, -2, INFINITY},
    {TRIGAMMA, INFINITY, 0},
    {TRIGAMMA, NAN, NAN},
    {ERFINV, .5, .476936276204469873381L},
    {ERFINV, -.75, -.813419847597618541690L},
    {ERFINV, 0, 0},
    {ERFINV, 1, INFINITY},
    {ERFINV, -1, -INFINITY},
    {ERFINV, 1.5, NAN},
    {ERFINV, NAN, NAN},
};

#define TH_GENERIC_FILE "th/special.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

int main(void)
{
    handle_errors();
    THFloatTensor_check();
    THDoubleTensor_check();
    tap_ok(signbit(THDoubleTensor_at(ERFINV, -0.)), "erfinv keeps the sign of 0");
    return tap_done();
}
