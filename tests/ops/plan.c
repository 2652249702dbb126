/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans as callers see them: queries, execution on other memory, on overlapping memory
 * and in parts, and what is refused.
 */
#include <inttypes.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

enum { ROWS = 3, COLUMNS = 5, COUNT = ROWS * COLUMNS };

static const int64_t whole[2] = {ROWS, COLUMNS};
static const int64_t row[1] = {COLUMNS};

static bl_array array_of(int32_t rank, const int64_t *extent, const int64_t *stride)
{
    return (bl_array){
        .dtype = BL_DTYPE_F64, .rank = rank, .extent = extent, .stride = stride};
}

static void check_query(const bl_plan *plan)
{
    bl_plan_info info = {.size = sizeof info};
    bl_plan_info unsized = {.size = 0};

    tap_ok(bl_plan_query(plan, &info) == BL_OK, "a plan reports what it will do");
    tap_ok(info.op == BL_OP_SUB && info.inputs == 2 && info.dtype == BL_DTYPE_F64,
           "its operator and dtype");
    tap_ok(info.rank == 2 && info.extent[0] == ROWS && info.extent[1] == COLUMNS &&
               info.numel == COUNT,
           "its result's shape");
    tap_ok(info.bytes == (int64_t)sizeof(double) * (2 * COUNT + COLUMNS),
           "bytes that move, a repeated operand once");
    tap_ok(info.loops == 2 && info.loop[0].extent == ROWS &&
               info.loop[1].extent == COLUMNS && info.loop[0].stride[2] == 0 &&
               info.loop[1].stride[2] == (int64_t)sizeof(double),
           "its loops, the outer one first");
    tap_ok(info.threads == 1, "a few elements get one thread");
    tap_ok(strcmp(info.kernel, "contiguous") == 0, "its kernel's form");
    tap_ok(strcmp(info.method, "small") == 0 && info.min_iterations == 0 &&
               info.staged == 0 && info.buffer_bytes[0] == 0 &&
               info.buffer_bytes[1] == 0 && info.buffer_bytes[2] == 0 &&
               info.staging_bytes == 0 && !info.non_temporal,
           "its method, without staging buffers");
    tap_ok(bl_plan_query(plan, &unsized) == BL_ERR_ARGUMENT &&
               bl_plan_query(plan, NULL) == BL_ERR_ARGUMENT &&
               bl_plan_query(NULL, &info) == BL_ERR_ARGUMENT,
           "a query without a plan, an answer or its size");
}

/* Loops that together step evenly are fused, in any order of dims and directions. */
static void check_fusing(void)
{
    static const struct {
        const char *what;
        int64_t stride[3];
        int32_t loops;
        int64_t innermost;
    } cases[] = {
        {"compact", {20, 5, 1}, 2, 60},
        {"Fortran order", {1, 3, 12}, 2, 60},
        {"backwards", {-20, -5, -1}, 2, 60},
        {"a gap after each row", {24, 6, 1}, 2, 5},
        {"a gap after each matrix", {21, 5, 1}, 2, 20},
        {"every second element", {40, 10, 2}, 2, 60},
        {"gaps everywhere", {100, 7, 1}, 3, 5},
    };
    static const int64_t extent[3] = {3, 4, 5};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bl_array a = array_of(3, extent, cases[i].stride);
        const bl_array *const in[] = {&a, &a};
        bl_plan *plan = NULL;
        bl_plan_info info = {.size = sizeof info};
        const bool made =
            bl_plan_create(NULL, BL_OP_SUB, &a, 2, in, NULL, &plan) == BL_OK &&
            bl_plan_query(plan, &info) == BL_OK;

        if (!tap_ok(made && info.loops == cases[i].loops &&
                        info.loop[info.loops - 1].extent == cases[i].innermost,
                    "loops of a nest: %s", cases[i].what))
            tap_note("%" PRId32 " loops, innermost of %" PRId64, info.loops,
                     made ? info.loop[info.loops - 1].extent : -1);
        bl_plan_destroy(plan);
    }
}

