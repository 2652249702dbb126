/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the warnings share: the lock, warning sites, thread caches, and the
 * decision of the filters.
 */
#ifndef BLI_DIAG_WARNINGS_H
#define BLI_DIAG_WARNINGS_H

#include <broadloom/warnings.h>

#include "core/core.h"
#include "core/error.h"
#include "diag/diag.h"
#include "diag/elf_note.h"
#include "diag/shadow.h"

/*
 * Lock and unlock filters, handler and sites.  A thread that holds the lock takes no
 * other lock and calls no handler.
 */
void bli_warnings_enter(void);
void bli_warnings_leave(void);

/* Clear and set flags, and begin a new generation.  Under the lock. */
void bli_warnings_change(uint64_t clear, uint64_t set);

/* ---- call sites ---- */

struct bli_call_site {
    const char *file; /* NULL: the address is the place */
    const void *address;
    int32_t line; /* 0 without a file */
};

/* The site of the calling thread's call, which returns to `address`. */
struct bli_call_site bli_call_site_here(const void *address);

/* Where an address lies in a loaded file: the program or a shared library. */
struct bli_loaded_file {
    const char *path;            /* "": unknown */
    uint64_t offset;             /* as addr2line takes it */
    char build_id[BLI_BUILD_ID]; /* in hexadecimal; "": none */
};

/*
 * Find the loaded file of an address; offset 0 of the program where no file has it.
 * The path is valid while the file is loaded, and until the next call.  Under the lock.
 */
void bli_loaded_file_find(const void *address, struct bli_loaded_file *file);

/* ---- warning sites, all under the lock ---- */

/* Bytes of shapes as text, and how many kinds of calls a site distinguishes. */
enum { BLI_SHAPES_SIZE = 128, BLI_KINDS = 8 };

/* What identifies a warning site: one change and function, from one call site. */
struct bli_key {
    struct bli_call_site at;
    int32_t change;
    bl_op op; /* used where there is no function */
    const char *function;
};

/* What shadow runs found at a site, as in bl_warning_site. */
struct bli_shadow_found {
    int64_t compared, unequal;
    struct bli_difference difference;
    int64_t spread, forgotten;
};

/* Where, and how, elements that differ for a site left the library. */
struct bli_read {
    struct bli_read *next;
    struct bli_call_site at;
    int32_t how;   /* a bl_shadow_how */
    int64_t count; /* since the last reset */
    char place[];  /* as in reports */
};

/* The places that a site distinguishes. */
enum { BLI_READS = 16 };

/* What was found at a site since the last reset. */
struct bli_findings {
    int64_t count;   /* without what thread caches still hold */
    int64_t emitted; /* warnings that were reported or made an error */
    int32_t effect;  /* of the worst call, as all up to `shapes` */
    double growth;
    uint64_t expanded_dims;
    char name[32];                /* of the function */
    char shapes[BLI_SHAPES_SIZE]; /* "(4,1) (4) -> (4,4)" */
    int32_t kinds;                /* BLI_KINDS + 1: there were more */
    uint64_t kind[BLI_KINDS];
    int64_t raised[BLI_KINDS + 1]; /* calls of each, and of all others, not cached */
    char all_shapes[BLI_KINDS * (BLI_SHAPES_SIZE + 2) + 4]; /* of all kinds */
    struct bli_shadow_found shadow;
    int64_t other_reads; /* beyond BLI_READS places */
};

/* A warning site; never freed. */
struct bli_site {
    struct bli_site *next;      /* in the list of all sites */
    struct bli_site *hash_next; /* in the same hash bucket */
    struct bli_key key;         /* its strings are copies */
    /* Of the address, for a site without a file; the path is a copy. */
    struct bli_loaded_file loaded_file;
    bool was_emitted;
    int origin; /* number among the sites that marks are for; 0: none */
    struct bli_read *reads;
    struct bli_findings found;
};

/* The site of a key, made if new; NULL without memory. */
struct bli_site *bli_site_find(const struct bli_key *key);

