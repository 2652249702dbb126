/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of tensors of each type, and their elements.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/views.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/views.tmpl.h"
#include "TH/THGenerateHalfType.h"

#define TH_GENERIC_FILE "generic/elements.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/elements.tmpl.h"
#include "TH/THGenerateHalfType.h"
