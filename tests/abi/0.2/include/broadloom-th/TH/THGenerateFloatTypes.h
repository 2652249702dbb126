/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE once for each floating-point type with arithmetic.
 */
#ifndef TH_GENERIC_FILE
#error "define TH_GENERIC_FILE before including THGenerateFloatTypes.h"
#endif

#define THGenerateManyTypes
#include "THGenerateFloatType.h"
#include "THGenerateDoubleType.h"
#undef THGenerateManyTypes
#undef TH_GENERIC_FILE
