/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear algebra on tensors by LAPACK: systems of equations, factors, eigenvalues and
 * singular values.
 */
#include "blas.h"
#include "core.h"

#include <ctype.h>

/* Whether LAPACK's integers hold these extents. */
static bool th_fit(long rows, long columns)
{
    return rows <= INT_MAX && columns <= INT_MAX;
}

/*
 * The size of a workspace that LAPACK gives as a number of its type, in which a large
 * one may have been rounded down.
 */
static int th_work_size(double given)
{
    const double size = given + given * (1.0 / (1 << 23));

    return size < 1 ? 1 : size < INT_MAX ? (int)size : INT_MAX;
}

/*
 * The upper-case letter that a string begins with; an error where it is none of
 * `allowed`, for this argument of a function of LAPACK.
 */
static char th_letter(const char *function, int argument, const char *string,
                      const char *allowed)
{
    const int letter = string ? toupper((unsigned char)string[0]) : '\0';

    if (letter == '\0' || !strchr(allowed, letter))
        THError("Lapack Error in %s : Illegal Argument %d", function, argument);
    return (char)letter;
}

/* Leave the function with an error where there is no LAPACK, before it allocates. */
#define TH_NEED_LAPACK(name)                                                           \
    do {                                                                               \
        if (!THTensor_(hasLapack)(#name))                                              \
            return;                                                                    \
    } while (0)

/*
 * Call a function of LAPACK that ends in a workspace, its size and `info`, with the
 * workspace that it asks for.
 */
#define TH_WITH_WORK(name, ...)                                                        \
    do {                                                                               \
        real optimal = 0;                                                              \
                                                                                       \
        THLapack_(name)(__VA_ARGS__, &optimal, -1, &info);                             \
        if (info == 0) {                                                               \
            const int space_size = th_work_size((double)optimal);                      \
            real *const space = THAlloc(space_size * (ptrdiff_t)sizeof(real));         \
                                                                                       \
            THLapack_(name)(__VA_ARGS__, space, space_size, &info);                    \
            THFree(space);                                                             \
        }                                                                              \
    } while (0)

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/columns.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "generic/solve.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "generic/factors.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "generic/spectra.tmpl.h"
#include "TH/THGenerateFloatTypes.h"
