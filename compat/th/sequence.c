/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of each type filled by rules: constants, sequences, random numbers.
 */
#include "core.h"

#define TH_GENERIC_FILE "generic/sequence.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/random.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/multinomial.tmpl.h"
#include "TH/THGenerateFloatTypes.h"
