/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recorded calls in the Trace Event Format, which Perfetto and Chrome read.
 */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <stdio.h>

#include "tool.h"

/* Write `count` events; regions are named `call`.  The file's error flag tells. */
void trace_events_write(FILE *file, const bl_trace *event, int64_t count,
                        const char *call);

#endif
