/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Systems of equations of one type.
 */

void THTensor_(gesv)(THTensor *rb_, THTensor *ra_, THTensor *b_, THTensor *a_)
{
    THTensor *const a = a_ ? a_ : ra_, *const b = b_ ? b_ : rb_;
    THTensor *lu, *x;
    int *pivots, n, info = 0;

    THTensor_(checkSystem)(a, b, true);
    TH_NEED_LAPACK(gesv);
    n = (int)a->size[0];
    lu = THTensor_(newColumns)(a, n);
    x = THTensor_(newColumns)(b, n);
    pivots = THAlloc(n * (ptrdiff_t)sizeof *pivots);
    THLapack_(gesv)(n, (int)x->size[1], THTensor_(data)(lu), n, pivots,
                    THTensor_(data)(x), n, &info);
    THFree(pivots);
    THLapackCheckWithCleanup("Lapack Error in %s : U(%d,%d) is zero, singular U.",
                             THCleanup(THTensor_(free)(lu); THTensor_(free)(x);),
                             "gesv", info, info);
    THTensor_(giveColumns)(lu, ra_, a);
    THTensor_(giveColumns)(x, rb_, b);
}

void THTensor_(trtrs)(THTensor *rb_, THTensor *ra_, THTensor *b_, THTensor *a_,
                      const char *uplo, const char *trans, const char *diag)
{
    THTensor *const a = a_ ? a_ : ra_, *const b = b_ ? b_ : rb_;
    const char side = th_letter("trtrs", 1, uplo, "UL");
    const char turned = th_letter("trtrs", 2, trans, "NTC");
    const char unit = th_letter("trtrs", 3, diag, "NU");
    THTensor *factor, *x;
    int n, info = 0;

    THTensor_(checkSystem)(a, b, true);
    TH_NEED_LAPACK(trtrs);
    n = (int)a->size[0];
    factor = THTensor_(newColumns)(a, n);
    x = THTensor_(newColumns)(b, n);
    THLapack_(trtrs)(side, turned, unit, n, (int)x->size[1], THTensor_(data)(factor), n,
                     THTensor_(data)(x), n, &info);
    THLapackCheckWithCleanup("Lapack Error in %s : A(%d,%d) is zero, singular A",
                             THCleanup(THTensor_(free)(factor); THTensor_(free)(x);),
                             "trtrs", info, info);
    THTensor_(giveColumns)(factor, ra_, a);
    THTensor_(giveColumns)(x, rb_, b);
}

void THTensor_(gels)(THTensor *rb_, THTensor *ra_, THTensor *b_, THTensor *a_)
{
    THTensor *const a = a_ ? a_ : ra_, *const b = b_ ? b_ : rb_;
    THTensor *factor, *x;
    int m, n, longer, info = 0;

    THTensor_(checkSystem)(a, b, false);
    TH_NEED_LAPACK(gels);
    m = (int)a->size[0];
    n = (int)a->size[1];
    longer = THMax(m, n);
    factor = THTensor_(newColumns)(a, m);
    x = THTensor_(newColumns)(b, longer);
    TH_WITH_WORK(gels, 'N', m, n, (int)x->size[1], THTensor_(data)(factor), m,
                 THTensor_(data)(x), longer);
    THLapackCheckWithCleanup(
        "Lapack Error in %s : The %d-th diagonal element of the triangular factor of A "
        "is zero",
        THCleanup(THTensor_(free)(factor); THTensor_(free)(x);), "gels", info, "");
    THTensor_(giveColumns)(factor, ra_, a);
    THTensor_(giveColumns)(x, rb_, b);
    THTensor_(narrow)(rb_, NULL, 0, 0, n);
}

void THTensor_(potrs)(THTensor *rb_, THTensor *b_, THTensor *a_, const char *uplo)
{
    THTensor *const b = b_ ? b_ : rb_;
    const char side = th_letter("potrs", 1, uplo, "UL");
    THTensor *factor, *x;
    int n, info = 0;

    THTensor_(checkSystem)(a_, b, true);
    TH_NEED_LAPACK(potrs);
    n = (int)a_->size[0];
    factor = THTensor_(newColumns)(a_, n);
    x = THTensor_(newColumns)(b, n);
    THLapack_(potrs)(side, n, (int)x->size[1], THTensor_(data)(factor), n,
                     THTensor_(data)(x), n, &info);
    THTensor_(free)(factor);
    THLapackCheckWithCleanup("Lapack Error in %s : A(%d,%d) is zero, singular A",
                             THCleanup(THTensor_(free)(x);), "potrs", info, info);
    THTensor_(giveColumns)(x, rb_, b);
}

/* ---- of a batch of matrices ---- */

/* A copy of matrices, or of vectors, one after the other, each in column-major order.
 */
static THTensor *THTensor_(newBatch)(THTensor *src)
{
    THTensor *const turned = src->nDimension == 3 ? THTensor_(newTranspose)(src, 1, 2)
                                                  : THTensor_(newWithTensor)(src);
    THTensor *const batch = THTensor_(newClone)(turned);

    THTensor_(free)(turned);
    return batch;
}

