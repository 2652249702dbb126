/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain memory as vectors of each type.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/vector.tmpl.h"
#include "TH/THGenerateAllTypes.h"
