/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the warnings share: who decides whether one is told, and from where
 * a call came.
 */
#ifndef COMPAT_WARNINGS_H
#define COMPAT_WARNINGS_H

#include <broadloom/warnings.h>

#if defined(__GNUC__)
#define BLI_RETURN_ADDRESS __builtin_return_address(0)
#else
#define BLI_RETURN_ADDRESS NULL
#endif

/*
 * What is done with a warning that has its difference, function and calling place
 * filled in: BL_WARNING_ALWAYS for one that is to be told, BL_WARNING_ERROR, else
 * BL_WARNING_IGNORE.  Remembers what was told.  Thread-safe.
 */
bl_warning_action bli_filter_decide(const bl_warning *warning);

/* Whether any filter was added. */
bool bli_filter_exists(void);

/* Drop them, and forget what was told. */
void bli_filter_reset(void);

/* Fill in the calling thread's place, with `address` where there is no file. */
void bli_call_site(bl_warning *warning, const void *address);

#endif