/* Give r_ the batch that newBatch() made of `src`, which is freed. */
static void THTensor_(giveBatch)(THTensor *batch, THTensor *r_, THTensor *src)
{
    if (src->nDimension == 3)
        THTensor_(transpose)(batch, NULL, 1, 2);
    THTensor_(resizeAs)(r_, src);
    THTensor_(freeCopyTo)(batch, r_);
}

static void THTensor_(checkBatch)(THTensor *a)
{
    THArgCheck(a->nDimension == 3, 1, "expected 3D tensor, got %dD", a->nDimension);
    THArgCheck(th_fit(a->size[1], a->size[2]), 1, "A is too large: %ldx%ld", a->size[1],
               a->size[2]);
}

void THTensor_(btrifact)(THTensor *ra_, THIntTensor *rpivots_, THIntTensor *rinfo_,
                         int pivot, THTensor *a)
{
    THTensor *lu;
    THIntTensor *pivots, *infos;
    long bad = -1;
    int n, info = 0;

    THTensor_(checkBatch)(a);
    TH_REFUSE(!pivot, "btrifact without pivoting is not implemented on the CPU");
    TH_REFUSE(a->size[1] != a->size[2],
              "btrifact is only implemented for square matrices");
    TH_NEED_LAPACK(getrf);
    n = (int)a->size[1];
    lu = THTensor_(newBatch)(a);
    pivots = THIntTensor_newWithSize2d(a->size[0], n);
    infos = THIntTensor_newWithSize1d(a->size[0]);
    for (long i = 0; i < a->size[0]; i++) {
        int *const one = THIntTensor_data(infos) + i;

        THLapack_(getrf)(n, n, THTensor_(data)(lu) + i * n * n, n,
                         THIntTensor_data(pivots) + i * n, one);
        if (*one != 0 && bad < 0) {
            bad = i;
            info = *one;
        }
    }
    if (bad >= 0 && !rinfo_) {
        THIntTensor_free(infos);
        THIntTensor_free(pivots);
        THTensor_(free)(lu);
        THError("failed to factorize batch element %ld (info == %d)", bad, info);
        return;
    }
    THTensor_(giveBatch)(lu, ra_, a);
    THIntTensor_give(pivots, rpivots_);
    if (rinfo_) {
        THIntTensor_resizeAs(rinfo_, infos);
        THIntTensor_copy(rinfo_, infos);
    }
    THIntTensor_free(infos);
}

/* Refuse pivots that are not those of factors of so many rows. */
static bool THTensor_(checkPivots)(THIntTensor *pivots, THTensor *atf)
{
    if (pivots->nDimension != 2 || pivots->size[0] != atf->size[0] ||
        pivots->size[1] != atf->size[1]) {
        THError("pivots should be %ldx%ld, but are %s", atf->size[0], atf->size[1],
                THIntTensor_sizeDesc(pivots).str);
        return false;
    }
    if (THIntTensor_minall(pivots) < 1 || THIntTensor_maxall(pivots) > atf->size[1]) {
        THError("pivots should be from 1 to %ld, but are from %d to %d", atf->size[1],
                THIntTensor_minall(pivots), THIntTensor_maxall(pivots));
        return false;
    }
    return true;
}

void THTensor_(btrisolve)(THTensor *rb_, THTensor *b, THTensor *atf,
                          THIntTensor *pivots)
{
    THTensor *lu, *x;
    THIntTensor *rows;
    int n, columns, info = 0;

    THTensor_(checkBatch)(atf);
    THArgCheck(b->nDimension == 3 || b->nDimension == 2, 4, "expected 2D or 3D tensor");
    THArgCheck(atf->size[0] == b->size[0], 3, "number of batches must be equal");
    THArgCheck(atf->size[1] == atf->size[2], 3, "A matrices must be square");
    THArgCheck(atf->size[1] == b->size[1], 3, "dimensions of A and b must be equal");
    THArgCheck(b->nDimension == 2 || th_fit(b->size[2], 1), 4, "b is too large: %s",
               THTensor_(sizeDesc)(b).str);
    if (!THTensor_(checkPivots)(pivots, atf))
        return;
    TH_NEED_LAPACK(getrs);
    n = (int)atf->size[1];
    columns = b->nDimension == 3 ? (int)b->size[2] : 1;
    lu = THTensor_(newBatch)(atf);
    x = THTensor_(newBatch)(b);
    rows = THIntTensor_newContiguous(pivots);
    for (long i = 0; i < atf->size[0]; i++)
        THLapack_(getrs)('N', n, columns, THTensor_(data)(lu) + i * n * n, n,
                         THIntTensor_data(rows) + i * n,
                         THTensor_(data)(x) + i * n * columns, n, &info);
    THIntTensor_free(rows);
    THTensor_(free)(lu);
    THTensor_(giveBatch)(x, rb_, b);
}
