/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of TH of two types, in place, and by several shapes at one line. */
#include "th_show.h"

static void compare(THByteTensor *r, THFloatTensor *a, THFloatTensor *b)
{
    THFloatTensor_ltTensor(r, a, b);
}

int main(void)
{
    THFloatTensor *column = numbersFloat(4, 1, 1), *row = numbersFloat(4, 0, 2);
    THFloatTensor *square = numbersFloat(2, 2, 7), *r = THFloatTensor_new();
    THDoubleTensor *wide = numbersDouble(2, 2, 0);
    THByteTensor *mask = numbersByte(4, 0, 0), *less = THByteTensor_new();

    THByteTensor_remainder(mask, mask, 2);
    compare(less, column, row);
    showByte("lt", less);
    compare(less, row, row);
    compare(less, square, row);
    showByte("lt", less);
    compare(less, row, column);
    showByte("lt", less);
    THFloatTensor_maskedSelect(r, column, mask);
    showFloat("selected", r);
    THFloatTensor_maskedFill(square, mask, -1);
    showFloat("filled", square);
    THFloatTensor_maskedCopy(square, mask, row);
    showFloat("copied", square);
    THDoubleTensor_copyFloat(wide, row);
    showDouble("wide", wide);
    THFloatTensor_cadd(square, square, 1, row);
    showFloat("in place", square);
    THFloatTensor_lerp(r, column, row, 0.5f);
    showFloat("lerp", r);
    THFloatTensor_free(column);
    THFloatTensor_free(row);
    THFloatTensor_free(square);
    THFloatTensor_free(r);
    THDoubleTensor_free(wide);
    THByteTensor_free(mask);
    THByteTensor_free(less);
    return 0;
}
