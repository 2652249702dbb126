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

#if defined(BLI_BLAS)

#include <dlfcn.h>

/*
 * Fewer multiplications take a thread less time than to wake another: 64 x 64 x 64 in
 * f32 take 3 us.
 */
enum { TEAM_MIN = 1 << 18 };

static void *library;
static struct th_blas loaded;
static bool is_loaded;
static bool is_split; /* it is OpenBLAS with threads of its own, or none */

/* Find a function, as a pointer of any type at `place`. */
static bool find(const char *name, void *place)
{
    void *const function = dlsym(library, name);

    memcpy(place, &function, sizeof function);
    return function != NULL;
}

static void load(void)
{
    library = dlopen(BLI_BLAS, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return;
    is_loaded =
        find("cblas_sgemv", &loaded.sgemv) && find("cblas_sger", &loaded.sger) &&
        find("cblas_sgemm", &loaded.sgemm) && find("cblas_dgemv", &loaded.dgemv) &&
        find("cblas_dger", &loaded.dger) && find("cblas_dgemm", &loaded.dgemm);
    is_split = find("openblas_get_num_threads", &loaded.get_threads) &&
               find("openblas_set_num_threads", &loaded.set_threads) &&
               find("openblas_get_parallel", &loaded.get_parallel) &&
               loaded.get_parallel() < 2;
}

const struct th_blas *th_blas(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_loaded ? &loaded : NULL;
}

bool th_blas_find(const char *name, void *place)
{
    th_blas();
    return library && find(name, place);
}

int th_blas_team(double multiplications)
{
    const double most = multiplications / TEAM_MIN;

    return !is_split || omp_in_parallel() ? 1 : th_team((int64_t)THMin(most, INT_MAX));
}

static pthread_mutex_t entered_lock = PTHREAD_MUTEX_INITIALIZER;
static int entered, kept_threads;

void th_blas_enter(void)
{
    if (!is_split)
        return;
    pthread_mutex_lock(&entered_lock);
    if (entered++ == 0) {
        kept_threads = loaded.get_threads();
        loaded.set_threads(1);
    }
    pthread_mutex_unlock(&entered_lock);
}

void th_blas_leave(void)
{
    if (!is_split)
        return;
    pthread_mutex_lock(&entered_lock);
    if (--entered == 0)
        loaded.set_threads(kept_threads);
    pthread_mutex_unlock(&entered_lock);
}

#else

bool th_blas_find(const char *name, void *place)
{
    (void)name, (void)place;
    return false;
}

void th_blas_enter(void)
{
}

void th_blas_leave(void)
{
}

#endif

#define TH_GENERIC_FILE "generic/blas.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/gemm.tmpl.h"
#include "TH/THGenerateAllTypes.h"
