/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type int.
 */
#define real    int
#define accreal long
#define Real    Int
#define THInf   INT_MAX
#define TH_REAL_IS_INT
#include "THGenerateThisType.h"
