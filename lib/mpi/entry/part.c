/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this rank does of a planned call: which part of each operand it has or gets, and
 * the memory for that.
 */
#include "mpi/entry/plan.h"

static const bl_array *local_array(const bl_mpi_operand *in)
{
    return in->tensor ? bl_mpi_local(in->tensor) : in->array;
}

/* An operand in linear order: all that this rank's part takes is assembled. */
static bl_status find_ordered(struct bli_draft *draft, int32_t k)
{
    bl_mpi_plan *const plan = draft->plan;
    const bl_layout *const own = &plan->own[k].layout;

    if (!bl_layout_is_contiguous(own))
        BL_TRY(bl_tensor_empty(draft->ctx, plan->own[k].dtype, own->rank, own->extent,
                               &plan->ordered[k]));
    return bli_lines_reserve(plan->grid->link, draft->ctx, &plan->call.lines[k],
                             &plan->lines[k]);
}

/* What this rank has of operand k, and what of it is assembled. */
static bl_status find_part(struct bli_draft *draft, int32_t k,
                           const struct bli_sections *sections)
{
    bl_mpi_plan *const plan = draft->plan;
    const struct bli_move *const move = &plan->call.move[k];
    struct bli_box need;

    plan->is_tensor[k] = draft->in[k].tensor != NULL;
    BL_TRY(bli_mpi_array_block(local_array(&draft->in[k]), plan->call.from[k],
                               plan->grid->link->self, &plan->own[k]));
    plan->own[k].base = NULL;
    if (plan->call.is_direct)
        bli_move_need(move, plan->grid->link->self, &need);
    if (plan->call.is_direct || sections->bytes[k] > 0)
        bli_block_compact(&plan->assembled[k], plan->own[k].dtype, move->from->rank,
                          plan->call.is_direct ? &need : &sections->assembled[k], NULL);
    if (plan->call.stage[k]) {
        const struct bli_spread *const way = plan->call.stage[k]->way;

        bli_spread_box(way, plan->grid->link->self, &need);
        bli_block_compact(&plan->way[k], plan->own[k].dtype, way->rank, &need, NULL);
    }
    return plan->call.is_linear[k] ? find_ordered(draft, k) : BL_OK;
}

/* Where the result lies on this rank. */
static bl_status find_result(struct bli_draft *draft)
{
    bl_mpi_plan *const plan = draft->plan;
    const struct bli_spread *const result = plan->call.result;
    struct bli_box box;

    bli_spread_box(result, plan->grid->link->self, &box);
    bli_block_compact(&plan->result, plan->call.dtype, result->rank, &box, NULL);
    return draft->out ? bl_array_layout(bl_mpi_local(draft->out), &plan->result.layout)
                      : BL_OK;
}

/* Bytes of the buffers that the moves of operand k need, one after the other. */
static int64_t buffers_of(const bl_mpi_plan *plan, int32_t k)
{
    const struct bli_move *moves[2];
    const int32_t count = bli_call_moves(&plan->call, k, moves);
    int64_t buffers = 0;

    for (int32_t m = 0; m < count; m++) {
        struct bli_traffic traffic;

        bli_traffic_count(moves[m], plan->grid->link->self, &traffic);
        const int64_t most = bli_traffic_buffers(&traffic, plan->call.window);

        buffers = most > buffers ? most : buffers;
    }
    return buffers;
}

/* Reserve memory for what arrives, the widest elements first, and then for messages. */
static bl_status reserve(struct bli_draft *draft, const int64_t *assembled)
{
    bl_mpi_plan *const plan = draft->plan;
    int64_t bytes = 0, place[BL_MAX_INPUTS], way[BL_MAX_INPUTS] = {0}, buffers = 0;

    for (int64_t size = 16; size > 0; size /= 2)
        for (int32_t k = 0; k < plan->call.count; k++)
            if (plan->call.move[k].size == size) {
                if (plan->call.stage[k])
                    way[k] =
                        bli_stage_bytes(plan->call.stage[k], plan->grid->link->self);
                place[k] = bytes;
                bytes += assembled[k] + way[k];
            }
    bytes = (bytes + 15) / 16 * 16;
    for (int32_t k = 0; k < plan->call.count; k++) {
        const int64_t most = buffers_of(plan, k);

        buffers = most > buffers ? most : buffers;
    }
    if (bytes + buffers == 0)
        return BL_OK;
    const int64_t all = bytes + buffers;

    BL_TRY(bl_tensor_empty(draft->ctx, BL_DTYPE_U8, 1, &all, &plan->workspace));
    char *const base = bl_tensor_mutable_data(plan->workspace);

    plan->buffers = base + bytes;
    for (int32_t k = 0; k < plan->call.count; k++) {
        plan->assembled[k].base = assembled[k] > 0 ? base + place[k] : NULL;
        plan->way[k].base = way[k] > 0 ? base + place[k] + assembled[k] : NULL;
    }
    return BL_OK;
}

/* Bytes of operand k; none of one that arrives as a whole, which moves first. */
static int64_t bytes_by_messages(const struct bli_spread_call *call, int32_t k)
{
    int64_t numel = 1;

    if (call->is_linear[k] || call->stage[k])
        return 0;
    for (int32_t d = 0; d < call->from[k]->rank; d++)
        numel *= call->from[k]->extent[d];
    return numel * call->move[k].size;
}

/* The larger ones move last: sections wait for all others before them. */
static void order_moves(bl_mpi_plan *plan)
{
    for (int32_t k = 0; k < plan->call.count; k++) {
        const int64_t bytes = bytes_by_messages(&plan->call, k);
        int32_t place = k;

        for (; place > 0 &&
               bytes_by_messages(&plan->call, plan->order[place - 1]) > bytes;
             place--)
            plan->order[place] = plan->order[place - 1];
        plan->order[place] = k;
    }
}

bl_status bli_mpi_plan_part(struct bli_draft *draft)
{
    struct bli_sections sections;

    order_moves(draft->plan);
    bli_call_sections(&draft->plan->call, draft->plan->grid->link->self, &sections);
    draft->plan->is_in_place = draft->options.in_place;
    for (int32_t k = 0; k < draft->plan->call.count; k++)
        BL_TRY(find_part(draft, k, &sections));
    BL_TRY(find_result(draft));
    BL_TRY(reserve(draft, sections.bytes));
    return bli_mpi_plan_sections(draft, &sections);
}
