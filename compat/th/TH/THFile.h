/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of elements: on disk and pipes (THDiskFile.h), in memory (THMemoryFile.h).
 *
 * A new file is in text mode with auto spacing.  A file that is not quiet raises an
 * error where a call fails, one that is quiet does not; both then have the error flag,
 * until it is cleared.  A closed file, reading from one that is write-only, and writing
 * to one that is read-only are always errors.  Threads may use different files at the
 * same time, but not one file.
 */
#ifndef TH_FILE_INC
#define TH_FILE_INC

#include "THStorage.h"

typedef struct THFile__ THFile;

TH_API int THFile_isOpened(THFile *self);
TH_API int THFile_isQuiet(THFile *self);
TH_API int THFile_isReadable(THFile *self);
TH_API int THFile_isWritable(THFile *self);
TH_API int THFile_isBinary(THFile *self);
TH_API int THFile_isAutoSpacing(THFile *self);
TH_API int THFile_hasError(THFile *self);

/* Elements as they are in memory, or as text; what it means is below. */
TH_API void THFile_binary(THFile *self);
TH_API void THFile_ascii(THFile *self);

/* In text mode, a call writes ' ' between elements and '\n' after the last, and skips a
 * '\n' after the last element that it reads. */
TH_API void THFile_autoSpacing(THFile *self);
TH_API void THFile_noAutoSpacing(THFile *self);

TH_API void THFile_quiet(THFile *self);
TH_API void THFile_pedantic(THFile *self);
TH_API void THFile_clearError(THFile *self);

/*
 * Read or write one element, a storage, or `n` elements.  The number of elements that
 * were read or written is returned; another one than asked for is an error, "read
 * error: read 2 blocks instead of 3", and a scalar that is not read is 0.
 *
 * As text, Byte and Char are single bytes as they are; Short, Int and Long are decimal;
 * Float and Half have 9 significant digits, Double 17, so that the same number is read
 * again.  White space before a number is skipped.  In binary mode, the size of a Long
 * and the order of bytes are chosen in THDiskFile.h.
 */
#define TH_FILE_ELEMENTS_(name, type)                                                  \
    TH_API type THFile_read##name##Scalar(THFile *self);                               \
    TH_API void THFile_write##name##Scalar(THFile *self, type scalar);                 \
    TH_API size_t THFile_read##name(THFile *self, TH##name##Storage *storage);         \
    TH_API size_t THFile_write##name(THFile *self, TH##name##Storage *storage);        \
    TH_API size_t THFile_read##name##Raw(THFile *self, type *data, size_t n);          \
    TH_API size_t THFile_write##name##Raw(THFile *self, type *data, size_t n);

TH_FILE_ELEMENTS_(Byte, unsigned char)
TH_FILE_ELEMENTS_(Char, char)
TH_FILE_ELEMENTS_(Short, short)
TH_FILE_ELEMENTS_(Int, int)
TH_FILE_ELEMENTS_(Long, long)
TH_FILE_ELEMENTS_(Float, float)
TH_FILE_ELEMENTS_(Double, double)
TH_FILE_ELEMENTS_(Half, THHalf)

#undef TH_FILE_ELEMENTS_

/*
 * Read a line without its end (format "*l"), or the rest of the file ("*a").  *str_ is
 * a new string for THFree(), with a 0 after it, and its length is returned; at the end
 * of the file *str_ is NULL, which is an error.
 */
TH_API size_t THFile_readStringRaw(THFile *self, const char *format, char **str_);

/* Write `size` bytes as they are. */
TH_API size_t THFile_writeStringRaw(THFile *self, const char *str, size_t size);

/* Pass what was written to the system. */
TH_API void THFile_synchronize(THFile *self);

/* Positions are in bytes from the beginning; a pipe has none. */
TH_API void THFile_seek(THFile *self, size_t position);
TH_API void THFile_seekEnd(THFile *self);
TH_API size_t THFile_position(THFile *self);

/*
 * What cannot be written when a file is closed is an error; it is closed all the same.
 * free() closes a file that is open, and frees it.
 */
TH_API void THFile_close(THFile *self);
TH_API void THFile_free(THFile *self);

#endif
