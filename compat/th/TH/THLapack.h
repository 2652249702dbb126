/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libbroadloom-th leaves to a LAPACK: THLapack_() names do not compile.
 */
#ifndef TH_LAPACK_INC
#define TH_LAPACK_INC

#include "THGeneral.h"

#define THLapack_(NAME)                                                                \
    libbroadloom_th_has_no_LAPACK_call_the_one_that_the_program_links

#endif
