/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saving a file: where it is written, what it keeps of the one that was there, and what
 * went wrong in words.  All files that the library writes are written through this.
 *
 * What `path` leads to decides how:
 *
 *   nothing            written under a temporary name beside it, then renamed
 *   a regular file     the same, with owner, group, mode and access control list of the
 *                      old one; in place where the new one cannot have these, where the
 *                      folder takes no file, and where it has further hard links
 *   a device, a FIFO   written to as it is
 *   a descriptor       (/dev/stdout, /dev/fd/3) written to, at the end of a file
 *
 * Symbolic links are followed, also where they lead to nothing yet.  What open(2) does
 * not open for writing is refused: a file of mode 0444 but for a privileged user, a
 * folder, a socket.  A temporary name is of the process and a serial number, and
 * another one is tried where it exists.
 *
 * A pipe whose reader went and a file past its limit are errors and not a signal: the
 * thread takes SIGPIPE and SIGXFSZ of its own writes; dispositions stay as they are.
 * Nothing here restores errno; the public entry points do.
 */
#ifndef BLI_SAVE_H
#define BLI_SAVE_H

#include <broadloom/base.h>

enum {
    BLI_SAVE_PATH = 4096
}; /* longest path, with its terminator: PATH_MAX of Linux */

/* A file that is being written. */
struct bli_save {
    const char *path; /* the caller's, for messages; must stay */
    int file;
    bool is_in_place; /* in the file itself; otherwise in `beside`, to be `target` */
    bool is_old;      /* what the file had is still to be cut off */
    int cancelling;   /* the thread's cancellation state before */
    char target[BLI_SAVE_PATH];
    char beside[BLI_SAVE_PATH];
};

/*
 * Begin.  BL_ERR_IO, with nothing to commit or abandon, and nothing changed.  After
 * BL_OK the thread cannot be cancelled until one of these: a cancellation waits.
 */
bl_status bli_save_open(struct bli_save *save, const char *path);

/* Write `size` more bytes.  BL_ERR_IO: then abandon it. */
bl_status bli_save_write(struct bli_save *save, const void *data, size_t size);

/* Close the file and give it its name.  BL_ERR_IO: it has been abandoned. */
bl_status bli_save_commit(struct bli_save *save);

/* Close the file; the old one is as it was unless it was written in place. */
void bli_save_abandon(struct bli_save *save);

/* BL_ERR_IO with "path: what: the system's text for code". */
bl_status bli_file_error(const char *path, const char *what, int code);

#endif
