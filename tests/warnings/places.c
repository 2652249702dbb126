/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places of warnings: those of nested calls, and what is recorded of one whose calls
 * have several shapes.
 */
#define BROADLOOM_CALL_SITES
#include <broadloom.h>
#include <broadloom/warnings.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "harness/tap.h"

static float x[1000], y[1000];
static float w[16];

static const int64_t column[2] = {4, 1}, row[2] = {1, 4}, vector[1] = {4};
static const int64_t whole[2] = {4, 4};

static bl_array of(float *data, int32_t rank, const int64_t *extent)
{
    return (bl_array){
        .data = data, .dtype = BL_DTYPE_F32, .rank = rank, .extent = extent};
}

static bool drop(bl_status status, bl_tensor **out)
{
    if (status == BL_OK)
        bl_tensor_release(*out);
    return status == BL_OK;
}

/* A place as reported. */
struct found {
    const char *file;
    int32_t line;
    int64_t count;
    double growth;
    char shapes[128], kinds[2048];
};

static bool take(void *user, const bl_warning_site *site)
{
    struct found *const found = user;

    if (found->file ? !site->file || !strstr(site->file, found->file) ||
                          site->line != found->line
                    : site->file != NULL)
        return true;
    found->count += site->count;
    found->growth = site->growth;
    snprintf(found->shapes, sizeof found->shapes, "%s", site->shapes);
    snprintf(found->kinds, sizeof found->kinds, "%s", site->kinds);
    return true;
}

static struct found find(const char *file, int32_t line)
{
    struct found found = {.file = file, .line = line};

    bl_warnings_visit(take, &found);
    return found;
}

/* ---- nested calls ---- */

static const bl_array *changed(bl_tensor **out)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector);

    return (bl_add)(NULL, &a, &v, out) == BL_OK ? bl_tensor_array(*out) : NULL;
}

static jmp_buf out_of_here;

static const bl_array *jump(void)
{
    longjmp(out_of_here, 1);
}

static void check_arguments(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector), all = of(w, 2, whole);
    bl_tensor *inner = NULL;
    int32_t line;

    bl_warnings_reset();
    line = __LINE__ + 1;
    tap_ok(bl_copy_out(NULL, &all, changed(&inner)) == BL_OK &&
               find("places.c", line).count == 0 && find(NULL, 0).count == 1,
           "an argument's calls are not from the line of the call");
    bl_tensor_release(inner);
    if (!setjmp(out_of_here))
        tap_ok(bl_copy_out(NULL, &all, jump()) != BL_OK, "never");
    tap_ok((bl_add_out)(NULL, &all, &a, &v) == BL_OK && find(NULL, 0).count == 2,
           "a call that an argument jumped out of leaves no place behind");
}

static void check_nested(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector), all = of(w, 2, whole);
    int32_t line;
    bl_status status;

    bl_warnings_reset();
    bl_call_site_enter("model.lua", 7);
    line = __LINE__ + 1;
    status = bl_add_out(NULL, &all, &a, &v);
    tap_ok(status == BL_OK && find("places.c", line).count == 1,
           "a call within a binding's is from its own line");
    tap_ok(bl_call_site_leave((bl_add_out)(NULL, &all, &a, &v)) == BL_OK &&
               find("model.lua", 7).count == 1,
           "after it the binding's place is back");
    for (int32_t k = 1; k <= 20; k++)
        bl_call_site_enter("deep.lua", k);
    tap_ok((bl_add_out)(NULL, &all, &a, &v) == BL_OK && find("deep.lua", 20).count == 1,
           "a place within twenty");
    for (int32_t k = 1; k < 20; k++)
        status = bl_call_site_leave(BL_OK);
    tap_ok((bl_add_out)(NULL, &all, &a, &v) == BL_OK && find("deep.lua", 1).count == 1,
           "the outermost one is back");
    status = bl_call_site_leave(BL_ERR_IO);
    tap_ok(status == BL_ERR_IO && (bl_add_out)(NULL, &all, &a, &v) == BL_OK &&
               find(NULL, 0).count == 1,
           "and left");
}

static bool take_module(void *user, const bl_warning_site *site)
{
    snprintf(user, 1000, "%s+%d", site->module, (int)site->offset);
    return true;
}

static void check_unknown(void)
{
    const bl_rules_operand operand[] = {{{2, column}, BL_ROLE_PAIRED, NULL},
                                        {{1, vector}, BL_ROLE_PAIRED, NULL}};
    const bl_rules_query query = {.size = sizeof query,
                                  .mode = BL_MODE_NEW,
                                  .axis = BL_AXIS_LAST,
                                  .count = 2,
                                  .operand = operand,
                                  .function = "add",
                                  .is_call = true};
    char module[1000] = "";

    bl_warnings_reset();
    tap_ok(bl_warnings_raise_pointwise(&query, NULL, 0, NULL) == BL_OK,
           "a call that nobody knows the place of");
    bl_warnings_visit(take_module, module);
    tap_ok(strstr(module, "places.t+0") != NULL, "is one of the program");
}

