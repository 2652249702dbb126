/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of source files after which calls that broadcasting changes give the result
 * that they gave, or broadcast by themselves: one fix for each place that a report has.
 */
#ifndef FIX_H
#define FIX_H

#include "c_call.h"
#include "findings.h"

/* What is to become of a place. */
enum fix_choice {
    FIX_LEAVE,
    FIX_AS_IT_WAS, /* operands get the first one's shape, which pairing as 1-D meant */
    FIX_BROADCAST, /* operands are expanded, which modern rules mean */
    FIX_CHOICES
};

/* "leave", "as-it-was", "broadcast" */
extern const char *const fix_choice_names[FIX_CHOICES];

/* Bytes of a source that another text takes the place of. */
struct fix_edit {
    size_t at, length;
    char *text;
};

enum { FIX_EDITS = 8 };

struct fix {
    const struct source *source;     /* borrowed; NULL: the file could not be read */
    size_t begin, end;               /* bytes of the statement, or of the call */
    int count;                       /* 0: nothing is changed */
    struct fix_edit edit[FIX_EDITS]; /* by `at` */
    char reason[REASON_SIZE];        /* why nothing is changed */
};

/* Source files that were read, and names that were given in them. */
struct fix_file {
    struct source source;
    char *names;
    bool is_read;
    char reason[REASON_SIZE]; /* where it is not */
};

struct fix_files {
    struct fix_file **at; /* each stays where it is */
    size_t count, room;
};

/*
 * Find the fix of the place of finding `k`, for all shapes that findings have there. A
 * place that cannot be fixed is no error: the fix has no edit, and a reason.
 * BL_ERR_MEMORY.  Free it with fix_free(), before the files.
 */
bl_status fix_find(struct fix_files *files, const struct findings *findings, size_t k,
                   enum fix_choice choice, struct fix *fix);

/*
 * The patch of one place as text, a unified diff of its file by the path that the
 * report has, or "" where there is none, and why; free() it.  BL_ERR_MEMORY.
 */
bl_status fix_text(struct fix_files *files, const struct findings *findings, size_t k,
                   enum fix_choice choice, char **text, char reason[REASON_SIZE]);

void fix_free(struct fix *fix);
void fix_files_free(struct fix_files *files);

/* ---- fix_diff.c ---- */

/*
 * Write the difference that edits make to a file as a unified diff.  Edits are in order
 * and do not overlap; paths get a/ and b/ before them.
 */
void fix_write_diff(const struct source *source, const char *path, int count,
                    const struct fix_edit *const *edits, FILE *file);

#endif
