/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands full of NaN, of both signs and many payloads: what "same bits" means in
 * <broadloom/context.h>. Every operator and conversion, with every number of threads
 * and instruction set, in parts, in layouts and compact: equal numbers, and NaN in the
 * same places; bitwise equal NaN where an operator moves elements or changes their
 * sign, and from reductions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nan_bits.h"
#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"

static struct setting settings[SETTINGS];
enum { TEAMS = 3 }; /* settings per instruction set */

static const bl_dtype dtypes[] = {BL_DTYPE_F16, BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64, BL_DTYPE_C64,  BL_DTYPE_C128};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

/* Shapes, and the layout of the result; the inputs have others. */
static const struct {
    int32_t rank;
    int64_t extent[3];
    int32_t layout;
} cases[] = {{1, {37}, 0},     {2, {35, 33}, 2}, {3, {3, 4, 18}, 3},
             {2, {2, 301}, 6}, {2, {301, 3}, 1}, {1, {90001}, 0}};
enum { CASES = sizeof cases / sizeof cases[0], LARGE = CASES - 1 };

/* ---- one call ---- */

struct call {
    bl_op op;
    bl_dtype from, to;
    int32_t inputs;
    struct problem_operand out, in[PROBLEM_INPUTS];
};

/* Make the operands of case `c` in layouts, or compact with the elements of `like`. */
static void open_call(struct call *call, size_t c, const struct call *like)
{
    for (int32_t k = -1; k < call->inputs; k++) {
        const bl_dtype dtype =
            k < 0 ? call->to : ref_input_dtype(call->op, call->from, k);
        struct problem_operand *const operand = k < 0 ? &call->out : &call->in[k];
        const int32_t number = (cases[c].layout + 5 * (k + 1)) % PROBLEM_LAYOUTS;
        struct problem_layout layout;
        const char *name;

        problem_layout_named(number, cases[c].rank, &layout, &name);
        if (like)
            layout = problem_compact();
        problem_describe(operand, dtype, cases[c].rank, cases[c].extent, &layout);
        nan_open(operand, (uint64_t)(k + 2));
        if (like && k >= 0)
            nan_gather(&like->in[k].array, (char *)operand->memory);
    }
}

static void close_call(struct call *call)
{
    free(call->out.memory);
    for (int32_t k = 0; k < call->inputs; k++)
        free(call->in[k].memory);
}

/*
 * Execute the call at once, or a plan of it in `parts` parts; stores the results in
 * `got`.
 */
static bool run(struct call *call, bl_context *ctx, int32_t parts, char *got)
{
    const bl_array *in[PROBLEM_INPUTS];
    const void *data[PROBLEM_INPUTS];
    bl_plan *plan = NULL;
    bl_status status;

    for (int32_t k = 0; k < call->inputs; k++) {
        in[k] = &call->in[k].array;
        data[k] = in[k]->data;
    }
    if (parts == 1) {
        status = bl_apply(ctx, call->op, &call->out.array, call->inputs, in, NULL);
    } else {
        status = bl_plan_create(ctx, call->op, &call->out.array, call->inputs, in, NULL,
                                &plan);
        for (int32_t part = 0; status == BL_OK && part < parts; part++)
            status = bl_plan_execute_part(NULL, plan, part, parts, call->out.array.data,
                                          data);
        bl_plan_destroy(plan);
    }
    if (status != BL_OK)
        tap_note("refused: %s: %s", bl_error_where(), bl_error_message());
    nan_gather(&call->out.array, got);
    return status == BL_OK;
}

/* ---- every way to compute it ---- */

/* Results of one case: the expected ones, once known, and those obtained. */
struct results {
    char *want, *got;
    int64_t count;
    size_t bytes;
    bool is_preserved; /* NaN payloads too */
    bool is_known;     /* `want` is set */
    bool may_differ; /* beyond the first instruction set: only the positions of NaN are
                        equal */
};

