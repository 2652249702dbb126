/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors and matrices of each type in plain memory.
 */
#include "config.h"

#include "blas.h"
#include "core.h"

#include <limits.h>
#include <omp.h>
#include <pthread.h>

#if defined(BLI_HAVE_CBLAS)

/*
 * Fewer multiplications take a thread less time than to wake another: 64 x 64 x 64 in
 * f32 take 3 us.
 */
enum { TEAM_MIN = 1 << 18 };

/* OpenBLAS's, where it is what is linked; parallel: 0 no threads, 1 its own, 2 OpenMP's
 */
extern int openblas_get_parallel(void) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));

static bool is_split(void)
{
    return openblas_get_parallel && openblas_get_num_threads &&
           openblas_set_num_threads && openblas_get_parallel() < 2;
}

int th_blas_team(double multiplications)
{
    const double most = multiplications / TEAM_MIN;

    if (!is_split() || omp_in_parallel() || th_is_forked() || most < 2)
        return 1;
    return most < THGetNumThreads() ? (int)most : THGetNumThreads();
}

static pthread_mutex_t entered_lock = PTHREAD_MUTEX_INITIALIZER;
static int entered, kept_threads;

void th_blas_enter(void)
{
    if (!is_split())
        return;
    pthread_mutex_lock(&entered_lock);
    if (entered++ == 0) {
        kept_threads = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&entered_lock);
}

void th_blas_leave(void)
{
    if (!is_split())
        return;
    pthread_mutex_lock(&entered_lock);
    if (--entered == 0)
        openblas_set_num_threads(kept_threads);
    pthread_mutex_unlock(&entered_lock);
}

#endif

#define TH_GENERIC_FILE "generic/blas.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/gemm.tmpl.h"
#include "TH/THGenerateAllTypes.h"
