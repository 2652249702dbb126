/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plans of this rank's own calls, one for each box that it computes.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom/warnings.h>

#include "mpi/entry/plan.h"

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
static void find_operand(struct bli_draft *draft, struct bli_section *section,
                         int32_t k, bl_layout *layout)
{
    bl_mpi_plan *const plan = draft->plan;
    struct bli_block part;
    struct bli_box taken;

    bli_move_taken(&plan->call.move[k], &section->box, &taken);
    bli_block_part(section->is_assembled[k] ? &plan->assembled[k] : &plan->own[k],
                   &taken, &part);
    section->in[k] = bytes_to(&part);
    align(&part.layout, plan->call.move[k].shift, plan->call.result->rank, layout);
    layout->offset = 0;
}

/* An earlier tile of the same extents as tile s, or NULL: its plan is that of both. */
static const struct bli_section *find_alike(const bl_mpi_plan *plan, int32_t s)
{
    const struct bli_box *const box = &plan->section[s].box;

    for (int32_t i = 0; i < s; i++) {
        const struct bli_box *const other = &plan->section[i].box;
        int32_t d = 0;

        while (d < plan->call.result->rank &&
               box->end[d] - box->begin[d] == other->end[d] - other->begin[d])
            d++;
        if (d == plan->call.result->rank)
            return &plan->section[i];
    }
    return NULL;
}

/* Plan the call of a section, of its parts of the operands; or take that of `like`. */
static bl_status plan_section(struct bli_draft *draft, struct bli_section *section,
                              const struct bli_section *like)
{
    bl_mpi_plan *const plan = draft->plan;
    const bl_options options = local_options(draft);
    bl_layout layout[BL_MAX_INPUTS + 1];
    bl_array array[BL_MAX_INPUTS + 1];
    const bl_array *in[BL_MAX_INPUTS];
    struct bli_block part;

    bli_block_part(&plan->result, &section->box, &part);
    section->out = bytes_to(&part);
    layout[0] = part.layout;
    layout[0].offset = 0;
    array[0] = bl_layout_array(&layout[0], plan->call.dtype, NULL);
    if (draft->out)
        array[0].flags |= bl_mpi_local(draft->out)->flags;
    for (int32_t k = 0; k < plan->call.count; k++) {
        find_operand(draft, section, k, &layout[k + 1]);
        array[k + 1] =
            bl_layout_array(&layout[k + 1], draft->operand[k].array.dtype, NULL);
        array[k + 1].flags |= draft->operand[k].array.flags;
        in[k] = &array[k + 1];
    }
    if (draft->options.in_place)
        in[0] = &array[0];
    if (like) {
        section->plan = like->plan;
        return BL_OK;
    }
    section->owns_plan = true;
    return bl_plan_create(draft->ctx, plan->call.op, &array[0], plan->call.count, in,
                          &options, &section->plan);
}

/*
 * Whether sections may be written while operands are sent: values are not looked at
 * when all has arrived, and no operand but one in place shares memory with the result.
 */
static bool may_begin_early(const struct bli_draft *draft)
{
    const bl_mpi_tensor *const out = draft->out;

    for (int32_t k = 0; out && k < draft->plan->call.count; k++) {
        const bl_mpi_tensor *const in = draft->in[k].tensor;

        if (in && (k > 0 || in != out) &&
            bl_tensor_shares_storage(in->block, out->block))
            return false;
    }
    return !draft->plan->has_values;
}

bl_status bli_mpi_plan_sections(struct bli_draft *draft,
                                const struct bli_sections *sections)
{
    bl_mpi_plan *const plan = draft->plan;
    bl_status status = BL_OK;
    struct bli_tiling_cuts tiles;

    bli_call_tiles(&plan->call, plan->grid->link->self, sections, &tiles);
    plan->is_early = tiles.is_early && may_begin_early(draft);
    const int32_t more = plan->is_early ? tiles.count - 1 : 0;
    const int32_t count = sections->count + more;

    plan->section = calloc((size_t)(count > 0 ? count : 1), sizeof *plan->section);
    if (!plan->section)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a plan");
    bl_warnings_suppress_begin();
    for (int32_t s = 0; status == BL_OK && s < count; s++) {
        struct bli_section *const section = &plan->section[s];
        const int32_t own = s <= more ? 0 : s - more;

        section->box = sections->box[own];
        if (plan->is_early && own == 0)
            bli_tile_box(&tiles, s, &section->box);
        for (int32_t k = 0; k < plan->call.count; k++)
            section->is_assembled[k] = sections->is_assembled[k][own];
        plan->sections = s + 1;
        status = plan_section(draft, section, own == 0 ? find_alike(plan, s) : NULL);
    }
    bl_warnings_suppress_end();
    return status;
}
