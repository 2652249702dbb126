/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that calls reserve for their staging: where there is none, they say so and
 * write nothing; where there is, they ask for it once.  malloc is this file's own
 * (--wrap=malloc).
 */
#include <broadloom.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

static int64_t asked;         /* times */
static int64_t fails_at = -1; /* the time that fails, from 0; -1: none */

void *__wrap_malloc(size_t bytes)
{
    return asked++ == fails_at ? NULL : __real_malloc(bytes);
}

/* Results are not of malloc. */
static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    return aligned_alloc(alignment, bytes + (-bytes & (alignment - 1)));
}

static void release(void *user, void *block, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    free(block);
}

/* ---- calls ---- */

enum { SIDE = 300, COUNT = SIDE * SIDE };

static const int64_t square[] = {SIDE, SIDE}, across[] = {1, SIDE}, along[] = {SIDE, 1};
static const int64_t deep[] = {SIDE, 1, 1, 1, 1, 1, 1, 1, SIDE};
static double memory[COUNT], other[COUNT], result[COUNT];
static char truth[COUNT];
static bl_context *ctx;

static bl_array array(void *data, bl_dtype dtype, const int64_t *stride)
{
    return (bl_array){
        .data = data, .dtype = dtype, .rank = 2, .extent = square, .stride = stride};
}

static bl_status add_turned(void)
{
    const bl_array a = array(memory, BL_DTYPE_F64, across);
    const bl_array b = array(other, BL_DTYPE_F64, NULL);
    const bl_array out = array(result, BL_DTYPE_F64, NULL);

    return bl_add_out(ctx, &out, &a, &b);
}

static bl_status add_deep(void)
{
    bl_array a = array(memory, BL_DTYPE_F64, NULL);
    bl_array out = array(result, BL_DTYPE_F64, NULL);

    a.rank = out.rank = 9;
    a.extent = out.extent = deep;
    return bl_add_out(ctx, &out, &a, &a);
}

static bl_status add_overlapping(void)
{
    const bl_array a = array(result, BL_DTYPE_F64, across);
    const bl_array out = array(result, BL_DTYPE_F64, along);

    return bl_add_out(ctx, &out, &out, &a);
}

static bl_status add_in_order(void)
{
    bl_status status = bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL);

    if (status == BL_OK)
        status = add_overlapping();
    return bl_context_set_overlap(ctx, BL_OVERLAP_COPY) == BL_OK ? status
                                                                 : BL_ERR_ARGUMENT;
}

static bl_status run_part(void)
{
    const bl_array a = array(memory, BL_DTYPE_F64, across);
    const bl_array *const in[] = {&a, &a};
    const void *const data[] = {memory, other};
    bl_plan *plan;
    bl_status status = bl_plan_create(ctx, BL_OP_POW, NULL, 2, in, NULL, &plan);

    if (status == BL_OK)
        status = bl_plan_execute_part(NULL, plan, 1, 2, result, data);
    if (status == BL_OK || status == BL_ERR_MEMORY)
        bl_plan_destroy(plan);
    return status;
}

static void copy_row(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user;
    memcpy(out, in[0], (size_t)count * sizeof(double));
}

static bl_status map(void)
{
    const bl_array a = array(memory, BL_DTYPE_F64, across);
    const bl_array out = array(result, BL_DTYPE_F64, NULL);
    const bl_array *const in[] = {&a};

    return bl_map(ctx, copy_row, NULL, &out, 1, in, NULL);
}

static bl_status scatter(void)
{
    const bl_array a = array(result, BL_DTYPE_F64, NULL);
    const bl_array mask = array(truth, BL_DTYPE_BOOL, NULL);
    const bl_array source = array(memory, BL_DTYPE_F64, NULL);

    return bl_masked_scatter_inplace(ctx, &a, &mask, &source);
}

