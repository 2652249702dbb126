/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type double.
 */
#define real    double
#define accreal double
#define Real    Double
#define THInf   DBL_MAX
#define TH_REAL_IS_DOUBLE
#include "THGenerateThisType.h"
