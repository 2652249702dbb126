/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which warnings are reported: filters, calling places, scopes without warnings,
 * refused calls.
 */
#define BROADLOOM_CALL_SITES
#include <broadloom.h>
#include <broadloom/warnings.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "harness/tap.h"

#define CHANGED                                                                        \
    " do not have the same shape, but are broadcastable, and have the same number of " \
    "elements.  Changing behavior in a backwards incompatible manner to broadcasting " \
    "rather than viewing as 1-dimensional."

static const int64_t column[2] = {4, 1}, vector[1] = {4}, whole[2] = {4, 4};
static float x[4], y[4], w[16];
static const bl_array a = {
    .data = x, .dtype = BL_DTYPE_F32, .rank = 2, .extent = column};
static const bl_array v = {
    .data = y, .dtype = BL_DTYPE_F32, .rank = 1, .extent = vector};
static const bl_array all = {
    .data = w, .dtype = BL_DTYPE_F32, .rank = 2, .extent = whole};

static bl_context *ctx;

/* What the handler received. */
static struct {
    int calls;
    int32_t line;
    char file[256];
    const void *address;
} seen;

static void listen_to(void *user, const bl_warning *warning)
{
    (void)user;
    seen.calls++;
    seen.line = warning->line;
    seen.address = warning->address;
    snprintf(seen.file, sizeof seen.file, "%s", warning->file ? warning->file : "");
}

/* Reset everything, with the flag on. */
static void start(void)
{
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_reset();
    bl_warnings_set_handler(listen_to, NULL);
    memset(&seen, 0, sizeof seen);
}

static bool filter(bl_warning_action action)
{
    return bl_warnings_filter(action, BL_CHANGE_NONE, NULL) == BL_OK;
}

/* Make three calls from one line and one from another. */
static bl_status call_four_times(void)
{
    bl_status status = BL_OK;

    for (int i = 0; i < 3 && status == BL_OK; i++)
        status = bl_add_out(ctx, &all, &a, &v);
    return status == BL_OK ? bl_add_out(ctx, &all, &a, &v) : status;
}

/* The outcome of four calls of which three are from one line. */
static const struct filter_case {
    const char *what;
    struct {
        bl_warning_action action;
        bl_change difference;
        const char *file;
    } filter[2]; /* the filter added last takes precedence */
    bl_status status;
    int reported, counted;
} cases[] = {
    {"default: once for each line", {{0}}, BL_OK, 2, 4},
    {"always", {{BL_WARNING_ALWAYS, 0, NULL}}, BL_OK, 4, 4},
    {"once", {{BL_WARNING_ONCE, 0, NULL}}, BL_OK, 1, 4},
    {"ignore", {{BL_WARNING_IGNORE, 0, NULL}}, BL_OK, 0, 4},
    {"error", {{BL_WARNING_ERROR, 0, NULL}}, BL_ERR_RULES, 0, 1},
    {"ignore of a difference",
     {{BL_WARNING_IGNORE, BL_CHANGE_VALUE, NULL}},
     BL_OK,
     0,
     4},
    {"error of another difference",
     {{BL_WARNING_ERROR, BL_CHANGE_SHAPE, NULL}},
     BL_OK,
     2,
     4},
    {"always in this file", {{BL_WARNING_ALWAYS, 0, "filters.c"}}, BL_OK, 4, 4},
    {"not in a file whose name ends so",
     {{BL_WARNING_ALWAYS, 0, "lters.c"}},
     BL_OK,
     2,
     4},
    {"error, but not in this file",
     {{BL_WARNING_ERROR, 0, NULL}, {BL_WARNING_IGNORE, 0, "filters.c"}},
     BL_OK,
     0,
     4},
    {"the other way round",
     {{BL_WARNING_IGNORE, 0, "filters.c"}, {BL_WARNING_ERROR, 0, NULL}},
     BL_ERR_RULES,
     0,
     1},
};

static void check_filters(void)
{
    const int count = (int)(sizeof cases / sizeof cases[0]);

    for (int i = 0; i < count; i++) {
        start();
        for (int f = 0; f < 2; f++)
            if (cases[i].filter[f].action != BL_WARNING_DEFAULT)
                tap_ok(bl_warnings_filter(cases[i].filter[f].action,
                                          cases[i].filter[f].difference,
                                          cases[i].filter[f].file) == BL_OK,
                       "filter %d", f);
        tap_ok(call_four_times() == cases[i].status &&
                   seen.calls == cases[i].reported &&
                   bl_warnings_count(BL_CHANGE_VALUE) == cases[i].counted,
               "%s", cases[i].what);
        if (seen.calls > 0)
            tap_ok(strstr(seen.file, "filters.c") && seen.line > 50,
                   "%s: the place is reported", cases[i].what);
    }
    tap_ok(bl_warnings_filter((bl_warning_action)9, BL_CHANGE_NONE, NULL) ==
                   BL_ERR_ARGUMENT &&
               bl_warnings_filter(BL_WARNING_ONCE, (bl_change)9, NULL) ==
                   BL_ERR_ARGUMENT,
           "unknown actions and differences are refused");
}

