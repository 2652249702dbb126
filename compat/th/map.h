/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that storages map: map.c maps files, map_allocator.c makes allocators of it.
 */
#ifndef BROADLOOM_TH_MAP_H
#define BROADLOOM_TH_MAP_H

#include "core.h"

struct THMapAllocatorContext_ {
    char *filename;
    int flags, fd;
    ptrdiff_t size; /* of what is mapped */
};

/* TH_ALLOCATOR_MAPPED_... */
enum {
    SHARED = TH_ALLOCATOR_MAPPED_SHARED,
    SHAREDMEM = TH_ALLOCATOR_MAPPED_SHAREDMEM,
    EXCLUSIVE = TH_ALLOCATOR_MAPPED_EXCLUSIVE,
    NOCREATE = TH_ALLOCATOR_MAPPED_NOCREATE,
    KEEPFD = TH_ALLOCATOR_MAPPED_KEEPFD,
    FROMFD = TH_ALLOCATOR_MAPPED_FROMFD,
    UNLINK = TH_ALLOCATOR_MAPPED_UNLINK
};

/* Whether the name is that of an object of shared memory. */
static inline bool th_map_is_object(int flags)
{
    return flags & SHAREDMEM && !(flags & SHARED);
}

/* A context that owns a copy of the name; NULL after an error. */
THMapAllocatorContext *th_map_new_context(const char *filename, int fd, int flags);
void th_map_free_context(THMapAllocatorContext *context);

/* What failed, with errno; NULL: nothing. */
typedef const char *th_failure;

/* Map `size` bytes, or all where it is not positive.  What fails leaves nothing. */
th_failure th_map_file(THMapAllocatorContext *context, ptrdiff_t size, void **data);

/* As unlink(). */
int th_map_unlink(const THMapAllocatorContext *context);

/*
 * Map `count` elements of `size` bytes of a file, or all that it has where `count` is
 * not positive.  The context, for THMapAllocator, and the number of elements; NULL
 * after an error, which leaves nothing behind.
 */
THMapAllocatorContext *th_map_new(const char *filename, int flags, size_t size,
                                  ptrdiff_t *count, void **data);

#endif
