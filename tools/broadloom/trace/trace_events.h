/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes recorded calls in the Trace Event Format, for Perfetto and Chrome.
 */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <stdio.h>

#include "tool.h"

/*
 * Write `count` events; regions are named `call`.  Failures set the file's error flag.
 */
void trace_events_write(FILE *file, const bl_trace *event, int64_t count,
                        const char *call);

#endif
