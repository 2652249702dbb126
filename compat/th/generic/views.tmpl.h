/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of tensors of one type: a tensor on another's storage with another layout.
 */

/* The layout of a tensor that is not empty. */
static bl_layout THTensor_(layoutOf)(const THTensor *t)
{
    bl_layout layout = {0};

    th_check(bl_layout_strided(t->nDimension, (const int64_t *)t->size,
                               (const int64_t *)t->stride, t->storageOffset, &layout));
    return layout;
}

/* Make `self` a view of the storage of `src` with this layout. */
static void THTensor_(become)(THTensor *self, const THTensor *src, bl_layout *layout)
{
    THTensor_(setStorageNd)(self, src->storage, layout->offset, layout->rank,
                            (long *)layout->extent, (long *)layout->stride);
}

/* ---- fewer elements ---- */

void THTensor_(narrow)(THTensor *self, THTensor *src, int dim, long first, long size)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(dim >= 0 && dim < src->nDimension, 2, "out of range");
    THArgCheck(first >= 0 && first < src->size[dim], 3, "out of range");
    THArgCheck(size > 0 && first <= src->size[dim] - size, 4, "out of range");
    layout = THTensor_(layoutOf)(src);
    if (th_check(bl_layout_narrow(&layout, dim, first, size, &layout)))
        THTensor_(become)(self, src, &layout);
}

void THTensor_(select)(THTensor *self, THTensor *src, int dim, long index)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(src->nDimension > 1, 1, "cannot select on a vector");
    THArgCheck(dim >= 0 && dim < src->nDimension, 2, "out of range");
    THArgCheck(index >= 0 && index < src->size[dim], 3, "out of range");
    layout = THTensor_(layoutOf)(src);
    if (th_check(bl_layout_select(&layout, dim, index, &layout)))
        THTensor_(become)(self, src, &layout);
}

/* ---- other dimensions ---- */

void THTensor_(transpose)(THTensor *self, THTensor *src, int dim1, int dim2)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(dim1 >= 0 && dim1 < src->nDimension, 1, "out of range");
    THArgCheck(dim2 >= 0 && dim2 < src->nDimension, 2, "out of range");
    layout = THTensor_(layoutOf)(src);
    if (th_check(bl_layout_transpose(&layout, dim1, dim2, &layout)))
        THTensor_(become)(self, src, &layout);
}

void THTensor_(unfold)(THTensor *self, THTensor *src, int dim, long size, long step)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(src->nDimension > 0, 1, "cannot unfold an empty tensor");
    THArgCheck(dim >= 0 && dim < src->nDimension, 2, "out of range");
    THArgCheck(size <= src->size[dim], 3, "out of range");
    THArgCheck(step > 0, 4, "invalid step");
    layout = THTensor_(layoutOf)(src);
    layout.extent[layout.rank] = size;
    layout.stride[layout.rank] = layout.stride[dim];
    layout.extent[dim] = (layout.extent[dim] - size) / step + 1;
    layout.stride[dim] *= step;
    layout.rank++;
    THTensor_(become)(self, src, &layout);
}

void THTensor_(squeeze)(THTensor *self, THTensor *src)
{
    bl_layout layout;

    src = src ? src : self;
    if (src->nDimension == 0) {
        THTensor_(set)(self, src);
        return;
    }
    layout = THTensor_(layoutOf)(src);
    if (!th_check(bl_layout_squeeze_all(&layout, &layout)))
        return;
    if (layout.rank == 0) { /* TH has no scalars */
        layout.rank = 1;
        layout.extent[0] = layout.stride[0] = 1;
    }
    THTensor_(become)(self, src, &layout);
}

void THTensor_(squeeze1d)(THTensor *self, THTensor *src, int dim)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(dim >= 0 && dim < src->nDimension, 2, "dimension out of range");
    layout = THTensor_(layoutOf)(src);
    if (layout.rank > 1 && !th_check(bl_layout_squeeze(&layout, dim, &layout)))
        return;
    THTensor_(become)(self, src, &layout);
}

