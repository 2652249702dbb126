/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places where elements that differ left the library, as reports list them: "data
 * train.c:80 12; item train.c:91 1", with "..." at the end where there were others.
 * The words of an entry are how (data: the address of the elements was asked for; item:
 * one was read; save: they were written to a file), the place, which may have blanks,
 * and how often.
 */
#ifndef READS_H
#define READS_H

#include "tool.h"

enum {
    READ_SIZE = 1024,
    READS_MOST = 64 /* of one list: of more, the first in order are kept */
};

struct read {
    char how[8];           /* "data", "item" or "save" */
    char place[READ_SIZE]; /* "train.c:80", or "libmodel.so@4f2c+0x1f30" without one */
    int64_t count;
};

/* Read the next entry from a list and advance `*at`; false at its end. */
bool reads_next(const char **at, struct read *read);

/* Whether a list omits others. */
bool reads_has_more(const char *reads);

/*
 * Add the entries of `more` to a list from malloc(); both are sorted, and counts of the
 * same place are added.  The result is the same in whatever order lists are joined.
 * BL_ERR_MEMORY.
 */
bl_status reads_join(char **reads, const char *more);

/* Sort a list from malloc(), each place once. BL_ERR_MEMORY; then it is NULL. */
bl_status reads_sort(char **reads);

/*
 * Split a place that is an address; the texts are from malloc().  False where it is a
 * line, or without memory.
 */
bool reads_address(const struct read *read, char **module, char **build_id,
                   int64_t *offset);

/* Let `resolve` replace the place of each entry; without memory the list stays. */
void reads_resolve(char **reads, void (*resolve)(struct read *read));

/* A place for people: "train.c:80", or "libmodel.so+0x1f30". */
void reads_place(const struct read *read, char *text, size_t size);

#endif
