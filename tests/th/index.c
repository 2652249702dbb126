/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access to elements of TH's tensors by index, vectors in plain memory, and lists of
 * extents, as lookup modules and extensions use them.
 */
#include "th/kit.h"

/* Make 0, 1, 2 ... in rows. */
static THFloatTensor *matrix(long rows, long columns)
{
    THFloatTensor *const t = THFloatTensor_new();

    THFloatTensor_range(t, 0, (double)(rows * columns - 1), 1);
    THFloatTensor_resize2d(t, rows, columns);
    return t;
}

/* Make a list of TH's indices from indices that count from 0. */
static THLongTensor *indices(int count, const long *from_zero)
{
    THLongTensor *const list = THLongTensor_newWithSize1d(count);

    for (int i = 0; i < count; i++)
        THLongTensor_set1d(list, i, from_zero[i] + TH_INDEX_BASE);
    return list;
}

#define INDICES(...)                                                                   \
    indices(sizeof((long[]){__VA_ARGS__}) / sizeof(long), (const long[]){__VA_ARGS__})

static int holds(THFloatTensor *t, const float *want)
{
    int same = 1;

    TH_TENSOR_APPLY(float, t, same = same && *t_data == *want; want++;)
    return same;
}

#define HOLDS(t, ...) holds(t, (const float[]){__VA_ARGS__})

static void check_lists(void)
{
    THFloatTensor *const t = matrix(3, 4), *const r = THFloatTensor_new();
    THFloatTensor *const turned = THFloatTensor_newTranspose(t, 0, 1);
    THFloatTensor *const rows = matrix(2, 4);
    THLongTensor *const two = INDICES(2, 0), *const bad = INDICES(0, 3);

    THFloatTensor_indexSelect(r, t, 0, two);
    tap_ok(r->size[0] == 2 && HOLDS(r, 8, 9, 10, 11, 0, 1, 2, 3), "rows by a list");
    THFloatTensor_indexSelect(r, turned, 0, two);
    tap_ok(r->size[1] == 3 && HOLDS(r, 2, 6, 10, 0, 4, 8), "of what is transposed");
    THFloatTensor_indexCopy(t, 0, two, rows);
    tap_ok(HOLDS(t, 4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 2, 3), "rows copied to a list");
    THFloatTensor_indexAdd(t, 0, two, rows);
    tap_ok(HOLDS(t, 8, 10, 12, 14, 4, 5, 6, 7, 0, 2, 4, 6), "and added");
    THFloatTensor_indexFill(t, 1, two, -1);
    tap_ok(HOLDS(t, -1, 10, -1, 14, -1, 5, -1, 7, -1, 2, -1, 6), "columns filled");
    REFUSED_AS(THFloatTensor_indexSelect(r, t, 0, bad), "0: index out of range",
               "no such index");
    REFUSED_AS(THFloatTensor_indexFill(t, 0, bad, 5), "0: index out of range",
               "nor to be filled");
    tap_ok(THFloatTensor_get2d(t, 0, 1) == 10, "which fills nothing");
    REFUSED_AS(THFloatTensor_indexSelect(r, t, 2, two), "4: Indexing dim",
               "no such dim");
    THFloatTensor_free(t);
    THFloatTensor_free(r);
    THFloatTensor_free(turned);
    THFloatTensor_free(rows);
    THLongTensor_free(two);
    THLongTensor_free(bad);
}

/* Indices that are overwritten by the result are read before. */
static void check_written_indices(void)
{
    THLongTensor *const t = INDICES(1, 2, 0), *const s = INDICES(1000, 2000, 3000);
    THLongTensor *const ones = INDICES(1, 1, 1);
    THLongTensor *list;

    THLongTensor_indexCopy(t, 0, t, s);
    tap_ok(THLongTensor_get1d(t, 0) == 3000 + TH_INDEX_BASE &&
               THLongTensor_get1d(t, 1) == 1000 + TH_INDEX_BASE &&
               THLongTensor_get1d(t, 2) == 2000 + TH_INDEX_BASE,
           "a list that is copied to by itself");
    list = INDICES(1, 2, 0);
    THLongTensor_scatter(list, 0, list, s);
    tap_ok(THLongTensor_equal(list, t), "elements scattered over their indices");
    THLongTensor_free(list);
    list = INDICES(2, 0, 1);
    THLongTensor_indexFill(list, 0, list, 500);
    tap_ok(THLongTensor_minall(list) == 500 && THLongTensor_maxall(list) == 500,
           "a list that is filled by itself");
    THLongTensor_nonzero(ones, ones);
    tap_ok(THLongTensor_nElement(ones) == 3 && ones->nDimension == 2,
           "subscripts over what they are of");
    THLongTensor_free(list);
    THLongTensor_free(ones);
    THLongTensor_free(t);
    THLongTensor_free(s);
}

