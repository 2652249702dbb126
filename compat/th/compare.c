/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons and masks, for tensors of each type.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/compare.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/mask.tmpl.h"
#include "TH/THGenerateAllTypes.h"