static void expect(struct results *results, const struct call *call)
{
    const int64_t size = (int64_t)ref_size(call->to);

    results->is_known = results->is_preserved = nan_is_preserved(call->op, call->from);
    for (int64_t i = 0; results->is_preserved && i < results->count; i++) {
        const char *x[PROBLEM_INPUTS];

        for (int32_t k = 0; k < call->inputs; k++)
            x[k] = ref_at(&call->in[k].array, i);
        nan_want(call->op, call->from, call->to, x, results->want + i * size);
    }
}

static bool agrees(struct results *results, bl_dtype dtype, bool is_other)
{
    if (!results->is_preserved)
        nan_unify(dtype, results->got, results->count, !is_other);
    if (is_other)
        nan_unify(dtype, results->want, results->count, false);
    if (!results->is_known)
        memcpy(results->want, results->got, results->bytes);
    results->is_known = true;
    return memcmp(results->want, results->got, results->bytes) == 0;
}

/* Compare with one setting: in layouts and compact, at once and in parts. */
static bool agree_under(struct results *results, struct call *const *calls, int32_t i)
{
    /* Numbers may differ here; then the following instruction sets must equal these. */
    const bool is_other = results->may_differ && i == TEAMS;
    bool pass = true;

    if (is_other) {
        pass = run(calls[0], settings[i].ctx, 1, results->got) &&
               agrees(results, calls[0]->to, true);
        results->is_known = false;
    }
    for (int32_t way = 0; pass && way < 4; way++) {
        const int32_t parts = way < 2 ? 1 : i % TEAMS == 0 ? 3 : 8;

        pass = run(calls[way % 2], settings[i].ctx, parts, results->got) &&
               agrees(results, calls[0]->to, false);
        if (!pass)
            tap_note("%s, %s, in %" PRId32 " parts", settings[i].name,
                     way % 2 == 0 ? "in layouts" : "compact", parts);
    }
    return pass;
}

static bool check_case(bl_op op, bl_dtype from, bl_dtype to, size_t c)
{
    struct call strided = {.op = op, .from = from, .to = to, .inputs = ref_inputs(op)};
    struct call compact = strided, *const calls[] = {&strided, &compact};
    struct results results = {.may_differ = ref_may_differ(op, from)};
    bool pass = true;

    open_call(&strided, c, NULL);
    open_call(&compact, c, &strided);
    results.count = ref_count(&strided.out.array);
    results.bytes = (size_t)results.count * ref_size(to);
    results.want = calloc(2, results.bytes);
    if (!results.want)
        abort();
    results.got = results.want + results.bytes;
    expect(&results, &strided);
    for (int32_t i = 0; pass && i < settings_distinct(settings); i++)
        pass = agree_under(&results, calls, i);
    free(results.want);
    close_call(&strided);
    close_call(&compact);
    return pass;
}

static void check(bl_op op, bl_dtype from, bl_dtype to)
{
    /* Enough elements for several threads with an operator that is not a function. */
    const bool is_long = op == BL_OP_ADD || op == BL_OP_COPY || op == BL_OP_MUL;
    bool pass = true;

    for (size_t c = 0; pass && c < CASES; c++)
        if (c != LARGE || (is_long && (from == BL_DTYPE_F32 || from == BL_DTYPE_F64)))
            pass = check_case(op, from, to, c);
    tap_ok(pass, "%s of %s to %s", ref_name(op), ref_dtype_name(from),
           ref_dtype_name(to));
}

int main(void)
{
    tap_plan();
    settings_open(settings);
    for (int32_t op = REF_OPS_BEGIN; op < ref_ops_end(); op++)
        for (int32_t d = 0; d < DTYPES; d++)
            if (ref_takes((bl_op)op, dtypes[d]))
                check((bl_op)op, dtypes[d], ref_result_dtype((bl_op)op, dtypes[d]));
    for (int32_t from = 0; from < DTYPES; from++)
        for (int32_t to = 0; to < DTYPES; to++)
            if (from != to)
                check(BL_OP_COPY, dtypes[from], dtypes[to]);
    for (int32_t d = 0; d < DTYPES; d++) {
        nan_check_masks(settings, dtypes[d]);
        nan_check_reductions(settings, dtypes[d]);
    }
    settings_close(settings);
    return tap_done();
}
