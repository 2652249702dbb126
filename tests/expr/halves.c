/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of f16 and bf16 in fusions: converted, computed and rounded there, they
 * have the bits and raise the exceptions of calls, in every rounding mode; and alone
 * they are one call.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <fenv.h>
#include <string.h>

#include "expr/contexts.h"
#include "expr/explained.h"
#include "expr/subject.h"
#include "harness/floating.h"
#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { CASES = 12, MOST = 20000, RESULTS = 2 * 8 * MOST };

static const char *const texts[] = {
    "exp(a - max(a, -1, keepdim)) / sum(exp(a - max(a, -1, keepdim)), -1, keepdim)",
    "0.5 * a * (1 + erf(a * 0.70703125))",
    "a * sigmoid(a) * b",
    "a * rsqrt(mean(a ** 2, -1, keepdim) + 0.001) * c",
    "tanh(tanh(a) + tanh(a * c))",
    "sum(log1p(exp(-a)) * b)",
    "pow(abs(a), b) + hypot(b, c)",
    "pow(abs(a), 0.3) * hypot(b, 0.7) + (a % 0.1)",
    "remainder(a, c + 3) - floor(a) // 2",
    "where(a > 0, exp(a), expm1(b)) * 2",
    "exp(a) + f32(b)",
    "bf16(sin(f32(a) + c)) * cos(b)",
    "exp(sum(a, 0)) * sum(a, 0)",
    "isclose(exp(a), exp(b), 0.01, 0.1) & (sigmoid(c) > 0.5)",
    "d = sigmoid(a); d; d * b",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/* a is whole, b too or a row, c a row, a column or one element. */
static void draw(struct subject *subject, struct rng *rng)
{
    const int64_t columns = 1 + rng_below(rng, rng_one_in(rng, 3) ? 5000 : 70);
    const int64_t rows = 1 + rng_below(rng, MOST / columns);

    for (int32_t k = 0; k < INPUTS; k++) {
        subject->extent[k][0] = k > 0 && rng_one_in(rng, 2) ? 1 : rows;
        subject->extent[k][1] = k > 1 && rng_one_in(rng, 2) ? 1 : columns;
        subject->tensor[k] = numbers(
            rng, rng_one_in(rng, 2) ? BL_DTYPE_F16 : BL_DTYPE_BF16, subject->extent[k]);
        subject->input[k] = bl_tensor_array(subject->tensor[k]);
    }
}

/* What an execution gives: its results, and the exceptions that it raised. */
struct given {
    char result[RESULTS];
    int raised;
};

static void execute(bl_context *ctx, const char *text, const struct subject *subject,
                    uint32_t flags, struct given *given)
{
    bl_expr_plan *const plan = plan_of(ctx, text, subject, flags);
    const void *data[INPUTS];
    void *out[2] = {given->result, given->result + RESULTS / 2};

    for (int32_t k = 0; k < INPUTS; k++)
        data[k] = subject->input[k]->data;
    memset(given->result, 0x55, sizeof given->result);
    feclearexcept(FE_ALL_EXCEPT);
    must(bl_expr_plan_execute(ctx, plan, out, data));
    given->raised = fetestexcept(FLOATING_COMPARED);
    bl_expr_plan_destroy(plan);
}

static void check_text(bl_context *const *context, struct rng *rng, const char *text)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static struct given want, got;
    int wrong = 0, flags = 0;

    for (int n = 0; n < CASES; n++) {
        const int c = n % CONTEXTS;
        struct subject subject;

        draw(&subject, rng);
        for (int m = 0; m < 4; m++)
            for (int f = 0; f < 2; f++) {
                fesetround(modes[m]);
                execute(context[c], text, &subject, BL_EXPR_UNFUSED, &want);
                execute(context[c], text, &subject, f ? BL_EXPR_FUSED : 0, &got);
                fesetround(FE_TONEAREST);
                wrong += memcmp(want.result, got.result, RESULTS) != 0;
                /* One thread is the caller, whose exceptions are compared. */
                flags +=
                    bl_context_threads(context[c]) == 1 && want.raised != got.raised;
            }
        release(&subject);
    }
    tap_ok(wrong == 0 && flags == 0, "%s: %d wrong, %d with other exceptions", text,
           wrong, flags);
}

/* Whether both plans give the nodes' calls the same numbers. */
static bool same_calls(const bl_expr_plan *a, const bl_expr_plan *b, int32_t nodes)
{
    bl_expr_node_info node[2] = {{.size = sizeof node[0]}, {.size = sizeof node[1]}};
    bool same = true;

    for (bl_node n = 0; n < nodes; n++) {
        must(bl_expr_plan_node(a, n, &node[0]));
        must(bl_expr_plan_node(b, n, &node[1]));
        same = same && node[0].call == node[1].call && node[0].dtype == node[1].dtype;
    }
    return same;
}

/* How many calls and fusions the plan of a text for f16[rows,columns] says it has. */
static void check_phases(struct rng *rng, const char *text, int64_t rows,
                         int64_t columns, int calls, int fusions)
{
    bl_context *const ctx = context_of(1, NULL);
    struct subject subject = {.extent = {{rows, columns}, {rows, columns}, {1, 1}}};
    static char explained[EXPLAINED];
    int found[2] = {0, 0};
    bl_expr_plan_info fused = {.size = sizeof fused}, apart = fused;
    bl_expr_plan *plan, *unfused;

    for (int32_t k = 0; k < INPUTS; k++) {
        subject.tensor[k] = numbers(rng, BL_DTYPE_F16, subject.extent[k]);
        subject.input[k] = bl_tensor_array(subject.tensor[k]);
    }
    plan = plan_of(ctx, text, &subject, BL_EXPR_FUSED);
    explained_by(plan, explained);
    for (const char *at = explained; (at = strstr(at, "phase ")); at++)
        found[strstr(at, "fusion of") && strstr(at, "fusion of") < at + 12]++;
    unfused = plan_of(ctx, text, &subject, BL_EXPR_UNFUSED);
    must(bl_expr_plan_query(plan, &fused));
    must(bl_expr_plan_query(unfused, &apart));
    if (!tap_ok(found[0] == calls && found[1] == fusions &&
                    fused.calls == apart.calls && fused.fused == apart.calls - calls &&
                    fused.bytes_apart == apart.bytes_apart &&
                    same_calls(plan, unfused, fused.nodes),
                "%s: %d calls, %d fusions", text, calls, fusions))
        tap_note("%s", explained);
    bl_expr_plan_destroy(unfused);
    bl_expr_plan_destroy(plan);
    release(&subject);
    bl_context_destroy(ctx);
}

int main(void)
{
    bl_context *context[CONTEXTS];
    struct rng rng;

    tap_plan();
    rng = rng_new();
    make_contexts(context);
    for (int t = 0; t < TEXTS; t++)
        check_text(context, &rng, texts[t]);
    destroy_contexts(context);
    check_phases(&rng, texts[0], 500, 1000, 0, 1);
    check_phases(&rng, texts[1], 1000, 1000, 0, 1);
    check_phases(&rng, texts[2], 1000, 1000, 0, 1);
    check_phases(&rng, "exp(a)", 1000, 1000, 1, 0);
    check_phases(&rng, "exp(a); sin(b)", 1000, 1000, 2, 0);
    return tap_done();
}
