/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inverses and factors of matrices of one type.
 */

void THTensor_(getri)(THTensor *ra_, THTensor *a_)
{
    THTensor *const a = a_ ? a_ : ra_;
    THTensor *inverse;
    int *pivots, n, info = 0;

    THTensor_(checkMatrix)(a, true);
    TH_NEED_LAPACK(getri);
    n = (int)a->size[0];
    inverse = THTensor_(newColumns)(a, n);
    pivots = THAlloc(n * (ptrdiff_t)sizeof *pivots);
    THLapack_(getrf)(n, n, THTensor_(data)(inverse), n, pivots, &info);
    THLapackCheckWithCleanup("Lapack Error %s : U(%d,%d) is 0, U is singular",
                             THCleanup(THFree(pivots); THTensor_(free)(inverse);),
                             "getrf", info, info);
    TH_WITH_WORK(getri, n, THTensor_(data)(inverse), n, pivots);
    THFree(pivots);
    THLapackCheckWithCleanup("Lapack Error %s : U(%d,%d) is 0, U is singular",
                             THCleanup(THTensor_(free)(inverse);), "getri", info, info);
    THTensor_(giveColumns)(inverse, ra_, a);
}

/* ---- symmetric positive definite matrices ---- */

/*
 * The triangle of a column-major matrix of n by n that `side` does not name: the other
 * one mirrored, or 0.
 */
static void THTensor_(fillTriangle)(THTensor *a, char side, bool mirrored)
{
    const long n = a->size[0];
    real *const data = THTensor_(data)(a);

    for (long j = 0; j < n; j++)
        for (long i = j + 1; i < n; i++) {
            real *const low = data + i + j * n, *const high = data + j + i * n;

            if (side == 'U')
                *low = mirrored ? *high : 0;
            else
                *high = mirrored ? *low : 0;
        }
}

void THTensor_(potrf)(THTensor *ra_, THTensor *a_, const char *uplo)
{
    THTensor *const a = a_ ? a_ : ra_;
    const char side = th_letter("potrf", 1, uplo, "UL");
    THTensor *factor;
    int n, info = 0;

    THTensor_(checkMatrix)(a, true);
    TH_NEED_LAPACK(potrf);
    n = (int)a->size[0];
    factor = THTensor_(newColumns)(a, n);
    THLapack_(potrf)(side, n, THTensor_(data)(factor), n, &info);
    THLapackCheckWithCleanup(
        "Lapack Error in %s : the leading minor of order %d is not "
        "positive definite",
        THCleanup(THTensor_(free)(factor);), "potrf", info, "");
    THTensor_(fillTriangle)(factor, side, false);
    THTensor_(giveColumns)(factor, ra_, a);
}

void THTensor_(potri)(THTensor *ra_, THTensor *a_, const char *uplo)
{
    THTensor *const a = a_ ? a_ : ra_;
    const char side = th_letter("potri", 1, uplo, "UL");
    THTensor *inverse;
    int n, info = 0;

    THTensor_(checkMatrix)(a, true);
    TH_NEED_LAPACK(potri);
    n = (int)a->size[0];
    inverse = THTensor_(newColumns)(a, n);
    THLapack_(potri)(side, n, THTensor_(data)(inverse), n, &info);
    THLapackCheckWithCleanup("Lapack Error %s : A(%d,%d) is 0, A cannot be factorized",
                             THCleanup(THTensor_(free)(inverse);), "potri", info, info);
    THTensor_(fillTriangle)(inverse, side, true);
    THTensor_(giveColumns)(inverse, ra_, a);
}

void THTensor_(pstrf)(THTensor *ra_, THIntTensor *rpiv_, THTensor *a_, const char *uplo,
                      real tol)
{
    THTensor *const a = a_ ? a_ : ra_;
    const char side = th_letter("pstrf", 1, uplo, "UL");
    THTensor *factor;
    THIntTensor *pivots;
    real *work;
    int n, rank, info = 0;

    THTensor_(checkMatrix)(a, true);
    TH_NEED_LAPACK(pstrf);
    n = (int)a->size[0];
    factor = THTensor_(newColumns)(a, n);
    pivots = THIntTensor_newWithSize1d(n);
    work = THAlloc(2 * n * (ptrdiff_t)sizeof *work);
    THLapack_(pstrf)(side, n, THTensor_(data)(factor), n, THIntTensor_data(pivots),
                     &rank, tol, work, &info);
    THFree(work);
    THLapackCheckWithCleanup(
        "Lapack Error %s : matrix is rank deficient or not positive semidefinite",
        THCleanup(THTensor_(free)(factor); THIntTensor_free(pivots);), "pstrf", info);
    THTensor_(fillTriangle)(factor, side, false);
    THTensor_(giveColumns)(factor, ra_, a);
    THIntTensor_give(pivots, rpiv_);
}

