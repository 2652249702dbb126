/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executions in parts, by threads of the test's own: the bits of
 * bl_expr_plan_execute(), its refusals, known to every part, and nothing written beyond
 * the workspace.
 */
#include <broadloom.h>
#include <broadloom/expr_part.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "part.h"
#include "reference/ref.h"

enum { MOST = 150000, INPUTS = 2, OUTPUTS = 2 };

/* ---- plans ---- */

static char *memory[INPUTS], *result[2][OUTPUTS];

static bl_expr_plan *plan_text(const char *text, bl_dtype dtype, int64_t rows,
                               int64_t columns, uint32_t flags)
{
    static const char *const names[] = {"a", "b"};
    const int64_t whole[] = {rows, columns};
    const bl_array array = {memory[0], dtype, 2, whole, NULL, 0};
    const bl_array *const inputs[] = {&array, &array};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.flags = flags;
    must(bl_expr_parse(NULL, text, INPUTS, names, &expr));
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, &options, &plan));
    bl_expr_destroy(expr);
    return plan;
}

static void fill(bl_dtype dtype)
{
    for (int k = 0; k < INPUTS; k++)
        for (int64_t i = 0; i < MOST; i++) {
            const double value = (double)(i * (k + 3) % 61 + 1);

            ref_convert(BL_DTYPE_F64, &value, dtype,
                        memory[k] + i * (int64_t)ref_size(dtype));
        }
}

static void mark(int i)
{
    for (int k = 0; k < OUTPUTS; k++)
        memset(result[i][k], 0x55, MOST * 8);
}

static bool are_equal(void)
{
    return memcmp(result[0][0], result[1][0], MOST * 8) == 0 &&
           memcmp(result[0][1], result[1][1], MOST * 8) == 0;
}

/* ---- results ---- */

static const int32_t teams[] = {1, 2, 3, TEAM};

static bool check_text(const char *text, bl_dtype dtype, int64_t rows, int64_t columns,
                       uint32_t flags)
{
    bl_expr_plan *const plan = plan_text(text, dtype, rows, columns, flags);
    const void *const data[] = {memory[0], memory[1]};
    bool pass = true;

    mark(1);
    must(bl_expr_plan_execute(NULL, plan, (void *const *)result[1], data));
    for (size_t t = 0; pass && t < sizeof teams / sizeof teams[0]; t++) {
        struct member member[TEAM];

        mark(0);
        pass = part_run(plan, NULL, teams[t], (void *const *)result[0], data, member) &&
               are_equal();
        for (int32_t i = 0; i < teams[t]; i++)
            pass = pass && member[i].status == BL_OK;
        if (!pass)
            tap_note("%s[%d,%d], %d parts: %s", bl_dtype_name(dtype), (int)rows,
                     (int)columns, (int)teams[t], member[0].message);
    }
    bl_expr_plan_destroy(plan);
    return pass;
}

static void check_texts(void)
{
    static const char *const texts[] = {
        "(a * b + 2) / (abs(a) + 1); a > b",
        "e = exp(a - max(a, 1, keepdim)); e / sum(e, 1, keepdim)",
        "a / sum(abs(a) + 1)",
        "d = a * b; mean(d, 0); max(d, 0, keepdim) - d",
        "s = sum(a, 1); s * 2; std(b, 0)",
        "sum(a + 1)",
    };

    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        bool pass = true;

        fill(BL_DTYPE_F32);
        pass = check_text(texts[t], BL_DTYPE_F32, 3, 7, 0) &&
               check_text(texts[t], BL_DTYPE_F32, 90, 1100, 0) &&
               check_text(texts[t], BL_DTYPE_F32, 2, 70001, 0) &&
               check_text(texts[t], BL_DTYPE_F32, 90, 1100, BL_EXPR_UNFUSED);
        fill(BL_DTYPE_F16);
        pass = pass && check_text(texts[t], BL_DTYPE_F16, 35, 2049, 0);
        tap_ok(pass, "%s", texts[t]);
    }
    fill(BL_DTYPE_I32);
    tap_ok(check_text("t = (a + 1) // b; (t % (b + 1) + a) // b; t", BL_DTYPE_I32, 90,
                      1100, 0),
           "divisions");
}

/* An output over inputs, which fusions may write or which has to be computed apart. */
static void check_overlap(void)
{
    static const char *const texts[] = {"a * b + 1; sum(a, 1)",
                                        "a / sum(abs(a) + 1, 0); a * 2"};
    bool pass = true;

    for (size_t t = 0; pass && t < 2; t++) {
        bl_expr_plan *const plan = plan_text(texts[t], BL_DTYPE_F32, 90, 1100, 0);
        const void *const data[] = {result[0][0], memory[1]};
        struct member member[TEAM];

        fill(BL_DTYPE_F32);
        mark(0);
        mark(1);
        memcpy(result[1][0], memory[0], 90 * 1100 * 4);
        must(bl_expr_plan_execute(NULL, plan, (void *const *)result[1],
                                  (const void *[]){result[1][0], memory[1]}));
        memcpy(result[0][0], memory[0], 90 * 1100 * 4);
        pass = part_run(plan, NULL, 3, (void *const *)result[0], data, member) &&
               member[0].status == BL_OK && are_equal();
        bl_expr_plan_destroy(plan);
    }
    tap_ok(pass, "outputs over inputs");
}

