/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is reserved before a vote, for what must not fail after it.
 */
#include <assert.h>
#include <stdlib.h>

#include "mpi/entry/entry.h"

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    struct bli_arena *const arena = user;
    const uintptr_t next = ((uintptr_t)arena->next + alignment - 1) & -alignment;

    if (next <= (uintptr_t)arena->end && bytes <= (uintptr_t)arena->end - next) {
        arena->next = (char *)next + bytes;
        return (char *)next;
    }
    assert(!"what is reserved is enough");
    return aligned_alloc(alignment, (bytes + alignment - 1) & -alignment);
}

/* What is in the arena is free when the next call reserves it. */
static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    const struct bli_arena *const arena = user;

    (void)bytes;
    (void)alignment;
    if ((char *)memory < arena->begin || (char *)memory >= arena->end)
        free(memory);
}

bl_status bli_arena_open(struct bli_arena *arena)
{
    const bl_allocator allocator = {allocate, release, arena};

    BL_TRY(bl_context_create(&arena->ctx));
    return bl_context_set_allocator(arena->ctx, &allocator);
}

void bli_arena_use(struct bli_arena *arena, void *memory, size_t bytes)
{
    arena->begin = arena->next = memory;
    arena->end = arena->begin + bytes;
}
