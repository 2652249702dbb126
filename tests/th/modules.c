/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules and criteria as programs for Torch wrote them once for all floating-point
 * types: values against formulas, gradients against finite differences.
 */
#include <TH.h>

#include <stdbool.h>

#include "harness/tap.h"

#define modules_(NAME) TH_CONCAT_4(modules_, Real, _, NAME)

#define THIndexTensor        THLongTensor
#define THIndexTensor_(NAME) THLongTensor_##NAME
typedef long THIndex_t;

#define CHECK_NELEMENT(first, second)                                                  \
    if (THTensor_(nElement)(first) != THTensor_(nElement)(second)) {                   \
        THDescBuff s1 = THTensor_(sizeDesc)(first);                                    \
        THDescBuff s2 = THTensor_(sizeDesc)(second);                                   \
        THError(#first " and " #second " differ in elements: %s, %s", s1.str, s2.str); \
    }

#define TH_GENERIC_FILE "th/modules.tmpl.h"
#include "THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "th/modules_check.tmpl.h"
#include "THGenerateFloatTypes.h"

int main(void)
{
    tap_plan();
    modules_Float_check();
    modules_Double_check();
    return tap_done();
}