void THTensor_(unsqueeze1d)(THTensor *self, THTensor *src, int dim)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(dim >= 0 && dim <= src->nDimension, 2, "dimension out of range");
    THArgCheck(src->nDimension > 0, 2, "cannot unsqueeze empty tensor");
    layout = THTensor_(layoutOf)(src);
    if (th_check(bl_layout_unsqueeze(&layout, dim, &layout)))
        THTensor_(become)(self, src, &layout);
}

/* ---- repeated elements ---- */

void THTensor_(expand)(THTensor *self, THTensor *src, THLongStorage *size)
{
    bl_layout layout;

    src = src ? src : self;
    THArgCheck(src->nDimension > 0, 0, "can't expand an empty tensor");
    THArgCheck(size->size >= src->nDimension, 1,
               "the number of sizes provided must be greater or equal to the number of "
               "dimensions in the tensor");
    layout = THTensor_(layoutOf)(src);
    if (th_check(bl_layout_expand(&layout, (int32_t)size->size,
                                  (const int64_t *)size->data, &layout)))
        THTensor_(become)(self, src, &layout);
}

void THTensor_(expandAs)(THTensor *self, THTensor *src)
{
    THLongStorage *const size = THTensor_(newSizeOf)(src);

    THTensor_(expand)(self, NULL, size);
    THLongStorage_free(size);
}

void THTensor_(expandNd)(THTensor **result, THTensor **src, int count)
{
    bl_shape shapes[BL_MAX_INPUTS];
    int64_t extent[BL_MAX_RANK];
    int32_t rank;
    THLongStorage *size;

    THArgCheck(count > 0 && count <= BL_MAX_INPUTS, 3, "between 1 and %d tensors",
               BL_MAX_INPUTS);
    for (int k = 0; k < count; k++) {
        THArgCheck(src[k]->nDimension > 0, 2, "can't expand empty tensor %d", k);
        shapes[k] = (bl_shape){src[k]->nDimension, (const int64_t *)src[k]->size};
    }
    if (!th_check(bl_broadcast_shapes(count, shapes, &rank, extent)))
        return;
    size = THLongStorage_newWithSize(rank);
    THLongStorage_rawCopy(size, (long *)extent);
    for (int k = 0; k < count; k++)
        THTensor_(expand)(result[k], src[k], size);
    THLongStorage_free(size);
}

/* ---- views as new tensors ---- */

THTensor *THTensor_(newSelect)(THTensor *src, int dim, long index)
{
    THTensor *const self = THTensor_(newWithTensor)(src);

    THTensor_(select)(self, NULL, dim, index);
    return self;
}

THTensor *THTensor_(newNarrow)(THTensor *src, int dim, long first, long size)
{
    THTensor *const self = THTensor_(newWithTensor)(src);

    THTensor_(narrow)(self, NULL, dim, first, size);
    return self;
}

THTensor *THTensor_(newTranspose)(THTensor *src, int dim1, int dim2)
{
    THTensor *const self = THTensor_(newWithTensor)(src);

    THTensor_(transpose)(self, NULL, dim1, dim2);
    return self;
}

THTensor *THTensor_(newUnfold)(THTensor *src, int dim, long size, long step)
{
    THTensor *const self = THTensor_(newWithTensor)(src);

    THTensor_(unfold)(self, NULL, dim, size, step);
    return self;
}

THTensor *THTensor_(newExpand)(THTensor *src, THLongStorage *size)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(expand)(self, src, size);
    return self;
}

THTensor *THTensor_(newView)(THTensor *src, THLongStorage *size)
{
    THTensor *self;
    THLongStorage *known;

    THArgCheck(THTensor_(isContiguous)(src), 1, "input is not contiguous");
    known = THLongStorage_newInferSize(size, THTensor_(nElement)(src));
    self = THTensor_(newWithStorage)(src->storage, src->storageOffset, known, NULL);
    THLongStorage_free(known);
    return self;
}
