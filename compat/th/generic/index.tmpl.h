/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of tensors of one type by lists of indices.
 */

/* The sum of two elements; integers wrap. */
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_SUM(a, b) ((a) + (b))
#else
#define TH_SUM(a, b) ((real)((uint64_t)(a) + (uint64_t)(b)))
#endif

/* ---- along a dimension, by a list ---- */

/*
 * A contiguous copy of a list of indices, to be freed; NULL, after an error, where it
 * is not a vector or has an index that dimension `dim` of `t` does not have.
 */
static THLongTensor *THTensor_(takeIndices)(const THTensor *t, int dim,
                                            THLongTensor *index, int base)
{
    THArgCheck(index->nDimension == 1, 3, "Index is supposed to be a vector");
    THArgCheck(dim >= 0 && dim < t->nDimension, 4,
               "Indexing dim %d is out of bounds of tensor", dim + base);
    if (!are_indices(index, t->size[dim], base, "index out of range"))
        return NULL;
    return THLongTensor_newClone(index); /* a copy: `index` may be the result */
}

void THTensor_(indexSelectFrom)(THTensor *tensor, THTensor *src, int dim,
                                THLongTensor *index, int base)
{
    THLongTensor *list;
    THLongStorage *size;
    THTensor *found;
    const long *where;

    THArgCheck(src->nDimension > 0, 2, "Source tensor is empty");
    list = THTensor_(takeIndices)(src, dim, index, base);
    if (!list)
        return;
    where = TH_DATA(list);
    size = THTensor_(newSizeOf)(src);
    size->data[dim] = list->size[0];
    found = THTensor_(newWithSize)(size, NULL);
    THLongStorage_free(size);
    TH_TENSOR_DIM_APPLY2(real, found, real, src, dim,
                         for (long i = 0; i < found_size; i++)
                             found_data[i * found_stride] =
                                 src_data[(where[i] - base) * src_stride];)
    THLongTensor_free(list);
    THTensor_(carry)(found, 1, &src);
    THTensor_(give)(found, tensor);
}

/* Define a write of each slice of `src` to the slice of `tensor` at its index. */
#define TH_INDEXED(name, result)                                                       \
    void THTensor_(name)(THTensor * tensor, int dim, THLongTensor *index,              \
                         THTensor *src, int base)                                      \
    {                                                                                  \
        THLongTensor *list;                                                            \
        const long *where;                                                             \
                                                                                       \
        THArgCheck(dim < 0 || dim >= src->nDimension ||                                \
                       THLongTensor_nElement(index) == src->size[dim],                 \
                   4, "Number of indices should be equal to source:size(dim)");        \
        list = THTensor_(takeIndices)(tensor, dim, index, base);                       \
        if (!list)                                                                     \
            return;                                                                    \
        where = TH_DATA(list);                                                         \
        TH_TENSOR_DIM_APPLY2(                                                          \
            real, tensor, real, src, dim, for (long i = 0; i < src_size; i++) {        \
                real *const to = tensor_data + (where[i] - base) * tensor_stride;      \
                const real from = src_data[i * src_stride];                            \
                *to = result;                                                          \
            })                                                                         \
        THTensor_(carry)(tensor, 2, (THTensor *[]){tensor, src});                      \
        THLongTensor_free(list);                                                       \
    }

TH_INDEXED(indexCopyFrom, from)
TH_INDEXED(indexAddFrom, TH_SUM(*to, from))

void THTensor_(indexFillFrom)(THTensor *tensor, int dim, THLongTensor *index,
                              real value, int base)
{
    THLongTensor *const list = THTensor_(takeIndices)(tensor, dim, index, base);
    const long *where;

    if (!list)
        return;
    where = TH_DATA(list);
    TH_TENSOR_DIM_APPLY(real, tensor, dim,
                        for (long i = 0; i < list->size[0]; i++)
                            tensor_data[(where[i] - base) * tensor_stride] = value;)
    THLongTensor_free(list);
}

/* ---- element by element ---- */

/*
 * Whether `index` fits: `t` has dimension `dim` and the same rank, `peer`, which is
 * paired with the indices (NULL: none), is at least as long, and `t` has all indices.
 * Else an error, and false.
 */
