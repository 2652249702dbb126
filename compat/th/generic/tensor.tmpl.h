/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of one type: references, creation and queries.
 */
THStorage *THTensor_(storage)(const THTensor *self)
{
    return self->storage;
}

ptrdiff_t THTensor_(storageOffset)(const THTensor *self)
{
    return self->storageOffset;
}

int THTensor_(nDimension)(const THTensor *self)
{
    return self->nDimension;
}

long THTensor_(size)(const THTensor *self, int dim)
{
    THArgCheck(dim >= 0 && dim < self->nDimension, 2,
               "dimension %d out of range of %dD tensor", dim + TH_INDEX_BASE,
               self->nDimension);
    return self->size[dim];
}

long THTensor_(stride)(const THTensor *self, int dim)
{
    THArgCheck(dim >= 0 && dim < self->nDimension, 2,
               "dimension %d out of range of %dD tensor", dim + TH_INDEX_BASE,
               self->nDimension);
    return self->stride[dim];
}

/* A new storage with a copy of the tensor's extents or strides. */
static THLongStorage *THTensor_(newList)(const THTensor *self, long *list)
{
    THLongStorage *const storage = THLongStorage_newWithSize(self->nDimension);

    THLongStorage_rawCopy(storage, list);
    return storage;
}

THLongStorage *THTensor_(newSizeOf)(THTensor *self)
{
    return THTensor_(newList)(self, self->size);
}

THLongStorage *THTensor_(newStrideOf)(THTensor *self)
{
    return THTensor_(newList)(self, self->stride);
}

real *THTensor_(data)(const THTensor *self)
{
    TH_READ_TENSOR(BL_SHADOW_DATA, self);
    return TH_DATA(self);
}

ptrdiff_t THTensor_(nElement)(const THTensor *self)
{
    return THApplyCount_(self->nDimension, self->size);
}

int THTensor_(isContiguous)(const THTensor *self)
{
    long expected = 1;

    for (int d = self->nDimension - 1; d >= 0; d--) {
        if (self->size[d] != 1 && self->stride[d] != expected)
            return 0;
        expected *= self->size[d];
    }
    return 1;
}

int THTensor_(isTransposed)(const THTensor *self)
{
    return !THTensor_(isContiguous)(self) && self->nDimension == 2 &&
           self->stride[0] == 1 && self->stride[1] == self->size[0];
}

int THTensor_(isSameSizeAs)(const THTensor *self, const THTensor *src)
{
    return THSize_isSameSizeAs(self->size, self->nDimension, src->size,
                               src->nDimension);
}

int THTensor_(isSetTo)(const THTensor *self, const THTensor *src)
{
    return self->storage && self->storage == src->storage &&
           self->storageOffset == src->storageOffset &&
           THTensor_(isSameSizeAs)(self, src) &&
           THSize_isSameSizeAs(self->stride, self->nDimension, src->stride,
                               src->nDimension);
}

int THTensor_(isSize)(const THTensor *self, const THLongStorage *dims)
{
    return THSize_isSameSizeAs(self->size, self->nDimension, dims->data, dims->size);
}

THDescBuff THTensor_(sizeDesc)(const THTensor *self)
{
    return _THSizeDesc(self->size, self->nDimension);
}

THDescBuff THTensor_(desc)(const THTensor *self)
{
    THDescBuff text;
    char shape[TH_DESC_BUFF_LEN - 32];

    th_describe(self->nDimension, self->size, "x", shape, sizeof shape);
    snprintf(text.str, sizeof text.str,
             "torch." TH_CONCAT_STRING_2(Real, Tensor) " of size %s", shape + 1);
    text.str[strcspn(text.str, "]")] = '\0';
    return text;
}

/* ---- references ---- */

THTensor *THTensor_(new)(void)
{
    THTensor *const self = THAlloc(sizeof *self);

    *self = (THTensor){.refcount = 1, .flag = TH_TENSOR_REFCOUNTED};
    return self;
}

void THTensor_(setFlag)(THTensor *self, const char flag)
{
    self->flag |= flag;
}

void THTensor_(clearFlag)(THTensor *self, const char flag)
{
    self->flag &= (char)~flag;
}

void THTensor_(retain)(THTensor *self)
{
    if (self->flag & TH_TENSOR_REFCOUNTED)
        THAtomicIncrementRef(&self->refcount);
}

void THTensor_(free)(THTensor *self)
{
    if (!self || !(self->flag & TH_TENSOR_REFCOUNTED) ||
        !THAtomicDecrementRef(&self->refcount))
        return;
    THFree(self->size);
    THFree(self->stride);
    THStorage_(free)(self->storage);
    THFree(self);
}

/* ---- create ---- */

THTensor *THTensor_(newWithTensor)(THTensor *src)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(set)(self, src);
    return self;
}

THTensor *THTensor_(newWithSize)(THLongStorage *size, THLongStorage *stride)
{
    THTensor *self;

    THArgCheck(!size || !stride || size->size == stride->size, 4, "inconsistent size");
    self = THTensor_(new)();
    if (size)
        THTensor_(resize)(self, size, stride);
    return self;
}

THTensor *THTensor_(newWithSize1d)(long n0)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(resizeNd)(self, 1, (long[]){n0}, NULL);
    return self;
}

THTensor *THTensor_(newWithSize2d)(long n0, long n1)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(resizeNd)(self, 2, (long[]){n0, n1}, NULL);
    return self;
}

THTensor *THTensor_(newWithSize3d)(long n0, long n1, long n2)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(resizeNd)(self, 3, (long[]){n0, n1, n2}, NULL);
    return self;
}

THTensor *THTensor_(newWithSize4d)(long n0, long n1, long n2, long n3)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(resizeNd)(self, 4, (long[]){n0, n1, n2, n3}, NULL);
    return self;
}
