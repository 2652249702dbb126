/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of inputs that are given none. */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"

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

int main(void)
{
    tap_plan();
    check_names();
    return tap_done();
}
