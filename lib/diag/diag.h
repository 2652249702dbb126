/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings, as calls use them: flags, generation, and the counting of repeated calls.
 */
#ifndef BLI_DIAG_H
#define BLI_DIAG_H

#include <broadloom/rules.h>

#include "diag/shadow.h"

#include <stdatomic.h>

/* The address that the enclosing function returns to; NULL if unknown. */
#if defined(__GNUC__)
#define BLI_RETURN_ADDRESS __builtin_return_address(0)
#else
#define BLI_RETURN_ADDRESS NULL
#endif

/*
 * The generation of warnings: in its low bits the flags, above them a number that grows
 * with each change of flags, filters or handler and with each reset.  What was decided
 * in a generation, such as that a call needs no report, holds until the next.  Never 0.
 */
enum {
    BLI_WARN_BROADCAST = 1,
    BLI_WARN_KEEPDIM = 2,
    BLI_WARN_PRECISE = 4,
    BLI_WARN_SHADOW = 8,
    BLI_WARN_GENERATION = 16 /* one more */
};
extern _Atomic uint64_t bli_warnings_word; /* written under the lock of warnings */

static inline uint64_t bli_warnings_generation(void)
{
    return atomic_load_explicit(&bli_warnings_word, memory_order_relaxed);
}

/* Set flags and filters from the environment; only the first call has an effect. */
void bli_warnings_start(void);

/*
 * The kind of a call that raises warnings of a change: a hash of what is the same for
 * all calls whose warnings are the same, except the call site.  Pure.
 */
uint64_t bli_warning_kind(const bl_rules_query *query, int32_t change);

/*
 * Count a call of a kind that raises warnings, which returns to `address`.  False where
 * its warnings have to be raised: the thread has not cached that they are suppressed.
 */
bool bli_warnings_repeat(uint64_t kind, const void *address);

/*
 * bl_warnings_raise(), and for calls that pair as 1-D bl_warnings_raise_pointwise(), of
 * a call of the library, from its call site.
 */
bl_status bli_warnings_raise(const bl_rules_query *query, const bl_rules_answer *answer,
                             const bl_rules_event *event, const void *address);
bl_status bli_warnings_raise_flat(const bl_rules_query *query, const void *address);

#endif
