/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the tests of NPY: files assembled by hand, a scratch folder, comparison of
 * arrays element by element, and an allocator that counts and fails.
 */
#ifndef NPY_TOOLS_H
#define NPY_TOOLS_H

#include <broadloom.h>

/*
 * Create a folder for the test's files and enter it; folder_leave() removes it with its
 * contents.
 */
void folder_enter(void);
void folder_leave(void);

/* Number of files in the folder. */
int folder_count(void);

/*
 * Read a whole file of at most `room` bytes; returns its size, -1 where it cannot be
 * read.
 */
long file_read(const char *path, void *bytes, size_t room);
void file_write(const char *path, const void *bytes, size_t size);

/*
 * Write an NPY prefix of the given version (1 to 3) and `text`, padded with blanks and
 * a newline to a multiple of 64, into `bytes`, which must be large enough; returns the
 * size.
 */
size_t npy_header_make(unsigned char *bytes, int version, const char *text);

/*
 * Whether dtype, shape and all elements are equal; uses independent index arithmetic.
 */
bool arrays_equal(const bl_array *a, const bl_array *b);

/*
 * An allocator that counts, and fails request number `fail_at` (from 0) and any request
 * for more than METER_MOST bytes, which would make a sanitizer stop the program.
 */
#define METER_MOST ((size_t)1 << 30)
struct meter {
    long requests;
    long fail_at; /* -1: never */
    long held;    /* not released yet */
    size_t largest;
};

/* A context that uses the meter as its allocator; destroy it before the meter. */
bl_context *meter_context(struct meter *meter);

#endif