static bool THTensor_(checkIndices)(const THTensor *t, const THTensor *peer, int dim,
                                    THLongTensor *index, int base, const char *what)
{
    THArgCheck(dim >= 0 && dim < t->nDimension, 3, "Index dimension is out of bounds");
    THArgCheck(index->nDimension == t->nDimension, 4,
               "Index tensor must have same dimensions as input tensor");
    THArgCheck(!peer || index->size[dim] <= peer->size[dim], 4,
               "Index tensor has more elements in dimension %d", dim + base);
    return are_indices(index, t->size[dim], base, what);
}

/* The indices, to be freed: a copy where they share memory with `t`, else retained. */
static THLongTensor *THTensor_(keepIndices)(const THTensor *t, THLongTensor *index)
{
    const bl_array written = TH_ARRAY(t), read = TH_ARRAY_OF(Long, index);

    if (th_may_overlap(&written, &read))
        return THLongTensor_newClone(index);
    THLongTensor_retain(index);
    return index;
}

void THTensor_(gatherFrom)(THTensor *tensor, THTensor *src, int dim,
                           THLongTensor *index, int base)
{
    THArgCheck(src->nDimension == tensor->nDimension, 2,
               "Input tensor must have same dimensions as output tensor");
    if (!THTensor_(checkIndices)(src, tensor, dim, index, base,
                                 "Invalid index in gather"))
        return;
    index = THTensor_(keepIndices)(tensor, index);
    TH_TENSOR_DIM_APPLY3(
        real, tensor, real, src, long, index, dim,
        for (long i = 0; i < index_size; i++) tensor_data[i * tensor_stride] =
            src_data[(index_data[i * index_stride] - base) * src_stride];)
    THTensor_(carry)(tensor, 1, &src);
    THLongTensor_free(index);
}

/* Define a write of each element of `src` to the element of `tensor` at its index. */
#define TH_SCATTERED(name, said, result)                                               \
    void THTensor_(name)(THTensor * tensor, int dim, THLongTensor *index,              \
                         THTensor *src, int base)                                      \
    {                                                                                  \
        THArgCheck(src->nDimension == tensor->nDimension, 4,                           \
                   "Input tensor must have same dimensions as output tensor");         \
        if (!THTensor_(checkIndices)(tensor, src, dim, index, base, said))             \
            return;                                                                    \
        index = THTensor_(keepIndices)(tensor, index);                                 \
        TH_TENSOR_DIM_APPLY3(                                                          \
            real, tensor, real, src, long, index, dim,                                 \
            for (long i = 0; i < index_size; i++) {                                    \
                real *const to = tensor_data + (index_data[i * index_stride] - base) * \
                                                   tensor_stride;                      \
                const real from = src_data[i * src_stride];                            \
                *to = result;                                                          \
            })                                                                         \
        THTensor_(carry)(tensor, 2, (THTensor *[]){tensor, src});                      \
        THLongTensor_free(index);                                                      \
    }

TH_SCATTERED(scatterFrom, "Invalid index in scatter", from)
TH_SCATTERED(scatterAddFrom, "Invalid index in scatterAdd", TH_SUM(*to, from))

void THTensor_(scatterFillFrom)(THTensor *tensor, int dim, THLongTensor *index,
                                real value, int base)
{
    if (!THTensor_(checkIndices)(tensor, NULL, dim, index, base,
                                 "Invalid index in scatter"))
        return;
    index = THTensor_(keepIndices)(tensor, index);
    TH_TENSOR_DIM_APPLY2(
        real, tensor, long, index, dim,
        for (long i = 0; i < index_size; i++)
            tensor_data[(index_data[i * index_stride] - base) * tensor_stride] = value;)
    THLongTensor_free(index);
}

/* ---- nonzero ---- */

void THTensor_(nonzero)(THLongTensor *subscript, THTensor *tensor)
{
    THLongTensor *const list = THLongTensor_new();
    const int dims = tensor->nDimension;
    long found = 0, number = 0;
    long *row;

    TH_TENSOR_APPLY(real, tensor, found += *tensor_data != 0;)
    THLongTensor_resize2d(list, found, dims);
    row = TH_DATA(list);
    TH_TENSOR_APPLY(
        real, tensor, if (*tensor_data != 0) {
            long rest = number;

            for (int d = dims - 1; d >= 0; d--) {
                row[d] = rest % tensor->size[d];
                rest /= tensor->size[d];
            }
            row += dims;
        } number++;)
    THLongTensor_resize2d(subscript, found, dims);
    THLongTensor_freeCopyTo(list, subscript);
}

#undef TH_SUM
#undef TH_INDEXED
#undef TH_SCATTERED