/* A call that a filter turns into an error writes nothing. */
static void check_error(void)
{
    bool kept = true;

    start();
    for (int i = 0; i < 16; i++)
        w[i] = -1.0f;
    tap_ok(filter(BL_WARNING_ERROR) && bl_add_out(ctx, &all, &a, &v) == BL_ERR_RULES &&
               strcmp(bl_error_message(), "other and self" CHANGED) == 0 &&
               strncmp(bl_error_where(), "bl_add_out(", 11) == 0,
           "an error has the warning's text");
    for (int i = 0; i < 16; i++)
        kept = kept && w[i] == -1.0f;
    tap_ok(kept, "and nothing is written");
}

/* ---- places ---- */

static void check_places(void)
{
    start();
    tap_ok(filter(BL_WARNING_ALWAYS) && bl_add_out(ctx, &all, &a, &v) == BL_OK &&
               strstr(seen.file, "filters.c") && seen.line == __LINE__ - 1,
           "a call's file and line");
    tap_ok((bl_add_out)(ctx, &all, &a, &v) == BL_OK && seen.file[0] == '\0' &&
               seen.line == 0 && seen.address != NULL,
           "without them, the address that it returns to");
    bl_call_site_enter("model.lua", 7);
    tap_ok(bl_call_site_leave((bl_add_out)(ctx, &all, &a, &v)) == BL_OK &&
               strcmp(seen.file, "model.lua") == 0 && seen.line == 7,
           "a place that a binding reports");
}

/* ---- scopes ---- */

static void *call_elsewhere(void *status)
{
    *(bl_status *)status = bl_add_out(ctx, &all, &a, &v);
    return NULL;
}

static void check_suppression(void)
{
    bl_status status = BL_ERR_IO;
    pthread_t thread;

    start();
    tap_ok(filter(BL_WARNING_ERROR), "every warning is an error");
    bl_warnings_suppress_begin();
    bl_warnings_suppress_begin();
    tap_ok(bl_add_out(ctx, &all, &a, &v) == BL_OK, "none is raised in a scope");
    bl_warnings_suppress_end();
    tap_ok(bl_add_out(ctx, &all, &a, &v) == BL_OK, "nor where an inner one has ended");
    tap_ok(pthread_create(&thread, NULL, call_elsewhere, &status) == 0 &&
               pthread_join(thread, NULL) == 0 && status == BL_ERR_RULES,
           "another thread has its own");
    bl_warnings_suppress_end();
    bl_warnings_suppress_end(); /* one more than permitted */
    tap_ok(bl_add_out(ctx, &all, &a, &v) == BL_ERR_RULES, "after it they are back");
    tap_ok(bl_warnings_count(BL_CHANGE_NONE) == 2, "suppressed ones do not count");
}

static void call_in_handler(void *user, const bl_warning *warning)
{
    listen_to(user, warning);
    *(bl_status *)user = bl_add_out(ctx, &all, &a, &v);
}

static void check_handler(void)
{
    bl_status status = BL_ERR_IO;

    start();
    bl_warnings_set_handler(call_in_handler, &status);
    tap_ok(filter(BL_WARNING_ALWAYS) && bl_add_out(ctx, &all, &a, &v) == BL_OK &&
               status == BL_OK && seen.calls == 1,
           "a handler's own calls raise none");
    bl_warnings_set_handler(NULL, NULL);
    tap_ok(bl_add_out(ctx, &all, &a, &v) == BL_OK && seen.calls == 1 &&
               bl_warnings_count(BL_CHANGE_NONE) == 2 &&
               bl_warnings_emitted(BL_CHANGE_NONE) == 1,
           "without one, warnings are counted");
}

static bl_status refuse(void *user, const bl_event *event)
{
    *(int32_t *)user = event->change;
    return strcmp(event->text, "other and self" CHANGED) == 0 ? BL_ERR_UNSUPPORTED
                                                              : BL_OK;
}

static void check_observer(void)
{
    int32_t difference = 0;

    start();
    bl_context_set_observer(ctx, refuse, &difference);
    tap_ok(bl_add_out(ctx, &all, &a, &v) == BL_ERR_UNSUPPORTED &&
               difference == BL_CHANGE_VALUE,
           "a context's observer receives the text, and may refuse");
    bl_context_set_observer(ctx, NULL, NULL);
}

int main(void)
{
    tap_plan();
    if (bl_context_create(&ctx) != BL_OK) {
        tap_ok(false, "a context: %s", bl_error_message());
        return tap_done();
    }
    check_filters();
    check_error();
    check_places();
    check_suppression();
    check_handler();
    check_observer();
    bl_context_destroy(ctx);
    return tap_done();
}
