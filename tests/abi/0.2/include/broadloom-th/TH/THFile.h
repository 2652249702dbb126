/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files, which libbroadloom-th leaves out: the program defines what it calls.
 */
#ifndef TH_FILE_INC
#define TH_FILE_INC

#include "THStorage.h"

typedef struct THFile__ THFile;

#ifndef TH_NO_LEFT_OUT

/* THDiskFile.h and THMemoryFile.h use it too. */
#define TH_NO_FILES_(type, name, parameters)                                           \
    TH_LEFT_OUT_(type, name, parameters, read_and_write_elements_through_their_pointer)

TH_NO_FILES_(int, THFile_isOpened, (THFile * self));
TH_NO_FILES_(int, THFile_isQuiet, (THFile * self));
TH_NO_FILES_(int, THFile_isReadable, (THFile * self));
TH_NO_FILES_(int, THFile_isWritable, (THFile * self));
TH_NO_FILES_(int, THFile_isBinary, (THFile * self));
TH_NO_FILES_(int, THFile_isAutoSpacing, (THFile * self));
TH_NO_FILES_(int, THFile_hasError, (THFile * self));

TH_NO_FILES_(void, THFile_binary, (THFile * self));
TH_NO_FILES_(void, THFile_ascii, (THFile * self));
TH_NO_FILES_(void, THFile_autoSpacing, (THFile * self));
TH_NO_FILES_(void, THFile_noAutoSpacing, (THFile * self));
TH_NO_FILES_(void, THFile_quiet, (THFile * self));
TH_NO_FILES_(void, THFile_pedantic, (THFile * self));
TH_NO_FILES_(void, THFile_clearError, (THFile * self));

#define TH_NO_ELEMENTS_(name, type)                                                    \
    TH_NO_FILES_(type, THFile_read##name##Scalar, (THFile * self));                    \
    TH_NO_FILES_(void, THFile_write##name##Scalar, (THFile * self, type scalar));      \
    TH_NO_FILES_(size_t, THFile_read##name,                                            \
                 (THFile * self, TH##name##Storage * storage));                        \
    TH_NO_FILES_(size_t, THFile_write##name,                                           \
                 (THFile * self, TH##name##Storage * storage));                        \
    TH_NO_FILES_(size_t, THFile_read##name##Raw,                                       \
                 (THFile * self, type * data, size_t n));                              \
    TH_NO_FILES_(size_t, THFile_write##name##Raw,                                      \
                 (THFile * self, type * data, size_t n))

TH_NO_ELEMENTS_(Byte, unsigned char);
TH_NO_ELEMENTS_(Char, char);
TH_NO_ELEMENTS_(Short, short);
TH_NO_ELEMENTS_(Int, int);
TH_NO_ELEMENTS_(Long, long);
TH_NO_ELEMENTS_(Float, float);
TH_NO_ELEMENTS_(Double, double);
TH_NO_ELEMENTS_(Half, THHalf);

TH_NO_FILES_(size_t, THFile_readStringRaw,
             (THFile * self, const char *format, char **str_));
TH_NO_FILES_(size_t, THFile_writeStringRaw,
             (THFile * self, const char *str, size_t size));

TH_NO_FILES_(void, THFile_synchronize, (THFile * self));
TH_NO_FILES_(void, THFile_seek, (THFile * self, size_t position));
TH_NO_FILES_(void, THFile_seekEnd, (THFile * self));
TH_NO_FILES_(size_t, THFile_position, (THFile * self));
TH_NO_FILES_(void, THFile_close, (THFile * self));
TH_NO_FILES_(void, THFile_free, (THFile * self));

#undef TH_NO_ELEMENTS_

#endif

#endif
