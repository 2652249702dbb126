/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked access to elements of tensors of one type, and copies between tensors.
 */

/* The address of an element; an error for another rank or an index out of range. */
static real *THTensor_(element)(const THTensor *self, int rank, const long *index)
{
    static const char *const ranks[] = {"one dimension", "two dimensions",
                                        "three dimensions", "four dimensions"};
    ptrdiff_t offset = self->storageOffset;

    THArgCheck(self->nDimension == rank, 1, "tensor must have %s", ranks[rank - 1]);
    for (int d = 0; d < rank; d++) {
        THArgCheck(index[d] >= 0 && index[d] < self->size[d], 2, "out of range");
        offset += index[d] * self->stride[d];
    }
    return self->storage->data + offset;
}

void THTensor_(set1d)(THTensor *self, long i0, real value)
{
    *THTensor_(element)(self, 1, (long[]){i0}) = value;
}

void THTensor_(set2d)(THTensor *self, long i0, long i1, real value)
{
    *THTensor_(element)(self, 2, (long[]){i0, i1}) = value;
}

void THTensor_(set3d)(THTensor *self, long i0, long i1, long i2, real value)
{
    *THTensor_(element)(self, 3, (long[]){i0, i1, i2}) = value;
}

void THTensor_(set4d)(THTensor *self, long i0, long i1, long i2, long i3, real value)
{
    *THTensor_(element)(self, 4, (long[]){i0, i1, i2, i3}) = value;
}

/* Return an element, which leaves the library. */
#define TH_GET(rank, ...)                                                              \
    real *const element = THTensor_(element)(self, rank, (long[]){__VA_ARGS__});       \
    const bl_array item = {element, TH_DTYPE, 0, NULL, NULL, 0};                       \
                                                                                       \
    TH_READ(BL_SHADOW_ITEM, &item);                                                    \
    return *element

real THTensor_(get1d)(const THTensor *self, long i0)
{
    TH_GET(1, i0);
}

real THTensor_(get2d)(const THTensor *self, long i0, long i1)
{
    TH_GET(2, i0, i1);
}

real THTensor_(get3d)(const THTensor *self, long i0, long i1, long i2)
{
    TH_GET(3, i0, i1, i2);
}

real THTensor_(get4d)(const THTensor *self, long i0, long i1, long i2, long i3)
{
    TH_GET(4, i0, i1, i2, i3);
}

#undef TH_GET

/* ---- copies ---- */

#define TH_COPY(From)                                                                  \
    void THTensor_(copy##From)(THTensor * self, TH##From##Tensor * src)                \
    {                                                                                  \
        const bl_array out = TH_ARRAY(self), in = TH_ARRAY_OF(From, src);              \
        const bl_array *const both[] = {&out, &in};                                    \
                                                                                       \
        if (th_admit(TH_CALL("copy"), "tensor src", true, 2, both) &&                  \
            (const void *)self != (const void *)src)                                   \
            th_apply(BL_OP_COPY, &out, 1, both + 1, NULL);                             \
    }

TH_EACH_TYPE(TH_COPY)

#undef TH_COPY

void THTensor_(copy)(THTensor *self, THTensor *src)
{
    th_pass_call(TH_CALL("copy"));
    TH_CONCAT_4(TH, Real, Tensor_copy, Real)(self, src);
}

void THTensor_(freeCopyTo)(THTensor *self, THTensor *dst)
{
    th_pass_call(TH_CALL("copy"));
    THTensor_(copy)(dst, self);
    THTensor_(free)(self);
}

THTensor *THTensor_(newClone)(THTensor *src)
{
    THTensor *const self = THTensor_(new)();

    THTensor_(resizeAs)(self, src);
    THTensor_(copy)(self, src);
    return self;
}

THTensor *THTensor_(newContiguous)(THTensor *self)
{
    if (!THTensor_(isContiguous)(self))
        return THTensor_(newClone)(self);
    THTensor_(retain)(self);
    return self;
}
