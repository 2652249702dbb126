/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random expressions have the bits of the same calls one after the other: all
 * operators, dtypes, layouts, rules and numbers, several outputs, any number of
 * threads; and are refused where the calls are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom/expr_part.h>

#include "dag.h"
#include "harness/same.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { THREADS = 4, OUTPUTS = 4, ISAS = 4 };

static const int32_t threads[THREADS] = {1, 2, 3, 7};
static const char *const isas[ISAS] = {NULL, NULL, "avx2", "base"};
static bl_context *context[ISAS][THREADS]; /* of each instruction set */

/* Whether two arrays are equal, NaN with any NaN. */
static bool are_equal(const bl_array *want, const bl_array *got)
{
    if (want->dtype != got->dtype || want->rank != got->rank ||
        ref_count(want) != ref_count(got))
        return false;
    for (int64_t i = 0; i < ref_count(want); i++)
        if (!ref_same(want->dtype, ref_at(want, i), ref_at(got, i), 0))
            return false;
    return true;
}

/* ---- outputs ---- */

struct outputs {
    int32_t count;
    int32_t node[OUTPUTS];
    bl_tensor *want[OUTPUTS]; /* of the output's dtype */
    bool is_given[OUTPUTS];
    struct dag_array memory[OUTPUTS];
    const bl_array *array[OUTPUTS]; /* NULL where none is given */
    void *out[OUTPUTS];
};

/* Choose an output's node, dtype and array, which may be none. */
static void choose(struct outputs *outputs, int32_t k, struct dag *dag)
{
    const int32_t n = (int32_t)rng_below(dag->rng, dag->nodes);
    bl_array number;
    const bl_array *const value = dag_value(dag, n, &number);
    bl_dtype dtype = value->dtype;

    outputs->node[k] = n;
    outputs->is_given[k] = rng_one_in(dag->rng, 2);
    if (outputs->is_given[k] && rng_one_in(dag->rng, 3)) {
        dtype = (bl_dtype)(1 + rng_below(dag->rng, REF_DTYPES_END - 1));
        if (!bl_can_cast(value->dtype, dtype))
            dtype = value->dtype;
    }
    must(bl_cast(dag->ctx, dag_result(dag, n, &number), dtype, &outputs->want[k]));
    dag_array_make(&outputs->memory[k], dag->rng, dtype, value->rank, value->extent,
                   false);
    outputs->array[k] = outputs->is_given[k] ? &outputs->memory[k].operand.array : NULL;
    outputs->out[k] = outputs->memory[k].operand.array.data;
    if (!outputs->is_given[k]) {
        /* Compact memory of the node's dtype, the result's own. */
        dag_array_free(&outputs->memory[k]);
        outputs->memory[k] = (struct dag_array){.bytes = 0};
        outputs->out[k] =
            aligned_alloc(64, (size_t)(ref_count(value) * 16 + 64) / 64 * 64 + 64);
    }
}

static void close_outputs(struct outputs *outputs)
{
    for (int32_t k = 0; k < outputs->count; k++) {
        bl_tensor_release(outputs->want[k]);
        if (outputs->is_given[k])
            dag_array_free(&outputs->memory[k]);
        else
            free(outputs->out[k]);
    }
}

/* Whether an output is right, and the bytes between its elements unchanged. */
static bool is_right(struct outputs *outputs, int32_t k)
{
    const bl_array *const want = bl_tensor_array(outputs->want[k]);
    struct dag_array *const memory = &outputs->memory[k];
    bl_array compact = *want;
    size_t offset;

    compact.data = outputs->out[k];
    if (!outputs->is_given[k])
        return are_equal(want, &compact);
    if (!are_equal(want, outputs->array[k]))
        return false;
    for (int64_t i = 0; i < ref_count(want); i++) {
        char *const element = ref_at(outputs->array[k], i);

        offset = (size_t)(element - (char *)memory->operand.memory);
        memcpy(element, memory->saved + offset, ref_size(want->dtype));
    }
    return memcmp(memory->operand.memory, memory->saved, memory->bytes) == 0;
}

/* ---- one expression ---- */

/* Execute a plan in parts, in the order that threads might take. */
static bl_status run_parts(struct rng *rng, const bl_expr_plan *plan, bl_context *ctx,
                           void *const *outs, const void *const *data)
{
    const int32_t parts = bl_context_threads(ctx);
    bl_expr_plan_info info = {.size = sizeof info};
    bl_status status = BL_OK;
    char *workspace;

    must(bl_expr_plan_query(plan, &info));
    workspace = aligned_alloc(64, (size_t)(info.part_workspace + 63) / 64 * 64);
    memset(workspace, 0x55, (size_t)info.part_workspace);
    for (int32_t phase = 0; status == BL_OK && phase < info.part_phases; phase++) {
        const int32_t first = (int32_t)rng_below(rng, parts);

        for (int32_t i = 0; status == BL_OK && i < parts; i++)
            status = bl_expr_plan_execute_part(ctx, plan, phase, (first + i) % parts,
                                               parts, outs, data, workspace);
    }
    free(workspace);
    return status;
}

static bool run_plan(struct dag *dag, struct outputs *outputs, const bl_expr_plan *plan,
                     bl_context *ctx)
{
    const void *data[DAG_INPUTS];
    const bool in_parts = rng_one_in(dag->rng, 3);
    bool pass = true;

    for (int32_t k = 0; k < dag->inputs; k++)
        data[k] = dag->array[k]->data;
    if ((in_parts ? run_parts(dag->rng, plan, ctx, outputs->out, data)
                  : bl_expr_plan_execute(ctx, plan, outputs->out, data)) != BL_OK) {
        tap_note("%s", bl_error_message());
        return false;
    }
    for (int32_t k = 0; k < outputs->count; k++)
        if (!is_right(outputs, k)) {
            tap_note("output %d, node %d, with %d %s", (int)k, (int)outputs->node[k],
                     (int)bl_context_threads(ctx), in_parts ? "parts" : "threads");
            pass = false;
        }
    for (int32_t k = 0; k < dag->inputs; k++)
        pass = pass && memcmp(dag->input[k].operand.memory, dag->input[k].saved,
                              dag->input[k].bytes) == 0;
    return pass;
}

