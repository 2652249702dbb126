/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine's caches, as far as a plan depends on them.
 */
#ifndef BLI_PLAN_CACHES_H
#define BLI_PLAN_CACHES_H

#include <stdbool.h>
#include <stdint.h>

/* With less traffic than this, nobody asks: the machine need not be discovered. */
#define BLI_CACHES_ASKED (12 << 20)

/* Bytes of the last-level caches where the machine does not tell them. */
#define BLI_CACHES_UNKNOWN (32 << 20)

struct bli_team;

/*
 * Asks for the bytes of last-level caches that a call's threads fill, and of a
 * second-level cache; 0: unknown.
 */
struct bli_caches {
    int64_t (*bytes)(const struct bli_team *team); /* NULL: unknown */
    const struct bli_team *team;                   /* only borrowed */
    int64_t (*second)(void);                       /* NULL: unknown */
};

/* These bytes, or a usual machine's where they are unknown. */
static inline double bli_caches_bytes(struct bli_caches caches)
{
    const int64_t told = caches.bytes ? caches.bytes(caches.team) : 0;

    return told > 0 ? (double)told : BLI_CACHES_UNKNOWN;
}

/* Whether so much traffic is more than a part of them. */
static inline bool bli_caches_exceeded(struct bli_caches caches, double traffic,
                                       double part)
{
    return traffic >= BLI_CACHES_ASKED && traffic > part * bli_caches_bytes(caches);
}

/* Bytes of a second-level cache; 0: unknown. */
static inline int64_t bli_caches_second(struct bli_caches caches)
{
    return caches.second ? caches.second() : 0;
}

#endif
