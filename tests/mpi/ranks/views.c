/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random views of random tensors, and views of these: each rank's part is that of the
 * view of the whole, and what the library refuses of the whole is refused.  Sums of
 * shifted views are written over a third view of the same memory.
 * usage: views SEED CASES [FIRST]
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { RANK = 4, WAYS = 5, ENOUGH = 500 };

static const char *const names[WAYS] = {"narrow", "permute", "unsqueeze", "squeeze",
                                        "expand"};
static int64_t made[WAYS], refused[WAYS], alone;

/* A view, of the whole and over ranks; the same arguments for both. */
struct view {
    bl_tensor *whole;
    bl_mpi_tensor *tensor;
    bl_status status[2];
};

static void expand(struct rng *rng, const struct view *from, struct view *to)
{
    const bl_array *const array = bl_tensor_array(from->whole);
    const int32_t more = (int32_t)rng_below(rng, 2);
    int64_t extent[BL_MAX_RANK];

    for (int32_t d = 0; d < array->rank + more; d++) {
        const int64_t own = d < more ? 1 : array->extent[d - more];

        extent[d] = d >= more && rng_one_in(rng, 3) ? -1
                    : own != 1                      ? own
                                                    : rng_below(rng, 3) + 1;
        if (rng_one_in(rng, 40))
            extent[d] = own + 1;
    }
    to->status[0] =
        bl_tensor_expand(from->whole, array->rank + more, extent, &to->whole);
    to->status[1] =
        bl_mpi_expand(from->tensor, array->rank + more, extent, &to->tensor);
}

static void look(struct rng *rng, int64_t way, const struct view *from, struct view *to)
{
    const bl_array *const array = bl_tensor_array(from->whole);
    const int32_t rank = array->rank;
    const int32_t axis = (int32_t)rng_below(rng, 2 * rank + 4) - rank - 2;
    int32_t axes[BL_MAX_RANK];
    int64_t start, length;

    *to = (struct view){.tensor = NULL};
    switch (way) {
    case 0:
        start = rng_below(rng, 9) - 2;
        length = rng_below(rng, 6);
        to->status[0] = bl_tensor_narrow(from->whole, axis, start, length, &to->whole);
        to->status[1] = bl_mpi_narrow(from->tensor, axis, start, length, &to->tensor);
        break;
    case 1:
        for (int32_t d = 0; d < rank; d++)
            axes[d] = (d + axis + 4 * rank + 4) % rank;
        if (rank > 0 && rng_one_in(rng, 9))
            axes[0] = axes[rank - 1];
        to->status[0] = bl_tensor_permute(from->whole, axes, &to->whole);
        to->status[1] = bl_mpi_permute(from->tensor, axes, &to->tensor);
        break;
    case 2:
        to->status[0] = bl_tensor_unsqueeze(from->whole, axis, &to->whole);
        to->status[1] = bl_mpi_unsqueeze(from->tensor, axis, &to->tensor);
        break;
    case 3:
        to->status[0] = bl_tensor_squeeze(from->whole, axis, &to->whole);
        to->status[1] = bl_mpi_squeeze(from->tensor, axis, &to->tensor);
        break;
    default:
        expand(rng, from, to);
    }
}

static bool is_right(const struct view *view, int64_t way)
{
    const bool is_alone = view->status[0] == BL_OK &&
                          view->status[1] == BL_ERR_UNSUPPORTED && way >= 3 &&
                          strstr(bl_error_message(), "one of them alone has it");

    alone += is_alone;
    made[way] += view->status[1] == BL_OK;
    refused[way] += view->status[0] != BL_OK;
    return is_alone || (view->status[0] == view->status[1] &&
                        (view->status[0] != BL_OK ||
                         world_is_part(view->tensor, bl_tensor_array(view->whole))));
}

