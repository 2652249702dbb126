/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saving a file: where it is written, which attributes of an existing file it keeps,
 * and error texts.  All files that the library writes are written through this.
 *
 * What `path` refers to decides how:
 *
 *   nothing            written under a temporary name in the same folder, then renamed
 *   a regular file     replaced in that way, keeping owner, group, mode and access
 *                      control list; overwritten in place where a new file cannot have
 *                      these, where the folder takes no new file, and where it has
 *                      further hard links
 *   a device, a FIFO   written to as it is
 *   a descriptor       (/dev/stdout, /dev/fd/3) written to; a file is appended to
 *
 * Symbolic links are followed, also to a name that does not exist yet.  What open(2)
 * refuses to open for writing is refused: a file of mode 0444 (except for a privileged
 * user), a folder, a socket.  A temporary name consists of the process number and a
 * serial number; if it exists the next one is tried.
 *
 * A pipe whose reader has closed and a file beyond its size limit are errors, not
 * signals: the thread consumes the SIGPIPE and SIGXFSZ of its own writes; dispositions
 * stay as they are.  Nothing here restores errno; the public entry points do.
 */
#ifndef BLI_SAVE_H
#define BLI_SAVE_H

#include <broadloom/base.h>

enum { BLI_SAVE_PATH = 4096 }; /* longest path with its terminator: Linux's PATH_MAX */

/* A file that is being written. */
struct bli_save {
    const char *path; /* borrowed from the caller, for messages */
    int file;
    bool is_in_place; /* written in place; otherwise in `beside`, renamed to `target` */
    bool is_old;      /* the old content is still to be truncated */
    int cancelling;   /* the thread's previous cancellation state */
    char target[BLI_SAVE_PATH];
    char beside[BLI_SAVE_PATH];
};

/*
 * Begin to save a file.  On BL_ERR_IO nothing has changed and there is nothing to
 * commit or abandon.  After BL_OK a cancellation of the thread is deferred until
 * bli_save_commit() or bli_save_abandon().
 */
bl_status bli_save_open(struct bli_save *save, const char *path);

/* Write `size` more bytes.  After BL_ERR_IO the caller must abandon the file. */
bl_status bli_save_write(struct bli_save *save, const void *data, size_t size);

/* Close the file and rename it to its target.  On BL_ERR_IO it has been abandoned. */
bl_status bli_save_commit(struct bli_save *save);

/*
 * Close the file and discard what was written; an old file is unchanged unless it was
 * written in place.
 */
void bli_save_abandon(struct bli_save *save);

/* Set the error text "path: what: strerror(code)" and return BL_ERR_IO. */
bl_status bli_file_error(const char *path, const char *what, int code);

#endif
