/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * File access for NPY: reading whole blocks.  Nothing here restores errno; the public
 * entry points do.
 */
#ifndef BLI_NPY_FILE_H
#define BLI_NPY_FILE_H

#include "core/core.h"
#include "core/save.h"

/* open(2) for reading, retried when a signal interrupts it; -1 and errno on failure. */
int bli_file_open(const char *path);

/*
 * Read `size` bytes, or fewer at the end of the file; *got is how many.  Works for
 * pipes.  BL_ERR_IO on failure.
 */
bl_status bli_file_read(int file, const char *path, void *buffer, size_t size,
                        size_t *got);

#endif
