/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations on plain memory.
 */
#ifndef TH_VECTOR_INC
#define TH_VECTOR_INC

#include "THGeneral.h"

#define THVector_(NAME) TH_CONCAT_4(TH, Real, Vector_, NAME)

#define TH_GENERIC_FILE "generic/THVector.h"
#include "THGenerateAllTypes.h"

#endif
