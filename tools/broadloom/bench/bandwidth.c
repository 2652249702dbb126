/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures memory bandwidth with four loops.
 *
 * Non-temporal stores avoid reading the lines that are overwritten.  They are 32 bytes
 * wide: with 16 bytes two thirds of that bandwidth is reached, and 64 are no faster.
 */
#include "bandwidth.h"

#include <math.h>
#include <omp.h>

#if defined __x86_64__
#include <immintrin.h>
#define HAS_WIDE __builtin_cpu_supports("avx")
#else
#define HAS_WIDE false
#endif

enum {
    FLOATS = 64 << 20, /* of an array: larger than any cache */
    LINE = 32,         /* a thread's share is a multiple of this */
    PASSES = 15
};

struct mix {
    const char *name;
    void (*run)(float *out, const float *a, const float *b, int64_t count);
    int arrays; /* that are read or written */
};

#define BLOCK   float
#define NAME(f) plain_##f
#define TARGET
#define LOAD(from)       (*(from))
#define STORE(to, value) (*(to) = (value))
#define PLUS(a, b)       ((a) + (b))
#define FINISH           (void)0
#include "bandwidth.tmpl.h"

#if defined __x86_64__
#define BLOCK   __m256
#define NAME(f) wide_##f
#define TARGET  __attribute__((target("avx")))
#define LOAD    _mm256_loadu_ps
#define STORE   _mm256_stream_ps
#define PLUS    _mm256_add_ps
#define FINISH  _mm_sfence()
#include "bandwidth.tmpl.h"
#else
#define wide_mixes plain_mixes
#endif

/* Run one pass with a team of threads; returns its time in seconds. */
static double pass(const struct mix *mix, int team, float *const array[3])
{
    const double begin = seconds_now();

#pragma omp parallel num_threads(team)
    {
        const int64_t part = omp_get_thread_num(), parts = omp_get_num_threads();
        const int64_t from = FLOATS / LINE * part / parts * LINE;
        const int64_t end = FLOATS / LINE * (part + 1) / parts * LINE;

        mix->run(array[0] + from, array[1] + from, array[2] + from, end - from);
    }
    return seconds_now() - begin;
}

static void measure(int team, float *const array[3], struct limit limit[LIMITS])
{
    const struct mix *const mix = HAS_WIDE ? wide_mixes : plain_mixes;

    for (int m = 0; m < LIMITS; m++) {
        double best = INFINITY;

        for (int n = 0; n < PASSES; n++)
            best = fmin(best, pass(&mix[m], team, array));
        limit[m].name = mix[m].name;
        limit[m].bandwidth =
            1e-9 * mix[m].arrays * (double)sizeof(float) * FLOATS / best;
    }
}

bl_status bandwidth_measure(bl_context *ctx, struct limit limit[LIMITS])
{
    const int64_t count = FLOATS;
    bl_tensor *tensor[3] = {NULL};
    float *array[3] = {NULL};
    bl_status status = BL_OK;

    for (int k = 0; status == BL_OK && k < 3; k++) {
        status = bl_tensor_ones(ctx, BL_DTYPE_F32, 1, &count, &tensor[k]);
        if (status == BL_OK)
            array[k] = bl_tensor_array(tensor[k])->data;
    }
    if (status == BL_OK)
        measure(context_team(ctx), array, limit);
    for (int k = 0; k < 3; k++)
        bl_tensor_release(tensor[k]);
    return status;
}
