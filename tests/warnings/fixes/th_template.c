/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates of TH, which are compiled for two types: one place, two kinds of tensors.
 */
#include "th_show.h"

#define Module_(NAME) TH_CONCAT_3(Module_, Real, NAME)

#define TH_GENERIC_FILE "th_template.h"
#include "TH/THGenerateFloatTypes.h"

int main(void)
{
    Module_FloatforEach();
    Module_DoubleforEach();
    return 0;
}
