/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's operations on two tensors, of every type and in many layouts: the k-th element
 * of one is paired with the k-th of the other, and the result has the first one's
 * shape.
 */
#include <TH/TH.h>

#include "harness/tap.h"

#define THPaired_(NAME) TH_CONCAT_4(paired_, Real, _, NAME)

#define TH_GENERIC_FILE "th/paired.tmpl.h"
#include <TH/THGenerateAllTypes.h>

int main(void)
{
    tap_plan();
    paired_Byte_check();
    paired_Char_check();
    paired_Short_check();
    paired_Int_check();
    paired_Long_check();
    paired_Float_check();
    paired_Double_check();
    return tap_done();
}
