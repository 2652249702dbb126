/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of TH in loops and bodies without braces, several on a line, with comments, and
 * texts that look like calls: THFloatTensor_cadd(r, a, 1, b).
 */
#include "th_show.h"

static const char text[] = "THFloatTensor_cadd(\"r\", a, 1, b); // not a comment";

int main(int argc, char **argv)
{
    THFloatTensor *column = numbersFloat(4, 1, 1), *row = numbersFloat(4, 0, 2);
    THFloatTensor *r = THFloatTensor_new(), *s = THFloatTensor_new();

    (void)argv;
    /* clang-format off */
    for (int k = 0; k < 3; k++)
        THFloatTensor_cadd(r, column, (float)k, row); /* added, scaled */
    showFloat("cadd", r);
    if (argc > 0) THFloatTensor_csub(r, column, 2, row); else THFloatTensor_fill(r, 0);
    showFloat("csub", r);
    THFloatTensor_cmul(r, column, row); THFloatTensor_cdiv(s, column, row); // two
    showFloat("cmul", r);
    showFloat("cdiv", s);
    do
        THFloatTensor_cmax(r /* the result */, column,
                           /* ), ( */ row);
    while (argc < 0);
    showFloat("cmax", r);
    /* clang-format on */
    THFloatTensor_cpow(r, column, row);
    showFloat("cpow", r);
    printf("%zu\n", sizeof text);
    THFloatTensor_free(column);
    THFloatTensor_free(row);
    THFloatTensor_free(r);
    THFloatTensor_free(s);
    return 0;
}