/* ---- kinds of calls ---- */

/* Call (n,1) + (n), or with operands swapped, from a line of a file. */
static bool call(const char *file, int32_t line, int64_t n, bool is_turned)
{
    const int64_t tall[2] = {n, 1};
    const bl_array a = of(x, 2, tall), v = of(y, 1, &n);
    bl_tensor *out;

    bl_call_site_enter(file, line);
    return drop(bl_call_site_leave(
                    (bl_add)(NULL, is_turned ? &v : &a, is_turned ? &a : &v, &out)),
                &out);
}

static void check_kinds(void)
{
    struct found found;

    bl_warnings_reset();
    tap_ok(call("kinds.c", 1, 4, false) && call("kinds.c", 1, 4, true) &&
               call("kinds.c", 2, 1000, false) && call("kinds.c", 1, 1000, false) &&
               call("kinds.c", 1, 4, false),
           "calls of three kinds from a line, one of which another line had before");
    found = find("kinds.c", 1);
    tap_ok(found.count == 4 && found.growth == 1000.0 &&
               strcmp(found.shapes, "(1000,1) (1000) -> (1000,1000)") == 0,
           "the worst is reported");
    tap_ok(strcmp(found.kinds, "(4,1) (4) -> (4,4); (4) (4,1) -> (4,4); "
                               "(1000,1) (1000) -> (1000,1000)") == 0,
           "and all: %s", found.kinds);
    for (int64_t n = 2; n <= 60; n++)
        call("many.c", 1, n, false);
    call("many.c", 1, 59, false);
    found = find("many.c", 1);
    tap_ok(found.count == 60 && found.growth == 60.0 &&
               strcmp(found.shapes, "(60,1) (60) -> (60,60)") == 0,
           "of more kinds than are kept too");
    tap_ok(strlen(found.kinds) > 5 &&
               strcmp(found.kinds + strlen(found.kinds) - 5, "; ...") == 0,
           "of which some are reported: %s", found.kinds);
}

/* ---- calls that warn twice ---- */

static void count_reported(void *user, const bl_warning *warning)
{
    (void)warning;
    ++*(int *)user;
}

static void check_counts(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector), r = of(w, 2, row);
    const bl_scalar two = bl_scalar_f64(2);
    const bl_array number = bl_scalar_array(&two);
    bl_tensor *out;
    int reported = 0;
    bool is_done = true;

    bl_warnings_reset();
    for (int k = 0; k < 3; k++)
        is_done = is_done && drop(bl_addcmul(NULL, &a, &r, &v, &number, &out), &out);
    tap_ok(is_done && bl_warnings_count(BL_CHANGE_VALUE) == 3,
           "three calls of addcmul count as three");
    bl_warnings_set_handler(count_reported, &reported);
    tap_ok(bl_warnings_filter(BL_WARNING_ALWAYS, BL_CHANGE_NONE, NULL) == BL_OK &&
               drop(bl_addcmul(NULL, &a, &r, &v, &number, &out), &out) &&
               reported == 2 && bl_warnings_count(BL_CHANGE_VALUE) == 4,
           "though each has two texts");
    bl_warnings_set_handler(NULL, NULL);
}

static bool count_places(void *user, const bl_warning_site *site)
{
    *(int *)user += site->count > 0;
    return true;
}

/* A plan with alpha warns from where it is created, as one without. */
static void check_alpha(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector);
    const bl_array *const in[] = {&a, &v};
    const bl_scalar two = bl_scalar_i64(2);
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_plan *first = NULL, *second = NULL;
    int places = 0;

    options.alpha = &two;
    bl_warnings_reset();
    const bool is_made =
        (bl_plan_create)(NULL, BL_OP_ADD, NULL, 2, in, &options, &first) == BL_OK &&
        (bl_plan_create)(NULL, BL_OP_ADD, NULL, 2, in, &options, &second) == BL_OK;

    bl_warnings_visit(count_places, &places);
    tap_ok(is_made && places == 2, "plans with alpha have places of their own: %d",
           places);
    bl_plan_destroy(first);
    bl_plan_destroy(second);
}

int main(void)
{
    tap_plan();
    bl_backcompat_broadcast_warning_set_enabled(true);
    tap_ok(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_PRECISE) == BL_OK,
           "warnings of what changes");
    check_arguments();
    check_nested();
    check_unknown();
    check_kinds();
    check_counts();
    check_alpha();
    return tap_done();
}
