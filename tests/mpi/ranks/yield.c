/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that wait let others run, since in tests several share a processor.  MPICH's
 * wait without yielding (Open MPI has a setting): while they do, they ask UCX for
 * progress, by this function before UCX's own.
 */
#include <dlfcn.h>
#include <sched.h>

#include "mpi/ranks/world.h"

double world_seconds_of_element;

void world_compute(int64_t elements)
{
    (void)elements;
}

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *worker);
    unsigned events;

    if (!progress)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    events = progress(worker);
    if (events == 0)
        sched_yield();
    return events;
}
