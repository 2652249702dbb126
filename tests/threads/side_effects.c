/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call must leave unchanged: the affinity of the caller and of every thread of
 * its team, OpenMP's settings, the environment, the locale, errno, and the
 * floating-point environment of every thread, in which the call's arithmetic is done.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#define CONTROL()            (_mm_getcsr() & ~0x3fu)
#define SET_CONTROL(control) _mm_setcsr(control)
#define FLUSH_TO_ZERO        0x8040u /* denormal results and operands */
#else
#define CONTROL()            0u
#define SET_CONTROL(control) ((void)(control))
#define FLUSH_TO_ZERO        0u
#endif

extern char **environ;

enum { THREADS = 4, COUNT = 1500007 };

static const int64_t extent[1] = {COUNT};
static float x[COUNT], y[COUNT], result[COUNT];
static const bl_array a = {x, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array b = {y, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array out = {result, BL_DTYPE_F32, 1, extent, NULL, 0};

/* ---- the state that must not change ---- */

struct state {
    cpu_set_t mask[THREADS];
    unsigned control[THREADS];
    int error;
    int max_threads, dynamic, levels, chunk;
    omp_sched_t schedule;
    int variables;
    uint64_t environment; /* a checksum of all of it */
    char locale[64];
    int rounding;
};

static void look_at_team(struct state *state)
{
#pragma omp parallel num_threads(THREADS)
    {
        const int thread = omp_get_thread_num();

        sched_getaffinity(0, sizeof state->mask[0], &state->mask[thread]);
        state->control[thread] = CONTROL();
    }
}

static struct state look(void)
{
    struct state state;

    memset(&state, 0, sizeof state);
    state.error = errno;
    look_at_team(&state);
    state.max_threads = omp_get_max_threads();
    state.dynamic = omp_get_dynamic();
    state.levels = omp_get_max_active_levels();
    omp_get_schedule(&state.schedule, &state.chunk);
    for (char **variable = environ; *variable; variable++) {
        state.variables++;
        for (const char *text = *variable; *text; text++)
            state.environment = state.environment * 31 + (unsigned char)*text;
    }
    strncpy(state.locale, setlocale(LC_ALL, NULL), sizeof state.locale - 1);
    state.rounding = fegetround();
    return state;
}

static bool is_same(const struct state *before, const struct state *after)
{
    const struct {
        const char *what;
        bool same;
    } parts[] = {
        {"affinity", memcmp(before->mask, after->mask, sizeof before->mask) == 0},
        {"floating-point control",
         memcmp(before->control, after->control, sizeof before->control) == 0 &&
             before->rounding == after->rounding},
        {"errno", before->error == after->error},
        {"omp_get_max_threads", before->max_threads == after->max_threads},
        {"omp_get_dynamic", before->dynamic == after->dynamic},
        {"omp_get_max_active_levels", before->levels == after->levels},
        {"omp_get_schedule",
         before->schedule == after->schedule && before->chunk == after->chunk},
        {"environment", before->variables == after->variables &&
                            before->environment == after->environment},
        {"locale", strcmp(before->locale, after->locale) == 0},
    };
    bool same = true;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i].same)
            tap_note("changed: %s", parts[i].what);
        same = same && parts[i].same;
    }
    return same;
}

/* ---- calls ---- */

static bool call_existing(bl_context *ctx)
{
    return bl_add_out(ctx, &out, &a, &b) == BL_OK && result[COUNT - 1] == x[7] + y[7];
}

static bool call_new(bl_context *ctx)
{
    bl_tensor *sum = NULL;
    const bool pass = bl_add(ctx, &a, &b, &sum) == BL_OK;

    bl_tensor_release(sum);
    return pass && bl_context_trim(ctx) >= 0;
}

static bool call_refused(bl_context *ctx)
{
    static const int64_t other[1] = {COUNT - 1};
    const bl_array wrong = {y, BL_DTYPE_F32, 1, other, NULL, 0};

    return bl_add_out(ctx, &out, &a, &wrong) == BL_ERR_SHAPE;
}

static bool call_topology(bl_context *ctx)
{
    bl_topology_info info = {.size = sizeof info};
    const void *address[1] = {x};
    int32_t node;

    return bl_topology_query(ctx, &info) == BL_OK && info.nodes >= 1 &&
           bl_memory_page_nodes(1, address, &node) != BL_ERR_ARGUMENT;
}

