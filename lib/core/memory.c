/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocation through a bl_allocator.
 */
#include "core/error.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#define OBJECT_ALIGNMENT _Alignof(max_align_t)

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    const int saved = errno;
    const size_t rest = bytes % alignment;
    /* aligned_alloc requires a multiple of the alignment (C11 7.22.3.1). */
    void *const memory =
        alignment <= OBJECT_ALIGNMENT
            ? malloc(bytes)
            : aligned_alloc(alignment, rest ? bytes + (alignment - rest) : bytes);

    (void)user;
    errno = saved;
    return memory;
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user;
    (void)bytes;
    (void)alignment;
    free(memory);
}

const bl_allocator bli_default_allocator = {allocate, release, NULL};

static void *allocate_by(const bl_allocator *allocator, size_t bytes, size_t alignment)
{
    void *const memory = allocator->allocate(allocator->user, bytes, alignment);

    if (!memory)
        (void)bli_error_memory(bytes);
    return memory;
}

void *bli_allocate(const bl_allocator *allocator, size_t bytes)
{
    return allocate_by(allocator, bytes ? bytes : 1, BLI_ALIGNMENT);
}

void *bli_allocate_object(const bl_allocator *allocator, size_t bytes)
{
    return allocate_by(allocator, bytes, OBJECT_ALIGNMENT);
}

void bli_release(const bl_allocator *allocator, void *memory, size_t bytes)
{
    if (memory)
        allocator->release(allocator->user, memory, bytes ? bytes : 1, BLI_ALIGNMENT);
}

void bli_release_object(const bl_allocator *allocator, void *memory, size_t bytes)
{
    if (memory)
        allocator->release(allocator->user, memory, bytes, OBJECT_ALIGNMENT);
}
