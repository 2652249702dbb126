/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a program whose processes report what broadcasting changes of their calls.
 */
#ifndef MIGRATE_RUN_H
#define MIGRATE_RUN_H

#include "findings.h"

/*
 * Run `program`, which ends with NULL, and add what its processes found.  `*result` is
 * its exit status as shells have it: 127 where it cannot be run, 128 and the number of
 * the signal that ended it.
 */
bl_status migrate_run(char **program, struct findings *findings, int *result);

#endif
