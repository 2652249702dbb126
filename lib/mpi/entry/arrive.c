/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes sections of an execution while messages are on the way: each when all that
 * it takes is there.
 */
#include "mpi/entry/plan.h"

/* Elements that are in both boxes. */
static int64_t count_common(int32_t rank, const struct bli_box *a,
                            const struct bli_box *b)
{
    int64_t count = 1;

    for (int32_t d = 0; d < rank && count > 0; d++) {
        const int64_t begin = a->begin[d] > b->begin[d] ? a->begin[d] : b->begin[d];
        const int64_t end = a->end[d] < b->end[d] ? a->end[d] : b->end[d];

        count = end > begin ? count * (end - begin) : 0;
    }
    return count;
}

/* Elements of `box` of the operand that moves have landed: each of them does once. */
static void land(void *user, const struct bli_box *box)
{
    struct bli_execution *const run = user;
    const struct bli_move *const move = &run->plan->call.move[run->moving];
    struct bli_box taken;

    for (int32_t s = 0; s < run->plan->sections; s++) {
        if (!run->plan->section[s].is_assembled[run->moving])
            continue;
        bli_move_taken(move, &run->plan->section[s].box, &taken);
        run->missing[s] -= count_common(move->from->rank, &taken, box);
    }
}

/* Compute a section of which nothing is missing; false: there is none now. */
static bool compute(void *user)
{
    struct bli_execution *const run = user;

    for (int32_t s = 0; s < run->plan->sections; s++)
        if (run->begun[s] && run->missing[s] == 0) {
            bl_plan_finish(run->begun[s], true);
            run->begun[s] = NULL;
            return true;
        }
    return false;
}

void bli_arrive_begin(struct bli_execution *run)
{
    const bl_mpi_plan *const plan = run->plan;
    struct bli_box taken;

    run->is_early = true;
    run->beside = (struct bli_beside){land, compute, run};
    for (int32_t s = 0; s < plan->sections; s++) {
        run->missing[s] = 0;
        for (int32_t k = 0; k < plan->call.count; k++)
            if (plan->section[s].is_assembled[k]) {
                bli_move_taken(&plan->call.move[k], &plan->section[s].box, &taken);
                run->missing[s] += bli_box_count(plan->call.from[k]->rank, &taken);
            }
    }
}

void bli_arrive_whole(struct bli_execution *run, int32_t k)
{
    const struct bli_move *const move = &run->plan->call.move[k];
    struct bli_box taken;

    for (int32_t s = 0; s < run->plan->sections; s++)
        if (run->plan->section[s].is_assembled[k]) {
            bli_move_taken(move, &run->plan->section[s].box, &taken);
            run->missing[s] -= bli_box_count(move->from->rank, &taken);
        }
}
