/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of each type: references, shapes, views and elements.
 */
#include "core.h"

#include "TH/THAtomic.h"

#define TH_GENERIC_FILE "generic/tensor.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/tensor.tmpl.h"
#include "TH/THGenerateHalfType.h"

#define TH_GENERIC_FILE "generic/resize.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/resize.tmpl.h"
#include "TH/THGenerateHalfType.h"
