/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a program whose processes report what broadcasting changes of their calls.
 */
#ifndef MIGRATE_RUN_H
#define MIGRATE_RUN_H

#include "findings.h"

/*
 * Run `program`, which ends with NULL, and add what its processes found; `shadow` is
 * what BROADLOOM_COMPAT_SHADOW shall be, NULL what it is.  `*result` is
 * its exit status as in a shell: 127 if it is not found, 126 if it cannot be run
 * otherwise, 128 plus the signal that ended it, which is reported on standard error.
 * BL_ERR_IO where it does not run, or no process wrote a report.
 */
bl_status migrate_run(char **program, const char *shadow, struct findings *findings,
                      int *result);

#endif