static bool try(struct rng *rng, int64_t number)
{
    const int32_t rank = (int32_t)rng_below(rng, RANK) + 1;
    int64_t extent[RANK];
    struct view view = {.tensor = NULL}, next;
    bool pass = true;

    (void)number;
    for (int32_t d = 0; d < rank; d++)
        extent[d] = rng_one_in(rng, 3) ? 1 : rng_below(rng, 8);
    view.whole = world_whole(rng, BL_OP_ADD, 0, BL_DTYPE_F64, rank, extent);
    view.tensor = world_spread(rng, world_grid(rng), bl_tensor_array(view.whole));
    for (int i = 0; i < 4 && pass; i++) {
        const int64_t way = rng_below(rng, WAYS);

        look(rng, way, &view, &next);
        pass = is_right(&next, way);
        if (!pass)
            fprintf(stderr, "# rank %d: %s: %d %d: %s\n", world_self, names[way],
                    (int)next.status[0], (int)next.status[1], bl_error_message());
        if (!next.whole || !next.tensor) {
            bl_tensor_release(next.whole);
            bl_mpi_tensor_release(next.tensor);
            continue;
        }
        bl_tensor_release(view.whole);
        bl_mpi_tensor_release(view.tensor);
        view = next;
    }
    bl_tensor_release(view.whole);
    bl_mpi_tensor_release(view.tensor);
    return pass;
}

/* ---- a shift ---- */

/* A window of a tensor, moved by up to 2 along each dimension. */
static void shift(struct rng *rng, const struct view *from, struct view *to)
{
    const bl_array *const array = bl_tensor_array(from->whole);

    to->whole = bl_tensor_retain(from->whole);
    to->tensor = bl_mpi_tensor_retain(from->tensor);
    for (int32_t d = 0; d < array->rank; d++) {
        const int64_t start = rng_below(rng, 3), length = array->extent[d] - 2;
        bl_tensor *const whole = to->whole;
        bl_mpi_tensor *const tensor = to->tensor;

        must(bl_tensor_narrow(whole, d, start, length, &to->whole));
        must(bl_mpi_narrow(tensor, d, start, length, &to->tensor));
        bl_tensor_release(whole);
        bl_mpi_tensor_release(tensor);
    }
}

/* c = a + b, of which all are windows of one tensor; sometimes a += b. */
static bool try_shift(struct rng *rng, int64_t number)
{
    const bl_mpi_options options = {
        .size = sizeof options, .most_bytes = INT64_MAX, .most_memory = INT64_MAX};
    const int32_t rank = (int32_t)rng_below(rng, 2) + 1;
    const int64_t extent[2] = {rng_below(rng, 40) + 3, rng_below(rng, 40) + 3};
    struct view view = {.tensor = NULL}, part[3];
    bl_tensor *const made = world_whole(rng, BL_OP_ADD, 0, BL_DTYPE_F32, rank, extent);
    bool pass;

    (void)number;
    must(bl_tensor_clone(NULL, bl_tensor_array(made), &view.whole));
    bl_tensor_release(made);
    view.tensor = world_spread(rng, world_grid(rng), bl_tensor_array(view.whole));
    for (int k = 0; k < 3; k++)
        shift(rng, &view, &part[k]);
    const struct view *const to = &part[rng_one_in(rng, 3) ? 0 : 2];
    const bl_mpi_operand in[2] = {{part[0].tensor, NULL}, {part[1].tensor, NULL}};
    const bl_array *const whole[2] = {bl_tensor_array(part[0].whole),
                                      bl_tensor_array(part[1].whole)};

    must(bl_apply(NULL, BL_OP_ADD, bl_tensor_array(to->whole), 2, whole, NULL));
    must(bl_mpi_apply(NULL, BL_OP_ADD, to->tensor, 2, in, &options));
    pass = world_is_part(to->tensor, bl_tensor_array(to->whole)) &&
           world_is_part(view.tensor, bl_tensor_array(view.whole));
    for (int k = 0; k < 3; k++) {
        bl_tensor_release(part[k].whole);
        bl_mpi_tensor_release(part[k].tensor);
    }
    bl_tensor_release(view.whole);
    bl_mpi_tensor_release(view.tensor);
    return pass;
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 60);
    bool all_seen;

    world_make_grids(cases.seed);
    world_ok(world_try(&cases, "views", try),
             "%d ranks: a rank's part of a view is that of the whole's", world_ranks);
    world_ok(world_try(&cases, "views", try_shift),
             "%d ranks: a shift over itself is that of the whole", world_ranks);
    all_seen = alone > 0 || world_ranks == 1;
    for (int way = 0; way < WAYS; way++)
        all_seen = all_seen && made[way] > 0 && refused[way] > 0;
    world_ok(all_seen || cases.end - cases.first < ENOUGH,
             "%d ranks: every view was seen, and refused", world_ranks);
    return world_close();
}
