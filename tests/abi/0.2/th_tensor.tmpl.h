/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of one type: creation, shapes, views, elements, copies.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_tensor.tmpl.h"
#else

/* A new tensor, made by an expression: its rank, numel and first element. */
#define MADE(make, rank, count, first)                                                 \
    do {                                                                               \
        THTensor *const made_ = make;                                                  \
                                                                                       \
        CHECK(THTensor_(nDimension)(made_) == (rank));                                 \
        CHECK(THTensor_(nElement)(made_) == (count));                                  \
        CHECK(V(THTensor_(data)(made_)[0]) == (first));                                \
        THTensor_(free)(made_);                                                        \
    } while (0)

/* A call that makes `view` another view of `t`: likewise. */
#define TURNED(call, rank, count, first)                                               \
    do {                                                                               \
        call;                                                                          \
        CHECK(THTensor_(nDimension)(view) == (rank));                                  \
        CHECK(THTensor_(nElement)(view) == (count));                                   \
        CHECK(V(THTensor_(data)(view)[0]) == (first));                                 \
    } while (0)

/* The tensor 1 2 3; 4 5 6 on a new storage. */
static THTensor *TH_CONCAT_2(make_tensor_, Real)(void)
{
    THTensor *const t = THTensor_(newWithSize2d)(2, 3);

    for (long i = 0; i < 6; i++)
        THTensor_(set2d)(t, i / 3, i % 3, N(i + 1));
    return t;
}

static void TH_CONCAT_2(check_new_, Real)(THTensor *t)
{
    THStorage *const storage = THTensor_(storage)(t);
    THLongStorage *const size = THTensor_(newSizeOf)(t);
    THLongStorage *const stride = THTensor_(newStrideOf)(t);
    THLongStorage *const larger = THLongStorage_newWithSize3(4, 2, 3);
    THTensor *const none = THTensor_(new)();

    CHECK(THTensor_(nElement)(none) == 0);
    THTensor_(free)(none);
    MADE(THTensor_(newWithTensor)(t), 2, 6, 1);
    MADE(THTensor_(newWithStorage)(storage, 1, size, stride), 2, 6, 2);
    MADE(THTensor_(newWithStorage1d)(storage, 1, 2, 2), 1, 2, 2);
    MADE(THTensor_(newWithStorage2d)(storage, 2, 1, 3, 2, 1), 2, 2, 3);
    MADE(THTensor_(newWithStorage3d)(storage, 0, 1, 6, 2, 3, 3, 1), 3, 6, 1);
    MADE(THTensor_(newWithStorage4d)(storage, 0, 1, 6, 1, 6, 2, 3, 3, 1), 4, 6, 1);
    MADE(THTensor_(newClone)(t), 2, 6, 1);
    MADE(THTensor_(newContiguous)(t), 2, 6, 1);
    MADE(THTensor_(newSelect)(t, 0, 1), 1, 3, 4);
    MADE(THTensor_(newNarrow)(t, 1, 1, 2), 2, 4, 2);
    MADE(THTensor_(newTranspose)(t, 0, 1), 2, 6, 1);
    MADE(THTensor_(newUnfold)(t, 1, 2, 1), 3, 8, 1);
    MADE(THTensor_(newView)(t, size), 2, 6, 1);
    MADE(THTensor_(newExpand)(t, larger), 3, 24, 1);
    THLongStorage_free(larger);
    THLongStorage_free(stride);
    THLongStorage_free(size);
}

static void TH_CONCAT_2(check_shape_, Real)(THTensor *t)
{
    THTensor *const s = THTensor_(newWithSize1d)(2), *const other =
                                                         THTensor_(newClone)(t);
    THTensor *const u = THTensor_(newWithSize3d)(1, 2, 1);
    THTensor *const v = THTensor_(newWithSize4d)(1, 1, 2, 1);
    THLongStorage *const size = THTensor_(newSizeOf)(t);
    THTensor *const w = THTensor_(newWithSize)(size, NULL);
    long extent[] = {3, 2};

    CHECK(THTensor_(size)(t, 1) == 3 && THTensor_(stride)(t, 0) == 3);
    CHECK(THTensor_(storageOffset)(t) == 0 && THTensor_(isContiguous)(t));
    CHECK(!THTensor_(isTransposed)(t) && THTensor_(isSize)(w, size));
    CHECK(THTensor_(isSameSizeAs)(t, w) && !THTensor_(isSetTo)(t, w));
    CHECK(strstr(THTensor_(desc)(t).str, "2x3") != NULL);
    CHECK(strcmp(THTensor_(sizeDesc)(t).str, "[2 x 3]") == 0);
    THTensor_(set3d)(u, 0, 1, 0, N(5));
    CHECK(V(THTensor_(get3d)(u, 0, 1, 0)) == 5);
    THTensor_(set4d)(v, 0, 0, 1, 0, N(6));
    CHECK(V(THTensor_(get4d)(v, 0, 0, 1, 0)) == 6);
    THTensor_(set1d)(s, 1, N(7));
    CHECK(V(THTensor_(get1d)(s, 1)) == 7 && V(THTensor_(get2d)(t, 1, 0)) == 4);
    THTensor_(resize)(s, size, NULL);
    CHECK(s->nDimension == 2 && s->size[1] == 3 && s->refcount == 1);
    THTensor_(resize1d)(s, 6);
    THTensor_(resize2d)(s, 3, 2);
    THTensor_(resize3d)(s, 3, 1, 2);
    THTensor_(resize4d)(s, 3, 1, 2, 1);
    THTensor_(resize5d)(s, 3, 1, 2, 1, 1);
    CHECK(THTensor_(nElement)(s) == 6 && THTensor_(nDimension)(s) == 5);
    THTensor_(resizeNd)(s, 2, extent, NULL);
    CHECK(s->size[0] == 3 && s->stride[0] == 2);
    THTensor_(resizeAs)(s, t);
    CHECK(THTensor_(isSameSizeAs)(s, t));
    THTensor_(clearFlag)(s, TH_TENSOR_REFCOUNTED);
    CHECK(!(s->flag & TH_TENSOR_REFCOUNTED));
    THTensor_(setFlag)(s, TH_TENSOR_REFCOUNTED);
    THTensor_(retain)(s);
    CHECK(s->refcount == 2);
    THTensor_(free)(s);
    THTensor_(freeCopyTo)(other, w);
    TH_HAS(w, V, 1, 2, 3, 4, 5, 6);
    THTensor_(free)(w);
    THLongStorage_free(size);
    THTensor_(free)(v);
    THTensor_(free)(u);
    THTensor_(free)(s);
}

