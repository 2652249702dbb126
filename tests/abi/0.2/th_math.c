/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's arithmetic, comparisons, masks and indices on tensors of each type.
 */
#include "th.h"

static int raised;

static void count_error(const char *message, void *data)
{
    (void)message;
    (void)data;
    raised++;
}

#include "th_math.tmpl.h"
#include "TH/THGenerateAllTypes.h"

int main(void)
{
    THSetErrorHandler(count_error, NULL);
    check_math_Byte();
    check_math_Char();
    check_math_Short();
    check_math_Int();
    check_math_Long();
    check_math_Float();
    check_math_Double();
    CHECK(raised == 0);
    return failures;
}
