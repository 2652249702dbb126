/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type short.
 */
#define real    short
#define accreal long
#define Real    Short
#define THInf   SHRT_MAX
#define TH_REAL_IS_SHORT
#include "THGenerateThisType.h"
