/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A user program written for Torch's TH: built with the flags that pkg-config prints
 * for the installed library, and run.
 */
#include <TH/TH.h>

#define TH_GENERIC_FILE "TH/generic/THVector.h"
#include "THGenerateFloatTypes.h"

int main(void)
{
    THDoubleTensor *const column = THDoubleTensor_newWithSize2d(4, 1);
    THDoubleTensor *const vector = THDoubleTensor_newWithSize1d(4);
    double sum = 0;

    THDoubleTensor_fill(column, 1);
    THDoubleTensor_fill(vector, 2);
    THDoubleTensor_cadd(column, column, 2, vector);
    TH_TENSOR_APPLY2(double, column, double, vector,
                     sum += *column_data * *vector_data;)
    THDoubleTensor_free(column);
    THDoubleTensor_free(vector);
    if (sum == 40)
        return 0;
    fprintf(stderr, "installcheck_th: %g instead of 40\n", sum);
    return 1;
}
