/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of threads, half-precision numbers and logarithms.
 */
#include "core.h"

#include <omp.h>
#include <unistd.h>

/* ---- threads ---- */

void THSetNumThreads(int num_threads)
{
    if (num_threads > 0)
        th_check(bl_context_set_threads(th_context(), num_threads));
}

int THGetNumThreads(void)
{
    const int32_t threads = bl_context_threads(th_context());

    return threads > 0 ? threads : omp_get_max_threads();
}

/* Does nothing: each call determines its number of threads. */
void THInferNumThreads(void)
{
}

int THGetNumCores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores > 0 ? (int)cores : 1;
}

/* ---- half-precision numbers ---- */

/* Convert one scalar between dtypes. */
static void convert(bl_dtype from, void *number, bl_dtype to, void *result)
{
    const bl_array in = {number, from, 0, NULL, NULL, 0};
    const bl_array out = {result, to, 0, NULL, NULL, 0};

    th_check(bl_copy_out(NULL, &out, &in));
}

THHalf TH_float2half(float value)
{
    THHalf half;

    convert(BL_DTYPE_F32, &value, BL_DTYPE_F16, &half.x);
    return half;
}

float TH_half2float(THHalf value)
{
    float number;

    convert(BL_DTYPE_F16, &value.x, BL_DTYPE_F32, &number);
    return number;
}

void TH_float2halfbits(float *value, unsigned short *bits)
{
    *bits = TH_float2half(*value).x;
}

void TH_halfbits2float(unsigned short *bits, float *value)
{
    const THHalf half = {*bits};

    *value = TH_half2float(half);
}

/* ---- logarithms ---- */

const double THLog2Pi = 1.83787706640934548355;
const double THLogZero = -DBL_MAX;
const double THLogOne = 0;

/* Below this difference of logarithms, exp() of it does not change a sum. */
#define LOG_MINIMUM (-39.14)

double THLogAdd(double log_a, double log_b)
{
    const double larger = THMax(log_a, log_b);
    const double difference = THMin(log_a, log_b) - larger;

    return difference < LOG_MINIMUM ? larger : larger + log1p(exp(difference));
}

double THLogSub(double log_a, double log_b)
{
    const double difference = log_b - log_a;

    if (log_a < log_b)
        THError("LogSub: log_a (%f) should be greater than log_b (%f)", log_a, log_b);
    if (difference == 0 || log_a == THLogZero)
        return THLogZero;
    return difference < LOG_MINIMUM ? log_a : log_a + log1p(-exp(difference));
}

double THExpMinusApprox(const double x)
{
    return exp(-x);
}

double THLog1p(const double x)
{
    return log1p(x);
}
