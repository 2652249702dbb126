/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of what a thread owns until its end, for memory that it owns for good
 * (thread.c) and memory that it lends (lend.c).
 */
#ifndef BLI_THREAD_H
#define BLI_THREAD_H

#include "core/core.h"

/* What lies before memory that a thread owns. */
struct bli_owned {
    struct bli_owned *next;
    void **place; /* a thread-local pointer, set to NULL when the thread ends */
    void (*close)(void *memory); /* called before it is freed; NULL: nothing */
    void *block;                 /* that all of it is in, of malloc */
    size_t bytes;
    bool is_lent; /* now */
    max_align_t memory[];
};

/* The first of what the calling thread owns; NULL where it can own nothing, too. */
struct bli_owned *bli_thread_owned(void);

/* Replace that list; false, with the list as it was, where the thread can own nothing.
 */
bool bli_thread_set_owned(struct bli_owned *first);

/*
 * Let the calling thread own `owned`, too, with its `bytes` bytes in `block`; false,
 * and `block` is freed, where it can own nothing.
 */
bool bli_thread_add(struct bli_owned *owned, void *block, void **place, size_t bytes);

/*
 * Call `close` with memory of bli_thread_own() when the thread ends, before the memory
 * is freed; its place is NULL by then.
 */
void bli_thread_on_end(void *memory, void (*close)(void *memory));

#endif