static bool call_random(bl_context *ctx)
{
    bl_tensor *tensor = NULL;
    const bool pass =
        bl_tensor_randn(ctx, BL_DTYPE_F32, 1, extent, 1, &tensor) == BL_OK;

    bl_tensor_release(tensor);
    return pass;
}

static const struct {
    const char *what;
    bool (*make)(bl_context *ctx);
} calls[] = {
    {"the machine is looked at", call_topology},
    {"into an existing result", call_existing},
    {"a new result", call_new},
    {"random numbers", call_random},
    {"a refused call", call_refused},
};

static const struct {
    const char *what;
    bl_placement_kind placement;
    bool bind;
} ways[] = {
    {"by default", BL_PLACEMENT_FIRST_TOUCH, false},
    {"bound", BL_PLACEMENT_FIRST_TOUCH, true},
    {"interleaved", BL_PLACEMENT_INTERLEAVE, false},
    {"bound, on one node", BL_PLACEMENT_NODE, true},
    {"ranges bound", BL_PLACEMENT_BIND_RANGE, false},
};

static void test_calls(bl_context *ctx)
{
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const bl_placement placement = {.kind = ways[w].placement};

        bl_context_set_thread_binding(ctx, ways[w].bind);
        if (!tap_ok(bl_context_set_placement(ctx, placement) == BL_OK, "%s",
                    ways[w].what))
            continue;
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
            errno = EDOM;

            const struct state before = look();
            const bool pass = calls[c].make(ctx);
            const struct state after = look();

            tap_ok(pass && is_same(&before, &after), "left as it was: %s, %s",
                   calls[c].what, ways[w].what);
        }
    }
    bl_context_set_thread_binding(ctx, false);
}

/* ---- arithmetic under the caller's floating-point environment ---- */

static bool check_control(bl_context *ctx, int rounding, unsigned flags)
{
    const unsigned own = CONTROL();
    const int own_rounding = fegetround();
    bool pass = fesetround(rounding) == 0;

    SET_CONTROL(CONTROL() | flags);
    pass = pass && bl_div_out(ctx, &out, &a, &b) == BL_OK;
    for (int64_t i = 0; pass && i < COUNT; i++) {
        volatile float quotient = x[i];

        quotient /= y[i];
        pass = memcmp(&result[i], (const float *)&quotient, sizeof result[i]) == 0;
        if (!pass)
            tap_note("element %" PRId64 " is %a, not %a", i, (double)result[i],
                     (double)quotient);
    }
    SET_CONTROL(own);
    return fesetround(own_rounding) == 0 && pass;
}

static void test_controls(bl_context *ctx)
{
    static const struct {
        const char *what;
        int rounding;
        unsigned flags;
    } controls[] = {
        {"rounding up", FE_UPWARD, 0},
        {"rounding down", FE_DOWNWARD, 0},
        {"denormals flushed to zero", FE_TONEAREST, FLUSH_TO_ZERO},
        {"both", FE_TOWARDZERO, FLUSH_TO_ZERO},
    };

    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        const struct state before = look();
        const bool pass = check_control(ctx, controls[i].rounding, controls[i].flags);
        const struct state after = look();

        tap_ok(pass && is_same(&before, &after),
               "every element under the caller's %s, which ends with the call",
               controls[i].what);
    }
}

/* Distinct masks, so that one that is lost or mixed up is detected. */
static void narrow_team(void)
{
    cpu_set_t all;

    sched_getaffinity(0, sizeof all, &all);
#pragma omp parallel num_threads(THREADS)
    {
        const int thread = omp_get_thread_num();
        const int wanted = thread % CPU_COUNT(&all);
        cpu_set_t one;
        int seen = 0;

        CPU_ZERO(&one);
        for (int processor = 0; processor < CPU_SETSIZE; processor++)
            if (CPU_ISSET(processor, &all) && seen++ == wanted)
                CPU_SET(processor, &one);
        if (thread > 0) /* the caller's mask is inherited by new threads */
            sched_setaffinity(0, sizeof one, &one);
    }
}

int main(void)
{
    bl_context *ctx = NULL;

    omp_set_num_threads(THREADS);
    for (int64_t i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 1000 + 1) * (i % 3 ? 1 : 0x1p-126f);
        y[i] = (float)(i % 997 + 3);
    }
    x[COUNT - 1] = x[7];
    y[COUNT - 1] = y[7];
    narrow_team();
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK &&
                    bl_context_set_threads(ctx, THREADS) == BL_OK,
                "a context"))
        return tap_done();
    test_calls(ctx);
    test_controls(ctx);
    bl_context_destroy(ctx);
    return tap_done();
}
