/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public structs that may grow: their first member is `size`, what the program knew of
 * the struct when it was compiled.
 *
 * An older program's struct is shorter: members it lacks have their defaults.  A newer
 * program's is longer: it is taken as long as the bytes that this library does not know
 * are 0, that is, as long as no newer member is set.
 */
#ifndef BLI_SIZED_H
#define BLI_SIZED_H

#include "core/core.h"

/*
 * Copy what was given over `known`, which holds the defaults and its own size, in
 * `bytes`.  BL_ERR_ARGUMENT for a size below `least`, the first release's;
 * BL_ERR_UNSUPPORTED where a member is set that is newer than the library.  `what`
 * names the struct in the error's text.  On failure `known` is as it was.
 */
bl_status bli_sized_read(void *known, size_t bytes, size_t least, const void *given,
                         const char *what);

/*
 * Check the size of a struct that is to be filled in; errors as above, but for newer
 * members, which are allowed to hold anything.
 */
bl_status bli_sized_check(const void *given, size_t least, const char *what);

/*
 * Fill in a struct whose size was checked with the `bytes` of `known`: as much as it
 * has room for, and zeros in members that are newer than the library.  Its size stays.
 */
void bli_sized_write(void *given, const void *known, size_t bytes);

#endif
