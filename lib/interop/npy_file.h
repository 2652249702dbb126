/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files for NPY: reading and writing all of a block, and what went wrong in words.
 * Nothing here restores errno; the public entry points do.
 */
#ifndef BLI_NPY_FILE_H
#define BLI_NPY_FILE_H

#include "core/core.h"

/* BL_ERR_IO with "path: what: the system's text for code". */
bl_status bli_file_error(const char *path, const char *what, int code);

/* open(2) for reading, begun again where a signal interrupts it; -1 and errno. */
int bli_file_open(const char *path);

/*
 * Read `size` bytes, or as many as there are before the end: `*got`.  BL_ERR_IO.  Pipes
 * will do.
 */
bl_status bli_file_read(int file, const char *path, void *buffer, size_t size,
                        size_t *got);

/* Write `size` bytes.  BL_ERR_IO. */
bl_status bli_file_write(int file, const char *path, const void *data, size_t size);

#endif
