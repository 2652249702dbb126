/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Includes TH_GENERIC_FILE for the type that the including header has chosen by
 * defining real, accreal, Real, THInf and TH_REAL_IS_..., and undefines those macros.
 */
#ifndef TH_GENERIC_FILE
#error "define TH_GENERIC_FILE before including a THGenerate...Type.h header"
#endif

#ifndef TH_CONVERT_REAL_TO_ACCREAL
#define TH_CONVERT_REAL_TO_ACCREAL(value) ((accreal)(value))
#define TH_CONVERT_ACCREAL_TO_REAL(value) ((real)(value))
#endif

#line 1 TH_GENERIC_FILE
#include TH_GENERIC_FILE

#undef real
#undef accreal
#undef Real
#undef THInf
#undef TH_CONVERT_REAL_TO_ACCREAL
#undef TH_CONVERT_ACCREAL_TO_REAL
#undef TH_REAL_IS_BYTE
#undef TH_REAL_IS_CHAR
#undef TH_REAL_IS_SHORT
#undef TH_REAL_IS_INT
#undef TH_REAL_IS_LONG
#undef TH_REAL_IS_FLOAT
#undef TH_REAL_IS_DOUBLE
#undef TH_REAL_IS_HALF

/* With several types, the header that lists them undefines the file at the end. */
#ifndef THGenerateManyTypes
#undef TH_GENERIC_FILE
#endif
