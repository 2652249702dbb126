/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much stack calls take: the stack below a call is painted, and what is no longer
 * paint afterwards was used.  A program names its calls in groups; run as `NAME small`
 * it makes them unmeasured, in a thread of PAINTED_SMALL bytes of stack of which the
 * application keeps PAINTED_OWN, and as `NAME small teams` those of teams alone.
 */
#ifndef TESTS_PAINTED_H
#define TESTS_PAINTED_H

#include <broadloom.h>

#include "tap.h"

/* The most that a call may take, on the calling thread and on each of its workers. */
#define PAINTED_MOST (40 << 10)

#define PAINTED_SMALL (64 << 10)
#define PAINTED_OWN   (16 << 10)

/* Begin a group, whose worst call is told at its end. */
void painted_begin(const char *group);

/* Make the group's next call, which the text names; its status. */
bl_status painted_call(bl_status (*call)(void), const char *text, ...) TAP_PRINTF(2, 3);

/* The group's worst call is within bounds; `team`: on workers too. */
void painted_end(void);

/* From here on workers are measured too; returns the number of the team's threads. */
int32_t painted_team(void);

/* Whether only calls of teams are asked for. */
bool painted_teams_only(void);

/* Run all groups: the program's main.  The exit status. */
int painted_main(int argc, char **argv, void (*groups)(void));

#endif
