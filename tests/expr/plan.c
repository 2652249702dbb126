/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans of expressions tell of themselves, and how long they last. */
#include <broadloom.h>
#include <broadloom/compat.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>

#include <string.h>

#include "expr/explained.h"
#include "harness/same.h"
#include "harness/tap.h"

static float x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {10, 20, 30}, z[6];

static char text[EXPLAINED];

static bool stop(void *user, const char *piece, size_t length)
{
    return user && piece && length == 0;
}

/* (x - y) * (x - y) + 2, with a node that is not needed. */
static bl_expr *build(void)
{
    const bl_scalar two = bl_scalar_i64(2);
    bl_expr *expr = NULL;
    bl_node in[2], first[2], last[2];

    must(bl_expr_create(NULL, &expr));
    in[0] = bl_expr_input(expr, "x");
    in[1] = bl_expr_input(expr, "y");
    first[0] = bl_expr_apply(expr, BL_OP_SUB, 2, in, NULL);
    first[1] = bl_expr_apply(expr, BL_OP_SUB, 2, in, NULL);
    last[0] = bl_expr_apply(expr, BL_OP_MUL, 2, first, NULL);
    last[1] = bl_expr_number(expr, &two);
    (void)bl_expr_reduce(expr, BL_REDUCTION_MAX, in[0], 0, NULL, false, NULL);
    bl_expr_output(expr, bl_expr_apply(expr, BL_OP_ADD, 2, last, NULL));
    must(bl_expr_status(expr, NULL));
    return expr;
}

static bool has_figures(const bl_expr_plan *plan, bool is_fused)
{
    const int64_t bytes = is_fused ? 24 + 12 + 24 : 60 + 72 + 48;
    bl_expr_plan_info info = {.size = sizeof info};

    must(bl_expr_plan_query(plan, &info));
    return info.inputs == 2 && info.outputs == 1 && info.nodes == 8 && info.dead == 1 &&
           info.distinct == 6 && info.calls == 3 && info.bytes == bytes &&
           info.bytes_apart == 60 + 60 + 72 + 48 && info.bytes_least == 24 + 12 + 24 &&
           info.workspace == 0 && info.phases == (is_fused ? 1 : 3) &&
           info.fusions == is_fused && info.fused == (is_fused ? 3 : 0) &&
           info.materialised == (is_fused ? 0 : 2);
}

static bool has_node(const bl_expr_plan *plan, bl_node node, int32_t place,
                     bl_node same, int32_t call, int32_t phase, int32_t slot,
                     int32_t rank)
{
    bl_expr_node_info info = {.size = sizeof info};

    must(bl_expr_plan_node(plan, node, &info));
    return info.place == place && info.same == same && info.call == call &&
           info.phase == phase && info.slot == slot && info.rank == rank &&
           info.begin == -1 && info.position == -1 && (rank < 2 || info.extent[1] == 3);
}

static const char explained[] =
    "phase 0   call of %2 = sub(x, y)   f32[2,3]   output 0, for %4\n"
    "phase 1   call of %4 = mul(%2, %2)   f32[2,3]   output 0, for %7\n"
    "phase 2   call of %7 = add(%4, 2)   f32[2,3]   output 0\n"
    "moves 180 bytes; call by call 240; inputs and outputs alone 60\n"
    "workspace 0 bytes\n";

static const char fused[] =
    "          %2 = sub(x, y)   f32[2,3]   nowhere\n"
    "          %4 = mul(%2, %2)   f32[2,3]   nowhere\n"
    "          %7 = add(%4, 2)   f32[2,3]   output 0\n"
    "moves 60 bytes; call by call 240; inputs and outputs alone 60\n"
    "workspace 0 bytes\n";

/* The plan of the same without fusions. */
static void check_unfused(bl_expr *expr, const bl_array *const *inputs)
{
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan *plan = NULL;

    options.flags = BL_EXPR_UNFUSED;
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, &options, &plan));
    tap_ok(has_figures(plan, false), "figures without fusions");
    tap_ok(has_node(plan, 3, BL_EXPR_OUTPUT, 2, 0, 0, 0, 2) &&
               has_node(plan, 7, BL_EXPR_OUTPUT, 7, 2, 2, 0, 2),
           "nodes");
    explained_by(plan, text);
    tap_ok(strcmp(text, explained) == 0, "and the plan explained");
    bl_expr_plan_destroy(plan);
}

