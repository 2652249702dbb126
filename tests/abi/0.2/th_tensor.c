/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's tensors of each type: creation, shapes, views, elements, copies.
 */
#include "th.h"

#include "th_tensor.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "th_tensor.tmpl.h"
#include "TH/THGenerateHalfType.h"

int main(void)
{
    check_tensor_Byte();
    check_tensor_Char();
    check_tensor_Short();
    check_tensor_Int();
    check_tensor_Long();
    check_tensor_Float();
    check_tensor_Double();
    check_tensor_Half();
    return failures;
}
