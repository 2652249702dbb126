/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mapped memory and broadcasting, which libbroadloom-th leaves out: the program defines
 * what it calls.
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

#define TH_NO_BROADCAST_(name, parameters)                                             \
    TH_LEFT_OUT_(int, name, parameters, what_broadcasts_is_bl_broadcast_shapes)

TH_NO_BROADCAST_(THLongStorage_inferSize2,
                 (THLongStorage * output, long *sizesA, long dimsA, long *sizesB,
                  long dimsB, char *error_buffer, int buffer_len));
TH_NO_BROADCAST_(THLongStorage_inferSizeN,
                 (THLongStorage * output, int n, long **sizes, long *dims,
                  char *error_buffer, int buffer_len));
TH_NO_BROADCAST_(THLongStorage_inferExpandGeometry,
                 (long *tensorSizes, long *tensorStrides, long tensorDim,
                  THLongStorage *sizes, long **expandedSizes, long **expandedStrides,
                  char *error_buffer, int buffer_len));

#undef TH_NO_MAPS_
#undef TH_NO_BROADCAST_

#endif

#endif
