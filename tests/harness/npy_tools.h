/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of NPY share: files put together by hand, a folder to put them in,
 * comparing arrays element by element, and an allocator that counts and fails.
 */
#ifndef NPY_TOOLS_H
#define NPY_TOOLS_H

#include <broadloom.h>

/* Make a folder for the test's files and go into it; leave removes it and what is in
 * it. */
void folder_enter(void);
void folder_leave(void);

/* How many files the folder has. */
int folder_count(void);

/* All bytes of a file, at most `room`; how many, -1 where it cannot be read. */
long file_read(const char *path, void *bytes, size_t room);
void file_write(const char *path, const void *bytes, size_t size);

/*
 * Prefix of the given version (1 to 3) and `text` with blanks and a newline up to a
 * multiple of 64 into `bytes`, which has room; the size.
 */
size_t npy_header_make(unsigned char *bytes, int version, const char *text);

/* Whether dtype, shape and the bytes of all elements are the same, by own arithmetic.
 */
bool arrays_equal(const bl_array *a, const bl_array *b);

/*
 * An allocator that counts, and has no memory for request number `fail_at` (from 0) or
 * for more than METER_MOST bytes at once, which sanitizers would stop the program for.
 */
#define METER_MOST ((size_t)1 << 30)
struct meter {
    long requests;
    long fail_at; /* -1: never */
    long held;    /* not given back yet */
    size_t largest;
};

/* A context whose allocator is the meter; destroy it before the meter goes. */
bl_context *meter_context(struct meter *meter);

#endif
