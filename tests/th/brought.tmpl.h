/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For one type: matrix products, and sorting a vector.
 */
void THTensor_(addmm)(THTensor *r_, real beta, THTensor *t, real alpha, THTensor *mat1,
                      THTensor *mat2)
{
    brought_calls++;
    THTensor_(resizeAs)(r_, t);
    for (long i = 0; i < r_->size[0]; i++)
        for (long j = 0; j < r_->size[1]; j++) {
            real sum = (real)(beta * THTensor_(get2d)(t, i, j));

            for (long k = 0; k < mat1->size[1]; k++)
                sum = (real)(sum + alpha * THTensor_(get2d)(mat1, i, k) *
                                       THTensor_(get2d)(mat2, k, j));
            THTensor_(set2d)(r_, i, j, sum);
        }
}

void THTensor_(sort)(THTensor *rt_, THLongTensor *ri_, THTensor *t, int dimension,
                     int descendingOrder)
{
    brought_calls++;
    (void)dimension;
    THTensor_(resizeAs)(rt_, t);
    THTensor_(copy)(rt_, t);
    THLongTensor_resize1d(ri_, t->size[0]);
    for (long i = 0; i < t->size[0]; i++) {
        const real value = THTensor_(get1d)(t, i);
        long k = i;

        for (; k > 0 && (descendingOrder ? value > THTensor_(get1d)(rt_, k - 1)
                                         : value < THTensor_(get1d)(rt_, k - 1));
             k--) {
            THTensor_(set1d)(rt_, k, THTensor_(get1d)(rt_, k - 1));
            THLongTensor_set1d(ri_, k, THLongTensor_get1d(ri_, k - 1));
        }
        THTensor_(set1d)(rt_, k, value);
        THLongTensor_set1d(ri_, k, i);
    }
}
