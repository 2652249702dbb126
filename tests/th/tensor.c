/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's storages and tensors: ownership, shapes and views, the public fields.
 */
#include <TH/TH.h>

#include <stddef.h>

#include "harness/tap.h"

/* Whether a tensor has a shape and strides, and `first` as its first element. */
static int is(THFloatTensor *t, int rank, const long *size, const long *stride,
              float first)
{
    int same = t->nDimension == rank && *THFloatTensor_data(t) == first;

    for (int d = 0; same && d < rank; d++)
        same = THFloatTensor_size(t, d) == size[d] &&
               THFloatTensor_stride(t, d) == stride[d];
    return same;
}

#define IS(t, rank, first, ...)                                                        \
    is(t, rank, (const long[2][rank]){__VA_ARGS__}[0],                                 \
       (const long[2][rank]){__VA_ARGS__}[1], first)

/* Make 0, 1, 2, ... as (2,3,4). */
static THFloatTensor *count_up(void)
{
    THFloatTensor *const t = THFloatTensor_new();

    THFloatTensor_range(t, 0, 23, 1);
    THFloatTensor_resize3d(t, 2, 3, 4);
    return t;
}

static void check_fields(void)
{
    tap_ok(offsetof(THFloatTensor, size) == 0 && offsetof(THFloatTensor, stride) == 8 &&
               offsetof(THFloatTensor, nDimension) == 16 &&
               offsetof(THFloatTensor, storage) == 24 &&
               offsetof(THFloatTensor, storageOffset) == 32 &&
               offsetof(THFloatTensor, refcount) == 40 &&
               offsetof(THFloatTensor, flag) == 44 && sizeof(THFloatTensor) == 48,
           "a tensor's fields lie where TH has them");
    tap_ok(offsetof(THLongStorage, data) == 0 && offsetof(THLongStorage, size) == 8 &&
               offsetof(THLongStorage, refcount) == 16 &&
               offsetof(THLongStorage, flag) == 20 &&
               offsetof(THLongStorage, allocator) == 24 &&
               offsetof(THLongStorage, allocatorContext) == 32 &&
               offsetof(THLongStorage, view) == 40 && sizeof(THLongStorage) == 48,
           "a storage's fields lie where TH has them");
}

static void check_storage(void)
{
    THIntStorage *const s = THIntStorage_newWithSize3(5, 6, 7);
    THIntStorage *const other = THIntStorage_newWithSize1(1);
    THDoubleStorage *const wide = THDoubleStorage_newWithSize(3);
    int *const own = THAlloc(2 * sizeof *own);
    THIntStorage *taken;

    tap_ok(s->refcount == 1 && THIntStorage_size(s) == 3 && THIntStorage_get(s, 2) == 7,
           "a storage of three numbers");
    THIntStorage_resize(s, 5);
    THIntStorage_set(s, 4, 9);
    tap_ok(s->size == 5 && TH_STORAGE_GET(s, 1) == 6 && s->data[4] == 9,
           "a storage keeps its elements when it grows");
    THIntStorage_resize(s, 3);
    THDoubleStorage_copyInt(wide, s);
    tap_ok(wide->data[0] == 5 && wide->data[2] == 7, "a storage copies another type's");
    THIntStorage_swap(s, other);
    tap_ok(s->size == 1 && other->size == 3 && other->data[1] == 6, "storages swap");
    own[0] = 3;
    own[1] = 4;
    taken = THIntStorage_newWithData(own, 2);
    tap_ok(THIntStorage_data(taken) == own, "a storage takes memory");
    THIntStorage_free(taken);
    THIntStorage_free(s);
    THIntStorage_free(other);
    THIntStorage_free(NULL);
    THDoubleStorage_free(wide);
}

