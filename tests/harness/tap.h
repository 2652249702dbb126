/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A producer of TAP (testanything.org) for the test programs: one result line per check
 * on standard output.  For one thread at a time.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>

#if defined(__GNUC__)
#define TAP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TAP_PRINTF(text, first)
#endif

/* Start the stream: called first.  The plan is printed by tap_done. */
void tap_plan(void);

/* One result, named by the formatted text; returns `pass`. */
bool tap_ok(bool pass, const char *format, ...) TAP_PRINTF(2, 3);

/* One result that could not be had here, and why. */
void tap_skip(const char *reason, const char *format, ...) TAP_PRINTF(2, 3);

/* Text for people, each line of it after "# ". */
void tap_note(const char *format, ...) TAP_PRINTF(1, 2);

/* Print the plan; the exit status: 0 where nothing failed. */
int tap_done(void);

#endif
