/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storages of each type.
 */
#include "map.h"

#include "TH/THAtomic.h"

#define TH_GENERIC_FILE "generic/storage.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/storage.tmpl.h"
#include "TH/THGenerateHalfType.h"
