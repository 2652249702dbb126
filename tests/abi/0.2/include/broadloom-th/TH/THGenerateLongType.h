/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type long.
 */
#define real    long
#define accreal long
#define Real    Long
#define THInf   LONG_MAX
#define TH_REAL_IS_LONG
#include "THGenerateThisType.h"
