/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files for NPY: reading all of a block.  Nothing here restores errno; the public entry
 * points do.
 */
#ifndef BLI_NPY_FILE_H
#define BLI_NPY_FILE_H

#include "core/core.h"
#include "core/save.h"

/* open(2) for reading, begun again where a signal interrupts it; -1 and errno. */
int bli_file_open(const char *path);

/*
 * Read `size` bytes, or as many as there are before the end: `*got`.  BL_ERR_IO.  Pipes
 * will do.
 */
bl_status bli_file_read(int file, const char *path, void *buffer, size_t size,
                        size_t *got);

#endif
