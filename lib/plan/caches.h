/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine's caches, as far as a plan depends on them.
 */
#ifndef BLI_PLAN_CACHES_H
#define BLI_PLAN_CACHES_H

#include <stdint.h>

struct bli_team;

/* Asks for the bytes of last-level caches that a call's threads fill; 0: unknown. */
struct bli_caches {
    int64_t (*bytes)(const struct bli_team *team); /* NULL: unknown */
    const struct bli_team *team;                   /* only borrowed */
};

#endif
