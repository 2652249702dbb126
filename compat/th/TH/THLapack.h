/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The system's LAPACK.
 */
#ifndef TH_LAPACK_INC
#define TH_LAPACK_INC

#include "THGeneral.h"

#define THLapack_(NAME) TH_CONCAT_4(TH, Real, Lapack_, NAME)

/* An error for a LAPACK info: `...` are the function's name, the info, and more. */
#define THLapackCheck(fmt, ...) THLapackCheckWithCleanup(fmt, , __VA_ARGS__)

#define THLapackCheckWithCleanup(fmt, cleanup, ...)                                    \
    do {                                                                               \
        if (TH_LAPACK_INFO_(__VA_ARGS__, ) < 0) {                                      \
            cleanup THError("Lapack Error in %s : Illegal Argument %d",                \
                            TH_LAPACK_NAME_(__VA_ARGS__, ),                            \
                            -TH_LAPACK_INFO_(__VA_ARGS__, ));                          \
        } else if (TH_LAPACK_INFO_(__VA_ARGS__, ) > 0) {                               \
            cleanup THError(fmt, __VA_ARGS__);                                         \
        }                                                                              \
    } while (0)

#define TH_LAPACK_NAME_(func, ...)       (func)
#define TH_LAPACK_INFO_(func, info, ...) (info)

#ifndef TH_NO_LEFT_OUT
#define TH_GENERIC_FILE "generic/THLapack.h"
#include "THGenerateFloatTypes.h"
#endif

#endif
