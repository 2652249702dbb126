/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access to elements by lists of indices, which count from TH_INDEX_BASE.  Indices out
 * of range are refused before anything is written.
 */

/* ---- along a dimension, by a list; the other extents are the same ---- */

TH_API void THTensor_(indexSelectFrom)(THTensor *tensor, THTensor *src, int dim,
                                       THLongTensor *index, int base);
TH_API void THTensor_(indexCopyFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                     THTensor *src, int base);
TH_API void THTensor_(indexAddFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                    THTensor *src, int base);
TH_API void THTensor_(indexFillFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                     real value, int base);

/* ---- element by element: shapes as `index`, except along the dimension ---- */

TH_API void THTensor_(gatherFrom)(THTensor *tensor, THTensor *src, int dim,
                                  THLongTensor *index, int base);
TH_API void THTensor_(scatterFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                   THTensor *src, int base);
TH_API void THTensor_(scatterAddFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                      THTensor *src, int base);
TH_API void THTensor_(scatterFillFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                       real value, int base);

/* A row of indices, counted from 0, for each element that is not 0. */
TH_API void THTensor_(nonzero)(THLongTensor *subscript, THTensor *tensor);

/*
 * Elements by their number in logical order, from `base` on: tensor takes those of src
 * and the shape of index; or gets src's, added where `accumulate` is not 0.
 */
TH_API void THTensor_(takeFrom)(THTensor *tensor, THTensor *src, THLongTensor *index,
                                int base);
TH_API void THTensor_(putFrom)(THTensor *tensor, THLongTensor *index, THTensor *src,
                               int accumulate, int base);

/* ---- the names of TH ---- */

static inline void THTensor_(take)(THTensor *tensor, THTensor *src, THLongTensor *index)
{
    THTensor_(takeFrom)(tensor, src, index, TH_INDEX_BASE);
}

static inline void THTensor_(put)(THTensor *tensor, THLongTensor *index, THTensor *src,
                                  int accumulate)
{
    THTensor_(putFrom)(tensor, index, src, accumulate, TH_INDEX_BASE);
}

static inline void THTensor_(indexSelect)(THTensor *tensor, THTensor *src, int dim,
                                          THLongTensor *index)
{
    THTensor_(indexSelectFrom)(tensor, src, dim, index, TH_INDEX_BASE);
}

static inline void THTensor_(indexCopy)(THTensor *tensor, int dim, THLongTensor *index,
                                        THTensor *src)
{
    THTensor_(indexCopyFrom)(tensor, dim, index, src, TH_INDEX_BASE);
}

static inline void THTensor_(indexAdd)(THTensor *tensor, int dim, THLongTensor *index,
                                       THTensor *src)
{
    THTensor_(indexAddFrom)(tensor, dim, index, src, TH_INDEX_BASE);
}

static inline void THTensor_(indexFill)(THTensor *tensor, int dim, THLongTensor *index,
                                        real val)
{
    THTensor_(indexFillFrom)(tensor, dim, index, val, TH_INDEX_BASE);
}

static inline void THTensor_(gather)(THTensor *tensor, THTensor *src, int dim,
                                     THLongTensor *index)
{
    THTensor_(gatherFrom)(tensor, src, dim, index, TH_INDEX_BASE);
}

static inline void THTensor_(scatter)(THTensor *tensor, int dim, THLongTensor *index,
                                      THTensor *src)
{
    THTensor_(scatterFrom)(tensor, dim, index, src, TH_INDEX_BASE);
}

static inline void THTensor_(scatterAdd)(THTensor *tensor, int dim, THLongTensor *index,
                                         THTensor *src)
{
    THTensor_(scatterAddFrom)(tensor, dim, index, src, TH_INDEX_BASE);
}

static inline void THTensor_(scatterFill)(THTensor *tensor, int dim,
                                          THLongTensor *index, real val)
{
    THTensor_(scatterFillFrom)(tensor, dim, index, val, TH_INDEX_BASE);
}
