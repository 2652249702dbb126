/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A TAP (testanything.org) producer for the test programs: one result line per check on
 * standard output.  Not thread-safe.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>

#if defined(__GNUC__)
#define TAP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TAP_PRINTF(text, first)
#endif

/* Start the stream; call this first. tap_done() prints the plan. */
void tap_plan(void);

/* Emit one result, named by the formatted text; returns `pass`. */
bool tap_ok(bool pass, const char *format, ...) TAP_PRINTF(2, 3);

/* Emit a skipped result, and the reason. */
void tap_skip(const char *reason, const char *format, ...) TAP_PRINTF(2, 3);

/* Emit a diagnostic; each line follows "# ". */
void tap_note(const char *format, ...) TAP_PRINTF(1, 2);

/* Print the plan; returns the exit status, 0 if nothing failed. */
int tap_done(void);

#endif
