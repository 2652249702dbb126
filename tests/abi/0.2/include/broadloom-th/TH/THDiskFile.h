/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files on disk and pipes, which libbroadloom-th leaves out.
 */
#ifndef TH_DISK_FILE_INC
#define TH_DISK_FILE_INC

#include "THFile.h"

#ifndef TH_NO_LEFT_OUT

TH_NO_FILES_(THFile *, THDiskFile_new,
             (const char *name, const char *mode, int isQuiet));
TH_NO_FILES_(THFile *, THPipeFile_new,
             (const char *name, const char *mode, int isQuiet));

TH_NO_FILES_(const char *, THDiskFile_name, (THFile * self));
TH_NO_FILES_(int, THDiskFile_isLittleEndianCPU, (void));
TH_NO_FILES_(int, THDiskFile_isBigEndianCPU, (void));
TH_NO_FILES_(void, THDiskFile_nativeEndianEncoding, (THFile * self));
TH_NO_FILES_(void, THDiskFile_littleEndianEncoding, (THFile * self));
TH_NO_FILES_(void, THDiskFile_bigEndianEncoding, (THFile * self));
TH_NO_FILES_(void, THDiskFile_longSize, (THFile * self, int size));
TH_NO_FILES_(void, THDiskFile_noBuffer, (THFile * self));

#endif

#endif
