/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how many threads a call gets: no more than its cost model asks for and the
 * caller allows, by OpenMP's settings, the affinity mask, the control group's quota and
 * the context.
 */
#include "core/lock.h"
#include "exec/bind/bind.h"

#include <broadloom/topology.h>

#include <omp.h>

/* Processors in OpenMP's places, which do not change; 0 where there are no places. */
static int32_t place_processors;

/* Find out, once in a process, whether it is a forked child, and its places. */
static void know_process(void)
{
    /* The application may have had a team, and forked, before the first call. */
    if (bli_process_is_forked())
        bli_note_child();
    if (omp_get_num_places() > 0)
        place_processors = bli_mask_processors();
}

/* Return whether OpenMP and the context allow a parallel region here. */
static bool may_open_region(const struct bli_team *team)
{
    return !omp_in_parallel() ||
           (team->nested && omp_get_active_level() < omp_get_max_active_levels());
}

/* Lower `*most` to `threads` if that is less, and record the reason in `*limit`. */
static void lower(int32_t threads, bl_team_limit why, int32_t *most, int32_t *limit)
{
    if (threads < *most) {
        *most = threads;
        *limit = why;
    }
}

/*
 * Return the threads that OpenMP and the machine allow a call; `*limit` says which
 * limit held them back.
 */
static int32_t most_threads(const struct bli_team *team, int32_t *limit)
{
    int32_t most = omp_get_max_threads();

    *limit = BL_TEAM_LIMIT_OPENMP;
    lower(omp_get_thread_limit(), BL_TEAM_LIMIT_OPENMP, &most, limit);
    lower(BLI_MAX_TEAM, BL_TEAM_LIMIT_OPENMP, &most, limit);
    if (team->threads > 0) {
        /* The context sets the number: its author answers for masks and quotas. */
        lower(team->threads, BL_TEAM_LIMIT_CONTEXT, &most, limit);
        return most;
    }
    /* With places, all of them count, not only the one that this thread is bound to. */
    lower(place_processors > 0 ? place_processors : omp_get_num_procs(),
          BL_TEAM_LIMIT_MASK, &most, limit);
    if (bli_quota_here() > 0)
        lower(bli_quota_here(), BL_TEAM_LIMIT_QUOTA, &most, limit);
    return most;
}

/* Return a team of 1 thread, and record the reason in `*limit`. */
static int32_t limited(int32_t why, int32_t *limit)
{
    *limit = why;
    return 1;
}

int32_t bli_team_size(const struct bli_team *team, int32_t wanted, int32_t *limit)
{
    int32_t unwanted, most;

    if (wanted <= 1 || team->threads == 1) {
        if (limit)
            *limit = BL_TEAM_LIMIT_CONTEXT;
        return 1;
    }
    limit = limit ? limit : &unwanted;
    bli_once(BLI_ONCE_PROCESS, know_process);
    if (team->run && team->threads > 0) {
        /* The caller's own threads also exist in a forked child. */
        *limit = BL_TEAM_LIMIT_CONTEXT;
        most = team->threads < BLI_MAX_TEAM ? team->threads : BLI_MAX_TEAM;
    } else if (bli_is_child()) {
        /* The runtime's workers are gone, and libgomp would wait for them for ever. */
        return limited(BL_TEAM_LIMIT_FORK, limit);
    } else if (!team->run && !may_open_region(team)) {
        return limited(BL_TEAM_LIMIT_REGION, limit);
    } else {
        most = most_threads(team, limit);
    }
    return most < wanted ? most : wanted;
}

int64_t bli_team_cache(const struct bli_team *team)
{
    return bli_machine_cache(bli_team_size(team, BLI_MAX_TEAM, NULL));
}

int64_t bli_second_cache(void)
{
    return bli_machine()->cache_bytes[1];
}