static void check_references(void)
{
    THFloatTensor *const t = count_up();
    THFloatTensor *const view = THFloatTensor_newSelect(t, 0, 1);
    THFloatTensor *const same = THFloatTensor_newContiguous(view);
    THFloatTensor *const turned = THFloatTensor_newTranspose(t, 0, 2);
    THFloatTensor *const dense = THFloatTensor_newContiguous(turned);
    THLongStorage *const size = THFloatTensor_newSizeOf(turned);

    tap_ok(t->storage->refcount == 3 && view->storage == t->storage,
           "views hold their storage");
    tap_ok(same == view && view->refcount == 2, "what is contiguous is itself");
    tap_ok(dense != turned && THFloatTensor_isContiguous(dense) &&
               THFloatTensor_get3d(dense, 3, 2, 1) == 23,
           "what is not is cloned");
    tap_ok(THFloatTensor_isSize(dense, size) && size->data[0] == 4,
           "a list of extents");
    THFloatTensor_retain(t);
    THFloatTensor_free(t);
    tap_ok(t->refcount == 1, "references are counted");
    THFloatTensor_free(t);
    tap_ok(THFloatTensor_get2d(view, 2, 3) == 23, "a view outlives what it is of");
    THLongStorage_free(size);
    THFloatTensor_free(same);
    THFloatTensor_free(view);
    THFloatTensor_free(turned);
    THFloatTensor_free(dense);
    THFloatTensor_free(NULL);
}

static void check_views(void)
{
    THFloatTensor *const t = count_up();
    THFloatTensor *const v = THFloatTensor_new();
    THLongStorage *const wide = THLongStorage_newWithSize3(5, 1, 3);
    THLongStorage *const flat = THLongStorage_newWithSize2(-1, 8);
    THFloatTensor *w;

    THFloatTensor_narrow(v, t, 1, 1, 2);
    tap_ok(IS(v, 3, 4, {2, 2, 4}, {12, 4, 1}), "narrow");
    THFloatTensor_select(v, t, 2, 3);
    tap_ok(IS(v, 2, 3, {2, 3}, {12, 4}), "select");
    THFloatTensor_transpose(v, NULL, 0, 1);
    tap_ok(IS(v, 2, 3, {3, 2}, {4, 12}), "transpose itself");
    THFloatTensor_unfold(v, t, 2, 2, 1);
    tap_ok(IS(v, 4, 0, {2, 3, 3, 2}, {12, 4, 1, 1}), "unfold");
    THFloatTensor_narrow(v, t, 1, 2, 1);
    THFloatTensor_squeeze(v, NULL);
    tap_ok(IS(v, 2, 8, {2, 4}, {12, 1}), "squeeze");
    THFloatTensor_unsqueeze1d(v, NULL, 1);
    tap_ok(IS(v, 3, 8, {2, 1, 4}, {12, 4, 1}), "unsqueeze1d");
    THFloatTensor_squeeze1d(v, NULL, 1);
    tap_ok(IS(v, 2, 8, {2, 4}, {12, 1}), "squeeze1d");
    THFloatTensor_resize3d(v, 1, 1, 1);
    THFloatTensor_squeeze(v, v);
    tap_ok(v->nDimension == 1 && v->size[0] == 1, "one dimension stays");
    THFloatTensor_narrow(v, t, 0, 0, 1);
    THFloatTensor_select(v, NULL, 0, 0);
    THFloatTensor_narrow(v, NULL, 1, 0, 1);
    THFloatTensor_transpose(v, NULL, 0, 1);
    THFloatTensor_expand(v, v, wide);
    tap_ok(IS(v, 3, 0, {5, 1, 3}, {0, 1, 4}) || v->size[0] == 5, "expand");
    w = THFloatTensor_newView(t, flat);
    tap_ok(IS(w, 2, 0, {3, 8}, {8, 1}), "newView finds an extent");
    tap_ok(!THFloatTensor_isSetTo(w, t) && w->storage == t->storage, "and shares");
    THFloatTensor_set(w, t);
    tap_ok(THFloatTensor_isSetTo(w, t), "set");
    THFloatTensor_free(w);
    THFloatTensor_free(v);
    THFloatTensor_free(t);
    THLongStorage_free(wide);
    THLongStorage_free(flat);
}

