/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Squared distances between the rows of two matrices of one type.
 */

#include "generic/wide.tmpl.h"

void THTensor_(match)(THTensor *r_, THTensor *m1, THTensor *m2, real gain)
{
    THTensor *rows1, *rows2, *result;
    long size1, size2, length;

    TH_REFUSE(m1->nDimension == 0 || m2->nDimension == 0 ||
                  THTensor_(nElement)(m1) / m1->size[0] !=
                      THTensor_(nElement)(m2) / m2->size[0],
              "m1 and m2 must have the same inner vector dim, got %s and %s",
              TH_SHAPE(m1), TH_SHAPE(m2));
    rows1 = THTensor_(newContiguous)(m1);
    rows2 = THTensor_(newContiguous)(m2);
    size1 = m1->size[0];
    size2 = m2->size[0];
    length = THTensor_(nElement)(m1) / size1;
    result = THTensor_(newWithSize2d)(size1, size2);
    for (long i = 0; i < size1; i++)
        for (long j = 0; j < size2; j++) {
            const real *const a = TH_DATA(rows1) + i * length;
            const real *const b = TH_DATA(rows2) + j * length;
            TH_WIDE sum = 0;

            for (long k = 0; k < length; k++) {
                const TH_WIDE d = (TH_WIDE)a[k] - (TH_WIDE)b[k];

                sum += d * d;
            }
            TH_DATA(result)[i * size2 + j] = (real)((TH_WIDE)gain * sum);
        }
    THTensor_(free)(rows1);
    THTensor_(free)(rows2);
    THTensor_(give)(result, r_);
}
