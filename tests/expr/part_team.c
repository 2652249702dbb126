/* SPDX-License-Identifier: BSD-3-Clause */
#include "part.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"

/* An execution by a team. */
struct team {
    const bl_expr_plan *plan;
    bl_context *ctx;
    int32_t phases, parts;
    void *const *outs;
    const void *const *data;
    char *workspace;
    pthread_barrier_t barrier;
};

static void *run_member(void *argument)
{
    struct member *const member = argument;
    struct team *const team = member->team;

    for (int32_t phase = 0; phase < team->phases; phase++) {
        member->status = bl_expr_plan_execute_part(
            team->ctx, team->plan, phase, member->part, team->parts, team->outs,
            team->data, team->workspace);
        pthread_barrier_wait(&team->barrier);
    }
    if (member->status != BL_OK) {
        snprintf(member->message, sizeof member->message, "%s", bl_error_message());
        snprintf(member->where, sizeof member->where, "%s", bl_error_where());
    }
    return NULL;
}

bool part_run(const bl_expr_plan *plan, bl_context *ctx, int32_t parts,
              void *const *outs, const void *const *data, struct member *member)
{
    bl_expr_plan_info info = {.size = sizeof info};
    struct team team = {plan, ctx, 0, parts, outs, data, NULL, {{0}}};
    pthread_t thread[TEAM];
    bool is_enough = true;
    size_t bytes;

    must(bl_expr_plan_query(plan, &info));
    bytes = (size_t)info.part_workspace;
    team.phases = info.part_phases;
    team.workspace = aligned_alloc(64, bytes / 64 * 64 + 128);
    memset(team.workspace, 0x55, bytes + 64);
    pthread_barrier_init(&team.barrier, NULL, (unsigned)parts);
    for (int32_t t = 0; t < parts; t++) {
        member[t] = (struct member){.team = &team, .part = t};
        if (pthread_create(&thread[t], NULL, run_member, &member[t]) != 0)
            abort();
    }
    for (int32_t t = 0; t < parts; t++)
        pthread_join(thread[t], NULL);
    pthread_barrier_destroy(&team.barrier);
    for (size_t i = bytes; i < bytes + 64; i++)
        is_enough = is_enough && team.workspace[i] == 0x55;
    free(team.workspace);
    return is_enough;
}
