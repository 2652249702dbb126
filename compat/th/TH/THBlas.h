/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on vectors and matrices in plain memory.
 */
#ifndef TH_BLAS_INC
#define TH_BLAS_INC

#include "THGeneral.h"

#define THBlas_(NAME) TH_CONCAT_4(TH, Real, Blas_, NAME)

#define TH_GENERIC_FILE "generic/THBlas.h"
#include "THGenerateAllTypes.h"

#endif
