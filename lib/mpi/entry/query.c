/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a plan says of itself.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mpi/entry/plan.h"

bl_status bl_mpi_plan_query(const bl_mpi_plan *plan, int32_t of_rank,
                            bl_mpi_plan_info *info)
{
    bl_mpi_plan_info known = {.size = sizeof known};
    struct bli_spread_totals totals;
    const struct bli_traffic *const of = &totals.traffic;

    if (!plan)
        return bli_mpi_null("plan");
    if (of_rank < 0 || of_rank >= plan->grid->shape.ranks)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "of_rank %" PRId32 " is none of the %" PRId32 " ranks",
                            of_rank, plan->grid->shape.ranks);
    for (int32_t r = 0; r < plan->grid->shape.ranks; r++) {
        bli_spread_call_totals(&plan->call, r, &totals);
        known.total_bytes += totals.traffic.sent;
    }
    bli_spread_call_totals(&plan->call, of_rank, &totals);
    known.local_count = totals.local_count;
    known.messages = of->sent_messages - of->shared_sent_messages;
    known.bytes = of->sent - of->shared_sent;
    known.received_messages = of->received_messages - of->shared_received_messages;
    known.received_bytes = of->received - of->shared_received;
    known.node_bytes = of->node_sent + of->node_received;
    known.shared_bytes = of->shared_sent;
    known.shared_received_bytes = of->shared_received;
    known.workspace = totals.workspace;
    known.least_bytes = bli_spread_call_least(&plan->call);
    return bli_mpi_write_info(info, &known, sizeof known);
}

/* ---- text ---- */

struct writer {
    bl_write_function write;
    void *user;
    bool has_stopped;
};

static void add(struct writer *writer, const char *format, ...) BL_PRINTF(2, 3);
static void add(struct writer *writer, const char *format, ...)
{
    char text[160];
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!writer->has_stopped && length > 0)
        writer->has_stopped = !writer->write(writer->user, text, (size_t)length);
}

/* A tensor as "f32[65536,65536]@0,1": the axes of the grid, "0+1" for several together,
 * "-" for a whole dimension. */
static void add_spread(struct writer *writer, bl_dtype dtype,
                       const struct bli_spread *spread)
{
    add(writer, "%s[", bl_dtype_name(dtype));
    for (int32_t d = 0; d < spread->rank; d++)
        add(writer, "%s%" PRId64, d > 0 ? "," : "", spread->extent[d]);
    add(writer, "]");
    for (int32_t d = 0; d < spread->rank; d++) {
        add(writer, "%s", d > 0 ? "," : "@");
        if (spread->axis[d] == BLI_WHOLE)
            add(writer, "-");
        for (int32_t a = 0; a < spread->grid.axes; a++)
            if (spread->dim[a] == d)
                add(writer, "%s%" PRId32, a > spread->axis[d] ? "+" : "", a);
    }
}

static void add_operand(struct writer *writer, const bl_mpi_plan *plan, int32_t k)
{
    const struct bli_spread_call *const call = &plan->call;
    int64_t most = 0, all = 0, shared = 0;

    add(writer, "operand %" PRId32 "  ", k + 1);
    add_spread(writer, call->operand[k].array.dtype, call->from[k]);
    if (!call->operand[k].spread)
        add(writer, "  every rank has it");
    else if (call->is_local[k])
        add(writer, "  stays");
    for (int32_t r = 0; !call->is_local[k] && r < plan->grid->shape.ranks; r++) {
        struct bli_traffic traffic;

        bli_spread_call_traffic(call, k, r, &traffic);
        most = traffic.received > most ? traffic.received : most;
        all += traffic.received;
        shared += traffic.shared_received;
    }
    if (!call->is_local[k])
        add(writer,
            "  moves%s: a rank receives up to %" PRId64 " bytes, all of them %" PRId64,
            call->is_linear[k] ? " in linear order"
            : call->stage[k]   ? ", to each node once"
                               : "",
            most, all);
    if (shared > 0)
        add(writer, ", %" PRId64 " of them through shared memory", shared);
    add(writer, "\n");
}

bl_status bl_mpi_plan_explain(const bl_mpi_plan *plan, bl_write_function write,
                              void *user)
{
    struct writer writer = {write, user, false};
    bl_op_info op = {.size = sizeof op};

    if (!plan || !write)
        return bli_mpi_null(plan ? "write" : "plan");
    BL_TRY(bl_op_query(plan->call.op, &op));
    add(&writer, "%s over", op.name);
    for (int32_t a = 0; a < plan->grid->shape.axes; a++)
        add(&writer, "%s%" PRId32, a > 0 ? "x" : " ", plan->grid->shape.extent[a]);
    add(&writer, " ranks\nresult     ");
    add_spread(&writer, plan->call.dtype, plan->call.result);
    if (plan->call.follows >= 0)
        add(&writer, "  as operand %" PRId32, plan->call.follows + 1);
    add(&writer, "\n");
    for (int32_t k = 0; k < plan->call.count; k++)
        add_operand(&writer, plan, k);
    return writer.has_stopped ? bl_error_set(BL_ERR_IO, "the writer stopped") : BL_OK;
}