/* Loops are ordered so that the result is written in rising order, not the inputs. */
static void check_order(void)
{
    static const int64_t square[2] = {4, 4};
    static const int64_t turned[2] = {1, 4};
    const bl_array a = array_of(2, square, turned);
    const bl_array *const in[] = {&a, &a};
    bl_plan *plan = NULL;
    bl_plan_info info = {.size = sizeof info};

    tap_ok(bl_plan_create(NULL, BL_OP_SUB, NULL, 2, in, NULL, &plan) == BL_OK &&
               bl_plan_query(plan, &info) == BL_OK && info.loops == 2 &&
               info.loop[1].stride[0] == (int64_t)sizeof(double) &&
               info.loop[1].stride[1] == 4 * (int64_t)sizeof(double),
           "the innermost loop is the result's");
    bl_plan_destroy(plan);
}

/* Parts have equal shares of the count, rounded to the cache lines at their ends. */
static void check_shares(void)
{
    const int64_t count = 1003;
    const bl_array a = array_of(1, &count, NULL);
    const bl_array *const in[] = {&a};
    bl_plan *plan = NULL;
    bool pass = bl_plan_create(NULL, BL_OP_NEG, NULL, 1, in, NULL, &plan) == BL_OK;

    for (int32_t parts = 1; pass && parts <= 20; parts++) {
        int64_t end = 0;

        for (int32_t part = 0; pass && part < parts; part++) {
            bl_range range = {-1, -1};

            pass = bl_plan_range(plan, part, parts, &range) == BL_OK &&
                   range.begin == end && range.end - range.begin <= count / parts + 9 &&
                   range.end - range.begin >= count / parts - 9 &&
                   (range.end == count || range.end % 8 == 0);
            end = range.end;
        }
        pass = pass && end == count;
    }
    tap_ok(pass, "parts have even shares, with borders on cache lines");
    bl_plan_destroy(plan);
}

/* One part by itself writes the elements of its range and no others. */
static void check_part_alone(void)
{
    enum { TALL = 100, WIDE = 7, ALL = TALL * WIDE, PARTS = 6 };
    static const int64_t tall[2] = {TALL, WIDE};
    static const int64_t wide[1] = {WIDE};
    static double x[ALL];
    static double y[WIDE];
    static double out[ALL];
    const bl_array a = array_of(2, tall, NULL);
    const bl_array b = array_of(1, wide, NULL);
    const bl_array *const in[] = {&a, &b};
    const void *const data[] = {x, y};
    bl_plan *plan = NULL;
    bool pass = bl_plan_create(NULL, BL_OP_SUB, NULL, 2, in, NULL, &plan) == BL_OK;

    for (int32_t part = 0; pass && part < PARTS; part++) {
        bl_range range = {0, 0};

        for (int32_t i = 0; i < ALL; i++)
            out[i] = -1;
        pass = bl_plan_execute_part(NULL, plan, part, PARTS, out, data) == BL_OK &&
               bl_plan_range(plan, part, PARTS, &range) == BL_OK;
        for (int32_t i = 0; i < ALL; i++)
            pass = pass && (out[i] == 0) == (range.begin <= i && i < range.end);
    }
    tap_ok(pass, "a part alone writes its range and nothing else");
    bl_plan_destroy(plan);
}

static void check_run(const bl_plan *plan)
{
    double x[2][COUNT];
    double y[COLUMNS];
    double out[COUNT];
    bool pass = true;

    for (int32_t run = 0; run < 2; run++) {
        const void *const data[] = {x[run], y};

        for (int32_t i = 0; i < COUNT; i++)
            x[run][i] = 100 * run + i;
        for (int32_t i = 0; i < COLUMNS; i++)
            y[i] = 7 * i + run;
        pass = pass && bl_plan_execute(NULL, plan, out, data) == BL_OK;
        for (int32_t i = 0; i < COUNT; i++)
            pass = pass && out[i] == x[run][i] - y[i % COLUMNS];
    }
    tap_ok(pass, "a plan runs again on other memory");
}

/* Whether memory overlaps is determined at each execution. */
static void check_overlap(const bl_plan *plan, bl_context *ctx)
{
    double memory[COUNT + 1];
    double y[COLUMNS] = {0};
    double before[COUNT + 1];
    const void *const data[] = {memory, y};
    bool pass;

    for (int32_t i = 0; i <= COUNT; i++)
        before[i] = memory[i] = i;
    pass = bl_plan_execute(NULL, plan, memory + 1, data) == BL_OK;
    for (int32_t i = 0; i < COUNT; i++)
        pass = pass && memory[i + 1] == i;
    tap_ok(pass, "operands that overlap the result are copied");
    memcpy(memory, before, sizeof memory);
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               bl_plan_execute(ctx, plan, memory + 1, data) == BL_ERR_OVERLAP &&
               memcmp(memory, before, sizeof memory) == 0,
           "or refused, where the context has it so");
    tap_ok(bl_plan_execute_part(NULL, plan, 0, 2, memory + 1, data) == BL_ERR_OVERLAP &&
               memcmp(memory, before, sizeof memory) == 0,
           "a part of a plan refuses them");
    tap_ok(bl_plan_execute_part(NULL, plan, 0, 1, memory, data) == BL_OK,
           "a part of a plan runs in place");
}

