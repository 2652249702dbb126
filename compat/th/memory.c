/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory: allocation, the handler that a lack of it calls, the default allocator.
 */
#include "core.h"

/* Larger blocks are aligned to a cache line of L1, as in TH. */
enum { ALIGNMENT = 64, ALIGNED_FROM = 5120 };

static _Thread_local void (*collect_garbage)(void *data);
static _Thread_local void *garbage;

void THSetGCHandler(void (*collect)(void *data), void *data)
{
    collect_garbage = collect;
    garbage = data;
}

void THHeapUpdate(ptrdiff_t size)
{
    (void)size;
}

/* Allocate `size` bytes; NULL without memory. */
static void *allocate(size_t size)
{
    void *memory = NULL;

    if (size <= ALIGNED_FROM)
        return malloc(size);
    return posix_memalign(&memory, ALIGNMENT, size) == 0 ? memory : NULL;
}

void *THAlloc(ptrdiff_t size)
{
    void *memory;

    if (size < 0) {
        THError("$ Torch: invalid memory size -- maybe an overflow?");
        return NULL;
    }
    if (size == 0)
        return NULL;
    memory = allocate((size_t)size);
    if (!memory && collect_garbage) {
        collect_garbage(garbage);
        memory = allocate((size_t)size);
    }
    if (!memory)
        THError("$ Torch: not enough memory: you tried to allocate %dGB. Buy new RAM!",
                (int)(size / 1073741824));
    return memory;
}

void *THRealloc(void *ptr, ptrdiff_t size)
{
    void *memory;

    if (!ptr)
        return THAlloc(size);
    if (size == 0) {
        THFree(ptr);
        return NULL;
    }
    if (size < 0) {
        THError("$ Torch: invalid memory size -- maybe an overflow?");
        return NULL;
    }
    memory = realloc(ptr, (size_t)size);
    if (!memory && collect_garbage) {
        collect_garbage(garbage);
        memory = realloc(ptr, (size_t)size);
    }
    if (!memory)
        THError(
            "$ Torch: not enough memory: you tried to reallocate %dGB. Buy new RAM!",
            (int)(size / 1073741824));
    return memory;
}

void THFree(void *ptr)
{
    free(ptr);
}

static void *default_malloc(void *context, ptrdiff_t size)
{
    (void)context;
    return THAlloc(size);
}

static void *default_realloc(void *context, void *memory, ptrdiff_t size)
{
    (void)context;
    return THRealloc(memory, size);
}

static void default_free(void *context, void *memory)
{
    (void)context;
    THFree(memory);
}

THAllocator THDefaultAllocator = {default_malloc, default_realloc, default_free};