/* The first site in the list of all, NULL if there is none. */
struct bli_site *bli_site_first(void);

/* ---- thread caches ---- */

/*
 * Count `times` calls of a kind from a site where the calling thread has cached, in the
 * present generation, that they need no report; else false.  True, too, and nothing is
 * counted, where the thread suppresses warnings.
 */
bool bli_cache_count(const struct bli_call_site *at, uint64_t kind, int32_t times);

/* Make the calling thread's cache if it can be made.  Not under the lock. */
void bli_cache_make(void);

/*
 * Cache that calls of a kind from a call site need no report in the present generation,
 * and are counted at `site`; NULL: not counted.  Every `every`-th from now on is to be
 * compared; 0: none.  False where the calling thread may have had it before: without a
 * cache, or where another call was in its place.  Under the lock.
 */
bool bli_cache_store(const struct bli_call_site *at, uint64_t kind,
                     struct bli_site *site, int64_t every);

/*
 * Set the site of bli_shadow_take() for a call of the library; make it that for a call
 * of a binding.
 */
void bli_shadow_set_due(struct bli_site *site);
void bli_shadow_give_binding(void);

/* Add the counts of all thread caches to those of their sites.  Under the lock. */
void bli_counts_collect(void);

/*
 * Drop what was found at all sites, but not which sites were reported, and begin a new
 * generation.  Under the lock; a forked child does so first.
 */
void bli_counts_reset(void);

/* ---- raising ---- */

/*
 * Raise the warning of an event of a call of this kind, which bli_cache_count() did not
 * count: count the call `times` times, and do what the filters say.  The call pairs as
 * 1-D if `is_flat`, though `answer` is what broadcasting gives.  BL_ERR_RULES where
 * that is an error.
 */
bl_status bli_warning_raise(const struct bli_call_site *at, uint64_t kind,
                            int32_t times, bool is_flat, const bl_rules_query *query,
                            const bl_rules_answer *answer, const bl_rules_event *event);

/* Append the shapes of a warning, "(4,1) (4) -> (4,4)"; nothing if there are none. */
void bli_warning_shapes(struct bli_text *text, const bl_warning *warning);

/* ---- shadow runs, under the lock ---- */

/*
 * Which of the calls of a warning's kind are to be compared: every so many-th; 0: none.
 */
int64_t bli_shadow_period(const bl_warning *warning, bool is_flat);

/*
 * Mark a result for what its inputs are marked for, and where it differs for `site`,
 * too.
 */
void bli_marks_add(struct bli_site *site, const struct bli_bytes *result, int32_t count,
                   const struct bli_bytes *inputs, bool differs);

/* Remove all marks. */
void bli_marks_drop(void);

/* Sites that marks may be for, with one for none. */
enum { BLI_ORIGINS = 256 };

/* Call `visit` for each site that a span is marked for.  Takes the lock. */
typedef void (*bli_site_visitor)(void *user, struct bli_site *site);
void bli_marks_visit(const struct bli_bytes *span, bli_site_visitor visit, void *user);

/* Forget where elements that differ for a site left the library. */
void bli_reads_free(struct bli_site *site);

/* Write the reads of a site as text from malloc(); NULL without memory or reads. */
char *bli_reads_text(const struct bli_site *site);

/*
 * What the filters do with a warning of a site: BL_WARNING_ALWAYS to report it,
 * BL_WARNING_ERROR, else BL_WARNING_IGNORE.  Under the lock.
 */
bl_warning_action bli_filter_decide(const struct bli_key *key, struct bli_site *site,
                                    bool has_handler);

/* Free all filters.  Under the lock. */
void bli_filter_reset(void);

/*
 * Write `path` for this process, with %p, %r and %% replaced.  BL_ERR_ARGUMENT where it
 * is too long for `size` bytes or has another '%'.
 */
bl_status bli_path_fill(const char *path, char *buffer, size_t size);

#endif