static void check_plan(void)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 2, 3), BL_VIEW(y, 3)};
    const void *const data[] = {x, y};
    void *const outs[] = {z};
    bl_expr *const expr = build();
    bl_expr_plan *plan = NULL;
    bl_expr_node_info node = {.size = sizeof node};
    bl_array out;

    must(bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &plan));
    tap_ok(bl_expr_input(expr, "w") == BL_NODE_NONE &&
               strstr(bl_error_message(), "closed") &&
               bl_expr_status(expr, NULL) == BL_OK,
           "a plan closes its expression, which is none the worse");
    check_unfused(expr, inputs);
    bl_expr_destroy(expr);
    tap_ok(has_figures(plan, true), "a plan's figures");
    tap_ok(has_node(plan, 1, BL_EXPR_INPUT, 1, -1, -1, 1, 1) &&
               has_node(plan, 3, BL_EXPR_REGISTERS, 2, 0, 0, -1, 2) &&
               has_node(plan, 5, BL_EXPR_NUMBER, 5, -1, -1, -1, 0) &&
               has_node(plan, 6, BL_EXPR_NOWHERE, 6, -1, -1, -1, 0) &&
               has_node(plan, 7, BL_EXPR_OUTPUT, 7, 2, 0, 0, 2),
           "a plan's nodes");
    tap_ok(bl_expr_plan_output(plan, 0, &out) == BL_OK && out.dtype == BL_DTYPE_F32 &&
               out.rank == 2 && out.extent[0] == 2 && out.stride == NULL &&
               out.data == NULL,
           "a plan's output");
    tap_ok(bl_expr_plan_output(plan, 1, &out) == BL_ERR_ARGUMENT &&
               bl_expr_plan_node(plan, 8, &node) == BL_ERR_ARGUMENT &&
               bl_expr_plan_node(plan, -1, &node) == BL_ERR_ARGUMENT,
           "outputs and nodes that are not there");
    explained_by(plan, text);
    tap_ok(strncmp(text, "phase 0   fusion of 3: ", 23) == 0 &&
               strcmp(strchr(text, '\n') + 1, fused) == 0,
           "a plan explained");
    tap_ok(bl_expr_plan_explain(plan, stop, NULL) == BL_ERR_IO,
           "as far as it is taken");
    tap_ok(bl_expr_plan_execute(NULL, plan, outs, data) == BL_OK && z[0] == 83 &&
               z[5] == 578,
           "a plan executed without its expression");
    bl_expr_plan_destroy(plan);
}

/* ---- why calls are calls ---- */

enum { ROWS = 200, COLUMNS = 300 };

/* What a plan says, of a[ROWS,COLUMNS] and b of any shape and strides. */
static const char *explain(const char *expression, const bl_array *b,
                           const bl_rules *rules, uint32_t flags)
{
    static float elements[ROWS * COLUMNS];
    const bl_array *const inputs[] = {BL_VIEW(elements, ROWS, COLUMNS), b};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.rules = rules;
    options.flags = flags;
    must(bl_expr_parse(NULL, expression, 0, NULL, &expr));
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, &options, &plan));
    bl_expr_destroy(expr);
    explained_by(plan, text);
    bl_expr_plan_destroy(plan);
    return text;
}

static void check_reasons(void)
{
    static const char sum[] = "a + b * 2";
    static const int64_t extent[] = {ROWS, COLUMNS}, stride[] = {1, ROWS},
                         other[] = {COLUMNS, ROWS};
    const bl_array dense = {NULL, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array transposed = {NULL, BL_DTYPE_F32, 2, extent, stride, 0};
    const bl_array paired = {NULL, BL_DTYPE_F32, 2, other, NULL, 0};

    tap_ok(!strstr(explain(sum, &dense, NULL, 0), "a call:"), "no reason");
    tap_ok(strstr(explain(sum, &transposed, NULL, 0),
                  "(a call: its operands are permuted)"),
           "a reason of strides");
    tap_ok(strstr(explain(sum, &paired, bl_rules_legacy(), 0),
                  "(a call: its elements go in a certain order)"),
           "a reason of rules");
    tap_ok(!strstr(explain("a * 2; std(a + b, 0)", &dense, NULL, BL_EXPR_FUSED),
                   "copied") &&
               !strstr(text, "fusion"),
           "an output is written behind what may fail, not beside what that needs");
    tap_ok(strstr(explain("a * b; max(a, 0); std(b, 1)", &dense, NULL, 0),
                  "copied to output 2") &&
               !strstr(text, "copied to output 0") &&
               !strstr(text, "copied to output 1"),
           "if one has to be copied, the smallest one");
}

int main(void)
{
    tap_plan();
    check_plan();
    check_reasons();
    return tap_done();
}
