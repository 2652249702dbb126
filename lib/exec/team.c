/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many threads a call gets: no more than its work is worth and the caller allows,
 * by OpenMP's settings, the affinity mask, the control group's quota and the context.
 */
#include "core/lock.h"
#include "exec/region.h"

#include <broadloom/topology.h>

#include <omp.h>

/* Processors in OpenMP's places, which do not change; 0 where there are no places. */
static int32_t place_processors;

static void know_process(void)
{
    /* The application may have had a team, and forked, before the first call. */
    if (bli_process_is_forked())
        bli_note_child();
    if (omp_get_num_places() > 0)
        place_processors = bli_mask_processors();
}

static bool may_open_region(const struct bli_team *team)
{
    return !omp_in_parallel() ||
           (team->nested && omp_get_active_level() < omp_get_max_active_levels());
}

/* The lesser of two limits, and its name. */
static void lower(int32_t threads, bl_team_limit why, int32_t *most, int32_t *limit)
{
    if (threads < *most) {
        *most = threads;
        *limit = why;
    }
}

/* Threads that OpenMP and the machine leave to a call. */
static int32_t most_threads(const struct bli_team *team, int32_t *limit)
{
    int32_t most = omp_get_max_threads();

    *limit = BL_TEAM_LIMIT_OPENMP;
    lower(omp_get_thread_limit(), BL_TEAM_LIMIT_OPENMP, &most, limit);
    lower(BLI_MAX_TEAM, BL_TEAM_LIMIT_OPENMP, &most, limit);
    if (team->threads > 0) {
        /* Somebody has said how many: a mask or a quota is theirs to know about. */
        lower(team->threads, BL_TEAM_LIMIT_CONTEXT, &most, limit);
        return most;
    }
    /* With places all of them count, not the one that this thread is bound to. */
    lower(place_processors > 0 ? place_processors : omp_get_num_procs(),
          BL_TEAM_LIMIT_MASK, &most, limit);
    if (bli_quota_here() > 0)
        lower(bli_quota_here(), BL_TEAM_LIMIT_QUOTA, &most, limit);
    return most;
}

static int32_t limited(int32_t why, int32_t *limit)
{
    *limit = why;
    return 1;
}

int32_t bli_team_size(const struct bli_team *team, int32_t worth, int32_t *limit)
{
    int32_t unwanted, most;

    if (worth <= 1 || team->threads == 1) {
        if (limit)
            *limit = BL_TEAM_LIMIT_CONTEXT;
        return 1;
    }
    limit = limit ? limit : &unwanted;
    bli_once(BLI_ONCE_PROCESS, know_process);
    if (team->run && team->threads > 0) {
        /* The caller's own threads, in a forked child too. */
        *limit = BL_TEAM_LIMIT_CONTEXT;
        most = team->threads < BLI_MAX_TEAM ? team->threads : BLI_MAX_TEAM;
    } else if (bli_is_child()) {
        /* The runtime's workers are gone, and libgomp waits for them for ever. */
        return limited(BL_TEAM_LIMIT_FORK, limit);
    } else if (!team->run && !may_open_region(team)) {
        return limited(BL_TEAM_LIMIT_REGION, limit);
    } else {
        most = most_threads(team, limit);
    }
    return most < worth ? most : worth;
}
