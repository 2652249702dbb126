/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type THHalf.
 */
#define real    THHalf
#define accreal float
#define Real    Half
#define THInf   TH_HALF_MAX
#define TH_REAL_IS_HALF
#define TH_CONVERT_REAL_TO_ACCREAL(value) TH_half2float(value)
#define TH_CONVERT_ACCREAL_TO_REAL(value) TH_float2half(value)
#include "THGenerateThisType.h"