static bl_status refuse_event(void *user, const bl_event *event)
{
    *(bl_event *)user = *event;
    return bl_error_set(BL_ERR_RULES, "the observer refuses");
}

/* An observer receives a copy event before any write, and may refuse the call. */
static void check_observer(const bl_plan *plan, bl_context *ctx)
{
    double memory[COUNT + 1] = {1, 2, 3};
    double before[COUNT + 1];
    double y[COLUMNS] = {0};
    const void *const data[] = {memory, y};
    bl_event heard = {0};

    memcpy(before, memory, sizeof memory);
    bl_context_set_observer(ctx, refuse_event, &heard);
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_COPY) == BL_OK &&
               bl_plan_execute(ctx, plan, memory + 1, data) == BL_ERR_RULES &&
               memcmp(memory, before, sizeof memory) == 0,
           "an observer refuses a copy");
    tap_ok(heard.kind == BL_EVENT_OVERLAP_COPIED && heard.op == BL_OP_SUB &&
               heard.operand == 0 && heard.size == sizeof heard,
           "and received the operand that it is about");
    bl_context_set_observer(ctx, NULL, NULL);
}

static void check_refused(const bl_plan *plan)
{
    double x[COUNT] = {0};
    double out[COUNT];
    double before[COUNT];
    bl_range range = {-1, -1};
    const void *const data[] = {x, x};
    const void *const none[] = {x, NULL};
    const void *const odd[] = {x, (const char *)x + 4};

    memset(out, 0xa5, sizeof out);
    memcpy(before, out, sizeof out);
    tap_ok(bl_plan_execute(NULL, NULL, out, data) == BL_ERR_ARGUMENT, "no plan");
    tap_ok(bl_plan_execute(NULL, plan, NULL, data) == BL_ERR_ARGUMENT, "no result");
    tap_ok(bl_plan_execute(NULL, plan, out, NULL) == BL_ERR_ARGUMENT,
           "no list of data");
    tap_ok(bl_plan_execute(NULL, plan, out, none) == BL_ERR_ARGUMENT, "no data");
    tap_ok(bl_plan_execute(NULL, plan, out, odd) == BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "align") != NULL,
           "data off its alignment");
    tap_ok(bl_plan_execute(NULL, plan, (char *)out + 2, data) == BL_ERR_ARGUMENT,
           "a result off its alignment");
    tap_ok(bl_plan_execute_part(NULL, plan, 2, 2, out, data) == BL_ERR_ARGUMENT &&
               bl_plan_execute_part(NULL, plan, -1, 2, out, data) == BL_ERR_ARGUMENT &&
               bl_plan_execute_part(NULL, plan, 0, 0, out, data) == BL_ERR_ARGUMENT,
           "parts that are none");
    tap_ok(bl_plan_range(plan, 3, 3, &range) == BL_ERR_ARGUMENT && range.begin == -1 &&
               bl_plan_range(plan, 0, 1, NULL) == BL_ERR_ARGUMENT,
           "ranges of parts that are none");
    tap_ok(memcmp(before, out, sizeof out) == 0, "nothing was written");
    bl_plan_destroy(NULL);
    tap_ok(true, "no plan to free");
}

int main(void)
{
    const bl_array a = array_of(2, whole, NULL);
    const bl_array b = array_of(1, row, NULL);
    const bl_array *const in[] = {&a, &b};
    bl_context *ctx = NULL;
    bl_plan *plan = NULL;

    tap_plan();
    if (tap_ok(bl_context_create(&ctx) == BL_OK &&
                   bl_plan_create(NULL, BL_OP_SUB, NULL, 2, in, NULL, &plan) == BL_OK,
               "a plan of arrays without data")) {
        check_query(plan);
        check_fusing();
        check_order();
        check_shares();
        check_part_alone();
        check_run(plan);
        check_overlap(plan, ctx);
        check_observer(plan, ctx);
        check_refused(plan);
    }
    bl_plan_destroy(plan);
    bl_context_destroy(ctx);
    return tap_done();
}
