/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order along a dimension of tensors of one type.  All of it is by one sort, which is
 * stable: of equal elements the first comes first.  NaN counts as the largest.
 */

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_IS_NAN(x) isnan(x)
#else
#define TH_IS_NAN(x) false
#endif

static inline bool THTensor_(precedes)(real a, real b, bool is_descending)
{
    if (TH_IS_NAN(a) || TH_IS_NAN(b))
        return is_descending ? !TH_IS_NAN(b) : !TH_IS_NAN(a);
    return is_descending ? a > b : a < b;
}

/* A line of elements and their indices. */
struct THTensor_(line)
{
    char *value, *index;
    int64_t value_step, index_step; /* in bytes */
};

#define TH_VALUE(line, i) (*(real *)((line)->value + (i) * (line)->value_step))
#define TH_INDEX(line, i) (*(long *)((line)->index + (i) * (line)->index_step))

/* Merge two sorted runs, [low, middle) and [middle, high), into another line. */
static void THTensor_(merge)(const struct THTensor_(line) * from,
                             const struct THTensor_(line) * to, int64_t low,
                             int64_t middle, int64_t high, bool is_descending)
{
    int64_t left = low, right = middle;

    for (int64_t i = low; i < high; i++) {
        const bool is_right =
            left == middle ||
            (right < high && THTensor_(precedes)(TH_VALUE(from, right),
                                                 TH_VALUE(from, left), is_descending));
        const int64_t taken = is_right ? right++ : left++;

        TH_VALUE(to, i) = TH_VALUE(from, taken);
        TH_INDEX(to, i) = TH_INDEX(from, taken);
    }
}

/* at[0] sorted to at[1] and its indices to at[2], with at[3] and at[4] to work in. */
static void THTensor_(sortKernel)(const void *user, int64_t count, char *const *at,
                                  const int64_t *step)
{
    const struct THTensor_(line) result = {at[1], at[2], step[1], step[2]};
    const struct THTensor_(line) other = {at[3], at[4], step[3], step[4]};
    const struct THTensor_(line) *from = &result, *to;
    const bool is_descending = *(const bool *)user;
    int64_t run;

    for (run = 1; run < count; run *= 2)
        from = from == &result ? &other : &result;
    to = from == &result ? &other : &result;
    for (int64_t i = 0; i < count; i++) {
        TH_VALUE(from, i) = *(const real *)(at[0] + i * step[0]);
        TH_INDEX(from, i) = i;
    }
    for (run = 1; run < count; run *= 2) {
        const struct THTensor_(line) *const merged = to;

        for (int64_t low = 0; low < count; low += 2 * run)
            THTensor_(merge)(from, to, low, THMin(low + run, count),
                             THMin(low + 2 * run, count), is_descending);
        to = from;
        from = merged;
    }
}

/* The elements of t sorted along a dimension, and their indices: new tensors. */
static void THTensor_(newSorted)(THTensor *t, int dim, bool is_descending,
                                 THTensor **values, THLongTensor **indices)
{
    THLongStorage *const size = THTensor_(newSizeOf)(t);
    THTensor *const other = THTensor_(newWithSize)(size, NULL);
    THLongTensor *const other_indices = THLongTensor_newWithSize(size, NULL);

    *values = THTensor_(newWithSize)(size, NULL);
    *indices = THLongTensor_newWithSize(size, NULL);
    {
        const bl_array in = TH_ARRAY(t), value = TH_ARRAY(*values);
        const bl_array index = TH_ARRAY_OF(Long, *indices), work = TH_ARRAY(other);
        const bl_array work_index = TH_ARRAY_OF(Long, other_indices);
        const bl_array *const all[] = {&in, &value, &index, &work, &work_index};

        th_lines(5, all, dim, THTensor_(sortKernel), &is_descending);
        th_carry(&value, 1, all);
        th_carry(&index, 1, all);
    }
    THLongTensor_free(other_indices);
    THTensor_(free)(other);
    THLongStorage_free(size);
}

/*
 * Give the results `count` elements from `first` on along a dimension, which is removed
 * where `keepdim` is 0 unless it is the only one, and free the tensors they are of.
 */
static void THTensor_(giveSorted)(THTensor *values_, THLongTensor *indices_,
                                  THTensor *values, THLongTensor *indices, int dim,
                                  long first, long count, int keepdim)
{
    THTensor_(narrow)(values, values, dim, first, count);
    THLongTensor_narrow(indices, indices, dim, first, count);
    THTensor_(give)(values, values_);
    THLongTensor_give(indices, indices_);
    if (keepdim)
        return;
    THTensor_(squeeze1d)(values_, values_, dim);
    THLongTensor_squeeze1d(indices_, indices_, dim);
}