static void check_elements(void)
{
    THFloatTensor *const t = matrix(2, 3), *const r = THFloatTensor_newWithSize2d(2, 2);
    THLongTensor *const at = INDICES(2, 0, 1, 1), *const found = THLongTensor_new();

    THLongTensor_resize2d(at, 2, 2);
    THFloatTensor_gather(r, t, 1, at);
    tap_ok(HOLDS(r, 2, 0, 4, 4), "elements gathered along rows");
    THFloatTensor_scatter(t, 1, at, r);
    tap_ok(HOLDS(t, 0, 1, 2, 3, 4, 5), "and scattered back");
    THFloatTensor_scatterAdd(t, 1, at, r);
    tap_ok(HOLDS(t, 0, 1, 4, 3, 12, 5), "added, in sequence");
    THFloatTensor_scatterFill(t, 1, at, 0);
    tap_ok(HOLDS(t, 0, 1, 0, 3, 0, 5), "filled");
    THFloatTensor_nonzero(found, t);
    tap_ok(found->size[0] == 3 && found->size[1] == 2 &&
               THLongTensor_get2d(found, 0, 1) == 1 &&
               THLongTensor_get2d(found, 2, 0) == 1 &&
               THLongTensor_get2d(found, 2, 1) == 2,
           "what is not 0, from 0 on");
    THLongTensor_fill(at, 3 + TH_INDEX_BASE);
    REFUSED_AS(THFloatTensor_gather(r, t, 1, at), "0: Invalid index in gather",
               "gather of no such index");
    THLongTensor_resize2d(at, 2, 3);
    THLongTensor_fill(at, TH_INDEX_BASE);
    REFUSED_AS(THFloatTensor_gather(r, t, 1, at), "4: Index tensor has more",
               "of more than there is room for");
    REFUSED_AS(THFloatTensor_scatter(t, 1, at, r), "4: Index tensor has more",
               "scatter of more than there is");
    THFloatTensor_free(t);
    THFloatTensor_free(r);
    THLongTensor_free(at);
    THLongTensor_free(found);
}

/* Indices of programs with another TH_INDEX_BASE than the library's. */
static void check_base(void)
{
    THFloatTensor *const t = matrix(3, 4), *const r = THFloatTensor_new();
    THLongTensor *const list = THLongTensor_newWithSize1d(2);
    THLongTensor *const at = THLongTensor_newWithSize2d(3, 1);
    THFloatTensor *const column = THFloatTensor_newWithSize2d(3, 1);

    THLongTensor_set1d(list, 0, 2);
    THLongTensor_set1d(list, 1, 0);
    REFUSED_AS(THFloatTensor_indexSelectFrom(r, t, 0, list, 1),
               "0: index out of range: 0 is not one of 1 to 3; TH_INDEX_BASE is 1, "
               "programs for PyTorch are compiled with -DTH_INDEX_BASE=0 at ",
               "index 0 where indices count from 1");
    THLongTensor_set1d(list, 1, 3);
    REFUSED_AS(THFloatTensor_indexFillFrom(t, 0, list, 1, 0),
               "0: index out of range: 3 is not one of 0 to 2; TH_INDEX_BASE is 0, "
               "programs for Torch7 are compiled with -DTH_INDEX_BASE=1 at ",
               "the number of elements where they count from 0");
    THLongTensor_set1d(list, 1, 4);
    REFUSED_AS(THFloatTensor_indexFillFrom(t, 0, list, 1, 0),
               "0: index out of range: 4 is not one of 0 to 2 at ", "neither");
    THLongTensor_zero(at);
    REFUSED_AS(THFloatTensor_gatherFrom(column, t, 1, at, 1),
               "0: Invalid index in gather: 0 is not one of 1 to 4; TH_INDEX_BASE is 1",
               "index 0 of gather");
    REFUSED_AS(THFloatTensor_scatterAddFrom(t, 1, at, column, 1),
               "0: Invalid index in scatterAdd: 0 is not one of 1 to 4; TH_INDEX_BASE",
               "and of scatterAdd");
    THFloatTensor_free(t);
    THFloatTensor_free(r);
    THLongTensor_free(list);
    THLongTensor_free(at);
    THFloatTensor_free(column);
}

