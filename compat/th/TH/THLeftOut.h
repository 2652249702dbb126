/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mapped memory, which libbroadloom-th leaves out: the program defines what it calls.
 */
#ifndef TH_LEFT_OUT_INC
#define TH_LEFT_OUT_INC

#include "THStorage.h"

typedef struct THMapAllocatorContext_ THMapAllocatorContext;

#ifndef TH_NO_LEFT_OUT

#define TH_NO_MAPS_(type, name, parameters)                                            \
    TH_LEFT_OUT_(type, name, parameters, allocate_memory_and_read_the_file)

TH_NO_MAPS_(THMapAllocatorContext *, THMapAllocatorContext_new,
            (const char *filename, int flags));
TH_NO_MAPS_(THMapAllocatorContext *, THMapAllocatorContext_newWithFd,
            (const char *filename, int fd, int flags));
TH_NO_MAPS_(char *, THMapAllocatorContext_filename, (THMapAllocatorContext * ctx));
TH_NO_MAPS_(int, THMapAllocatorContext_fd, (THMapAllocatorContext * ctx));
TH_NO_MAPS_(ptrdiff_t, THMapAllocatorContext_size, (THMapAllocatorContext * ctx));
TH_NO_MAPS_(void, THMapAllocatorContext_free, (THMapAllocatorContext * ctx));
TH_NO_MAPS_(void, THRefcountedMapAllocator_incref,
            (THMapAllocatorContext * ctx, void *data));
TH_NO_MAPS_(int, THRefcountedMapAllocator_decref,
            (THMapAllocatorContext * ctx, void *data));
TH_NO_MAPS_(THAllocator, THMapAllocator, );
TH_NO_MAPS_(THAllocator, THRefcountedMapAllocator, );

#undef TH_NO_MAPS_

#endif

#endif
