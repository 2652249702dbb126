/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files, mapped memory and broadcasting, which libbroadloom-th leaves out: calls do not
 * compile, and say why.
 */
#ifndef TH_LEFT_OUT_INC
#define TH_LEFT_OUT_INC

#include "THStorage.h"

#define TH_NO_FILES_                                                                   \
    TH_LEFT_OUT_("libbroadloom-th has no files: read and write elements through "      \
                 "THTensor_(data)")
#define TH_NO_MAPS_ TH_LEFT_OUT_("libbroadloom-th maps no files: allocate and read")
#define TH_NO_BROADCAST_                                                               \
    TH_LEFT_OUT_("libbroadloom-th pairs by number of elements: what broadcasts is "    \
                 "bl_broadcast_shapes of <broadloom/shape.h>")

typedef struct THFile THFile;
typedef struct THMapAllocatorContext THMapAllocatorContext;

TH_API THFile *THDiskFile_new(const char *name, const char *mode,
                              int isQuiet) TH_NO_FILES_;
TH_API THFile *THPipeFile_new(const char *name, const char *mode,
                              int isQuiet) TH_NO_FILES_;
TH_API THFile *THMemoryFile_new(const char *mode) TH_NO_FILES_;
TH_API THFile *THMemoryFile_newWithStorage(THCharStorage *storage,
                                           const char *mode) TH_NO_FILES_;
TH_API THMapAllocatorContext *THMapAllocatorContext_new(const char *filename,
                                                        int flags) TH_NO_MAPS_;
TH_API THMapAllocatorContext *
THMapAllocatorContext_newWithFd(const char *filename, int fd, int flags) TH_NO_MAPS_;

TH_API int THLongStorage_inferSize2(THLongStorage *output, long *sizesA, long dimsA,
                                    long *sizesB, long dimsB, char *error_buffer,
                                    int buffer_len) TH_NO_BROADCAST_;
TH_API int THLongStorage_inferSizeN(THLongStorage *output, int n, long **sizes,
                                    long *dims, char *error_buffer,
                                    int buffer_len) TH_NO_BROADCAST_;
TH_API int THLongStorage_inferExpandGeometry(long *tensorSizes, long *tensorStrides,
                                             long tensorDim, THLongStorage *sizes,
                                             long **expandedSizes,
                                             long **expandedStrides, char *error_buffer,
                                             int buffer_len) TH_NO_BROADCAST_;

#undef TH_NO_FILES_
#undef TH_NO_MAPS_
#undef TH_NO_BROADCAST_

#endif
