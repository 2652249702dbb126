/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of an expression that use nothing of each other but read the same arrays: one
 * fusion, which reads each once, and has the bits of calls, also where results are
 * written over what they are computed from.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "expr/subject.h"
#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { CASES = 12, MOST = 20000, OUTPUTS = 3, RESULT = 8 * MOST };

/* An expression, and the phases that it has where all is fused. */
static const struct text {
    const char *text;
    int phases;
} texts[] = {
    {"a * c - b; a + b * c", 1},
    {"a * c; b - a; a / 2", 1},
    {"sum(a * b, -1); sum(a * a, -1); sum(b * b, -1)", 1},
    {"sum(a * b); sum(a); max(b)", 1},
    {"min(a, 0); max(a, 0)", 1},
    {"sum(a * b, 0); sum(b, 0); b - 1", 1},
    {"mean(a, -1, keepdim); a / 2; exp(a)", 1},
    {"sum(a * b) / (sqrt(sum(a * a)) + sqrt(sum(b * b)))", 2},
    {"(a - min(a)) / (max(a) - min(a) + 1)", 3},
    {"where(a > b, a, b); a - b; sum(b)", 1},
    {"sum(a, 0); sum(a, 1); max(a, 0)", 2},
    {"x = a * b; sum(x + c); sum(b); y = a - b; y", 1},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/*
 * a and b are whole, c is whole, a row, a column or one element. Columns are enough for
 * reductions that are no calls, whatever the machine has.
 */
static void draw(struct subject *subject, struct rng *rng)
{
    const int64_t columns = 30 + rng_below(rng, rng_one_in(rng, 3) ? 5000 : 170);
    const int64_t rows = 2 + rng_below(rng, MOST / columns - 1);
    const bl_dtype dtype = rng_one_in(rng, 2) ? BL_DTYPE_F32 : BL_DTYPE_F64;

    for (int32_t k = 0; k < INPUTS; k++) {
        subject->extent[k][0] = k > 1 && rng_one_in(rng, 2) ? 1 : rows;
        subject->extent[k][1] = k > 1 && rng_one_in(rng, 2) ? 1 : columns;
        subject->tensor[k] = numbers(rng, dtype, subject->extent[k]);
        subject->input[k] = bl_tensor_array(subject->tensor[k]);
    }
}

static size_t bytes_of(const bl_array *array)
{
    size_t bytes = bl_dtype_size(array->dtype);

    for (int32_t d = 0; d < array->rank; d++)
        bytes *= (size_t)array->extent[d];
    return bytes;
}

static int phases_of(const bl_expr_plan *plan)
{
    bl_expr_plan_info info = {.size = sizeof info};

    must(bl_expr_plan_query(plan, &info));
    return info.phases;
}

/*
 * Execute a plan; `over`: outputs that are as large as the first inputs are written
 * over copies of them. Returns the phases.
 */
static int execute(bl_context *ctx, const char *text, const struct subject *subject,
                   uint32_t flags, bool over, char (*result)[RESULT])
{
    static char copy[INPUTS][RESULT];
    bl_expr_plan *const plan = plan_of(ctx, text, subject, flags);
    const int phases = phases_of(plan);
    const void *data[INPUTS];
    void *out[OUTPUTS];
    bl_array array[OUTPUTS];
    int outputs = 0;

    for (int32_t k = 0; k < INPUTS; k++)
        data[k] = memcpy(copy[k], subject->input[k]->data, bytes_of(subject->input[k]));
    while (outputs < OUTPUTS &&
           bl_expr_plan_output(plan, outputs, &array[outputs]) == BL_OK) {
        const bool fits =
            over && bytes_of(&array[outputs]) == bytes_of(subject->input[outputs]);

        memset(result[outputs], 0x55, RESULT);
        out[outputs] = fits ? copy[outputs] : result[outputs];
        outputs++;
    }
    must(bl_expr_plan_execute(ctx, plan, out, data));
    for (int k = 0; k < outputs; k++)
        memmove(result[k], out[k], bytes_of(&array[k]));
    bl_expr_plan_destroy(plan);
    return phases;
}

static void check_text(bl_context *const *context, struct rng *rng,
                       const struct text *text)
{
    static char want[OUTPUTS][RESULT], got[OUTPUTS][RESULT];
    int wrong = 0, other = 0;

    for (int n = 0; n < CASES; n++) {
        struct subject subject;

        draw(&subject, rng);
        for (int c = 0; c < CONTEXTS; c++)
            for (int over = 0; over < 2; over++) {
                memset(want, 0, sizeof want);
                memset(got, 0, sizeof got);
                (void)execute(context[c], text->text, &subject, BL_EXPR_UNFUSED, false,
                              want);
                other += execute(context[c], text->text, &subject, BL_EXPR_FUSED, over,
                                 got) != text->phases;
                for (int k = 0; k < OUTPUTS; k++)
                    wrong += memcmp(want[k], got[k], RESULT) != 0;
            }
        release(&subject);
    }
    tap_ok(wrong == 0 && other == 0, "%s: %d wrong, %d not in %d phases", text->text,
           wrong, other, text->phases);
}

static void make_arrays(struct subject *subject, struct rng *rng)
{
    for (int32_t k = 0; k < INPUTS; k++) {
        subject->tensor[k] = numbers(rng, BL_DTYPE_F32, subject->extent[k]);
        subject->input[k] = bl_tensor_array(subject->tensor[k]);
    }
}

/* Without 512 bits several results in L2 are of calls, one is of a fusion. */
static void check_near(struct rng *rng, const char *isa)
{
    static const struct {
        const char *text;
        bool is_fused;
    } rows[] = {
        {"a + b; a - b", false}, {"a + b; (a + b) * c", false}, {"(a + b) * c", true}};
    struct subject subject = {.extent = {{64, 64}, {64, 64}, {64, 64}}};
    bl_context *const ctx = context_of(1, isa);
    const bool is_there = strcmp(bl_context_isa(ctx), isa) == 0;

    make_arrays(&subject, rng);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_expr_plan *const plan = plan_of(ctx, rows[i].text, &subject, 0);
        bl_expr_plan_info info = {.size = sizeof info};

        must(bl_expr_plan_query(plan, &info));
        if (is_there)
            tap_ok((info.fused > 0) == rows[i].is_fused, "%s in L2, %s: %d of %d fused",
                   rows[i].text, isa, (int)info.fused, (int)info.calls);
        else
            tap_skip("it is not here", "%s in L2, %s", rows[i].text, isa);
        bl_expr_plan_destroy(plan);
    }
    release(&subject);
    bl_context_destroy(ctx);
}

/* Resident rows of both would not fit in a thread's buffers: each is a fusion. */
static void check_parted(struct rng *rng)
{
    static const char text[] = "x = exp(a - max(a, -1, keepdim));"
                               "y = sin(a - min(a, -1, keepdim));"
                               "x / sum(x, -1, keepdim); y * mean(y, -1, keepdim)";
    struct subject subject = {.extent = {{2, 30000}, {1, 1}, {1, 1}}};
    bl_context *const ctx = context_of(1, NULL);
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan;

    make_arrays(&subject, rng);
    plan = plan_of(ctx, text, &subject, BL_EXPR_FUSED);
    must(bl_expr_plan_query(plan, &info));
    tap_ok(info.phases == 2 && info.fused == info.calls,
           "siblings that do not fit together: %d phases, %d of %d calls fused",
           (int)info.phases, (int)info.fused, (int)info.calls);
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
        check_text(context, &rng, &texts[t]);
    check_near(&rng, "avx2");
    check_near(&rng, "base");
    check_parted(&rng);
    destroy_contexts(context);
    return tap_done();
}