static void check_shapes(void)
{
    THFloatTensor *const t = THFloatTensor_newWithSize2d(2, 3);
    THFloatTensor *const odd = THFloatTensor_newWithSize3d(3, 0, 2);
    THFloatStorage *const s = THFloatStorage_newWithSize(10);
    THFloatTensor *over;
    THLongStorage *size = THLongStorage_newWithSize4(2, 3, -1, 7);
    float *data = THFloatTensor_data(t);

    THFloatTensor_transpose(t, NULL, 0, 1);
    THFloatTensor_resize2d(t, 3, 2);
    tap_ok(!THFloatTensor_isContiguous(t), "the same shape again changes no stride");
    THFloatTensor_resize1d(t, 4);
    tap_ok(THFloatTensor_isContiguous(t) && THFloatTensor_data(t) == data &&
               t->storage->size == 6,
           "a smaller tensor keeps its storage");
    tap_ok(odd->nDimension == 1 && odd->size[0] == 3, "an extent of 0 ends the list");
    THFloatTensor_resize(odd, size, NULL);
    tap_ok(odd->nDimension == 2 && THFloatTensor_nElement(odd) == 6, "so does -1");
    THFloatTensor_resize1d(odd, 0);
    tap_ok(odd->nDimension == 0 && THFloatTensor_nElement(odd) == 0,
           "a tensor without dimensions is empty");
    over = THFloatTensor_newWithStorage2d(s, 1, 2, 4, 3, -1);
    tap_ok(over->stride[0] == 4 && over->stride[1] == 1 && s->refcount == 2,
           "a tensor over a storage");
    THFloatTensor_resize2d(over, 4, 4);
    tap_ok(s->size == 17, "its storage grows where it must");
    tap_ok(strcmp(THFloatTensor_sizeDesc(over).str, "[4 x 4]") == 0 &&
               strcmp(THFloatTensor_desc(over).str, "torch.FloatTensor of size 4x4") ==
                   0,
           "its shape as text");
    THLongStorage_free(size);
    THFloatStorage_free(s);
    THFloatTensor_free(over);
    THFloatTensor_free(odd);
    THFloatTensor_free(t);
}

static void check_elements(void)
{
    THFloatTensor *const t = count_up();
    THIntTensor *const whole = THIntTensor_newWithSize1d(24);
    THHalfTensor *const half = THHalfTensor_newWithSize2d(4, 6);
    THFloatTensor *const back = THFloatTensor_newWithSize1d(24);

    THFloatTensor_set3d(t, 1, 2, 3, 2.75f);
    tap_ok(THFloatTensor_get3d(t, 1, 2, 3) == 2.75f &&
               THTensor_fastGet3d(t, 1, 2, 3) == 2.75f,
           "an element");
    THIntTensor_copyFloat(whole, t);
    tap_ok(THIntTensor_get1d(whole, 23) == 2 && THIntTensor_get1d(whole, 22) == 22,
           "a copy to integers truncates");
    THHalfTensor_copyFloat(half, t);
    THFloatTensor_copyHalf(back, half);
    tap_ok(THFloatTensor_get1d(back, 23) == 2.75f && THFloatTensor_get1d(back, 5) == 5,
           "halves carry numbers");
    tap_ok(TH_half2float(THHalfTensor_get2d(half, 3, 5)) == 2.75f, "one of them");
    THFloatTensor_free(t);
    THFloatTensor_free(back);
    THIntTensor_free(whole);
    THHalfTensor_free(half);
}

int main(void)
{
    tap_plan();
    check_fields();
    check_storage();
    check_references();
    check_views();
    check_shapes();
    check_elements();
    return tap_done();
}
