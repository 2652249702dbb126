/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files in memory, which libbroadloom-th leaves out.
 */
#ifndef TH_MEMORY_FILE_INC
#define TH_MEMORY_FILE_INC

#include "THFile.h"

#ifndef TH_NO_LEFT_OUT

TH_NO_FILES_(THFile *, THMemoryFile_new, (const char *mode));
TH_NO_FILES_(THFile *, THMemoryFile_newWithStorage,
             (THCharStorage * storage, const char *mode));
TH_NO_FILES_(THCharStorage *, THMemoryFile_storage, (THFile * self));
TH_NO_FILES_(void, THMemoryFile_longSize, (THFile * self, int size));

#endif

#endif
