/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files on disk and pipes.  THFile.h says how they are read, written and freed.
 */
#ifndef TH_DISK_FILE_INC
#define TH_DISK_FILE_INC

#include "THFile.h"

/*
 * Open a file to read ("r"), to write from its beginning after it is emptied ("w"), or
 * both ("rw": it is created where it does not exist, and keeps its content).  Where
 * that fails: NULL if `isQuiet`, else an error.
 */
TH_API THFile *THDiskFile_new(const char *name, const char *mode, int isQuiet);

/*
 * Read ("r") what a command of the shell prints, or write ("w") what it reads.  Closing
 * the file waits for the command; its exit status is not an error.
 */
TH_API THFile *THPipeFile_new(const char *name, const char *mode, int isQuiet);

/* The name or command, which belongs to the file. */
TH_API const char *THDiskFile_name(THFile *self);

TH_API int THDiskFile_isLittleEndianCPU(void);
TH_API int THDiskFile_isBigEndianCPU(void);

/* The order of bytes in binary mode; native at first. */
TH_API void THDiskFile_nativeEndianEncoding(THFile *self);
TH_API void THDiskFile_littleEndianEncoding(THFile *self);
TH_API void THDiskFile_bigEndianEncoding(THFile *self);

/* The bytes of a Long in binary mode: 4, 8, or 0 for sizeof(long), as at first.  With 4
 * the upper bytes of what is written are lost. */
TH_API void THDiskFile_longSize(THFile *self, int size);

/* Write and read without a buffer. */
TH_API void THDiskFile_noBuffer(THFile *self);

#endif