static void TH_CONCAT_2(check_views_, Real)(THTensor *t)
{
    THTensor *const view = THTensor_(new)(), *const row = THTensor_(newSelect)(t, 0, 0);
    THTensor *both[] = {view}, *sources[] = {t};
    THLongStorage *const larger = THLongStorage_newWithSize3(4, 2, 3);
    THLongStorage *const size = THTensor_(newSizeOf)(t);
    long extent[] = {2, 2}, stride[] = {3, 1};

    THTensor_(set)(view, t);
    CHECK(THTensor_(isSetTo)(view, t));
    TURNED(THTensor_(setStorage)(view, t->storage, 0, size, NULL), 2, 6, 1);
    TURNED(THTensor_(setStorageNd)(view, t->storage, 1, 2, extent, stride), 2, 4, 2);
    TURNED(THTensor_(setStorage1d)(view, t->storage, 1, 2, 2), 1, 2, 2);
    TURNED(THTensor_(setStorage2d)(view, t->storage, 2, 1, 3, 2, 1), 2, 2, 3);
    TURNED(THTensor_(setStorage3d)(view, t->storage, 0, 1, 6, 2, 3, 3, 1), 3, 6, 1);
    TURNED(THTensor_(setStorage4d)(view, t->storage, 0, 1, 6, 1, 6, 2, 3, 3, 1), 4, 6,
           1);
    TURNED(THTensor_(squeeze)(view, NULL), 2, 6, 1);
    TURNED(THTensor_(unsqueeze1d)(view, t, 0), 3, 6, 1);
    TURNED(THTensor_(squeeze1d)(view, NULL, 0), 2, 6, 1);
    TURNED(THTensor_(narrow)(view, t, 1, 1, 2), 2, 4, 2);
    TURNED(THTensor_(select)(view, t, 0, 1), 1, 3, 4);
    TURNED(THTensor_(transpose)(view, t, 0, 1), 2, 6, 1);
    TH_HAS(view, V, 1, 4, 2, 5, 3, 6);
    TURNED(THTensor_(unfold)(view, t, 1, 2, 1), 3, 8, 1);
    TURNED(THTensor_(expand)(view, t, larger), 3, 24, 1);
    TURNED(THTensor_(expandNd)(both, sources, 1), 2, 6, 1);
    THTensor_(set)(view, row);
    TURNED(THTensor_(expandAs)(view, t), 2, 6, 1);
    TH_HAS(view, V, 1, 2, 3, 1, 2, 3);
    THLongStorage_free(size);
    THLongStorage_free(larger);
    THTensor_(free)(row);
    THTensor_(free)(view);
}

/* Copy a tensor of one type to one of the template's type. */
#define COPY(From)                                                                     \
    do {                                                                               \
        TH##From##Tensor *const from_ = TH##From##Tensor_newWithSize2d(2, 3);          \
                                                                                       \
        memset(TH##From##Tensor_data(from_), 0, 6 * TH##From##Storage_elementSize());  \
        THTensor_(copy)(to, t);                                                        \
        CHECK(V(THTensor_(get2d)(to, 1, 2)) == 6);                                     \
        THTensor_(copy##From)(to, from_);                                              \
        CHECK(V(THTensor_(get2d)(to, 1, 2)) == 0);                                     \
        TH##From##Tensor_free(from_);                                                  \
    } while (0)

static void TH_CONCAT_2(check_tensor_, Real)(void)
{
    THTensor *const t = TH_CONCAT_2(make_tensor_, Real)();
    THTensor *const to = THTensor_(newWithSize2d)(2, 3);

    TH_CONCAT_2(check_new_, Real)(t);
    TH_CONCAT_2(check_shape_, Real)(t);
    TH_CONCAT_2(check_views_, Real)(t);
    COPY(Byte);
    COPY(Char);
    COPY(Short);
    COPY(Int);
    COPY(Long);
    COPY(Float);
    COPY(Double);
    COPY(Half);
    THTensor_(free)(to);
    THTensor_(free)(t);
}

#undef COPY
#undef MADE
#undef TURNED
#endif
