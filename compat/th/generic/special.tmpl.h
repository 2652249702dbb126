/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Special functions of one number, computed in a wider type and rounded once.
 */
#if defined(TH_REAL_IS_FLOAT)
#define WIDE     double
#define OF(name) name
#else
#define WIDE     long double
#define OF(name) name##l
#endif
#define PI ((WIDE)3.14159265358979323846264338327950288L)

/* Numbers from which on the asymptotic series below are exact in the wider type. */
#define ASYMPTOTIC 16

/* Evaluate a polynomial of so many coefficients, that of x^0 first. */
static WIDE THTensor_(polynomial)(const long double *coefficient, int count, WIDE x)
{
    WIDE sum = 0;

    for (int i = count - 1; i >= 0; i--)
        sum = sum * x + (WIDE)coefficient[i];
    return sum;
}

/* x - the nearest integer, where functions of period 1 have the value that they have
 * at x; 0 at integers. */
static WIDE THTensor_(reduced)(WIDE x)
{
    return x - OF(rint)(x);
}

static WIDE THTensor_(digammaOf)(WIDE x)
{
    static const double root = 0x1.762d86356be3fp+0;
    static const long double rest = 9.549995429965697715e-17L;
    static const long double around_root[] = {
        0,
        .967672245447621170427L,
        -.442763168983592106093L,
        .258499760955651010624L,
        -.163942705442406527504L,
        .107824050691262365757L,
        -.0721995612564547109261L,
        .0488042881641431072251L,
        -.0331611264748473592923L,
        .0225976482322181046596L,
    };
    /* Bernoulli's numbers B(2 k) / (2 k) */
    static const long double series[] = {
        0,          1.L / 12,  -1.L / 120,     1.L / 252,
        -1.L / 240, 1.L / 132, -691.L / 32760, 1.L / 12};
    WIDE sum = 0;

    if (x <= 0 && x == OF(floor)(x))
        return INFINITY;
    if (x < 0) {
        sum = -PI / OF(tan)(PI * THTensor_(reduced)(x));
        x = 1 - x;
    }
    /* Where it is near 0, a sum would lose digits. */
    if (OF(fabs)(x - (WIDE)root) < (WIDE)1 / 128)
        return sum +
               THTensor_(polynomial)(around_root, 10, x - (WIDE)root - (WIDE)rest);
    for (; x < ASYMPTOTIC; x++)
        sum -= 1 / x;
    return sum + OF(log)(x) - 1 / (2 * x) -
           THTensor_(polynomial)(series, 8, 1 / (x * x));
}

static WIDE THTensor_(trigammaOf)(WIDE x)
{
    /* Bernoulli's numbers B(2 k) */
    static const long double series[] = {1,         1.L / 6,  -1.L / 30,     1.L / 42,
                                         -1.L / 30, 5.L / 66, -691.L / 2730, 7.L / 6};
    WIDE sum = 0, sign = 1;

    if (x <= 0 && x == OF(floor)(x))
        return INFINITY;
    if (x < (WIDE).5) {
        const WIDE sine = OF(sin)(PI * THTensor_(reduced)(x));

        sum = PI / sine * (PI / sine);
        sign = -1;
        x = 1 - x;
    }
    for (; x < ASYMPTOTIC; x++)
        sum += sign / (x * x);
    return sum +
           sign * (THTensor_(polynomial)(series, 8, 1 / (x * x)) + 1 / (2 * x)) / x;
}

/* Solves erf(x) = y, or erfc(x) = 1 - y where 1 - y has more digits, by Halley's method
 * from an approximation with an error of .2 %. */
static WIDE THTensor_(erfinvOf)(WIDE y)
{
    const WIDE size = OF(fabs)(y), shape = (WIDE).147,
               half_root_pi = .8862269254527580137L;
    WIDE x, log, middle;

    if (!(size < 1))
        return size == 1 ? y * INFINITY : NAN;
    log = OF(log1p)(-y * y);
    middle = 2 / (PI * shape) + log / 2;
    x = OF(sqrt)(-log / shape / (OF(sqrt)(middle * middle - log / shape) + middle));
    for (int step = 0; step < 3; step++) {
        const WIDE over = size > (WIDE).5 ? 1 - size - OF(erfc)(x) : OF(erf)(x) - size;
        const WIDE change = over * half_root_pi * OF(exp)(x * x);

        x -= change / (1 + x * change);
    }
    return OF(copysign)(x, y);
}

#undef WIDE
#undef OF
#undef PI
#undef ASYMPTOTIC
