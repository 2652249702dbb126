/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults of one rank in collective calls: an allocation that fails, another function,
 * shape, dtype, border or option than the others', a null argument, a divisor of 0 in
 * its part.  All ranks then have the same status and text, nothing is written, nothing
 * hangs, and the next call is right.
 * usage: faults SEED CASES [FIRST]
 */
#include <stdio.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/fault_calls.h"

/* Cases of which every kind of fault is one that a call has, several times. */
enum { ENOUGH = 90 };

static const char *const fault_name[] = {
    "none", "memory", "function", "shape", "dtype", "border", "option", "null", "zero"};
static const char *const kind_name[] = {
    "empty",   "wrap", "apply",  "apply_new", "divide", "overlap",  "plan",
    "execute", "move", "gather", "scatter",   "reduce", "variance", "random"};
/* ---- cases ---- */

/* Whether a fault of one rank is one of this call. */
static bool applies(enum kind kind, enum fault fault, int victim)
{
    switch (fault) {
    case ZERO:
        return kind == DIVIDE;
    case SHAPE:
    case DTYPE:
        return kind != EXECUTE && !(kind == SCATTER && fault == DTYPE);
    case BORDER:
        return kind == EMPTY || kind == MOVE || kind == APPLY_NEW || kind == RANDOM ||
               (kind == WRAP && victim > 0);
    case OPTION:
        return kind != EMPTY && kind != MOVE && (kind != SCATTER || victim >= 0);
    case NULL_ARGUMENT:
        return kind != SCATTER || victim == world_ranks - 1;
    default:
        return true;
    }
}

/* Whether the call did what it should, on this rank. */
static bool is_done(void)
{
    switch (call.kind) {
    case APPLY:
    case EXECUTE:
        return faults_holds(its.out, 2);
    case DIVIDE:
        return faults_holds(its.out, 0);
    case OVERLAP:
        return faults_holds(its.left, 2);
    case SCATTER:
        return faults_holds(its.out, 1);
    case APPLY_NEW:
        return faults_holds(call.made, 2);
    case MOVE:
        return faults_holds(call.made, 1);
    case GATHER:
        return world_self == world_ranks - 1
                   ? arrays_are_same(bl_tensor_array(call.gathered),
                                     bl_tensor_array(its.whole))
                   : call.gathered == NULL;
    case REDUCE:
        return faults_sums(call.made);
    case PLAN:
        return call.plan != NULL;
    default:
        return call.made != NULL;
    }
}

static int64_t refused_of[FAULTS], done;
/* This rank's allocations in a call that succeeds. */
static int64_t allocations[KINDS];

static void set_divisor(int32_t value)
{
    if (bl_tensor_numel(its.whole) > 0 && bl_mpi_local(its.b)->extent[1] > 0)
        must(bl_array_set(bl_mpi_local(its.b), (const int64_t[]){5, 0}, &value));
}

/* Choose a call and a rank that a fault is one of; with one rank there may be none. */
static enum fault choose(struct rng *rng, enum fault fault, enum kind *kind,
                         int *victim)
{
    int64_t begin[2], end[2];

    if (world_ranks == 1 && fault != ZERO && fault != MEMORY && fault != NULL_ARGUMENT)
        fault = NONE;
    do {
        *kind = (enum kind)rng_below(rng, KINDS);
        *victim = (int)rng_below(rng, world_ranks);
        must(bl_mpi_box(its.b, *victim, begin, end));
    } while (!applies(*kind, fault, *victim) || (fault == ZERO && begin[1] == end[1]));
    return fault;
}

static void release(void)
{
    bl_mpi_tensor_release(call.made);
    bl_tensor_release(call.gathered);
    bl_mpi_plan_destroy(call.plan);
    call.made = NULL;
    call.gathered = NULL;
    call.plan = NULL;
}

static void count_allocations(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        call.kind = (enum kind)kind;
        call.fault = NONE;
        world_fail_allocation(0);
        must(faults_call());
        allocations[kind] = world_allocations();
        release();
    }
}

static bool try(struct rng *rng, int64_t number)
{
    enum fault fault = (enum fault)(number % FAULTS);
    const int64_t place = rng_below(rng, 1 << 20); /* of an allocation */
    enum kind kind;
    int victim;
    bl_status status;
    bool is_right;

    fault = choose(rng, fault, &kind, &victim);
    faults_fill(its.out, true);
    faults_fill(its.right, false);
    call.kind = kind;
    call.fault = world_self == victim ? fault : NONE;
    if (call.fault == FUNCTION)
        call.kind = (enum kind)((kind + 1 + rng_below(rng, KINDS - 1)) % KINDS);
    else
        rng_below(rng, KINDS - 1);
    if (call.fault == ZERO)
        set_divisor(0);
    world_fail_allocation(
        call.fault == MEMORY && allocations[kind] ? 1 + place % allocations[kind] : 0);
    status = faults_call();

    const bool failed = !world_all(!world_fail_allocation(0));
    const bool must_refuse = fault == MEMORY ? failed : fault != NONE;

    is_right =
        world_refused_alike(status) && (status != BL_OK) == must_refuse &&
        (!failed || status == BL_ERR_MEMORY) &&
        (status == BL_OK ? is_done()
                         : faults_holds(its.out, -1) && faults_holds(its.right, 1) &&
                               !call.made && !call.gathered && !call.plan);
    if (call.fault == ZERO)
        faults_fill(its.b, false);
    refused_of[fault] += status != BL_OK;
    done += status == BL_OK;
    if (!is_right)
        fprintf(stderr, "# rank %d: %s, %s of rank %d: status %d, %s\n", world_self,
                kind_name[kind], fault_name[fault], victim, (int)status,
                status == BL_OK ? "" : bl_error_message());
    release();
    return is_right;
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 60);
    int64_t refused = 0;
    bool all_seen = true;

    faults_open();
    count_allocations();
    world_ok(world_try(&cases, "faults", try),
             "%d ranks: a fault of one is the same error on all", world_ranks);
    for (int f = MEMORY; f < FAULTS; f++)
        all_seen = all_seen && (refused_of[f] > 0 || world_ranks == 1);
    world_ok((all_seen && done > 0) || cases.end - cases.first < ENOUGH,
             "%d ranks: every kind of fault was seen", world_ranks);
    for (int f = MEMORY; f < FAULTS; f++) {
        if (world_self == 0)
            tap_note("%ld refused for %s", (long)refused_of[f], fault_name[f]);
        refused += refused_of[f];
    }
    if (world_self == 0)
        tap_note("%ld refused, %ld done", (long)refused, (long)done);
    faults_close();
    return world_close();
}
