/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of equal numel and different shapes, paired pointwise in 1-D: values against
 * index arithmetic, in every layout, with several thread counts; and the copies that
 * operands need which do not step evenly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"
#include "harness/tap.h"

/* Rules that pair in 1-D; the result has the first operand's shape. */
static bl_status pair_flat(const bl_rules *rules, const bl_rules_query *query,
                           bl_rules_answer *answer)
{
    (void)rules;
    answer->rank = query->operand[0].shape.rank;
    for (int32_t d = 0; d < answer->rank; d++)
        answer->extent[d] = query->operand[0].shape.extent[d];
    for (int32_t k = 0; k < query->count; k++)
        answer->pairing[k] = (bl_pairing){BL_PAIRING_LINEAR, 0};
    answer->events = 0;
    return BL_OK;
}

static const bl_rules flat_rules = {
    .size = sizeof flat_rules, .name = "flat", .resolve = pair_flat};

/* Shapes of 720 elements. */
static const int64_t shapes[][5] = {
    {720}, {24, 30}, {30, 24}, {5, 16, 9}, {2, 3, 4, 30}, {5, 1, 144}, {1, 9, 16, 5}};
static const int32_t ranks[] = {1, 2, 2, 3, 4, 3, 4};

enum { COUNT = 720, SHAPES = 7, LAYOUTS = 5, ROOM = 4 * COUNT };

struct operand {
    int64_t stride[5];
    float memory[ROOM];
    bl_array array;
};

/* Lay out: compact, last dims slowest, every second element, reversed, a wider row. */
static void lay_out(struct operand *o, int32_t shape, int32_t layout)
{
    const int32_t rank = ranks[shape];
    int64_t step = layout == 2 ? 2 : 1;
    int64_t begin = 0;

    for (int32_t i = 0; i < rank; i++) {
        const int32_t d = layout == 1 ? i : rank - 1 - i;

        o->stride[d] = layout == 3 ? -step : step;
        begin -= layout == 3 ? o->stride[d] * (shapes[shape][d] - 1) : 0;
        step *= shapes[shape][d] + (layout == 4 && i == 0 ? 3 : 0);
    }
    o->array =
        (bl_array){o->memory + begin, BL_DTYPE_F32, rank, shapes[shape], o->stride, 0};
}

static void put_values(struct operand *o, float scale)
{
    for (int64_t i = 0; i < ROOM; i++)
        o->memory[i] = -1;
    for (int64_t i = 0; i < COUNT; i++)
        *(float *)(void *)ref_at(&o->array, i) = scale * (float)(i + 1);
}

static bool is_sum(const struct operand *out)
{
    for (int64_t i = 0; i < COUNT; i++)
        if (*(const float *)(const void *)ref_at(&out->array, i) !=
            1.5f * (float)(i + 1))
            return false;
    return true;
}

static bool check(bl_context *ctx, struct operand *o)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    const bl_array *const in[] = {&o[1].array, &o[2].array};
    bool pass = true;

    options.rules = &flat_rules;
    for (int32_t c = 0; pass && c < SHAPES * SHAPES * LAYOUTS * LAYOUTS; c++) {
        const int32_t mine = c % SHAPES, other = c / SHAPES % SHAPES;
        const int32_t layout = c / SHAPES / SHAPES;

        lay_out(&o[1], mine, layout % LAYOUTS);
        lay_out(&o[2], other, layout / LAYOUTS);
        lay_out(&o[0], mine, (layout + mine + other) % LAYOUTS);
        put_values(&o[1], 0.5f);
        put_values(&o[2], 1);
        put_values(&o[0], 0);
        pass = bl_apply(ctx, BL_OP_ADD, &o[0].array, 2, in, &options) == BL_OK &&
               is_sum(&o[0]);
        put_values(&o[1], 0.5f);
        pass = pass &&
               bl_apply(ctx, BL_OP_ADD, &o[1].array, 2, in, &options) == BL_OK &&
               is_sum(&o[1]);
        if (!pass)
            tap_note("shapes %d and %d, layouts %d and %d: %s", (int)mine, (int)other,
                     (int)layout % LAYOUTS, (int)layout / LAYOUTS, bl_error_message());
    }
    return pass;
}

/* The second operand is the first one transposed: values are those of a copy. */
static bool check_overlap(struct operand *o)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    const int64_t turned_extent[] = {30, 24};
    const int64_t turned_stride[] = {1, 30};
    const bl_array turned = {o[1].memory,   BL_DTYPE_F32,  2,
                             turned_extent, turned_stride, 0};
    const bl_array *const in[] = {&o[1].array, &turned};
    bool pass;

    options.rules = &flat_rules;
    lay_out(&o[1], 1, 0);
    put_values(&o[1], 1);
    pass = bl_apply(NULL, BL_OP_ADD, &o[1].array, 2, in, &options) == BL_OK;
    for (int64_t i = 0; pass && i < COUNT; i++) {
        const int64_t j = i / 24 + i % 24 * 30; /* where turned's i-th lies */

        pass = o[1].memory[i] == (float)(i + 1) + (float)(j + 1);
    }
    return pass;
}

/*
 * A part of a plan has no workspace; integers are checked for zeros in logical order.
 */
static void check_refusals(struct operand *o)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    const bl_array *const in[] = {&o[1].array, &o[2].array};
    const void *const data[] = {o[1].memory, o[2].memory};
    bl_plan *plan = NULL;

    options.rules = &flat_rules;
    lay_out(&o[1], 1, 0);
    lay_out(&o[2], 2, 1);
    tap_ok(bl_plan_create(NULL, BL_OP_ADD, NULL, 2, in, &options, &plan) == BL_OK &&
               bl_plan_execute_part(NULL, plan, 0, 2, o[0].memory, data) ==
                   BL_ERR_UNSUPPORTED,
           "a part of a plan that would need a copy is refused");
    tap_ok(bl_plan_execute(NULL, plan, o[0].memory, data) == BL_OK,
           "the whole plan is not");
    bl_plan_destroy(plan);
}

int main(void)
{
    struct operand *const o = malloc(3 * sizeof *o);
    static const int32_t threads[] = {1, 2, 8};

    tap_plan();
    for (int32_t i = 0; o && i < 3; i++) {
        bl_context *ctx;

        if (bl_context_create(&ctx) != BL_OK)
            continue;
        tap_ok(bl_context_set_threads(ctx, threads[i]) == BL_OK && check(ctx, o),
               "all shapes and layouts, %d threads", (int)threads[i]);
        bl_context_destroy(ctx);
    }
    tap_ok(o && check_overlap(o), "an operand that is the result in another order");
    if (o)
        check_refusals(o);
    free(o);
    return tap_done();
}
