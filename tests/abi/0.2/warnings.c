/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of changed results: flags, handlers, filters, counts, reports, and what
 * rules and bindings call.
 */
#include "kept.h"

#include <broadloom/compat.h>
#include <broadloom/warnings.h>

static double column[4], row[4], r[16];

static struct {
    int handled, sites;
    int32_t line;
    int64_t count;
    char text[80], id[40];
} seen;

static void handle(void *user, const bl_warning *warning)
{
    (void)user;
    seen.handled++;
    seen.line = warning->file ? warning->line : 0;
    snprintf(seen.text, sizeof seen.text, "%s", warning->text);
    snprintf(seen.id, sizeof seen.id, "%s", warning->id);
    CHECK(warning->change == BL_CHANGE_VALUE && warning->count == 2);
    CHECK(warning->result.rank == 2 && warning->result.extent[1] == 4);
    CHECK(warning->operand[1].shape.rank == 1 && warning->mode >= BL_MODE_NEW);
    CHECK(warning->growth == 4);
}

static bool visit(void *user, const bl_warning_site *site)
{
    (void)user;
    seen.sites++;
    seen.count += site->count;
    CHECK(site->change == BL_CHANGE_VALUE && site->function && site->shapes);
    return true;
}

/* A call that Torch computed pointwise: (4,1) + (4). */
static bl_status add(void)
{
    return bl_add_out(NULL, BL_VIEW(r, 4, 4), BL_VIEW(column, 4, 1), BL_VIEW(row, 4));
}

static void check_flags(void)
{
    bl_backcompat_broadcast_warning_set_enabled(true);
    CHECK(bl_backcompat_broadcast_warning_enabled());
    OK(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_EXACT));
    CHECK(bl_backcompat_broadcast_warning_predicate() == BL_PREDICATE_EXACT);
    bl_backcompat_keepdim_warning_set_enabled(true);
    CHECK(bl_backcompat_keepdim_warning_enabled());
    OK(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_KEEPDIM, NULL));
    CHECK(bl_backcompat_keepdim_default("sum", NULL) == BL_ERR_RULES);
    bl_backcompat_keepdim_warning_set_enabled(false);
    bl_warnings_reset();
}

static void check_warnings(void)
{
    bl_warnings_set_handler(handle, NULL);
    bl_call_site_enter("train.c", 41);
    OK(bl_call_site_leave(add()));
    CHECK(seen.handled == 1 && seen.line == 41 && strcmp(seen.id, "W_CHANGED") == 0);
    bl_warnings_suppress_begin();
    OK(add());
    bl_warnings_suppress_end();
    CHECK(bl_warnings_count(BL_CHANGE_VALUE) == 1);
    CHECK(bl_warnings_emitted(BL_CHANGE_NONE) == 1);
    bl_warnings_visit(visit, NULL);
    CHECK(seen.sites == 1 && seen.count == 1);
    OK(bl_warnings_write("kept.report"));
    CHECK(remove("kept.report") == 0);
    OK(bl_warnings_write_at_exit("kept.report"));
    OK(bl_warnings_write_at_exit(NULL));
    OK(bl_warnings_filter_text("error:value:train.c:42"));
    bl_call_site_enter("train.c", 42);
    CHECK(bl_call_site_leave(add()) == BL_ERR_RULES);
    bl_warnings_reset();
}

static void check_bindings(void)
{
    const bl_rules_operand operands[] = {
        {{2, (const int64_t[]){4, 1}}, BL_ROLE_PAIRED, NULL},
        {{1, (const int64_t[]){4}}, BL_ROLE_PAIRED, NULL}};
    const bl_rules_query query = {.size = sizeof query,
                                  .mode = BL_MODE_NEW,
                                  .axis = BL_AXIS_LAST,
                                  .count = 2,
                                  .operand = operands,
                                  .function = "add",
                                  .is_call = true};
    bl_rules_answer answer;
    bl_rules_event event[2];
    char text[1000];

    OK(bl_rules_resolve(bl_rules_modern(), &query, &answer));
    CHECK(bl_change_find(&query, &answer, BL_PREDICATE_EXACT, event) == 1);
    CHECK(strcmp(bl_change_function(&query), "add") == 0);
    CHECK(strcmp(bl_change_id(&query, event), "W_CHANGED") == 0);
    CHECK(bl_change_text(&query, event, text, sizeof text) == strlen(text));
    seen.handled = 0;
    OK(bl_warnings_raise(&query, &answer, event, NULL));
    CHECK(seen.handled == 1);
    OK(bl_warnings_raise(&query, &answer, event, NULL));
    CHECK(bl_warnings_count(BL_CHANGE_VALUE) == 2 && seen.handled == 1);
    bl_warnings_reset();
    seen.handled = 0;
    OK(bl_warnings_raise_pointwise(&query, "binding.c", 7, NULL));
    CHECK(seen.handled == 1 && seen.line == 7);
    OK(bl_warnings_raise_pointwise(&query, "binding.c", 7, NULL));
    CHECK(bl_warnings_count(BL_CHANGE_VALUE) == 2 && seen.handled == 1);
    OK(bl_warnings_raise_pointwise(&query, "binding.c", 8, NULL));
    CHECK(seen.handled == 2 && seen.line == 8);
}

int main(void)
{
    bl_warning_handler volatile print = bl_warning_print;

    CHECK(print != NULL);
    check_flags();
    check_warnings();
    check_bindings();
    bl_warnings_set_handler(NULL, NULL);
    return failures;
}
