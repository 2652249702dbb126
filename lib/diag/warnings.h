/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the warnings share: the places that they are from, and who decides
 * whether one is told.
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
 * The lock that guards filters, handler and places, but for what is atomic.  Nothing
 * else is locked, and nobody called back, by a thread that holds it.
 */
void bli_warnings_enter(void);
void bli_warnings_leave(void);

/*
 * A number that changes, under the lock, with the filters and the handler: what was
 * decided for one holds until there is another.  Never 0.
 */
extern _Atomic uint32_t bli_filter_generation;

enum { BLI_CHANGES = BL_CHANGE_KEEPDIM + 1 };

/* Who is told, and how many were told or made an error, of each change. */
struct bli_emitted {
    bl_warning_handler handler; /* NULL: nobody */
    void *user;
    int64_t count[BLI_CHANGES];
};
extern struct bli_emitted bli_emitted; /* under the lock */

/* What warnings are the same: one change and function, from one place. */
struct bli_key {
    int32_t change;
    int32_t line;
    const char *function;
    const char *file; /* NULL: the address is the place */
    const void *address;
    bl_op op; /* where there is no function */
};

/* Room for shapes as text, and how many kinds of calls a place tells apart. */
enum { BLI_SHAPES_SIZE = 128, BLI_KINDS = 8 };

/* Where an address lies in a file that the process runs. */
struct bli_loaded_file {
    const char *path;            /* "": unknown */
    uint64_t offset;             /* as addr2line takes it */
    char build_id[BLI_BUILD_ID]; /* in hexadecimal; "": none */
};

/*
 * Where an address lies; at 0 of the program where nothing that is loaded has it.  The
 * path is valid while the module is loaded, and until the next call.  Under the lock.
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

/* Whether calls of a kind were noted at a site. */
static inline bool bli_site_knows(const struct bli_site *site, uint64_t kind)
{
    for (int k = 0; k < BLI_KINDS; k++)
        if (atomic_load_explicit(&site->known[k], memory_order_relaxed) == kind)
            return true;
    return false;
}

/* How deep the calling thread is in scopes without warnings; a handler is one. */
int32_t *bli_suppressed(void);

/* Fill in the calling thread's place. */
void bli_key_set_location(struct bli_key *key, const void *address);

enum { BLI_SIGNATURE_OPERANDS = 3, BLI_SIGNATURE_RANK = 4 };

/* A call that pairs as 1-D, and what its warnings follow from. */
struct bli_call_signature {
    const char *function;
    const char *file;
    const void *address;
    int32_t line;
    bool raises;   /* whether there are any */
    int32_t count; /* of operands; 0: nothing is kept */
    int32_t mode;
    bl_predicate predicate;
    int32_t rank[BLI_SIGNATURE_OPERANDS];
    int64_t extent[BLI_SIGNATURE_OPERANDS][BLI_SIGNATURE_RANK];
};

/* What a thread keeps of a site; others read it. */
struct bli_cache_entry {
    struct bli_key key;
    struct bli_site *site;
    uint64_t kind;                  /* of the last call */
    uint32_t suppressed_generation; /* the site's, when it was last looked at */
    _Atomic int64_t count;
};

/* Only the thread writes its counts, so that nothing is lost between load and store. */
static inline void bli_count_in_entry(struct bli_cache_entry *entry, int32_t times)
{
    const int64_t count = atomic_load_explicit(&entry->count, memory_order_relaxed);

    atomic_store_explicit(&entry->count, count + times, memory_order_relaxed);
}

/*
 * Count so many calls of a kind, never 0, that raise warnings, and return their site;
 * NULL without memory.
 */
struct bli_site *bli_count(const struct bli_key *key, uint64_t kind, int32_t times);

/* The calling thread's last warning was suppressed. */
void bli_forget_kind(void);

/*
 * Where the calling thread keeps the last call from there, and in `*site` its site if
 * it raised warnings.  What is there may be of another place; it may be written once
 * the thread has room.
 */
struct bli_call_signature *bli_signature_at(int32_t line, const void *address,
                                            struct bli_cache_entry **entry);
bool bli_has_thread_cache(void);

/* Bring the totals of all sites up to date.  Under the lock. */
void bli_count_all(void);

/*
 * Forget what was found so far, but not what was told: all counts are 0.  Under the
 * lock.
 */
void bli_count_from_zero(void);

/* The site of a key, made where there is none; NULL without memory.  Under the lock. */
struct bli_site *bli_site_find(const struct bli_key *key);

/* The same of no place. */
struct bli_site *bli_site_unlocated(const struct bli_key *key);

/* All sites.  Under the lock. */
struct bli_site *bli_site_first(void);

/*
 * What is done with a warning: BL_WARNING_ALWAYS for one that is to be told,
 * BL_WARNING_ERROR, else BL_WARNING_IGNORE.  Under the lock.
 */
bl_warning_action bli_filter_decide(const bl_warning *warning, struct bli_site *site,
                                    bool has_handler);

/*
 * Write `path` for this process, with %p, %r and %% replaced.  BL_ERR_ARGUMENT where it
 * is too long for `size` bytes or has another '%'.
 */
bl_status bli_path_fill(const char *path, char *buffer, size_t size);

/* Drop the filters.  Under the lock. */
void bli_filter_reset(void);

#endif
