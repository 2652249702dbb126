/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type float.
 */
#define real    float
#define accreal double
#define Real    Float
#define THInf   FLT_MAX
#define TH_REAL_IS_FLOAT
#include "THGenerateThisType.h"
