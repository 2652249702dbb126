/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public structs that may grow: their first member, `size`, is the size of the struct
 * that the program was compiled with.
 *
 * An older program's struct is shorter: the members it lacks take their defaults.  A
 * newer program's is longer: it is accepted if the bytes unknown to this library are
 * all 0, that is, if no newer member is set.
 */
#ifndef BLI_SIZED_H
#define BLI_SIZED_H

#include "core/core.h"

#include <broadloom/rules.h>

/* Bytes that no struct will grow to: a larger size was never set. */
#define BLI_SIZED_MOST 4096

/*
 * Copy the caller's struct `given` over `known`, a struct of `bytes` bytes that holds
 * the defaults.  BL_ERR_ARGUMENT if `given` is NULL or smaller than `least`, the size
 * in the first release; BL_ERR_UNSUPPORTED if a byte from `bytes` on is not 0: a member
 * that is newer than the library, or reserved.  `what` names the struct in the error
 * text.  On failure `known` is unchanged.
 */
bl_status bli_sized_read(void *known, size_t bytes, size_t least, const void *given,
                         const char *what);

/*
 * Check a struct that the library is to fill in.  BL_ERR_ARGUMENT if `given` is NULL or
 * smaller than `least`; members that are newer than the library may hold anything.
 */
bl_status bli_sized_check(const void *given, size_t least, const char *what);

/* Whether a struct has a size that these functions accept, NULL has none. */
bool bli_sized_is_valid(const void *given, size_t least);

/*
 * Copy the `bytes` of `known` to the caller's struct, whose size was checked: as many
 * as it has room for, and zeros to members that are newer than the library.  Its size
 * is kept.
 */
void bli_sized_write(void *given, const void *known, size_t bytes);

/*
 * The size of a struct up to and including its member `last`.  With the last member
 * that the struct had in its first release this is the least size that a program
 * passes: unlike sizeof, it stays when members are added.
 */
#define BLI_SIZE_THROUGH(type, last) (offsetof(type, last) + sizeof((type *)0)->last)

/* Some of the functions above for pointers to the struct, with the member `last`. */
#define BLI_SIZED_READ(known, last, given, what)                                       \
    bli_sized_read(known, sizeof *(known),                                             \
                   BLI_SIZE_THROUGH(__typeof__(*(known)), last), given, what)
#define BLI_SIZED_CHECK(given, last, what)                                             \
    bli_sized_check(given, BLI_SIZE_THROUGH(__typeof__(*(given)), last), what)

/* Read a caller's query into `*known`.  Errors as from bli_sized_read. */
static inline bl_status bli_query_read(bl_rules_query *known,
                                       const bl_rules_query *given)
{
    *known = (bl_rules_query){.axis = BL_AXIS_LAST};
    return BLI_SIZED_READ(known, function, given, "query");
}

/* Whether an event names two operands of a query, as all but KEEPDIM do. */
static inline bool bli_event_is_of(const bl_rules_event *event,
                                   const bl_rules_query *query)
{
    if (event->change == BL_CHANGE_KEEPDIM)
        return true;
    return event->first >= 0 && event->first < query->count && event->second >= 0 &&
           event->second < query->count;
}

#endif
