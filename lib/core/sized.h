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

/* Bytes that no struct will grow to: a larger size was never set. */
#define BLI_SIZED_MOST 4096

/*
 * Copy the caller's struct `given` over `known`, a struct of `bytes` bytes that holds
 * the defaults.  BL_ERR_ARGUMENT if `given` is NULL or smaller than `least`, the size
 * in the first release; BL_ERR_UNSUPPORTED if a member is set that is newer than the
 * library.  `what` names the struct in the error text.  On failure `known` is
 * unchanged.
 */
bl_status bli_sized_read(void *known, size_t bytes, size_t least, const void *given,
                         const char *what);

/*
 * Check a struct that the library is to fill in.  BL_ERR_ARGUMENT if `given` is NULL or
 * smaller than `least`; members that are newer than the library may hold anything.
 */
bl_status bli_sized_check(const void *given, size_t least, const char *what);

/*
 * Copy the `bytes` of `known` to the caller's struct, whose size was checked: as many
 * as it has room for, and zeros to members that are newer than the library.  Its size
 * is kept.
 */
void bli_sized_write(void *given, const void *known, size_t bytes);

#endif
