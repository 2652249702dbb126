/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type char.
 */
#define real    char
#define accreal long
#define Real    Char
#define THInf   CHAR_MAX
#define TH_REAL_IS_CHAR
#include "THGenerateThisType.h"
