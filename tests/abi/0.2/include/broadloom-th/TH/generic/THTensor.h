/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of one type: their fields, queries, creation, references, shapes and views.
 *
 * A tensor without dimensions is empty: there are no scalars, and an extent of 0 ends
 * the list of extents.  A new tensor has one reference, which free() releases.
 */
typedef struct THTensor {
    long *size;
    long *stride; /* in elements */
    int nDimension;
    THStorage *storage; /* may be NULL where there are no elements */
    ptrdiff_t storageOffset;
    int refcount;
    char flag; /* TH_TENSOR_REFCOUNTED */
} THTensor;

/* ---- queries: the storage is borrowed, lists are new ---- */

TH_API THStorage *THTensor_(storage)(const THTensor *self);
TH_API ptrdiff_t THTensor_(storageOffset)(const THTensor *self);
TH_API int THTensor_(nDimension)(const THTensor *self);
TH_API long THTensor_(size)(const THTensor *self, int dim);
TH_API long THTensor_(stride)(const THTensor *self, int dim);
TH_API THLongStorage *THTensor_(newSizeOf)(THTensor *self);
TH_API THLongStorage *THTensor_(newStrideOf)(THTensor *self);
TH_API real *THTensor_(data)(const THTensor *self);
TH_API ptrdiff_t THTensor_(nElement)(const THTensor *self);
TH_API int THTensor_(isContiguous)(const THTensor *self);
TH_API int THTensor_(isTransposed)(const THTensor *self);
TH_API int THTensor_(isSameSizeAs)(const THTensor *self, const THTensor *src);
TH_API int THTensor_(isSetTo)(const THTensor *self, const THTensor *src);
TH_API int THTensor_(isSize)(const THTensor *self, const THLongStorage *dims);
TH_API THDescBuff THTensor_(desc)(const THTensor *self);
TH_API THDescBuff THTensor_(sizeDesc)(const THTensor *self);

/* ---- create: `stride` NULL means contiguous; a storage is retained ---- */

TH_API THTensor *THTensor_(new)(void);
TH_API THTensor *THTensor_(newWithTensor)(THTensor *src);
TH_API THTensor *THTensor_(newWithSize)(THLongStorage *size, THLongStorage *stride);
TH_API THTensor *THTensor_(newWithSize1d)(long n0);
TH_API THTensor *THTensor_(newWithSize2d)(long n0, long n1);
TH_API THTensor *THTensor_(newWithSize3d)(long n0, long n1, long n2);
TH_API THTensor *THTensor_(newWithSize4d)(long n0, long n1, long n2, long n3);
TH_API THTensor *THTensor_(newWithStorage)(THStorage *storage, ptrdiff_t offset,
                                           THLongStorage *size, THLongStorage *stride);
TH_API THTensor *THTensor_(newWithStorage1d)(THStorage *storage, ptrdiff_t offset,
                                             long n0, long s0);
TH_API THTensor *THTensor_(newWithStorage2d)(THStorage *storage, ptrdiff_t offset,
                                             long n0, long s0, long n1, long s1);
TH_API THTensor *THTensor_(newWithStorage3d)(THStorage *storage, ptrdiff_t offset,
                                             long n0, long s0, long n1, long s1,
                                             long n2, long s2);
TH_API THTensor *THTensor_(newWithStorage4d)(THStorage *storage, ptrdiff_t offset,
                                             long n0, long s0, long n1, long s1,
                                             long n2, long s2, long n3, long s3);
TH_API THTensor *THTensor_(newClone)(THTensor *self);

/* The tensor itself, retained, where it is contiguous; else a clone. */
TH_API THTensor *THTensor_(newContiguous)(THTensor *self);

/* Views that share the storage. */
TH_API THTensor *THTensor_(newSelect)(THTensor *self, int dim, long index);
TH_API THTensor *THTensor_(newNarrow)(THTensor *self, int dim, long first, long size);
TH_API THTensor *THTensor_(newTranspose)(THTensor *self, int dim1, int dim2);
TH_API THTensor *THTensor_(newUnfold)(THTensor *self, int dim, long size, long step);
TH_API THTensor *THTensor_(newView)(THTensor *self, THLongStorage *size);
TH_API THTensor *THTensor_(newExpand)(THTensor *self, THLongStorage *size);

/* ---- share ---- */

