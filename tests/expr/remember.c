/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans that bl_expr_run() and bl_expr_run_new() remember are never used for another
 * expression, for arrays that look otherwise, or with other settings or rules.
 */
#include <string.h>

#include "harness/tap.h"
#include "remember.h"

static const int64_t line[] = {SIDE}, half[] = {2, SIDE}, turned[] = {1, SIDE};

/* Expressions that are freed, at whose address the next one is. */
static void check_address(void)
{
    const bl_array x = view(a, 2, square, NULL), y = view(b, 2, square, NULL);
    const void *at = NULL;
    bool pass = true;
    int same = 0;

    for (int k = 0; k < 100; k++) {
        bl_expr *const expr = parse(k % 2 == 0 ? "a * b" : "a - b");
        float got[COUNT];

        same += expr == at;
        at = expr;
        pass = pass && run(NULL, expr, &x, &y, NULL, got, NULL) == BL_OK;
        for (int i = 0; i < COUNT; i++)
            pass = pass && got[i] == (k % 2 == 0 ? a[i] * b[i] : a[i] - b[i]);
        bl_expr_destroy(expr);
    }
    tap_ok(pass, "an expression at the address of a freed one has its own results");
    tap_note("%d times at the same address", same);
}

/* Arrays that look otherwise, in turns. */
static void check_looks(void)
{
    const bl_array x = view(a, 2, square, NULL);
    const bl_array others[] = {view(b, 2, square, NULL), view(b, 2, square, turned),
                               view(b, 1, line, NULL),   view(b, 0, NULL, NULL),
                               view(b, 2, half, NULL),   view(b, 1, line, turned)};
    bl_expr *const expr = parse("a + b");
    bool pass = true;

    for (int k = 0; k < 60; k++) {
        const int n = k * 7 % 6;
        float got[COUNT];

        if (n == 4) {
            pass = pass &&
                   run(NULL, expr, &x, &others[n], NULL, got, NULL) == BL_ERR_SHAPE;
            continue;
        }
        pass = pass && run(NULL, expr, &x, &others[n], NULL, got, NULL) == BL_OK;
        for (int i = 0; pass && i < COUNT; i++) {
            const float want[] = {
                b[i], b[i % SIDE * SIDE + i / SIDE], b[i % SIDE], b[0], 0, b[i % SIDE]};

            pass = got[i] == a[i] + want[n];
        }
    }
    tap_ok(pass, "arrays of other shapes and strides have plans of their own");
    bl_expr_destroy(expr);
}

/* Settings of a context and options, each tried after a run with the others. */
static void check_settings(void)
{
    const bl_array x = view(a, 2, square, NULL), y = view(b, 1, line, NULL);
    bl_expr *const expr = parse("a + b");
    bl_expr_options paddle = BL_EXPR_OPTIONS_DEFAULT;
    bl_context *ctx = NULL;
    float got[COUNT], want[COUNT];
    bool pass = bl_context_create(&ctx) == BL_OK;
    const char *const best = bl_context_isa(ctx);

    paddle.rules = bl_rules_paddle();
    paddle.axis = 0;
    for (int k = 0; k < 3; k++) {
        pass = pass && run(ctx, expr, &x, &y, NULL, want, NULL) == BL_OK &&
               run(ctx, expr, &x, &y, &paddle, got, NULL) == BL_OK &&
               got[1] == a[1] + b[0] && want[1] == a[1] + b[1];
        pass = pass && bl_context_set_rules(ctx, bl_rules_strict()) == BL_OK &&
               run(ctx, expr, &x, &y, NULL, got, NULL) != BL_OK &&
               bl_context_set_rules(ctx, bl_rules_modern()) == BL_OK;
        pass = pass && bl_context_set_isa(ctx, "base") == BL_OK &&
               run(ctx, expr, &x, &y, NULL, got, NULL) == BL_OK &&
               memcmp(got, want, sizeof got) == 0 &&
               bl_context_set_isa(ctx, best) == BL_OK;
        pass = pass && bl_context_set_threads(ctx, 1 + k) == BL_OK &&
               run(ctx, expr, &x, &y, NULL, got, NULL) == BL_OK &&
               memcmp(got, want, sizeof got) == 0;
    }
    tap_ok(pass, "rules, instruction set and threads of a context count");
    bl_context_destroy(ctx);
    tap_ok(adds(NULL, expr), "a context may be freed before the next run");
    bl_expr_destroy(expr);
}

/* Rules of the program: they are asked each time. */
static int asked;

static bl_status resolve(const bl_rules *rules, const bl_rules_query *query,
                         bl_rules_answer *answer)
{
    (void)rules;
    asked++;
    return bl_rules_resolve(bl_rules_modern(), query, answer);
}

static void check_rules(void)
{
    static const bl_rules own = {.size = sizeof own, .name = "own", .resolve = resolve};
    const bl_array x = view(a, 2, square, NULL), y = view(b, 2, square, NULL);
    bl_expr *const expr = parse("a + b");
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    float got[COUNT];
    bool pass;

    options.rules = &own;
    pass = run(NULL, expr, &x, &y, &options, got, NULL) == BL_OK;

    const int once = asked;

    pass = pass && run(NULL, expr, &x, &y, &options, got, NULL) == BL_OK;
    tap_ok(pass && once > 0 && asked == 2 * once,
           "rules of the program are asked each time");
    bl_expr_destroy(expr);
}

/* Refusals are those of a plan that is made, whatever is remembered. */
static void check_refusals(void)
{
    const bl_array x = view(a, 2, square, NULL), y = view(b, 2, square, NULL);
    const bl_array off =
        view((const float *)(const void *)((const char *)b + 1), 2, square, NULL);
    bl_expr *const expr = parse("a + b"), *const fresh = parse("a + b");
    char want[400] = "";
    float got[COUNT];
    bool pass = adds(NULL, expr);

    pass = pass && run(NULL, fresh, &x, &off, NULL, got, NULL) == BL_ERR_ARGUMENT;
    strncpy(want, bl_error_message(), sizeof want - 1);
    pass = pass && run(NULL, expr, &x, &off, NULL, got, NULL) == BL_ERR_ARGUMENT &&
           strcmp(want, bl_error_message()) == 0;
    pass = pass && run(NULL, fresh, &x, NULL, NULL, got, NULL) == BL_ERR_ARGUMENT;
    strncpy(want, bl_error_message(), sizeof want - 1);
    pass = pass && run(NULL, expr, &x, NULL, NULL, got, NULL) == BL_ERR_ARGUMENT &&
           strcmp(want, bl_error_message()) == 0 &&
           run(NULL, expr, &x, &y, NULL, got, NULL) == BL_OK;
    tap_ok(pass, "what is refused is so in the same words");
    bl_expr_destroy(expr);
    bl_expr_destroy(fresh);
}

int main(void)
{
    tap_plan();
    check_address();
    check_looks();
    check_settings();
    check_rules();
    check_refusals();
    return tap_done();
}
