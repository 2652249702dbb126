/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LAPACK's functions of each type: those of the system's LAPACK, which is loaded when
 * one is first called.
 */
#include "config.h"

#include "blas.h"
#include "core.h"

#if defined(BLI_LAPACK)

#include <dlfcn.h>
#include <pthread.h>

#define SEARCHED " in " BLI_BLAS " and " BLI_LAPACK

static void *library;

static void load(void)
{
    library = dlopen(BLI_LAPACK, RTLD_NOW | RTLD_LOCAL);
}

static bool find_apart(const char *name, void *place)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    void *function;

    pthread_once(&once, load);
    function = library ? dlsym(library, name) : NULL;
    memcpy(place, &function, sizeof function);
    return function != NULL;
}

#else

#if defined(BLI_BLAS)
#define SEARCHED " in " BLI_BLAS
#else
#define SEARCHED ": libbroadloom-th was built without a BLAS"
#endif

static bool find_apart(const char *name, void *place)
{
    (void)name, (void)place;
    return false;
}

#endif

bool th_lapack_find(const char *call, const char *name, void *place)
{
    if (th_blas_find(name, place) || find_apart(name, place))
        return true;
    THError("%s : Lapack library not found (%s" SEARCHED ")", call, name);
    return false;
}

#define TH_GENERIC_FILE "generic/lapack.tmpl.h"
#include "TH/THGenerateFloatTypes.h"