TH_API void THTensor_(setFlag)(THTensor *self, const char flag);
TH_API void THTensor_(clearFlag)(THTensor *self, const char flag);
TH_API void THTensor_(retain)(THTensor *self);
TH_API void THTensor_(free)(THTensor *self);

/* Copy to `dst` unless it is the same tensor, then free `self`. */
TH_API void THTensor_(freeCopyTo)(THTensor *self, THTensor *dst);

/*
 * ---- reshape in place: contents are kept, the storage grows where it must ----
 *
 * Nothing happens where the tensor already has the shape and the given strides.
 */

TH_API void THTensor_(resize)(THTensor *self, THLongStorage *size,
                              THLongStorage *stride);
TH_API void THTensor_(resizeAs)(THTensor *self, THTensor *src);
TH_API void THTensor_(resizeNd)(THTensor *self, int rank, long *size, long *stride);
TH_API void THTensor_(resize1d)(THTensor *self, long n0);
TH_API void THTensor_(resize2d)(THTensor *self, long n0, long n1);
TH_API void THTensor_(resize3d)(THTensor *self, long n0, long n1, long n2);
TH_API void THTensor_(resize4d)(THTensor *self, long n0, long n1, long n2, long n3);
TH_API void THTensor_(resize5d)(THTensor *self, long n0, long n1, long n2, long n3,
                                long n4);

/* ---- become a view of another tensor, or of a storage; `src` NULL means self ---- */

TH_API void THTensor_(set)(THTensor *self, THTensor *src);
TH_API void THTensor_(setStorage)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                                  THLongStorage *size, THLongStorage *stride);
TH_API void THTensor_(setStorageNd)(THTensor *self, THStorage *storage,
                                    ptrdiff_t offset, int rank, long *size,
                                    long *stride);
TH_API void THTensor_(setStorage1d)(THTensor *self, THStorage *storage,
                                    ptrdiff_t offset, long n0, long s0);
TH_API void THTensor_(setStorage2d)(THTensor *self, THStorage *storage,
                                    ptrdiff_t offset, long n0, long s0, long n1,
                                    long s1);
TH_API void THTensor_(setStorage3d)(THTensor *self, THStorage *storage,
                                    ptrdiff_t offset, long n0, long s0, long n1,
                                    long s1, long n2, long s2);
TH_API void THTensor_(setStorage4d)(THTensor *self, THStorage *storage,
                                    ptrdiff_t offset, long n0, long s0, long n1,
                                    long s1, long n2, long s2, long n3, long s3);
TH_API void THTensor_(narrow)(THTensor *self, THTensor *src, int dim, long first,
                              long size);
TH_API void THTensor_(select)(THTensor *self, THTensor *src, int dim, long index);
TH_API void THTensor_(transpose)(THTensor *self, THTensor *src, int dim1, int dim2);
TH_API void THTensor_(unfold)(THTensor *self, THTensor *src, int dim, long size,
                              long step);
TH_API void THTensor_(squeeze)(THTensor *self, THTensor *src);
TH_API void THTensor_(squeeze1d)(THTensor *self, THTensor *src, int dim);
TH_API void THTensor_(unsqueeze1d)(THTensor *self, THTensor *src, int dim);
TH_API void THTensor_(expand)(THTensor *self, THTensor *src, THLongStorage *size);
TH_API void THTensor_(expandAs)(THTensor *self, THTensor *src);
/* Expand each of `count` tensors to the shape that all broadcast to. */
TH_API void THTensor_(expandNd)(THTensor **result, THTensor **src, int count);

/* ---- elements, checked ---- */

TH_API void THTensor_(set1d)(THTensor *self, long i0, real value);
TH_API void THTensor_(set2d)(THTensor *self, long i0, long i1, real value);
TH_API void THTensor_(set3d)(THTensor *self, long i0, long i1, long i2, real value);
TH_API void THTensor_(set4d)(THTensor *self, long i0, long i1, long i2, long i3,
                             real value);
TH_API real THTensor_(get1d)(const THTensor *self, long i0);
TH_API real THTensor_(get2d)(const THTensor *self, long i0, long i1);
TH_API real THTensor_(get3d)(const THTensor *self, long i0, long i1, long i2);
TH_API real THTensor_(get4d)(const THTensor *self, long i0, long i1, long i2, long i3);
