/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures how much stack calls use: the stack below a call is painted, and what is
 * overwritten afterwards was used.  A program names its calls in groups; run as `NAME
 * small` it makes them unmeasured, in a thread of PAINTED_SMALL bytes of stack of which
 * the application keeps PAINTED_OWN, and as `NAME small teams` only those with teams.
 */
#ifndef TESTS_PAINTED_H
#define TESTS_PAINTED_H

#include <broadloom.h>

#include "tap.h"

/*
 * The most stack that a call may use, on the calling thread and on each of its workers.
 */
#define PAINTED_MOST (42 << 10)

#define PAINTED_SMALL (64 << 10)
#define PAINTED_OWN   (16 << 10)

/* Begin a group, whose worst call is reported at its end. */
void painted_begin(const char *group);

/* Make the group's next call, which the text names; returns its status. */
bl_status painted_call(bl_status (*call)(void), const char *text, ...) TAP_PRINTF(2, 3);

/*
 * End the group, and check that its worst call is within bounds; `team`: on workers
 * too.
 */
void painted_end(void);

/* As painted_end(), with other bounds than PAINTED_MOST. */
void painted_end_within(size_t most);

/* Measure workers too from here on; returns the number of the team's threads. */
int32_t painted_team(void);

/* Measure a team of so many threads from here on; of one, the calling thread alone. */
void painted_team_of(int32_t threads);

/* Whether only calls with teams are requested. */
bool painted_teams_only(void);

/* The program's main: run all groups; returns the exit status. */
int painted_main(int argc, char **argv, void (*groups)(void));

#endif