/* ---- refusals ---- */

/* Whether all parts are refused as the whole is, and nothing is written. */
static bool is_refused(const bl_expr_plan *plan, bl_context *ctx,
                       const void *const *data, bl_status status, const char *where)
{
    struct member member[TEAM];
    char message[256];
    bool pass;

    mark(0);
    mark(1);
    pass = bl_expr_plan_execute(ctx, plan, (void *const *)result[1], data) == status;
    snprintf(message, sizeof message, "%s", bl_error_message());
    pass = part_run(plan, ctx, TEAM, (void *const *)result[0], data, member) && pass &&
           are_equal();
    for (int32_t t = 0; t < TEAM; t++) {
        pass = pass && member[t].status == status &&
               strcmp(member[t].message, message) == 0 &&
               strstr(member[t].where, where);
        if (!pass)
            tap_note("part %d: status %d, %s; %s", (int)t, (int)member[t].status,
                     member[t].message, member[t].where);
    }
    return pass;
}

static void check_values(void)
{
    static const char *const texts[] = {"a + 1; (a + 2) // b",
                                        "t = b - 1; a * 2; a % t",
                                        "t = b * 0; a // t; b", "a // (b - a)"};
    const void *const data[] = {memory[0], memory[1]};
    const int32_t none = 0, one = 1;
    bool pass = true;

    fill(BL_DTYPE_I32);
    memcpy(memory[1] + 4 * (90 * 1100 - 1), &none, 4);
    memcpy(memory[1] + 4 * 50000, &one, 4);
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
        for (uint32_t flags = 0; flags <= BL_EXPR_UNFUSED; flags++) {
            bl_expr_plan *const plan =
                plan_text(texts[t], BL_DTYPE_I32, 90, 1100, flags);

            if (!is_refused(plan, NULL, data, BL_ERR_ARGUMENT,
                            "bl_expr_plan_execute_part(%")) {
                tap_note("%s", texts[t]);
                pass = false;
            }
            bl_expr_plan_destroy(plan);
        }
    tap_ok(pass, "divisors of 0 are every part's");
}

static void check_addresses(void)
{
    bl_expr_plan *const plan = plan_text("a * b; a", BL_DTYPE_F32, 90, 1100, 0);
    const void *const shifted[] = {result[0][0] + 8, memory[1]};
    const void *const null[] = {NULL, memory[1]};
    struct member member[TEAM];
    bool pass = true;
    bl_context *ctx;

    must(bl_context_create(&ctx));
    must(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE));
    tap_ok(is_refused(plan, NULL, null, BL_ERR_ARGUMENT, "(a f32"), "an address");
    mark(0);
    mark(1);
    pass = part_run(plan, ctx, 3, (void *const *)result[0], shifted, member) &&
           are_equal();
    for (int32_t t = 0; t < 3; t++)
        pass = pass && member[t].status == BL_ERR_OVERLAP;
    tap_ok(pass, "an overlap that the context refuses");
    bl_context_destroy(ctx);
    bl_expr_plan_destroy(plan);
}

static void check_arguments(void)
{
    bl_expr_plan *const plan = plan_text("a * b", BL_DTYPE_F32, 3, 7, 0);
    const void *const data[] = {memory[0], memory[1]};
    void *const *const outs = (void *const *)result[0];
    bl_expr_plan_info info = {.size = sizeof info};
    _Alignas(64) char room[4096];

    must(bl_expr_plan_query(plan, &info));
#define PART(phase, part, parts, workspace)                                            \
    (bl_expr_plan_execute_part(NULL, plan, phase, part, parts, outs, data,             \
                               workspace) == BL_ERR_ARGUMENT)
    tap_ok(info.part_workspace <= (int64_t)sizeof room && PART(-1, 0, 1, room) &&
               PART(info.part_phases, 0, 1, room) && PART(0, 1, 1, room) &&
               PART(0, -1, 2, room) && PART(0, 0, 0, room) && PART(0, 0, 1, NULL) &&
               PART(0, 0, 1, room + 8),
           "arguments that are refused");
    bl_expr_plan_destroy(plan);
}

int main(void)
{
    tap_plan();
    for (int k = 0; k < INPUTS; k++)
        memory[k] = aligned_alloc(64, MOST * 8);
    for (int k = 0; k < OUTPUTS; k++) {
        result[0][k] = aligned_alloc(64, MOST * 8);
        result[1][k] = aligned_alloc(64, MOST * 8);
    }
    check_texts();
    check_overlap();
    check_values();
    check_addresses();
    check_arguments();
    for (int k = 0; k < INPUTS; k++)
        free(memory[k]);
    for (int k = 0; k < OUTPUTS; k++) {
        free(result[0][k]);
        free(result[1][k]);
    }
    return tap_done();
}
