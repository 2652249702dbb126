/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs, as calls use them: whether there is one, the place of a call that is to
 * be compared, and the marks of memory whose elements differ.
 */
#ifndef BLI_SHADOW_H
#define BLI_SHADOW_H

#include <broadloom/shadow.h>

#include <stdatomic.h>

struct bli_site;

/*
 * Whether memory is marked, above it how many calls under way are to be compared, and
 * above that a number that grows when a range of memory is marked that was not before.
 * 0 where there is nothing to watch.
 */
#define BLI_SHADOW_MARKS      UINT64_C(1)
#define BLI_SHADOW_DUE        UINT64_C(2)
#define BLI_SHADOW_GENERATION (UINT64_C(1) << 24)
extern _Atomic uint64_t bli_shadow_word;

static inline uint64_t bli_shadow_state(void)
{
    return atomic_load_explicit(&bli_shadow_word, memory_order_relaxed);
}

/* Whether calls have to be watched; almost always false. */
static inline bool bli_shadow_watches(void)
{
    return __builtin_expect(bli_shadow_state() % BLI_SHADOW_GENERATION != 0, 0);
}

/* Whether a call under way, of any thread, is to be compared. */
static inline bool bli_shadow_has_due(void)
{
    return bli_shadow_state() % BLI_SHADOW_GENERATION >= BLI_SHADOW_DUE;
}

/* Whether memory is marked. */
static inline bool bli_shadow_has_marks(void)
{
    return __builtin_expect((bli_shadow_state() & BLI_SHADOW_MARKS) != 0, 0);
}

/* Elements of a result that are compared at most. */
#define BLI_SHADOW_ELEMENTS 262144

/* Bytes in memory, from `begin` up to `end`; empty where they are equal. */
struct bli_bytes {
    uintptr_t begin, end;
    bool is_dense; /* none of the bytes is between elements */
};

/* What two results differ in. */
struct bli_difference {
    int64_t elements, differ, not_finite;
    double max_abs, max_rel;
    int64_t max_ulp;
};

/*
 * The site of the call, one of a binding or of the library, of which the calling thread
 * has just raised the warning, where it is to be compared, else NULL.  The next answer
 * is NULL.
 */
struct bli_site *bli_shadow_take(bool of_binding);

/*
 * Begin (1) or end (-1) the computation of another result: calls of the thread carry no
 * marks.
 */
void bli_shadow_pause(int32_t change);
bool bli_shadow_is_paused(void);

/*
 * Add a comparison to what was found at a site, and mark the result where there is a
 * difference; also for what its inputs are marked for.
 */
void bli_shadow_add(struct bli_site *site, const struct bli_difference *difference,
                    const struct bli_bytes *result, int32_t count,
                    const struct bli_bytes *inputs);

/*
 * A range of memory that met no mark, cached by its thread until a range is marked that
 * was not before.
 */
struct bli_clean {
    uintptr_t begin, end;
    uint64_t generation;
};
enum { BLI_CLEAN = 64 };
extern _Thread_local void *bli_clean_ranges; /* BLI_CLEAN entries; NULL: none */

/* The entry of a range that begins at an address. */
static inline struct bli_clean *bli_clean_of(uintptr_t begin)
{
    return (struct bli_clean *)bli_clean_ranges +
           ((uint64_t)begin * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* Whether a range is known to meet no mark; the thread has entries. */
static inline bool bli_is_clean(uintptr_t begin, uintptr_t end)
{
    const struct bli_clean *const known = bli_clean_of(begin);

    return known->begin == begin && known->end >= end &&
           known->generation == bli_shadow_state() / BLI_SHADOW_GENERATION;
}

/* Mark a result for what its inputs are marked for; where for nothing, unmark it. */
void bli_marks_carry(const struct bli_bytes *result, int32_t count,
                     const struct bli_bytes *inputs);

/* Where a call is made: see diag/warnings.h. */
struct bli_call_site;

/* Count elements that leave the library at a site, where they are marked. */
void bli_shadow_read(bl_shadow_how how, const struct bli_bytes *span,
                     const struct bli_call_site *at);

/* Unmark memory that is freed. */
void bli_marks_forget_freed(const void *data, size_t bytes);

static inline void bli_marks_forget(const void *data, size_t bytes)
{
    if (bli_shadow_has_marks())
        bli_marks_forget_freed(data, bytes);
}

/* Which calls are compared, as bl_shadow_set_every() has it. */
bl_status bli_shadow_set_every(int64_t every);
int64_t bli_shadow_every(void);

/* Set what BROADLOOM_COMPAT_SHADOW has; other texts are ignored. */
void bli_shadow_set_text(const char *text);

#endif
