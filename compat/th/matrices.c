/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices, lists of tensors and histograms, for tensors of each type.
 */
#include "core.h"

#include <math.h>

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/matrices.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/cat.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/histogram.tmpl.h"
#include "TH/THGenerateAllTypes.h"
