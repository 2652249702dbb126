/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for elements of type unsigned char.
 */
#define real    unsigned char
#define accreal long
#define Real    Byte
#define THInf   UCHAR_MAX
#define TH_REAL_IS_BYTE
#include "THGenerateThisType.h"
