/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocators of mapped files and of shared memory.
 */
#include "map.h"

#include "TH/THAtomic.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* Raise what failed with a file; `size` as the program asked for it. */
static void raise_failure(th_failure failed, const char *filename, ptrdiff_t size)
{
    const int reason = errno;

    if (size > 0)
        THError("%s <%s>, to map %td bytes: %s", failed, filename, size,
                strerror(reason));
    else
        THError("%s <%s>, to map all of it: %s", failed, filename, strerror(reason));
}

/* ---- allocators ---- */

static void *map_alloc(void *context, ptrdiff_t size)
{
    THMapAllocatorContext *const map = context;
    void *data;
    const th_failure failed = th_map_file(map, size, &data);

    if (!failed)
        return data;
    raise_failure(failed, map->filename, size);
    return NULL;
}

static void *map_realloc(void *context, void *memory, ptrdiff_t size)
{
    const THMapAllocatorContext *const map = context;

    (void)memory;
    THError("cannot realloc mapped data: <%s>, %td bytes, to %td", map->filename,
            map->size, size);
    return NULL;
}

/* Unmap, and free the context.  Another allocation may have unlinked the object. */
static void release(THMapAllocatorContext *map, void *data, bool is_last)
{
    if (map->size > 0)
        munmap(data, (size_t)map->size);
    if (map->fd >= 0 && map->flags & KEEPFD)
        close(map->fd);
    if (is_last && th_map_is_object(map->flags))
        th_map_unlink(map);
    th_map_free_context(map);
}

static void map_free(void *context, void *memory)
{
    THMapAllocatorContext *const map = context;

    release(map, memory, !(map->flags & (FROMFD | UNLINK)));
}

THAllocator THMapAllocator = {map_alloc, map_realloc, map_free};

/* ---- shared memory with a number of references ---- */

/* What is before the memory of an allocation. */
enum { HEADER = 64 };

static int *references(void *data)
{
    return (int *)(void *)((char *)data - HEADER);
}

static void *counted_alloc(void *context, ptrdiff_t size)
{
    THMapAllocatorContext *const map = context;
    char *data;

    if (map->flags & (KEEPFD | FROMFD | UNLINK) || !th_map_is_object(map->flags)) {
        THError("THRefcountedMapAllocator needs TH_ALLOCATOR_MAPPED_SHAREDMEM, without "
                "..._SHARED, ..._KEEPFD, ..._FROMFD and ..._UNLINK, for <%s>",
                map->filename);
        return NULL;
    }
    data = map_alloc(map, THMax(size, 0) + HEADER);
    if (!data)
        return NULL;
    if (map->flags & EXCLUSIVE)
        THAtomicSet((int *)(void *)data, 1);
    else
        THAtomicIncrementRef((int *)(void *)data);
    return data + HEADER;
}

static void counted_free(void *context, void *memory)
{
    release(context, references(memory), THAtomicDecrementRef(references(memory)));
}

void THRefcountedMapAllocator_incref(THMapAllocatorContext *ctx, void *data)
{
    (void)ctx;
    THAtomicIncrementRef(references(data));
}

int THRefcountedMapAllocator_decref(THMapAllocatorContext *ctx, void *data)
{
    (void)ctx;
    return THAtomicDecrementRef(references(data));
}

THAllocator THRefcountedMapAllocator = {counted_alloc, map_realloc, counted_free};

/* ---- storages ---- */

/* Raise what failed; the handler may not return, so the context is freed before. */
static void raise_and_free(THMapAllocatorContext *context, th_failure failed,
                           ptrdiff_t size)
{
    const int reason = errno;
    char name[1024];

    snprintf(name, sizeof name, "%s", context->filename);
    th_map_free_context(context);
    errno = reason;
    raise_failure(failed, name, size);
}

THMapAllocatorContext *th_map_new(const char *filename, int flags, size_t size,
                                  ptrdiff_t *count, void **data)
{
    THMapAllocatorContext *const context = th_map_new_context(filename, -1, flags);
    const ptrdiff_t wanted = THMax(*count, 0);
    ptrdiff_t bytes;
    th_failure failed;

    if (!context)
        return NULL;
    if (__builtin_mul_overflow(wanted, (ptrdiff_t)size, &bytes)) {
        bytes = PTRDIFF_MAX;
        errno = EFBIG;
        failed = "unable to map file";
    } else {
        failed = th_map_file(context, bytes, data);
    }
    if (!failed) {
        *count = wanted ? wanted : context->size / (ptrdiff_t)size;
        return context;
    }
    raise_and_free(context, failed, bytes);
    return NULL;
}
