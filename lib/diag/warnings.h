/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the warnings share: warning sites, thread caches, and the filters
 * that decide whether a warning is reported.
 */
#ifndef BLI_DIAG_WARNINGS_H
#define BLI_DIAG_WARNINGS_H

#include <broadloom/warnings.h>

#include "diag/elf_note.h"

#include <pthread.h>
#include <stdatomic.h>

#if defined(__GNUC__)
#define BLI_RETURN_ADDRESS __builtin_return_address(0)
#else
#define BLI_RETURN_ADDRESS NULL
#endif

/*
 * Lock and unlock filters, handler and sites, except what is atomic.  A thread that
 * holds the lock takes no other lock and calls no handler.
 */
void bli_warnings_enter(void);
void bli_warnings_leave(void);

/*
 * The filter generation: a number that changes, under the lock, with the filters and
 * the handler.  A decision holds for the generation in which it was made.  Never 0.
 */
extern _Atomic uint32_t bli_filter_generation;

enum { BLI_CHANGES = BL_CHANGE_KEEPDIM + 1 };

/* The handler, and how many warnings of each change were reported or made an error. */
struct bli_emitted {
    bl_warning_handler handler; /* NULL: nobody */
    void *user;
    int64_t count[BLI_CHANGES];
};
extern struct bli_emitted bli_emitted; /* under the lock */

/* What identifies a warning site: one change and function, from one place. */
struct bli_key {
    int32_t change;
    int32_t line;
    const char *function;
    const char *file; /* NULL: the address is the place */
    const void *address;
    bl_op op; /* used where there is no function */
};

/* Bytes of shapes as text, and how many kinds of calls a site distinguishes. */
enum { BLI_SHAPES_SIZE = 128, BLI_KINDS = 8 };

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

/* A warning site and what was found there; never freed. */
struct bli_site {
    struct bli_site *next;      /* in the list of all sites */
    struct bli_site *hash_next; /* in the same hash bucket */
    struct bli_key key;         /* its strings are copies */
    /* Of the address, for a site without a file; the path is a copy. */
    struct bli_loaded_file loaded_file;
    /* The filter generation in which nothing from this site is reported. */
    _Atomic uint32_t suppressed_generation;
    _Atomic int32_t effect; /* the worst one; written under the lock, as the growth */
    _Atomic double growth;
    _Atomic uint64_t known[BLI_KINDS]; /* kinds of calls that were recorded; 0: none */
    _Atomic bool has_more;             /* there were more kinds than that */
    /* The rest is under the lock. */
    int64_t count;          /* without what threads' caches still hold */
    int64_t count_at_reset; /* what was counted before the last reset */
    int64_t total;          /* since then, as of the last bli_count_all() */
    bool was_emitted;
    uint64_t expanded_dims;                /* of the worst call, as the next two */
    char name[32];                         /* of the function */
    char shapes[BLI_SHAPES_SIZE];          /* "(4,1) (4) -> (4,4)" */
    char kind[BLI_KINDS][BLI_SHAPES_SIZE]; /* the shapes of each kind in `known` */
};

/* Whether calls of a kind were recorded at a site. */
static inline bool bli_site_knows(const struct bli_site *site, uint64_t kind)
{
    for (int k = 0; k < BLI_KINDS; k++)
        if (atomic_load_explicit(&site->known[k], memory_order_relaxed) == kind)
            return true;
    return false;
}

/*
 * How deep the calling thread is in scopes that suppress warnings; a handler runs in
 * one.
 */
int32_t *bli_suppressed(void);

/* Fill in the file and line of the calling thread's call site, and the address. */
void bli_key_set_location(struct bli_key *key, const void *address);

enum { BLI_SIGNATURE_OPERANDS = 3, BLI_SIGNATURE_RANK = 4 };

/* A call that pairs as 1-D: its call site and the shapes its warnings follow from. */
struct bli_call_signature {
    const char *function;
    const char *file;
    const void *address;
    int32_t line;
    bool raises;   /* whether it raises warnings */
    int32_t count; /* of operands; 0: the signature is empty */
    int32_t mode;
    bl_predicate predicate;
    int32_t rank[BLI_SIGNATURE_OPERANDS];
    int64_t extent[BLI_SIGNATURE_OPERANDS][BLI_SIGNATURE_RANK];
};

/* A thread's cache entry of a site; other threads read it. */
struct bli_cache_entry {
    struct bli_key key;
    struct bli_site *site;
    uint64_t kind;                  /* of the last call */
    uint32_t suppressed_generation; /* the site's, as of the last call */
    _Atomic int64_t count;
};

/*
 * Add to an entry's count.  Only its own thread writes it, so that nothing is lost
 * between load and store.
 */
static inline void bli_count_in_entry(struct bli_cache_entry *entry, int32_t times)
{
    const int64_t count = atomic_load_explicit(&entry->count, memory_order_relaxed);

    atomic_store_explicit(&entry->count, count + times, memory_order_relaxed);
}

/*
 * Count `times` calls of a kind, never 0, that raise warnings, and return their site;
 * NULL without memory.
 */
struct bli_site *bli_count(const struct bli_key *key, uint64_t kind, int32_t times);

/* Record that the calling thread's last warning was suppressed: its kind is 0. */
void bli_forget_kind(void);

/*
 * The slot of a call site in the calling thread's cache: returns its call signature,
 * and its entry, used if the call raised warnings, in `*entry`.  Both may be of another
 * call site.  They may be written only where the thread has a cache.
 */
struct bli_call_signature *bli_signature_at(int32_t line, const void *address,
                                            struct bli_cache_entry **entry);
/* Whether the calling thread has a cache; makes one if it can. */
bool bli_has_thread_cache(void);

/* Bring the totals of all sites up to date.  Under the lock. */
void bli_count_all(void);

/*
 * Reset all counts and what was found at sites, but not which sites were reported.
 * Under the lock.
 */
void bli_count_from_zero(void);

/* The site of a key, made if new; NULL without memory.  Under the lock. */
struct bli_site *bli_site_find(const struct bli_key *key);

/*
 * The site of a key without its place: one for all calls of a change and function; NULL
 * without memory.  Under the lock.
 */
struct bli_site *bli_site_unlocated(const struct bli_key *key);

/* The first site in the list of all, NULL if there is none.  Under the lock. */
struct bli_site *bli_site_first(void);

/*
 * What the filters do with a warning: BL_WARNING_ALWAYS to report it, BL_WARNING_ERROR,
 * else BL_WARNING_IGNORE.  Under the lock.
 */
bl_warning_action bli_filter_decide(const bl_warning *warning, struct bli_site *site,
                                    bool has_handler);

/*
 * Write `path` for this process, with %p, %r and %% replaced.  BL_ERR_ARGUMENT where it
 * is too long for `size` bytes or has another '%'.
 */
bl_status bli_path_fill(const char *path, char *buffer, size_t size);

/* Free all filters.  Under the lock. */
void bli_filter_reset(void);

#endif
