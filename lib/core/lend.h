/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of threads that does not fit on the stack of a small one.
 */
#ifndef BLI_LEND_H
#define BLI_LEND_H

#include "core/core.h"

/*
 * `bytes` of the calling thread's memory, uninitialised and on a page of their own, to
 * be returned by that thread: what is too much for the stack of a small thread.  Calls
 * within calls get other memory.  The thread keeps it for what is lent next, until its
 * end.  NULL without memory; sets the error text.
 */
void *bli_thread_lend(size_t bytes);
void bli_thread_return(void *memory); /* NULL does nothing */

/* Bytes that a call takes of the stack for staging; more is lent. */
#define BLI_STACK_BYTES 8192

/* A function whose frame is not to become a part of its caller's. */
#if defined(__GNUC__)
#define BLI_OWN_FRAME __attribute__((noinline))
#else
#define BLI_OWN_FRAME
#endif

#endif