void THTensor_(sort)(THTensor *rt_, THLongTensor *ri_, THTensor *t, int dimension,
                     int descendingOrder)
{
    THTensor *values;
    THLongTensor *indices;

    THArgCheck(dimension >= 0 && dimension < t->nDimension, 2, "invalid dimension %d",
               dimension + TH_INDEX_BASE);
    THTensor_(newSorted)(t, dimension, descendingOrder != 0, &values, &indices);
    THTensor_(giveSorted)(rt_, ri_, values, indices, dimension, 0, t->size[dimension],
                          1);
}

void THTensor_(topk)(THTensor *rt_, THLongTensor *ri_, THTensor *t, long k, int dim,
                     int dir, int sorted)
{
    THTensor *values;
    THLongTensor *indices;

    (void)sorted; /* sorted elements are in some order too */
    THArgCheck(dim >= 0 && dim < t->nDimension, 3, "dim not in range");
    THArgCheck(k > 0 && k <= t->size[dim], 2, "k not in range for dimension");
    THTensor_(newSorted)(t, dim, dir != 0, &values, &indices);
    THTensor_(giveSorted)(rt_, ri_, values, indices, dim, 0, k, 1);
}

void THTensor_(kthvalueAlong)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                              long k, int dim, int keepdim)
{
    THTensor *values;
    THLongTensor *indices;

    THArgCheck(dim >= 0 && dim < t->nDimension, 3, "dimension out of range");
    THArgCheck(k > 0 && k <= t->size[dim], 2, "selected index out of range");
    THTensor_(newSorted)(t, dim, false, &values, &indices);
    THTensor_(giveSorted)(values_, indices_, values, indices, dim, k - 1, 1, keepdim);
}

void THTensor_(medianAlong)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                            int dim, int keepdim)
{
    THArgCheck(dim >= 0 && dim < t->nDimension, 3, "dimension out of range");
    THTensor_(kthvalueAlong)(values_, indices_, t, (t->size[dim] - 1) / 2 + 1, dim,
                             keepdim);
}

real THTensor_(medianall)(THTensor *t)
{
    THTensor *const list = THTensor_(newClone)(t), *const value = THTensor_(new)();
    THLongTensor *const index = THLongTensor_new();
    real median;

    THArgCheck(t->nDimension > 0, 1, "tensor must have one dimension");
    THTensor_(resize1d)(list, THTensor_(nElement)(t));
    THTensor_(medianAlong)(value, index, list, 0, 1);
    TH_READ_TENSOR(BL_SHADOW_ITEM, t);
    median = *TH_DATA(value);
    THLongTensor_free(index);
    THTensor_(free)(value);
    THTensor_(free)(list);
    return median;
}

/* at[2] = the element that is most often in the sorted line at[0], at[3] its index. */
static void THTensor_(modeKernel)(const void *user, int64_t count, char *const *at,
                                  const int64_t *step)
{
    const struct THTensor_(line) sorted = {at[0], at[1], step[0], step[1]};
    int64_t begin = 0, most = 0;

    (void)user;
    for (int64_t i = 0; i < count; i++) {
        if (i + 1 < count && TH_VALUE(&sorted, i + 1) == TH_VALUE(&sorted, i))
            continue;
        if (i + 1 - begin > most) {
            most = i + 1 - begin;
            *(real *)at[2] = TH_VALUE(&sorted, i);
            *(long *)at[3] = TH_INDEX(&sorted, i);
        }
        begin = i + 1;
    }
}

void THTensor_(modeAlong)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                          int dim, int keepdim)
{
    THTensor *values, *found;
    THLongTensor *indices, *found_at;
    THLongStorage *size;

    THArgCheck(dim >= 0 && dim < t->nDimension, 3, "dimension out of range");
    THTensor_(newSorted)(t, dim, false, &values, &indices);
    size = THTensor_(newSizeOf)(t);
    size->data[dim] = 1;
    found = THTensor_(newWithSize)(size, NULL);
    found_at = THLongTensor_newWithSize(size, NULL);
    {
        const bl_array sorted = TH_ARRAY(values), at = TH_ARRAY_OF(Long, indices);
        const bl_array value = TH_ARRAY(found), where = TH_ARRAY_OF(Long, found_at);
        const bl_array *const all[] = {&sorted, &at, &value, &where};

        th_lines(4, all, dim, THTensor_(modeKernel), NULL);
        th_carry(&value, 1, all);
        th_carry(&where, 1, all);
    }
    THLongStorage_free(size);
    THLongTensor_free(indices);
    THTensor_(free)(values);
    THTensor_(giveSorted)(values_, indices_, found, found_at, dim, 0, 1, keepdim);
}

#undef TH_VALUE
#undef TH_INDEX
#undef TH_IS_NAN
