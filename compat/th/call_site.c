/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call site of the next operation, which macros record just before the call and
 * which the operation, or an error, clears.
 */
#include "core.h"

static _Thread_local struct th_place site, taken;

void THCallSite(const char *file, int line)
{
    site = (struct th_place){file, line, NULL};
}

void th_pass_call(struct th_call call)
{
    if (!site.file && !site.address)
        site.address = call.address;
}

struct th_place th_take_place(struct th_call call)
{
    th_pass_call(call);
    taken = site;
    site = (struct th_place){NULL, 0, NULL};
    return taken;
}

struct th_place th_taken_place(void)
{
    return taken;
}
