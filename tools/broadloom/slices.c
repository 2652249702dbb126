/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the slices of a plan; memory is sliced as a plan over its bytes.
 */
#include "slices.h"

#include <stdlib.h>

/* Threads that bl_plan_partition() takes at most. */
#define MOST_THREADS 4096

bl_status slices_make(const bl_plan *plan, int32_t threads, struct slices *out)
{
    struct slices slices = {0};
    int32_t count;
    bl_status status;

    TRY(bl_plan_partition(plan, threads, 0, NULL, &count));
    slices.slice = calloc((size_t)count + 1, sizeof *slices.slice);
    if (!slices.slice)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d slices", (int)count);
    status = bl_plan_partition(plan, threads, count, slices.slice, &slices.count);
    if (status != BL_OK) {
        slices_free(&slices);
        return status;
    }
    *out = slices;
    return BL_OK;
}

void slices_free(struct slices *slices)
{
    free(slices->slice);
    *slices = (struct slices){0};
}

static int by_address(const void *a, const void *b)
{
    const int64_t first = ((const bl_slice *)a)->range.begin;
    const int64_t second = ((const bl_slice *)b)->range.begin;

    return (first > second) - (first < second);
}

bl_status slices_of_nodes(const bl_plan *plan, struct slices *out)
{
    bl_topology_info machine = {.size = sizeof machine};
    struct slices slices;
    int32_t count = 0, processors;

    TRY(bl_topology_query(NULL, &machine));
    processors = machine.processors < MOST_THREADS ? machine.processors : MOST_THREADS;
    /* With a thread for each processor, every node works on its own range alone. */
    TRY(slices_make(plan, processors, &slices));
    qsort(slices.slice, (size_t)slices.count, sizeof *slices.slice, by_address);
    for (int32_t i = 0; i < slices.count; i++) {
        if (count > 0 && slices.slice[count - 1].node == slices.slice[i].node)
            slices.slice[count - 1].range.end = slices.slice[i].range.end;
        else
            slices.slice[count++] = slices.slice[i];
    }
    slices.count = count;
    *out = slices;
    return BL_OK;
}

bl_status slices_of_memory(int64_t bytes, int32_t threads, struct slices *out)
{
    const bl_array array = {NULL, BL_DTYPE_U8, 1, &bytes, NULL, 0};
    const bl_array *const in[] = {&array};
    bl_plan *plan;
    bl_status status;

    TRY(bl_plan_create(NULL, BL_OP_COPY, NULL, 1, in, NULL, &plan));
    status = slices_make(plan, threads, out);
    bl_plan_destroy(plan);
    if (status == BL_OK)
        qsort(out->slice, (size_t)out->count, sizeof *out->slice, by_address);
    return status;
}

int32_t slices_node(const struct slices *slices, int64_t at)
{
    int32_t low = 0, high = slices->count - 1;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (at < slices->slice[middle].range.end)
            high = middle;
        else
            low = middle + 1;
    }
    return slices->count ? slices->slice[low].node : 0;
}