static bool check_results(struct dag *dag, bl_context **ctx)
{
    static const uint32_t fusing[] = {0, BL_EXPR_FUSED, BL_EXPR_FUSED, BL_EXPR_UNFUSED};
    struct outputs outputs = {.count = 1 + (int32_t)rng_below(dag->rng, OUTPUTS)};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan *plan = NULL;
    bl_expr *expr;
    bool pass;

    options.flags = fusing[rng_below(dag->rng, sizeof fusing / sizeof fusing[0])] |
                    (dag->is_wide ? BL_EXPR_WIDE_HALVES : 0);
    for (int32_t k = 0; k < outputs.count; k++)
        choose(&outputs, k, dag);
    expr = dag_build(dag, dag->nodes, outputs.count, outputs.node);
    pass = bl_expr_plan_create(ctx[0], expr, outputs.array, dag->array, &options,
                               &plan) == BL_OK;
    if (!pass)
        tap_note("%s: %s", bl_error_where(), bl_error_message());
    bl_expr_destroy(expr); /* the plan goes on */
    for (int32_t t = 0; pass && t < THREADS; t++)
        pass = run_plan(dag, &outputs, plan, ctx[t]);
    bl_expr_plan_destroy(plan);
    close_outputs(&outputs);
    return pass;
}

/* A call that was refused: so is the expression, with this status and these words. */
static bool check_refusal(const struct dag *dag, bl_context *ctx)
{
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_error_info info = {.size = sizeof info};
    bl_tensor *made = NULL;
    bl_status status;
    bl_expr *expr = NULL;
    bool pass;

    if (!dag->has_refused)
        return true;
    /* What is wrong for any operands is refused as the node is made. */
    if (dag->node[dag->nodes].options.alpha && dag->refused == BL_ERR_ARGUMENT)
        return true;
    expr = dag_build(dag, dag->nodes + 1, 1, &dag->nodes);
    options.flags = dag->is_wide ? BL_EXPR_WIDE_HALVES : 0;
    status = bl_expr_run_new(ctx, expr, dag->array, &options, &made);
    BL_IGNORE(bl_error_query(&info));
    pass = status == dag->refused && made == NULL && info.node == dag->nodes;
    if (!pass)
        tap_note("status %d at %d, not %d: %s; %s", (int)status, (int)info.node,
                 (int)dag->refused, bl_error_message(), dag->message);
    bl_tensor_release(made);
    bl_expr_destroy(expr);
    return pass;
}

static bool check(struct rng *rng, int64_t most, bool is_plain, bool reduces,
                  bool is_wide)
{
    bl_context **const ctx = context[rng_below(rng, ISAS)];
    struct dag dag;
    bool pass;

    dag_open(&dag, rng, ctx[0], most, is_plain, reduces, is_wide);
    pass = check_results(&dag, ctx) && check_refusal(&dag, ctx[0]);
    if (!pass)
        dag_note(&dag);
    dag_close(&dag);
    return pass;
}

int main(void)
{
    static const struct {
        const char *what;
        int64_t most;
        int count, long_count;
        bool is_plain, reduces, is_wide;
    } rows[] = {
        {"few elements", 60, 1500, 60000, false, false, false},
        {"some rows", 3000, 300, 8000, false, false, false},
        {"enough for a team", 120000, 12, 200, false, false, false},
        {"few elements, plain", 100, 2000, 60000, true, false, false},
        {"some rows, plain", 5000, 600, 16000, true, false, false},
        {"enough for a team, plain", 131075, 24, 400, true, false, false},
        {"some rows, reduced", 5000, 600, 16000, true, true, false},
        {"enough for a team, reduced", 131075, 40, 600, true, true, false},
        {"few elements, wide halves", 60, 300, 30000, false, false, true},
        {"some rows, wide halves", 5000, 150, 8000, true, false, true},
        {"some rows, reduced, wide halves", 5000, 100, 8000, true, true, true},
    };
    struct rng rng;

    tap_plan();
    rng = rng_new();
    for (int i = 0; i < ISAS; i++)
        for (int t = 0; t < THREADS; t++) {
            must(bl_context_create(&context[i][t]));
            must(bl_context_set_threads(context[i][t], threads[t]));
            /* One that is not built or not there is replaced by the best that is. */
            if (bl_context_set_isa(context[i][t], isas[i]) != BL_OK)
                must(bl_context_set_isa(context[i][t], NULL));
        }
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const bool is_alone = HAS_THREAD_SANITIZER && rows[r].most < 100000;
        const int count =
            test_times(rows[r].count / (is_alone ? 4 : 1), rows[r].long_count);
        bool pass = true;

        for (int i = 0; pass && i < count; i++) {
            const uint64_t state = rng.state;

            pass = check(&rng, rows[r].most, rows[r].is_plain, rows[r].reduces,
                         rows[r].is_wide);
            if (!pass)
                tap_note("BROADLOOM_TEST_SEED=%llu goes on from here",
                         (unsigned long long)state);
        }
        tap_ok(pass, "%s: %d expressions", rows[r].what, count);
    }
    for (int i = 0; i < ISAS; i++)
        for (int t = 0; t < THREADS; t++)
            bl_context_destroy(context[i][t]);
    return tap_done();
}
