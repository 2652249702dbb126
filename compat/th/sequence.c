/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constants, sequences and random numbers, for tensors of each type.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/sequence.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/random.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/multinomial.tmpl.h"
#include "TH/THGenerateFloatTypes.h"
