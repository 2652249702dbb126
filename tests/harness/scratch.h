/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files and folders that a test makes, and removes if it comes to its end. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

enum { SCRATCH_BYTES = 96 };

/*
 * Write to `name` what mkstemp() and mkdtemp() take, below $TMPDIR or, where that
 * is not set or long, /tmp: who runs tests that may crash sets it, and removes what
 * they leave.
 */
void scratch_name(char name[SCRATCH_BYTES], const char *what);

#endif
