/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that several ranks write, each in its own places: one rank creates it beside
 * the old one, and renames it when all have written.
 */
#ifndef BLI_MPI_FILE_H
#define BLI_MPI_FILE_H

#include <broadloom/base.h>

enum { BLI_FILE_PATH = 4096 }; /* longest path with its terminator */

struct bli_mpi_file {
    int descriptor;             /* -1: not open */
    bool is_created;            /* by this rank: it is there until it is renamed */
    char target[BLI_FILE_PATH]; /* of the rank that creates it */
    char beside[BLI_FILE_PATH]; /* what is written */
};

/*
 * Create the file beside `path`, with the mode of a file there, which must be a regular
 * one that may be written.  BL_ERR_IO, BL_ERR_UNSUPPORTED.
 */
bl_status bli_mpi_file_create(struct bli_mpi_file *file, const char *path);

/* Open the file that another rank has created, of which `beside` is known. */
bl_status bli_mpi_file_open(struct bli_mpi_file *file);

/*
 * Reserve the file's room on the disk at once, where that can be done: parts that
 * several ranks write lie together, and a file system that would else write them before
 * it replaces a file need not.
 */
bl_status bli_mpi_file_reserve(struct bli_mpi_file *file, int64_t bytes);

/* Write bytes at a place.  A file beyond its size limit is an error, not a signal. */
bl_status bli_mpi_file_write(struct bli_mpi_file *file, int64_t at, const void *data,
                             int64_t bytes);

/* Close the file, and rename it to its target, if this rank has created it. */
bl_status bli_mpi_file_close(struct bli_mpi_file *file);
bl_status bli_mpi_file_commit(struct bli_mpi_file *file);

/* Close and remove what is left of a file that was not committed. */
void bli_mpi_file_end(struct bli_mpi_file *file);

#endif
