/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocators of the memory of storages.
 */
#ifndef TH_ALLOCATOR_INC
#define TH_ALLOCATOR_INC

#include "THGeneral.h"

/* `realloc` may be NULL: storages then allocate a new block and copy. */
typedef struct THAllocator {
    void *(*malloc)(void *context, ptrdiff_t size);
    void *(*realloc)(void *context, void *memory, ptrdiff_t size);
    void (*free)(void *context, void *memory);
} THAllocator;

/* The allocator of THAlloc, THRealloc and THFree. */
TH_API THAllocator THDefaultAllocator;

#endif
