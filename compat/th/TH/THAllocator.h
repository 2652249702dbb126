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

/* ---- mapped files ---- */

/*
 * How a file is mapped.  Without SHARED and SHAREDMEM it is opened read-only, and what
 * the program writes stays its own.
 */
#define TH_ALLOCATOR_MAPPED_SHARED    1  /* changes go to the file, which is created */
#define TH_ALLOCATOR_MAPPED_SHAREDMEM 2  /* so with an object of shm_open() */
#define TH_ALLOCATOR_MAPPED_EXCLUSIVE 4  /* an error where it exists */
#define TH_ALLOCATOR_MAPPED_NOCREATE  8  /* an error where it does not exist */
#define TH_ALLOCATOR_MAPPED_KEEPFD    16 /* keep the descriptor until it is freed */
#define TH_ALLOCATOR_MAPPED_FROMFD    32 /* map the context's descriptor */
#define TH_ALLOCATOR_MAPPED_UNLINK    64 /* unlink the name as soon as it is mapped */

typedef struct THMapAllocatorContext_ THMapAllocatorContext;

/*
 * A context for one allocation, of TH_ALLOCATOR_MAPPED_... flags.  The allocator's
 * free() frees it with the memory; where the allocation fails it is still the caller's.
 * With FROMFD, a descriptor belongs to a successful allocation, which closes it unless
 * KEEPFD is given.
 */
TH_API THMapAllocatorContext *THMapAllocatorContext_new(const char *filename,
                                                        int flags);
TH_API THMapAllocatorContext *THMapAllocatorContext_newWithFd(const char *filename,
                                                              int fd, int flags);
TH_API char *THMapAllocatorContext_filename(THMapAllocatorContext *ctx);

/* The descriptor, -1 if none is kept; the bytes that are mapped. */
TH_API int THMapAllocatorContext_fd(THMapAllocatorContext *ctx);
TH_API ptrdiff_t THMapAllocatorContext_size(THMapAllocatorContext *ctx);
TH_API void THMapAllocatorContext_free(THMapAllocatorContext *ctx);

/*
 * Maps `size` bytes from the beginning of the file, all of it for 0: NULL where that is
 * empty.  A file that is shorter is an error, or grows where any flag is set.  Mapped
 * memory cannot be resized.  An object of SHAREDMEM is unlinked when it is freed,
 * unless FROMFD or UNLINK is given.
 */
TH_API THAllocator THMapAllocator;

/*
 * Objects of SHAREDMEM that several processes map, and the last to free unlinks: 64
 * bytes before the memory hold the number of references.  It starts at 1 with
 * EXCLUSIVE, else one is added.  KEEPFD, FROMFD and UNLINK are refused.  decref()
 * returns whether none is left; it unlinks nothing.
 */
TH_API THAllocator THRefcountedMapAllocator;
TH_API void THRefcountedMapAllocator_incref(THMapAllocatorContext *ctx, void *data);
TH_API int THRefcountedMapAllocator_decref(THMapAllocatorContext *ctx, void *data);

#endif
