/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this rank does of a planned call: which part of each operand it has or gets, the
 * memory for that, and the plan of its own call.
 */
#include <float.h>
#include <string.h>

#include <broadloom/warnings.h>

#include "mpi/entry/plan.h"

static const bl_array *local_array(const bl_mpi_operand *in)
{
    return in->tensor ? bl_mpi_local(in->tensor) : in->array;
}

/* A layout of an operand's part, with its dimensions along those of the result. */
static void align(const bl_layout *in, int32_t shift, int32_t rank, bl_layout *out)
{
    const int32_t first = shift > 0 ? shift : 0;

    *out = *in;
    if (in->rank == 0)
        return;
    out->rank = 0;
    for (int32_t d = 0; d < in->rank; d++)
        if (d + shift >= 0 && d + shift < rank) {
            out->extent[out->rank] = in->extent[d];
            out->stride[out->rank++] = in->stride[d];
        }
    for (; first + out->rank < rank; out->rank++) {
        out->extent[out->rank] = 1;
        out->stride[out->rank] = 0;
    }
}

/* The options of this rank's call: the rules have been asked about the whole. */
static bl_options local_options(const struct bli_draft *draft)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    const bl_options *const call = draft->options.call;

    if (call)
        memcpy(&options, call,
               call->size < sizeof options ? call->size : sizeof options);
    options.size = sizeof options;
    options.rules = bl_rules_modern();
    options.axis = BL_AXIS_LAST;
    options.dtype = BL_DTYPE_NONE;
    options.fixed = 0;
    options.max_growth = DBL_MAX;
    return options;
}

/* The address of a block's first element, in bytes behind the block's own. */
static int64_t bytes_to(const struct bli_block *block)
{
    return block->layout.offset *
           (block->layout.element_bytes ? 1 : (int64_t)bl_dtype_size(block->dtype));
}

/* What a section takes of operand k, with dimensions along those of the result. */
static void find_operand(struct bli_draft *draft, const struct bli_sections *sections,
                         int32_t s, int32_t k, bl_layout *layout)
{
    bl_mpi_plan *const plan = draft->plan;
    struct bli_section *const section = &plan->section[s];
    struct bli_block part;
    struct bli_box taken;

    section->is_assembled[k] = sections->is_assembled[k][s];
    bli_move_taken(&plan->call.move[k], &sections->box[s], &taken);
    bli_block_part(section->is_assembled[k] ? &plan->assembled[k] : &plan->own[k],
                   &taken, &part);
    section->in[k] = bytes_to(&part);
    align(&part.layout, plan->call.move[k].shift, plan->call.result->rank, layout);
    layout->offset = 0;
}

/* Plan the call of a section, of its parts of the operands. */
static bl_status plan_section(struct bli_draft *draft,
                              const struct bli_sections *sections, int32_t s)
{
    bl_mpi_plan *const plan = draft->plan;
    const bl_options options = local_options(draft);
    bl_layout layout[BL_MAX_INPUTS + 1];
    bl_array array[BL_MAX_INPUTS + 1];
    const bl_array *in[BL_MAX_INPUTS];
    struct bli_block part;

    bli_block_part(&plan->result, &sections->box[s], &part);
    plan->section[s].out = bytes_to(&part);
    layout[0] = part.layout;
    layout[0].offset = 0;
    array[0] = bl_layout_array(&layout[0], plan->call.dtype, NULL);
    if (draft->out)
        array[0].flags |= bl_mpi_local(draft->out)->flags;
    for (int32_t k = 0; k < plan->call.count; k++) {
        find_operand(draft, sections, s, k, &layout[k + 1]);
        array[k + 1] =
            bl_layout_array(&layout[k + 1], draft->operand[k].array.dtype, NULL);
        array[k + 1].flags |= draft->operand[k].array.flags;
        in[k] = &array[k + 1];
    }
    if (draft->options.in_place)
        in[0] = &array[0];
    plan->sections = s + 1;
    return bl_plan_create(draft->ctx, plan->call.op, &array[0], plan->call.count, in,
                          &options, &plan->section[s].plan);
}

/* Plan this rank's calls; what broadcasting changes is a matter of the whole. */
static bl_status plan_sections(struct bli_draft *draft,
                               const struct bli_sections *sections)
{
    bl_status status = BL_OK;

    bl_warnings_suppress_begin();
    for (int32_t s = 0; status == BL_OK && s < sections->count; s++)
        status = plan_section(draft, sections, s);
    bl_warnings_suppress_end();
    return status;
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
        const int64_t most = bli_mpi_transfer_bytes(&traffic, plan->call.window);

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

bl_status bli_mpi_plan_part(struct bli_draft *draft)
{
    struct bli_sections sections;

    bli_call_sections(&draft->plan->call, draft->plan->grid->link->self, &sections);
    draft->plan->is_in_place = draft->options.in_place;
    for (int32_t k = 0; k < draft->plan->call.count; k++)
        BL_TRY(find_part(draft, k, &sections));
    BL_TRY(find_result(draft));
    BL_TRY(reserve(draft, sections.bytes));
    return plan_sections(draft, &sections);
}
