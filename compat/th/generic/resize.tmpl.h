/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resizing of tensors of one type, and their placement on storages.
 */

/* The number of leading extents before the first that is not positive. */
static int THTensor_(usableRank)(int rank, const long *size)
{
    int usable = 0;

    while (usable < rank && size[usable] > 0)
        usable++;
    return usable;
}

/*
 * Set the strides: those given, and contiguous ones where one is negative or `stride`
 * is NULL.
 */
static void THTensor_(fillStrides)(THTensor *self, const long *stride)
{
    for (int d = self->nDimension - 1; d >= 0; d--) {
        if (stride && stride[d] >= 0)
            self->stride[d] = stride[d];
        else if (d == self->nDimension - 1)
            self->stride[d] = 1;
        else
            self->stride[d] = self->size[d + 1] * self->stride[d + 1];
    }
}

/* Grow the storage, a new one if there is none, to hold the last element. */
static void THTensor_(reach)(THTensor *self)
{
    ptrdiff_t end = self->storageOffset + 1;

    for (int d = 0; d < self->nDimension; d++)
        end += (self->size[d] - 1) * self->stride[d];
    if (!self->storage)
        self->storage = THStorage_(new)();
    if (end > self->storage->size)
        THStorage_(resize)(self->storage, end);
}

/* Whether the tensor already has the shape, and the strides that are given. */
static bool THTensor_(isLaidOut)(const THTensor *self, int rank, const long *size,
                                 const long *stride)
{
    if (rank != self->nDimension)
        return false;
    for (int d = 0; d < rank; d++)
        if (size[d] != self->size[d] ||
            (stride && stride[d] >= 0 && stride[d] != self->stride[d]))
            return false;
    return true;
}

void THTensor_(resizeNd)(THTensor *self, int rank, long *size, long *stride)
{
    const int usable = THTensor_(usableRank)(rank, size);

    if (THTensor_(isLaidOut)(self, usable, size, stride))
        return;
    if (usable == 0) {
        self->nDimension = 0;
        return;
    }
    if (usable != self->nDimension) {
        self->size = THRealloc(self->size, (ptrdiff_t)sizeof(long) * usable);
        self->stride = THRealloc(self->stride, (ptrdiff_t)sizeof(long) * usable);
        self->nDimension = usable;
    }
    memmove(self->size, size, sizeof(long) * (size_t)usable);
    THTensor_(fillStrides)(self, stride);
    THTensor_(reach)(self);
}

void THTensor_(resize)(THTensor *self, THLongStorage *size, THLongStorage *stride)
{
    THArgCheck(size != NULL, 2, "invalid size");
    if (stride)
        THArgCheck(stride->size == size->size, 3, "invalid stride");
    THTensor_(resizeNd)(self, (int)size->size, size->data,
                        stride ? stride->data : NULL);
}

void THTensor_(resizeAs)(THTensor *self, THTensor *src)
{
    if (self != src && !THTensor_(isSameSizeAs)(self, src))
        THTensor_(resizeNd)(self, src->nDimension, src->size, NULL);
}

void THTensor_(resize1d)(THTensor *self, long n0)
{
    THTensor_(resizeNd)(self, 1, (long[]){n0}, NULL);
}

void THTensor_(resize2d)(THTensor *self, long n0, long n1)
{
    THTensor_(resizeNd)(self, 2, (long[]){n0, n1}, NULL);
}

void THTensor_(resize3d)(THTensor *self, long n0, long n1, long n2)
{
    THTensor_(resizeNd)(self, 3, (long[]){n0, n1, n2}, NULL);
}

void THTensor_(resize4d)(THTensor *self, long n0, long n1, long n2, long n3)
{
    THTensor_(resizeNd)(self, 4, (long[]){n0, n1, n2, n3}, NULL);
}

void THTensor_(resize5d)(THTensor *self, long n0, long n1, long n2, long n3, long n4)
{
    THTensor_(resizeNd)(self, 5, (long[]){n0, n1, n2, n3, n4}, NULL);
}

/* ---- over a given storage ---- */

void THTensor_(setStorageNd)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                             int rank, long *size, long *stride)
{
    if (offset < 0) {
        THError("Tensor: invalid storage offset");
        return;
    }
    if (self->storage != storage) {
        THStorage_(retain)(storage);
        THStorage_(free)(self->storage);
        self->storage = storage;
    }
    self->storageOffset = offset;
    THTensor_(resizeNd)(self, rank, size, stride);
}

void THTensor_(setStorage)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                           THLongStorage *size, THLongStorage *stride)
{
    if (size && stride)
        THArgCheck(size->size == stride->size, 5, "inconsistent size/stride sizes");
    THTensor_(setStorageNd)(self, storage, offset, (int)(size ? size->size : 0),
                            size ? size->data : NULL, stride ? stride->data : NULL);
}

void THTensor_(set)(THTensor *self, THTensor *src)
{
    if (self != src)
        THTensor_(setStorageNd)(self, src->storage, src->storageOffset, src->nDimension,
                                src->size, src->stride);
}

void THTensor_(setStorage1d)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                             long n0, long s0)
{
    THTensor_(setStorageNd)(self, storage, offset, 1, (long[]){n0}, (long[]){s0});
}

void THTensor_(setStorage2d)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                             long n0, long s0, long n1, long s1)
{
    THTensor_(setStorageNd)(self, storage, offset, 2, (long[]){n0, n1},
                            (long[]){s0, s1});
}

void THTensor_(setStorage3d)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                             long n0, long s0, long n1, long s1, long n2, long s2)
{
    THTensor_(setStorageNd)(self, storage, offset, 3, (long[]){n0, n1, n2},
                            (long[]){s0, s1, s2});
}

void THTensor_(setStorage4d)(THTensor *self, THStorage *storage, ptrdiff_t offset,
                             long n0, long s0, long n1, long s1, long n2, long s2,
                             long n3, long s3)
{
    THTensor_(setStorageNd)(self, storage, offset, 4, (long[]){n0, n1, n2, n3},
                            (long[]){s0, s1, s2, s3});
}

THTensor *THTensor_(newWithStorage)(THStorage *storage, ptrdiff_t offset,
                                    THLongStorage *size, THLongStorage *stride)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(setStorage)(self, storage, offset, size, stride);
    return self;
}

THTensor *THTensor_(newWithStorage1d)(THStorage *storage, ptrdiff_t offset, long n0,
                                      long s0)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(setStorage1d)(self, storage, offset, n0, s0);
    return self;
}

THTensor *THTensor_(newWithStorage2d)(THStorage *storage, ptrdiff_t offset, long n0,
                                      long s0, long n1, long s1)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(setStorage2d)(self, storage, offset, n0, s0, n1, s1);
    return self;
}

THTensor *THTensor_(newWithStorage3d)(THStorage *storage, ptrdiff_t offset, long n0,
                                      long s0, long n1, long s1, long n2, long s2)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(setStorage3d)(self, storage, offset, n0, s0, n1, s1, n2, s2);
    return self;
}

THTensor *THTensor_(newWithStorage4d)(THStorage *storage, ptrdiff_t offset, long n0,
                                      long s0, long n1, long s1, long n2, long s2,
                                      long n3, long s3)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(setStorage4d)(self, storage, offset, n0, s0, n1, s1, n2, s2, n3, s3);
    return self;
}
