/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations on tensors of each type.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/pointwise.tmpl.h"
#include "TH/THGenerateAllTypes.h"
