/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of inputs and of values, and the places of nodes in their text. */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"

/* ---- names ---- */

/* Inputs without a name are named by their slots, or by the next name that is free. */
static void check_names(void)
{
    static const char *const wanted[] = {"b", "c", "d", "z", "e"};
    bl_expr_info info = {.size = sizeof info};
    bl_expr *expr = NULL;
    bool pass;

    must(bl_expr_create(NULL, &expr));
    for (int k = 0; k < 5; k++)
        (void)bl_expr_input(expr, k == 0 || k == 3 ? wanted[k] : NULL);
    pass = bl_expr_query(expr, &info) == BL_OK && info.inputs == 5;
    for (int k = 0; pass && k < 5; k++)
        pass = strcmp(info.input[k], wanted[k]) == 0;
    tap_ok(pass, "names that are free");
    bl_expr_destroy(expr);
}

/* An input's name has at most 63 characters, and at most 1024 values have names. */
static void check_limits(void)
{
    static char text[16384] = "x";
    bl_error_info info = {.size = sizeof info};
    bl_expr *expr = NULL;
    size_t at;

    memset(text, 'x', 64);
    tap_ok(bl_expr_parse(NULL, text, 0, NULL, &expr) == BL_ERR_UNSUPPORTED &&
               strstr(bl_error_message(), "a name of more than 63 characters"),
           "a long name");
    at = (size_t)sprintf(text, "x");
    for (int k = 0; k <= 1024; k++)
        at += (size_t)sprintf(text + at, ";v%d=x", k);
    tap_ok(bl_expr_parse(NULL, text, 0, NULL, &expr) == BL_ERR_UNSUPPORTED &&
               strstr(bl_error_message(), "more than 1024 names"),
           "many names");
    tap_ok(bl_expr_parse(NULL, "x; x = 3", 0, NULL, &expr) == BL_ERR_FORMAT &&
               bl_error_query(&info) == BL_OK && info.position == 5,
           "an input gets no value");
}

/* ---- places ---- */

static float x[6] = {1, 2, 3, 4, 5, 6};
static bool m[6] = {true};
static const char *const names[] = {"x", "m", "z"};

static const struct {
    const char *text;
    int32_t output; /* that is an array of booleans, which takes no numbers */
    int64_t position;
} outputs[] = {
    {"  x ; 300; -x", 0, 2},       {"x > 1;  300; x", 1, 8},
    {"x > 1; 2 * (3 + 4)", 1, 7},  {"n = 3; x > 1; n", 1, 14},
    {"d = x; x > 1; (d)", 1, 4},   {"m; -x", 1, 3},
    {"m; addcmul(x, x, x)", 1, 3},
};

static void check_outputs(void)
{
    for (size_t k = 0; k < sizeof outputs / sizeof outputs[0]; k++) {
        const bl_array *const inputs[] = {BL_VIEW(x, 6), BL_VIEW(m, 6), NULL};
        const bl_array *outs[3] = {NULL};
        bl_error_info info = {.size = sizeof info};
        bl_expr_plan *plan = NULL;
        bl_expr *expr = NULL;

        outs[outputs[k].output] = BL_VIEW(m, 6);
        must(bl_expr_parse(NULL, outputs[k].text, 3, names, &expr));
        tap_ok(bl_expr_plan_create(NULL, expr, outs, inputs, NULL, &plan) != BL_OK &&
                   bl_error_query(&info) == BL_OK &&
                   info.position == outputs[k].position,
               "output %d of %s is refused at %" PRId64 ", got %" PRId64,
               (int)outputs[k].output, outputs[k].text, outputs[k].position,
               info.position);
        bl_expr_destroy(expr);
    }
}

/* The nodes of a text, in their order; NULL: one that stands nowhere in it. */
static const char text[] = "1 + 2 < x; addcmul(x, x, 2.5)";
static const char *const parts[] = {"x",         NULL,  NULL, "1 + 2",
                                    "1 + 2 < x", "2.5", NULL, "addcmul(x, x, 2.5)"};

static void check_nodes(void)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 6), NULL, NULL};
    bl_expr_node_info info = {.size = sizeof info};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;
    bool pass = true;

    must(bl_expr_parse(NULL, text, 3, names, &expr));
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &plan));
    for (bl_node n = 0; n < 8; n++) {
        const char *const part = parts[n];

        pass = pass && bl_expr_plan_node(plan, n, &info) == BL_OK &&
               (part ? info.begin >= 0 &&
                           (size_t)(info.end - info.begin) == strlen(part) &&
                           memcmp(text + info.begin, part, strlen(part)) == 0
                     : info.begin == -1 && info.end == -1 && info.position == -1);
        if (!pass)
            tap_note("node %d: %" PRId64 " to %" PRId64, (int)n, info.begin, info.end);
    }
    tap_ok(pass, "the text of nodes");
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
}

int main(void)
{
    tap_plan();
    check_names();
    check_limits();
    check_outputs();
    check_nodes();
    return tap_done();
}
