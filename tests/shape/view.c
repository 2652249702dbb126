/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views against a model without strides: every view alone, and random chains of four,
 * some written over their input.  BROADLOOM_TEST_SEED repeats a run.
 */
#include "harness/problem.h"
#include "harness/tap.h"
#include "harness/view_random.h"

#include <inttypes.h>

#define CHAINS 20000
#define VIEWS  4

/* An axis, counted from either end at random. */
static int32_t either(struct rng *rng, int32_t dim, int32_t rank)
{
    return rng_one_in(rng, 2) ? dim : dim - rank;
}

static bl_status library_apply(struct rng *rng, const struct view *view,
                               const bl_layout *in, bl_layout *out)
{
    const int32_t dim = in->rank > 0 ? either(rng, view->dim, in->rank) : 0;

    switch (view->kind) {
    case EXPAND:
        if (rng_one_in(rng, 2))
            return bl_layout_expand(in, view->given.rank, view->given.extent, out);
        return bl_layout_broadcast_to(in, view->shape.rank, view->shape.extent, out);
    case UNSQUEEZE:
        return bl_layout_unsqueeze(in, either(rng, view->dim, in->rank + 1), out);
    case SQUEEZE:
        return bl_layout_squeeze(in, dim, out);
    case SQUEEZE_ALL:
        return bl_layout_squeeze_all(in, out);
    case PERMUTE:
        return bl_layout_permute(in, view->dims, out);
    case TRANSPOSE:
        return bl_layout_transpose(in, dim, either(rng, view->other, in->rank), out);
    case SELECT:
        return bl_layout_select(in, dim, view->given_start, out);
    case NARROW:
        return bl_layout_narrow(in, dim, view->given_start,
                                view->shape.extent[view->dim], out);
    case SLICE:
        return bl_layout_slice(in, dim, view->given_start, view->given_stop, view->step,
                               out);
    case FLIP:
        return bl_layout_flip(in, dim, out);
    case VIEW:
        return bl_layout_view(in, view->given.rank, view->given.extent, out);
    default:
        return bl_layout_place_dims(in, view->shape.rank, view->dims, out);
    }
}

/*
 * Apply a view to both and compare; only view() may be refused, where no strides exist.
 */
static bool check_view(struct rng *rng, const struct view *view, bl_layout *layout,
                       struct model *model, bool *is_refused)
{
    static struct model next;
    bl_layout other;
    bl_layout *out = rng_one_in(rng, 2) ? layout : &other;
    const bl_status status = library_apply(rng, view, layout, out);

    *is_refused = status != BL_OK;
    if (status != BL_OK)
        return view->kind == VIEW && status == BL_ERR_SHAPE &&
               !model_has_strides(model, &view->shape) &&
               model_is_layout(model, layout);
    if (out == &other && !model_is_layout(model, layout))
        return false; /* the input was overwritten */
    model_apply(view, model, &next);
    *model = next;
    *layout = *out;
    return model_is_layout(model, layout);
}

static void check_chains(struct rng *rng)
{
    static struct model model;
    int64_t done[KINDS] = {0}, refused[KINDS] = {0}, faults[KINDS] = {0};

    for (int32_t i = 0; i < CHAINS; i++) {
        bl_layout layout;

        view_roll_layout(rng, &layout);
        model_of_layout(&layout, &model);
        for (int32_t v = 0; v < VIEWS; v++) {
            const enum view_kind kind = (enum view_kind)rng_below(rng, KINDS);
            const bl_layout before = layout;
            struct view view;
            bool is_refused;

            if (!view_roll(rng, kind, &model, &view))
                continue;
            done[kind]++;
            if (!check_view(rng, &view, &layout, &model, &is_refused)) {
                char text[SHAPE_TEXT];

                tap_note("chain %" PRId32 ": %s of %s", i, view_kind_name[kind],
                         shape_write(text, before.rank, before.extent));
                faults[kind]++;
                break;
            }
            refused[kind] += is_refused;
        }
    }
    for (int kind = 0; kind < KINDS; kind++)
        tap_ok(faults[kind] == 0 && done[kind] - refused[kind] > CHAINS / 100,
               "%s: %" PRId64 " times, %" PRId64 " refused", view_kind_name[kind],
               done[kind], refused[kind]);
}

int main(void)
{
    tap_plan();

    struct rng rng = rng_new();

    check_chains(&rng);
    return tap_done();
}