static bl_status sum_columns(void)
{
    const bl_array in = array(memory, BL_DTYPE_F64, NULL);
    const int64_t extent[] = {SIDE};
    const int32_t axis = 0;
    const bl_array out = {
        .data = result, .dtype = BL_DTYPE_F64, .rank = 1, .extent = extent};

    return bl_reduce(ctx, BL_REDUCTION_SUM, &out, &in, 1, &axis, false, NULL);
}

static bl_status distance(void)
{
    const bl_array a = array(memory, BL_DTYPE_F64, across);
    const bl_array b = array(other, BL_DTYPE_F64, NULL);
    bl_tensor *out;
    const bl_status status = bl_dist(ctx, &a, &b, 3, &out);

    if (status == BL_OK)
        bl_tensor_release(out);
    return status;
}

static const struct {
    const char *what;
    bl_status (*call)(void);
} calls[] = {
    {"a transposed operand", add_turned},
    {"a plan that is not remembered", add_deep},
    {"an operand that overlaps", add_overlapping},
    {"elements in order", add_in_order},
    {"a part of a plan", run_part},
    {"a function of the program", map},
    {"masked_scatter in place", scatter},
    {"a sum of columns", sum_columns},
    {"a distance", distance},
};

/* ---- faults ---- */

struct trial {
    bl_status (*call)(void);
    int32_t threads;
    int64_t reserves; /* times that the first call asks */
    bool says_so;     /* of each that is refused */
    bool keeps;       /* the second call asks for nothing */
};

static bool is_untouched(void)
{
    for (int64_t i = 0; i < COUNT; i++)
        if (result[i] != (double)i)
            return false;
    return true;
}

/* A thread of its own has kept nothing. */
static void *try_fault(void *argument)
{
    struct trial *const trial = argument;
    bl_status status;

    asked = 0;
    for (int64_t i = 0; i < COUNT; i++)
        result[i] = (double)i;
    status = trial->call();
    if (asked > fails_at && fails_at >= 0) {
        trial->reserves++;
        trial->says_so = trial->says_so && status == BL_ERR_MEMORY && is_untouched() &&
                         strstr(bl_error_message(), "out of memory") != NULL;
    } else {
        trial->says_so = trial->says_so && status == BL_OK;
    }
    fails_at = -1;
    asked = 0;
    status = trial->call();
    asked = 0;
    trial->keeps = status == BL_OK && trial->call() == BL_OK && asked == 0;
    return NULL;
}

static bool run_trial(struct trial *trial, int64_t at)
{
    pthread_t thread;

    fails_at = at;
    return pthread_create(&thread, NULL, try_fault, trial) == 0 &&
           pthread_join(thread, NULL) == 0 && trial->keeps;
}

static void check(const char *what, bl_status (*call)(void), int32_t threads)
{
    struct trial trial = {.call = call, .threads = threads, .says_so = true};
    bool pass = bl_context_set_threads(ctx, threads) == BL_OK;
    int64_t at = 0, before;

    do {
        before = trial.reserves;
        pass = pass && run_trial(&trial, at++);
    } while (pass && trial.reserves > before);
    tap_ok(pass && trial.says_so && trial.reserves > 0,
           "%s, %d threads: each of %d reservations may fail, and is made once", what,
           (int)threads, (int)trial.reserves);
}

int main(void)
{
    const bl_allocator own = {allocate, release, NULL};
    bl_topology_info info = {.size = sizeof info};

    tap_plan();
    /* The machine is looked at once, which allocates too. */
    if (bl_context_create(&ctx) != BL_OK || bl_topology_query(ctx, &info) != BL_OK ||
        bl_context_set_allocator(ctx, &own) != BL_OK)
        return 99;
    for (int64_t i = 0; i < COUNT; i++) {
        memory[i] = (double)(i % 97) / 8;
        other[i] = (double)(i % 89) / 4;
        truth[i] = i % 3 == 0;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        check(calls[i].what, calls[i].call, 1);
        check(calls[i].what, calls[i].call, 3);
    }
    bl_context_destroy(ctx);
    return tap_done();
}
