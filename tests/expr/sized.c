/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The structs of expressions may grow: a size below the first release's is refused, all
 * others are taken; members that the library does not know are refused where they are
 * set, and filled in with 0.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>

#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"

enum { ROOM = 512, LONGER = 64 };

static _Alignas(16) unsigned char given[ROOM];
static float x[4];
static bl_expr *expr;
static bl_expr_plan *plan;

static bl_status with_options(void)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 4)};
    bl_expr_plan *made = NULL;
    const bl_status status =
        bl_expr_plan_create(NULL, expr, NULL, inputs, (const void *)given, &made);

    bl_expr_plan_destroy(made);
    return status;
}

static bl_status with_info(void)
{
    return bl_expr_query(expr, (void *)given);
}
static bl_status with_plan(void)
{
    return bl_expr_plan_query(plan, (void *)given);
}
static bl_status with_node(void)
{
    return bl_expr_plan_node(plan, 0, (void *)given);
}

static const bl_expr_options defaults = BL_EXPR_OPTIONS_DEFAULT;

static const struct {
    const char *name;
    bl_status (*call)(void);
    size_t bytes;
    const void *defaults; /* NULL: the library fills the struct in */
} rows[] = {
    {"bl_expr_options", with_options, sizeof defaults, &defaults},
    {"bl_expr_info", with_info, sizeof(bl_expr_info), NULL},
    {"bl_expr_plan_info", with_plan, sizeof(bl_expr_plan_info), NULL},
    {"bl_expr_node_info", with_node, sizeof(bl_expr_node_info), NULL},
};

static bl_status call(size_t i, size_t size, int unknown)
{
    memset(given, unknown, sizeof given);
    if (rows[i].defaults)
        memcpy(given, rows[i].defaults, rows[i].bytes);
    memcpy(given, &size, sizeof size);
    return rows[i].call();
}

static bool check(size_t i)
{
    bool pass = true;

    for (size_t size = 0; size < rows[i].bytes; size++)
        pass = pass && call(i, size, 0) == BL_ERR_ARGUMENT;
    for (size_t size = rows[i].bytes; size < rows[i].bytes + LONGER; size++) {
        pass = pass && call(i, size, 0) == BL_OK;
        if (rows[i].defaults && size > rows[i].bytes) {
            pass = pass && call(i, size, 1) == BL_ERR_UNSUPPORTED;
        } else if (!rows[i].defaults) {
            pass = pass && call(i, size, 0xa5) == BL_OK && given[size] == 0xa5;
            for (size_t b = rows[i].bytes; b < size; b++)
                pass = pass && given[b] == 0;
        }
    }
    return pass;
}

int main(void)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 4)};
    bl_expr_options odd = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan *made = NULL;

    tap_plan();
    must(bl_expr_parse(NULL, "x * x", 0, NULL, &expr));
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &plan));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        tap_ok(check(i), "%s of any size", rows[i].name);
    odd.flags = BL_EXPR_UNFUSED;
    tap_ok(bl_expr_plan_create(NULL, expr, NULL, inputs, &odd, &made) == BL_OK,
           "a flag that is known");
    bl_expr_plan_destroy(made);
    odd.flags = BL_EXPR_FUSED | BL_EXPR_UNFUSED;
    tap_ok(bl_expr_plan_create(NULL, expr, NULL, inputs, &odd, &made) ==
                   BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "BL_EXPR_FUSED and BL_EXPR_UNFUSED"),
           "two that exclude each other");
    odd.flags = 0x40000000u;
    tap_ok(bl_expr_plan_create(NULL, expr, NULL, inputs, &odd, &made) ==
                   BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "options: unknown flags 0x40000000"),
           "and one that is not");
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return tap_done();
}
