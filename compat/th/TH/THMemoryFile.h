/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files in memory, in a storage that ends in 0.  THFile.h says how they are read,
 * written and freed.
 */
#ifndef TH_MEMORY_FILE_INC
#define TH_MEMORY_FILE_INC

#include "THFile.h"

/* A new file, "r", "w" or "rw", empty or of the bytes of a storage before its last,
 * which must be 0.  The storage is shared, and grows; "w" does not empty it. */
TH_API THFile *THMemoryFile_new(const char *mode);
TH_API THFile *THMemoryFile_newWithStorage(THCharStorage *storage, const char *mode);

/* The file's storage, resized to its bytes and a 0.  It belongs to the file. */
TH_API THCharStorage *THMemoryFile_storage(THFile *self);

/* As THDiskFile_longSize(). */
TH_API void THMemoryFile_longSize(THFile *self, int size);

#endif
