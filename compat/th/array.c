/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of any type as arrays: their elements, and the memory that two of them share.
 */
#include "core.h"

bl_array th_array(bl_dtype dtype, int rank, const long *size, const long *stride,
                  void *data)
{
    static const int64_t none = 0;
    bl_array array = {data, dtype, rank, (const int64_t *)size, (const int64_t *)stride,
                      0};

    if (rank <= 0) {
        array.data = NULL;
        array.rank = 1;
        array.extent = array.stride = &none;
    }
    return array;
}

int64_t th_count(const bl_array *array)
{
    int64_t count = 1;

    for (int32_t d = 0; d < array->rank; d++)
        count *= array->extent[d];
    return count;
}

bool th_is_same(const bl_array *a, const bl_array *b)
{
    if (a->data != b->data || a->dtype != b->dtype || a->rank != b->rank)
        return false;
    for (int32_t d = 0; d < a->rank; d++)
        if (a->extent[d] != b->extent[d] ||
            (a->stride[d] != b->stride[d] && a->extent[d] != 1))
            return false;
    return true;
}

/*
 * The offset, in elements, of the last element along all dimensions of smaller strides
 * than d's, or of the same stride before d.
 */
static int64_t find_reach(const bl_array *array, int32_t d)
{
    int64_t reach = 0;

    for (int32_t e = 0; e < array->rank; e++)
        if (array->stride[e] < array->stride[d] ||
            (array->stride[e] == array->stride[d] && e < d))
            reach += (array->extent[e] - 1) * array->stride[e];
    return reach;
}

bool th_may_repeat(const bl_array *array)
{
    for (int32_t d = 0; d < array->rank; d++)
        if (array->extent[d] > 1 && array->stride[d] <= find_reach(array, d))
            return true;
    return false;
}

/* The addresses of the first and last byte of an array that is not empty. */
static void find_span(const bl_array *array, uintptr_t *first, uintptr_t *last)
{
    const int64_t size = (int64_t)bl_dtype_size(array->dtype);
    int64_t low = 0, high = 0;

    for (int32_t d = 0; d < array->rank; d++) {
        const int64_t reach = (array->extent[d] - 1) * array->stride[d];

        low += THMin(reach, 0);
        high += THMax(reach, 0);
    }
    *first = (uintptr_t)array->data + (uintptr_t)(low * size);
    *last = (uintptr_t)array->data + (uintptr_t)((high + 1) * size - 1);
}

bool th_may_overlap(const bl_array *a, const bl_array *b)
{
    uintptr_t first_a, last_a, first_b, last_b;

    if (th_count(a) == 0 || th_count(b) == 0)
        return false;
    find_span(a, &first_a, &last_a);
    find_span(b, &first_b, &last_b);
    return first_a <= last_b && first_b <= last_a;
}

void th_describe(int rank, const long *extent, const char *join, char *text,
                 size_t size)
{
    size_t used = (size_t)snprintf(text, size, "[");

    for (int d = 0; d < rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%ld", d ? join : "",
                                 extent[d]);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, "]");
    if (used >= size)
        snprintf(text + size - sizeof "...]", sizeof "...]", "...]");
}
