/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results, faults and counts of programs on several ranks.
 */
#include "mpi/ranks/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/same.h"
#include "harness/tap.h"

int world_self, world_ranks;
struct world_counts world_counts;

static int limit;

struct world_cases world_open(int count, char **arguments, int seconds)
{
    struct world_cases cases = {.seed = 1, .end = 100};
    int level;

    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_self);
    MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
    limit = seconds + world_ranks;
    alarm((unsigned)limit);
    if (world_self == 0)
        tap_plan();
    if (count > 1)
        cases.seed = strtoull(arguments[1], NULL, 10);
    if (count > 3)
        cases.first = strtoll(arguments[3], NULL, 10);
    if (count > 2)
        cases.end = cases.first + strtoll(arguments[2], NULL, 10);
    return cases;
}

bool world_try(const struct world_cases *cases, const char *program,
               bool (*try)(struct rng *rng, int64_t number))
{
    struct rng seeds = {cases->seed};
    const uint64_t base = (uint64_t)rng_below(&seeds, INT64_MAX);

    for (int64_t i = cases->first; i < cases->end; i++) {
        alarm((unsigned)limit);
        seeds.state = base + (uint64_t)i;
        struct rng rng = {(uint64_t)rng_below(&seeds, INT64_MAX)};

        if (world_all(try(&rng, i)))
            continue;
        if (world_self == 0)
            tap_note("again by: %s %llu 1 %lld", program,
                     (unsigned long long)cases->seed, (long long)i);
        return false;
    }
    return true;
}

bool world_all(bool is_true)
{
    int all = is_true;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

bool world_same(uint64_t number)
{
    uint64_t ends[2] = {number, ~number};

    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return ends[0] == ~ends[1];
}

bool world_ok(bool pass, const char *format, ...)
{
    const bool passes = world_all(pass);
    char name[200];
    va_list list;

    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    alarm((unsigned)limit);
    if (!pass && world_self < 16)
        fprintf(stderr, "# rank %d fails: %s\n", world_self, name);
    if (world_self == 0) {
        tap_ok(passes, "%s", name);
        fflush(stdout);
    }
    return passes;
}

bool world_refused_alike(bl_status status)
{
    uint64_t hash = (uint64_t)status;

    for (const char *at = status == BL_OK ? "" : bl_error_message(); *at; at++)
        hash = hash * 1000003 + (unsigned char)*at;
    return world_same(hash);
}

int world_close(void)
{
    MPI_Finalize();
    return world_self == 0 ? tap_done() : 0;
}

/* ---- allocations ---- */

static int64_t until_failure, allocations;
static int64_t held, most_held; /* bytes, of the contexts' allocator */
static bool has_failed;

bool world_fail_allocation(int64_t number)
{
    const bool failed = has_failed;

    until_failure = number;
    allocations = 0;
    held = most_held = 0;
    has_failed = false;
    return failed;
}

int64_t world_allocations(void)
{
    return allocations;
}

int64_t world_most_bytes(void)
{
    return most_held;
}

static bool fails(void)
{
    allocations++;
    if (until_failure == 0 || --until_failure > 0)
        return false;
    has_failed = true;
    return true;
}

/* The library is linked so that its own allocations are these. */
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : calloc(count, bytes);
}

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    held += (int64_t)bytes;
    most_held = held > most_held ? held : most_held;
    return fails() ? NULL
                   : aligned_alloc(alignment,
                                   (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)alignment;
    held -= (int64_t)bytes;
    free(memory);
}

bl_allocator world_allocator(void)
{
    return (bl_allocator){allocate, release, NULL};
}

/* ---- messages ---- */

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    world_counts.messages++;
    world_counts.bytes += count;
    if (count > world_counts.largest)
        world_counts.largest = count;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    world_counts.received += count;
    return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    world_counts.votes += count == 4 && type == MPI_INT64_T && op == MPI_MAX;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

/* Work beside messages is followed by a look at them. */
int MPI_Testany(int count, MPI_Request *request, int *which, int *is_done,
                MPI_Status *status)
{
    world_counts.early = world_counts.computed;
    return PMPI_Testany(count, request, which, is_done, status);
}

/* ---- computation ---- */

/* Executions that have begun: the library is linked so that these are its functions. */
static struct {
    bl_plan_begun *begun;
    int64_t elements;
} execution[32];

bl_status __wrap_bl_plan_begin(bl_context *ctx, const bl_plan *plan, void *out,
                               const void *const *data, bl_plan_begun **begun);
void __wrap_bl_plan_finish(bl_plan_begun *begun, bool execute);

bl_status __wrap_bl_plan_begin(bl_context *ctx, const bl_plan *plan, void *out,
                               const void *const *data, bl_plan_begun **begun)
{
    const bl_status status = bl_plan_begin(ctx, plan, out, data, begun);
    bl_plan_info info = {.size = sizeof info};
    int i = 0;

    if (status != BL_OK)
        return status;
    must(bl_plan_query(plan, &info));
    while (execution[i].begun)
        i++;
    execution[i].begun = *begun;
    execution[i].elements = info.numel;
    return BL_OK;
}

void __wrap_bl_plan_finish(bl_plan_begun *begun, bool execute)
{
    int i = 0;

    if (!begun)
        return;
    while (execution[i].begun != begun)
        i++;
    execution[i].begun = NULL;
    bl_plan_finish(begun, execute);
    if (execute)
        world_compute(execution[i].elements);
    world_counts.computed += execute;
}