/* ---- orthogonal factors ----
 *
 * Reflectors are column-major matrices of which each column holds one below its
 * diagonal; tau is contiguous.
 */

/* Replace a matrix by its factor R and the reflectors of Q; false after an error. */
static bool THTensor_(factorQR)(THTensor *a, THTensor *tau)
{
    const int m = (int)a->size[0], n = (int)a->size[1];
    int info = 0;

    THTensor_(resize1d)(tau, THMin(m, n));
    TH_WITH_WORK(geqrf, m, n, THTensor_(data)(a), m, THTensor_(data)(tau));
    return info == 0;
}

/* Replace reflectors by the columns of Q. */
static bool THTensor_(formQ)(THTensor *a, THTensor *tau)
{
    const int m = (int)a->size[0], count = (int)tau->size[0];
    int info = 0;

    TH_WITH_WORK(orgqr, m, count, count, THTensor_(data)(a), m, THTensor_(data)(tau));
    return info == 0;
}

void THTensor_(geqrf)(THTensor *ra_, THTensor *rtau_, THTensor *a_)
{
    THTensor *const a = a_ ? a_ : ra_;
    THTensor *factor, *tau;

    THTensor_(checkMatrix)(a, false);
    TH_NEED_LAPACK(geqrf);
    factor = THTensor_(newColumns)(a, a->size[0]);
    tau = THTensor_(new)();
    THTensor_(factorQR)(factor, tau);
    THTensor_(giveColumns)(factor, ra_, a);
    THTensor_(give)(tau, rtau_);
}

/* Refuse a `tau` that is not that of at most so many reflectors. */
static void THTensor_(checkTau)(THTensor *tau, long most)
{
    THArgCheck(tau->nDimension == 1, 3, "tau should be 1 dimensional");
    THArgCheck(tau->size[0] <= most, 3,
               "tau should have at most %ld elements, but has %ld", most, tau->size[0]);
}

void THTensor_(orgqr)(THTensor *ra_, THTensor *a_, THTensor *tau_)
{
    THTensor *const a = a_ ? a_ : ra_;
    THTensor *q, *tau;

    THTensor_(checkMatrix)(a, false);
    THTensor_(checkTau)(tau_, THMin(a->size[0], a->size[1]));
    TH_NEED_LAPACK(orgqr);
    q = THTensor_(newColumns)(a, a->size[0]);
    tau = THTensor_(newContiguous)(tau_);
    THTensor_(formQ)(q, tau);
    THTensor_(free)(tau);
    THTensor_(giveColumns)(q, ra_, a);
}

void THTensor_(ormqr)(THTensor *ra_, THTensor *a_, THTensor *tau_, THTensor *c,
                      const char *side, const char *trans)
{
    THTensor *const a = a_ ? a_ : ra_;
    const char left = th_letter("ormqr", 1, side, "LR");
    const char turned = th_letter("ormqr", 2, trans, "NT");
    THTensor *reflectors, *product, *tau;
    int order, info = 0;

    THTensor_(checkMatrix)(a, false);
    THArgCheck(c->nDimension == 2 && th_fit(c->size[0], c->size[1]), 4,
               "c should be 2 dimensional");
    order = (int)c->size[left == 'R'];
    THArgCheck(a->size[0] == order, 2, "A should have %d rows, but has %ld", order,
               a->size[0]);
    THTensor_(checkTau)(tau_, THMin(a->size[0], a->size[1]));
    TH_NEED_LAPACK(ormqr);
    reflectors = THTensor_(newColumns)(a, order);
    product = THTensor_(newColumns)(c, c->size[0]);
    tau = THTensor_(newContiguous)(tau_);
    TH_WITH_WORK(ormqr, left, turned, (int)c->size[0], (int)c->size[1],
                 (int)tau->size[0], THTensor_(data)(reflectors), order,
                 THTensor_(data)(tau), THTensor_(data)(product), (int)c->size[0]);
    THTensor_(free)(tau);
    THTensor_(free)(reflectors);
    THTensor_(giveColumns)(product, ra_, c);
}

void THTensor_(qr)(THTensor *rq_, THTensor *rr_, THTensor *a)
{
    THTensor *q, *r, *rows, *tau;
    long count;

    THTensor_(checkMatrix)(a, false);
    TH_NEED_LAPACK(geqrf);
    count = THMin(a->size[0], a->size[1]);
    q = THTensor_(newColumns)(a, a->size[0]);
    r = THTensor_(new)();
    tau = THTensor_(new)();
    THTensor_(factorQR)(q, tau);
    rows = THTensor_(newNarrow)(q, 0, 0, count);
    THTensor_(triu)(r, rows, 0);
    THTensor_(free)(rows);
    THTensor_(narrow)(q, NULL, 1, 0, count);
    THTensor_(formQ)(q, tau);
    THTensor_(free)(tau);
    THTensor_(give)(r, rr_);
    THTensor_(giveColumns)(q, rq_, NULL);
}
