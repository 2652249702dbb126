/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory between two inaccessible pages. */
#ifndef TESTS_GUARDED_H
#define TESTS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Pages for the library, and the same memory for the test, which writes what the
 * library must not.  To change the protection of pages for each call takes 38 of 41 s
 * of ops/guard (Zen 5, a virtual machine).
 */
struct guarded {
    char *pages, *own;
    size_t bytes; /* a multiple of a page's */
};

/* At least `bytes`, `pages` read-only or not; false if there is no memory. */
bool guarded_open(struct guarded *guarded, size_t bytes, bool is_read_only);
void guarded_close(const struct guarded *guarded);

/* Where so many bytes begin that end at the page after, or begin at that before. */
size_t guarded_place(const struct guarded *guarded, size_t bytes, bool at_end);

#endif
