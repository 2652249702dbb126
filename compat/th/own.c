/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations whose results differ from the library's, for tensors of each
 * type.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/special.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "generic/own.tmpl.h"
#include "TH/THGenerateAllTypes.h"
