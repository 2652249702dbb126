/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations by the library's operators, for tensors of each type.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/pointwise.tmpl.h"
#include "TH/THGenerateAllTypes.h"