static void check_memory(void)
{
    float x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 1, 1};
    int whole[] = {1, 2, 3};

    THFloatBlas_axpy(3, 2, x, 2, y, 1);
    tap_ok(y[0] == 3 && y[1] == 7 && y[2] == 11, "axpy of every other element");
    tap_ok(THFloatBlas_dot(3, x, 1, y, 1) == 50, "dot");
    THFloatBlas_copy(2, x + 4, 1, y, 2);
    tap_ok(y[0] == 5 && y[1] == 7 && y[2] == 6, "copy");
    THFloatBlas_swap(1, x, 1, y, 1);
    tap_ok(x[0] == 5 && y[0] == 1, "swap");
    y[1] = NAN;
    THFloatBlas_scal(3, 0, y, 1);
    tap_ok(y[1] == 0, "scal by 0 is 0");
    tap_ok(THIntBlas_dot(3, whole, 1, whole, 1) == 14, "of integers");
}

static void check_extents(void)
{
    THLongStorage *const size = THLongStorage_newWithSize2(-1, 3);
    THLongStorage *const odd = THLongStorage_newWithSize2(5, 3);
    THLongStorage *const known = THLongStorage_newInferSize(size, 12);
    THFloatTensor *const t = matrix(3, 4), *const view = THFloatTensor_newView(t, size);

    tap_ok(known->data[0] == 4 && known->data[1] == 3, "an extent that is inferred");
    tap_ok(strcmp(THLongStorage_sizeDesc(known).str, "[4 x 3]") == 0,
           "extents as text");
    tap_ok(strcmp(_THSizeDesc(t->size, t->nDimension).str, "[3 x 4]") == 0,
           "those of a tensor");
    tap_ok(view->size[0] == 4 && view->storage == t->storage, "a view of such extents");
    REFUSED_AS(THFloatTensor_newView(t, odd),
               "2: size '[5 x 3]' is invalid for input with 12 elements",
               "of another number of elements");
    THFloatTensor_free(view);
    THFloatTensor_free(t);
    THLongStorage_free(size);
    THLongStorage_free(odd);
    THLongStorage_free(known);
}

static void check_draws(void)
{
    THGenerator *const generator = THGenerator_new();
    THFloatTensor *const means = matrix(40, 50), *const r = THFloatTensor_new();
    THFloatTensor *const none = THFloatTensor_newWithSize2d(40, 50);

    THRandom_manualSeed(generator, 3);
    THFloatTensor_zero(none);
    THFloatTensor_normal_means(r, generator, means, 2);
    tap_ok(fabs(THFloatTensor_meanall(r) - 999.5) < 0.3, "a mean for each element");
    THFloatTensor_normal_means_stddevs(r, generator, means, none);
    tap_ok(THFloatTensor_equal(r, means), "and a deviation");
    THFloatTensor_normal_stddevs(r, generator, 5, none);
    tap_ok(THFloatTensor_minall(r) == 5 && THFloatTensor_maxall(r) == 5,
           "deviations of none");
    THFloatTensor_logNormal(r, generator, 0, 0.5);
    THFloatTensor_log(r, r);
    tap_ok(fabs(THFloatTensor_meanall(r)) < 0.05 &&
               fabs(THFloatTensor_stdall(r, 0) - 0.5) < 0.05,
           "logarithms that are normal");
    THGenerator_free(generator);
    THFloatTensor_free(means);
    THFloatTensor_free(none);
    THFloatTensor_free(r);
}

int main(void)
{
    handle_errors();
    tap_plan();
    check_lists();
    check_written_indices();
    check_elements();
    check_base();
    check_memory();
    check_extents();
    check_draws();
    return tap_done();
}
