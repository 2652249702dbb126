/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divisors of 0 and negative exponents of integers in fused expressions: found before
 * anything is written, wherever they are, with the error of the call; and the bits of
 * calls where there are none.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { MOST = 136000, INPUTS = 3, OUTPUTS = 3 };

static bl_context *context[CONTEXTS]; /* threads and instruction sets */
static size_t used;                   /* bytes of a result that are looked at */
static char *memory[INPUTS], *result[2][OUTPUTS];

/* Expressions of a and b, of which b[i] == `bad` is refused. */
static const struct {
    const char *text;
    int32_t outputs;
    int bad, good; /* elements of b */
} texts[] = {
    {"(a + 1) // b * 2", 1, 0, 3},
    {"(a * 2) % b + a; a + b", 2, 0, 5},
    {"fmod(a - 1, b) * a", 1, 0, 7},
    {"a * 3; trunc_divide(a + 1, b) - 1; b * 2", 3, 0, 2},
    {"(a + 1) // (b - 1) * 2", 1, 1, 4},
    {"t = b * 2 - 4; a + 1; (a * a) % t + 1; t", 3, 2, 9},
    {"u = a // 7; v = u % (b - 3) + 1; v * 2", 1, 3, 6},
    {"x = a + b; y = x // b; z = y * 2 + 1; z % (b - 1) + 3", 1, 1, 2},
    {"d = a - b; s = sum(b, 1, keepdim); (d + 1) // b - s", 1, 0, 1},
    {"(a + 1) // a * b; (a + 2) % b + 1", 2, 0, 4},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void put(bl_dtype dtype, int k, int64_t i, double value)
{
    ref_convert(BL_DTYPE_F64, &value, dtype, memory[k] + i * (int64_t)ref_size(dtype));
}

static void run(const bl_expr_plan *plan, bl_context *ctx, int i, bl_status *status)
{
    void *outs[OUTPUTS];

    for (int k = 0; k < OUTPUTS; k++) {
        outs[k] = result[i][k];
        memset(outs[k], 0x55, used);
    }
    *status =
        bl_expr_plan_execute(ctx, plan, outs, (const void *[]){memory[0], memory[1]});
}

static bool is_untouched(int i)
{
    bool is = true;

    for (int k = 0; k < OUTPUTS; k++)
        is = is && result[i][k][0] == 0x55 &&
             memcmp(result[i][k], result[i][k] + 1, used - 1) == 0;
    return is;
}

/* Plan a text twice: fused, and call by call. */
static void plan_both(const char *text, bl_dtype dtype, int64_t rows, int64_t columns,
                      bl_expr_plan **plan)
{
    static const char *const names[] = {"a", "b"};
    const int64_t whole[] = {rows, columns};
    const bl_array array = {memory[0], dtype, 2, whole, NULL, 0};
    const bl_array *const inputs[] = {&array, &array};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr *expr = NULL;

    must(bl_expr_parse(NULL, text, 2, names, &expr));
    for (int i = 0; i < 2; i++) {
        options.flags = i ? BL_EXPR_UNFUSED : BL_EXPR_FUSED;
        must(bl_expr_plan_create(context[0], expr, NULL, inputs, &options, &plan[i]));
    }
    bl_expr_destroy(expr);
}

/* Whether a refusal is the calls': status, message, node, and nothing written. */
static bool check_refused(bl_expr_plan *const *plan, const char *text)
{
    bl_error_info want = {.size = sizeof want}, got = {.size = sizeof got};
    char message[512], where[512];
    bl_status status;
    bool pass;

    run(plan[1], context[0], 1, &status);
    pass = is_untouched(1);
    BL_IGNORE(bl_error_query(&want));
    snprintf(message, sizeof message, "%s", bl_error_message());
    snprintf(where, sizeof where, "%s", bl_error_where());
    for (int c = 0; pass && status == BL_ERR_ARGUMENT && c < CONTEXTS; c++) {
        bl_status own;

        run(plan[0], context[c], 0, &own);
        BL_IGNORE(bl_error_query(&got));
        pass = own == status && strcmp(message, bl_error_message()) == 0 &&
               strcmp(where, bl_error_where()) == 0 && got.node == want.node &&
               got.operand == want.operand && got.position == want.position &&
               is_untouched(0);
    }
    if (!pass || status != BL_ERR_ARGUMENT)
        tap_note("%s: %s, not %s; %s", text, bl_error_message(), message,
                 is_untouched(0) ? "" : "written");
    return pass && status == BL_ERR_ARGUMENT;
}

static bool check_results(bl_expr_plan *const *plan, const char *text)
{
    bool pass = true;
    bl_status status;

    run(plan[1], context[0], 1, &status);
    for (int c = 0; pass && c < CONTEXTS; c++) {
        bl_status own;

        run(plan[0], context[c], 0, &own);
        pass = status == BL_OK && own == BL_OK;
        for (int k = 0; k < OUTPUTS; k++)
            pass = pass && memcmp(result[0][k], result[1][k], used) == 0;
    }
    if (!pass)
        tap_note("%s: %s", text, bl_error_message());
    return pass;
}

static bool check(size_t t, bl_dtype dtype, int64_t rows, int64_t columns,
                  int32_t *fused)
{
    const int64_t count = rows * columns;
    const int64_t places[] = {0, 1, columns - 1, count / 2, count - 2, count - 1};
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan[2];
    bool pass = true;

    used = (size_t)count * 8 + 64;
    for (int64_t i = 0; i < count; i++) {
        put(dtype, 0, i, (double)(i % 23 + 1));
        put(dtype, 1, i, (double)(i % 5 + texts[t].good));
    }
    plan_both(texts[t].text, dtype, rows, columns, plan);
    must(bl_expr_plan_query(plan[0], &info));
    *fused += info.fused;
    pass = check_results(plan, texts[t].text);
    for (size_t p = 0; pass && p < sizeof places / sizeof places[0]; p++) {
        if (places[p] < 0 || places[p] >= count)
            continue;
        put(dtype, 1, places[p], (double)texts[t].bad);
        pass = check_refused(plan, texts[t].text);
        put(dtype, 1, places[p], (double)texts[t].good);
    }
    if (!pass)
        tap_note("%s[%d,%d]", bl_dtype_name(dtype), (int)rows, (int)columns);
    bl_expr_plan_destroy(plan[0]);
    bl_expr_plan_destroy(plan[1]);
    return pass;
}

static void check_texts(void)
{
    static const bl_dtype dtypes[] = {BL_DTYPE_I32, BL_DTYPE_U8, BL_DTYPE_I64,
                                      BL_DTYPE_I16, BL_DTYPE_I8};
    static const int64_t shapes[][2] = {{1, 1}, {3, 17}, {2, 1025}};

    for (size_t t = 0; t < TEXTS; t++) {
        bool pass = true;
        int32_t fused = 0;

        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (size_t d = 0; pass && d < sizeof dtypes / sizeof dtypes[0]; d++)
                pass = check(t, dtypes[d], shapes[s][0], shapes[s][1], &fused);
        pass = pass && check(t, BL_DTYPE_I32, 80, 1600, &fused); /* for a team */
        tap_ok(pass && fused > 0, "%s", texts[t].text);
    }
}

static bool count_checked(void *user, const char *text, size_t length)
{
    char line[1024];

    snprintf(line, sizeof line, "%.*s", (int)length, text);
    *(int *)user += strstr(line, "divisors are checked before") != NULL;
    return true;
}

/* Which divisions are fused, and that numbers need no check. */
static void check_plans(void)
{
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan[2];
    int said = 0;

    plan_both("(a + 1) // b * 2; (a + 1) % (b + 1)", BL_DTYPE_I32, 40, 1700, plan);
    must(bl_expr_plan_query(plan[0], &info));
    must(bl_expr_plan_explain(plan[0], count_checked, &said));
    tap_ok(info.fused >= 4 && said == 2, "divisions are fused, explain says so");
    for (int i = 0; i < 2; i++)
        bl_expr_plan_destroy(plan[i]);
    said = 0;
    plan_both("(a + 1) // 3 * 2 + a ** 2", BL_DTYPE_I32, 40, 1700, plan);
    must(bl_expr_plan_query(plan[0], &info));
    must(bl_expr_plan_explain(plan[0], count_checked, &said));
    tap_ok(info.phases == 1 && info.fused == 5 && said == 0,
           "by numbers without a check");
    for (int i = 0; i < 2; i++)
        bl_expr_plan_destroy(plan[i]);
}

/* Calls by one divisor: the first one looks through it, and refuses. */
static void check_one_divisor(const char *text, double bad, bool is_input)
{
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan[2];
    bool pass;

    used = 40 * 17 * 8 + 64;
    for (int64_t i = 0; i < 40 * 17; i++) {
        put(BL_DTYPE_I32, 0, i, (double)(i % 23 + 1));
        put(BL_DTYPE_I32, 1, i, (double)(i % 5 + 1));
    }
    plan_both(text, BL_DTYPE_I32, 40, 17, plan);
    must(bl_expr_plan_query(plan[1], &info));
    pass = check_results(plan, text) &&
           (!is_input || (info.workspace == 0 && info.bytes == info.bytes_apart));
    put(BL_DTYPE_I32, 1, 600, bad);
    pass = pass && check_refused(plan, text);
    tap_ok(pass && strstr(bl_error_where(), "floor_divide"),
           "%s: both write to the outputs, and the first one refuses", text);
    for (int i = 0; i < 2; i++)
        bl_expr_plan_destroy(plan[i]);
}

/* An exponent that is a scalar may be negative, others have results. */
static void check_exponents(void)
{
    static const char *const names[] = {"a", "b"};
    static const int64_t extent[] = {1000};
    int64_t exponent = -1, wide = 2;
    const bl_array a = {memory[0], BL_DTYPE_I32, 1, extent, NULL, 0};
    const bl_array b = {&exponent, BL_DTYPE_I64, 0, NULL, NULL, BL_ARRAY_SCALAR};
    const bl_array *const inputs[] = {&a, &b};
    void *const outs[] = {result[0][0], result[0][1]};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;
    bool pass;

    for (int64_t i = 0; i < 1000; i++)
        put(BL_DTYPE_I32, 0, i, (double)(i % 9 - 4));
    must(bl_expr_parse(NULL, "a + 1; (a - 1) ** b * 2", 2, names, &expr));
    must(bl_expr_plan_create(context[0], expr, NULL, inputs, NULL, &plan));
    for (int k = 0; k < OUTPUTS; k++)
        memset(result[0][k], 0x55, used);
    pass = bl_expr_plan_execute(context[0], plan, outs,
                                (const void *[]){memory[0], &exponent}) ==
               BL_ERR_ARGUMENT &&
           strstr(bl_error_message(), "negative integer powers") && is_untouched(0) &&
           bl_expr_plan_execute(context[0], plan, outs,
                                (const void *[]){memory[0], &wide}) == BL_OK &&
           ((const int32_t *)(const void *)outs[1])[1] == 32;
    tap_ok(pass, "a negative exponent");
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
}

int main(void)
{
    tap_plan();
    make_contexts(context);
    for (int k = 0; k < INPUTS; k++)
        memory[k] = aligned_alloc(64, MOST * 8);
    for (int k = 0; k < OUTPUTS; k++) {
        result[0][k] = aligned_alloc(64, MOST * 8);
        result[1][k] = aligned_alloc(64, MOST * 8);
    }
    check_texts();
    check_plans();
    check_one_divisor("a // b; a % b", 0, true);
    check_one_divisor("d = b + 1; a // d; a % d", -1, false);
    check_exponents();
    for (int k = 0; k < INPUTS; k++)
        free(memory[k]);
    for (int k = 0; k < OUTPUTS; k++) {
        free(result[0][k]);
        free(result[1][k]);
    }
    destroy_contexts(context);
    return tap_done();
}
