/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of one type: identity, diagonals, triangles, vectors' cross products.
 */

#include "generic/wide.tmpl.h"

/* The element (i, j) of a matrix. */
#define TH_AT(t, i, j) (TH_DATA(t)[(i) * (t)->stride[0] + (j) * (t)->stride[1]])

void THTensor_(eye)(THTensor *r_, long n, long m)
{
    THArgCheck(n > 0, 1, "invalid argument");
    if (m <= 0)
        m = n;
    THTensor_(resize2d)(r_, n, m);
    THTensor_(zero)(r_);
    for (long i = 0; i < THMin(n, m); i++)
        TH_AT(r_, i, i) = 1;
}

void THTensor_(diag)(THTensor *r_, THTensor *t, int k)
{
    const long down = k < 0 ? -(long)k : 0, right = k > 0 ? k : 0;
    THTensor *result;

    THArgCheck(t->nDimension == 1 || t->nDimension == 2, 1,
               "matrix or a vector expected");
    if (t->nDimension == 1) {
        const long n = t->size[0] + down + right;

        result = THTensor_(newWithSize2d)(n, n);
        THTensor_(zero)(result);
        for (long i = 0; i < t->size[0]; i++)
            TH_AT(result, i + down, i + right) = TH_DATA(t)[i * t->stride[0]];
    } else {
        const long n = THMin(t->size[0] - down, t->size[1] - right);

        THArgCheck(n > 0, 3, "diagonal %d of %s is empty", k,
                   THTensor_(sizeDesc)(t).str);
        result = THTensor_(newWithSize1d)(n);
        for (long i = 0; i < n; i++)
            TH_DATA(result)[i] = TH_AT(t, i + down, i + right);
    }
    THTensor_(carry)(result, 1, &t);
    THTensor_(give)(result, r_);
}

accreal THTensor_(trace)(THTensor *t)
{
    accreal sum = 0;

    THArgCheck(t->nDimension == 2, 1, "expected a matrix");
    TH_READ_TENSOR(BL_SHADOW_ITEM, t);
    for (long i = 0; i < THMin(t->size[0], t->size[1]); i++)
        sum = (accreal)(sum + TH_AT(t, i, i));
    return sum;
}

/* Define r_ = the elements of t at columns j that `kept` names, and 0. */
#define TH_TRIANGLE(name, kept)                                                        \
    void THTensor_(name)(THTensor * r_, THTensor * t, long k)                          \
    {                                                                                  \
        THTensor *result;                                                              \
                                                                                       \
        THArgCheck(t->nDimension == 2, 1, "expected a matrix");                        \
        result = THTensor_(newClone)(t);                                               \
        for (long i = 0; i < t->size[0]; i++)                                          \
            for (long j = 0; j < t->size[1]; j++)                                      \
                if (!(kept))                                                           \
                    TH_AT(result, i, j) = 0;                                           \
        THTensor_(give)(result, r_);                                                   \
    }

TH_TRIANGLE(tril, j - i <= k)
TH_TRIANGLE(triu, j - i >= k)

#undef TH_TRIANGLE

/* ---- cross products ---- */

static void THTensor_(crossKernel)(const void *user, int64_t count, char *const *at,
                                   const int64_t *step)
{
    TH_WIDE a[3], b[3];

    (void)user;
    (void)count;
    for (int i = 0; i < 3; i++) {
        a[i] = (TH_WIDE) * (const real *)(at[1] + i * step[1]);
        b[i] = (TH_WIDE) * (const real *)(at[2] + i * step[2]);
    }
    for (int i = 0; i < 3; i++)
        *(real *)(at[0] + i * step[0]) =
            (real)(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
}

void THTensor_(cross)(THTensor *r_, THTensor *a, THTensor *b, int dimension)
{
    THTensor *result;

    THArgCheck(THTensor_(isSameSizeAs)(a, b), 2, "inconsistent tensor sizes %s, %s",
               THTensor_(sizeDesc)(a).str, THTensor_(sizeDesc)(b).str);
    for (int i = 0; dimension < 0 && i < a->nDimension; i++)
        if (a->size[i] == 3)
            dimension = i;
    THArgCheck(dimension >= 0, 1, "no dimension of size 3 in a: %s",
               THTensor_(sizeDesc)(a).str);
    THArgCheck(dimension < a->nDimension, 3, "dimension %d out of range",
               dimension + TH_INDEX_BASE);
    THArgCheck(a->size[dimension] == 3, 3, "dimension %d does not have size 3",
               dimension + TH_INDEX_BASE);
    result = THTensor_(new)();
    THTensor_(resizeAs)(result, a);
    {
        const bl_array out = TH_ARRAY(result), one = TH_ARRAY(a), two = TH_ARRAY(b);
        const bl_array *const all[] = {&out, &one, &two};

        th_lines(3, all, dimension, THTensor_(crossKernel), NULL);
        th_carry(&out, 2, all + 1);
    }
    THTensor_(give)(result, r_);
}
