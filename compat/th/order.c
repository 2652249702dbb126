/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorting, and what is found by it, for tensors of each type.
 */
#include "core.h"

#include <math.h>

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/order.tmpl.h"
#include "TH/THGenerateAllTypes.h"
