/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues and singular values of matrices of one type.
 */

void THTensor_(syev)(THTensor *re_, THTensor *rv_, THTensor *a_, const char *jobz,
                     const char *uplo)
{
    THTensor *const a = a_ ? a_ : rv_;
    const char job = th_letter("syev", 1, jobz, "NV");
    const char side = th_letter("syev", 2, uplo, "UL");
    THTensor *vectors, *values;
    int n, info = 0;

    THTensor_(checkMatrix)(a, true);
    TH_NEED_LAPACK(syev);
    n = (int)a->size[0];
    vectors = THTensor_(newColumns)(a, n);
    values = THTensor_(newWithSize1d)(n);
    TH_WITH_WORK(syev, job, side, n, THTensor_(data)(vectors), n,
                 THTensor_(data)(values));
    THLapackCheckWithCleanup(
        "Lapack Error %s : %d off-diagonal elements didn't converge to zero",
        THCleanup(THTensor_(free)(vectors); THTensor_(free)(values);), "syev", info,
        "");
    THTensor_(giveColumns)(vectors, rv_, a);
    THTensor_(give)(values, re_);
}

void THTensor_(geev)(THTensor *re_, THTensor *rv_, THTensor *a_, const char *jobvr)
{
    const char job = th_letter("geev", 2, jobvr, "NV");
    THTensor *matrix, *vectors, *parts, *values;
    int n, info = 0;

    THTensor_(checkMatrix)(a_, true);
    TH_NEED_LAPACK(geev);
    n = (int)a_->size[0];
    matrix = THTensor_(newColumns)(a_, n);
    vectors = THTensor_(newWithSize2d)(n, n);
    parts = THTensor_(newWithSize2d)(2, n); /* real, imaginary */
    TH_WITH_WORK(geev, 'N', job, n, THTensor_(data)(matrix), n, THTensor_(data)(parts),
                 THTensor_(data)(parts) + n, NULL, 1, THTensor_(data)(vectors), n);
    THTensor_(free)(matrix);
    THLapackCheckWithCleanup(
        "Lapack Error in %s : %d off-diagonal elements of an didn't converge to zero",
        THCleanup(THTensor_(free)(vectors); THTensor_(free)(parts);), "geev", info, "");
    values = THTensor_(newTranspose)(parts, 0, 1);
    THTensor_(free)(parts);
    THTensor_(give)(values, re_);
    THTensor_(transpose)(vectors, NULL, 0, 1);
    if (job == 'V')
        THTensor_(giveColumns)(vectors, rv_, NULL);
    else
        THTensor_(free)(vectors);
}

/* Singular values; ra_, unless NULL, becomes what LAPACK leaves of a. */
static void THTensor_(decompose)(THTensor *ru_, THTensor *rs_, THTensor *rv_,
                                 THTensor *ra_, THTensor *a, const char *jobu)
{
    const char job = th_letter("gesvd", 1, jobu, "ASN");
    THTensor *matrix, *u, *values, *v;
    int m, n, count, info = 0;

    THTensor_(checkMatrix)(a, false);
    TH_NEED_LAPACK(gesvd);
    m = (int)a->size[0];
    n = (int)a->size[1];
    count = THMin(m, n);
    matrix = THTensor_(newColumns)(a, m);
    values = THTensor_(newWithSize1d)(count);
    u = THTensor_(newWithSize2d)(job == 'A' ? m : count, m);
    v = THTensor_(newWithSize2d)(n, n); /* rows of V, as columns of its transpose */
    TH_WITH_WORK(gesvd, job, job, m, n, THTensor_(data)(matrix), m,
                 THTensor_(data)(values), THTensor_(data)(u), m, THTensor_(data)(v), n);
    THLapackCheckWithCleanup("Lapack Error %s : %d superdiagonals failed to converge.",
                             THCleanup(THTensor_(free)(matrix); THTensor_(free)(values);
                                       THTensor_(free)(u); THTensor_(free)(v);),
                             "gesvd", info, "");
    if (ra_)
        THTensor_(giveColumns)(matrix, ra_, a);
    else
        THTensor_(free)(matrix);
    THTensor_(give)(values, rs_);
    if (job == 'N') {
        THTensor_(free)(u);
        THTensor_(free)(v);
        return;
    }
    THTensor_(transpose)(u, NULL, 0, 1);
    THTensor_(giveColumns)(u, ru_, NULL);
    if (job == 'S')
        THTensor_(narrow)(v, NULL, 1, 0, count);
    THTensor_(give)(v, rv_);
}

void THTensor_(gesvd)(THTensor *ru_, THTensor *rs_, THTensor *rv_, THTensor *a,
                      const char *jobu)
{
    THTensor_(decompose)(ru_, rs_, rv_, NULL, a, jobu);
}

void THTensor_(gesvd2)(THTensor *ru_, THTensor *rs_, THTensor *rv_, THTensor *ra_,
                       THTensor *a, const char *jobu)
{
    THTensor_(decompose)(ru_, rs_, rv_, ra_, a ? a : ra_, jobu);
}
