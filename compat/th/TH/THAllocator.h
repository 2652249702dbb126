/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where storages get their memory.
 */
#ifndef TH_ALLOCATOR_INC
#define TH_ALLOCATOR_INC

#include "THGeneral.h"

/* `realloc` may be NULL: storages then allocate anew and copy. */
typedef struct THAllocator {
    void *(*malloc)(void *context, ptrdiff_t size);
    void *(*realloc)(void *context, void *memory, ptrdiff_t size);
    void (*free)(void *context, void *memory);
} THAllocator;

/* THAlloc, THRealloc and THFree. */
TH_API THAllocator THDefaultAllocator;

#endif
