/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a chain of calls, and compares the nodes where slices ran with the nodes of the
 * pages that they touched.
 */
#include "audit.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace_recorder.h"

enum { MOST_EVENTS = 1 << 16 };

/*
 * The plan's operand number for array `array`: in place, result and first operand are
 * one.
 */
static int32_t operand_of(const struct audit *audit, int32_t array)
{
    return audit->call->inplace && array > 0 ? array + 1 : array;
}

/* The memory of an operand in the last call, extended down to the start of a piece. */
static struct extent extent_now(const struct audit_chain *chain, int32_t k,
                                const char **start)
{
    const struct memory *const memory = chain->now[k];
    const int64_t lead = (int64_t)((uintptr_t)memory->data % PIECE_BYTES);

    *start = memory->data - lead;
    return (struct extent){memory->bytes + lead, chain->first[k] + lead,
                           audit_chain_size(chain, k)};
}

/* Get the node of each piece of memory from `start` on; the caller frees the array. */
static bl_status query_page_nodes(const char *start, int64_t bytes, int32_t **out)
{
    const int64_t pieces = pieces_of(bytes);
    const void **const address = malloc(((size_t)pieces + 1) * sizeof *address);
    int32_t *const node = malloc(((size_t)pieces + 1) * sizeof *node);
    bl_status status;

    if (!address || !node) {
        status = bl_error_set(BL_ERR_MEMORY, "no memory to query pages");
    } else {
        for (int64_t p = 0; p < pieces; p++)
            address[p] = start + p * PIECE_BYTES;
        status = bl_memory_page_nodes(pieces, address, node);
    }
    free(address);
    if (status == BL_OK)
        *out = node;
    else
        free(node);
    return status;
}

/* Count what the slices of the last call touched of one array. */
static bl_status count_array(struct audit *audit, const struct audit_chain *chain,
                             int32_t array, const bl_trace *event, int64_t events)
{
    const int32_t k = operand_of(audit, array);
    const char *start;
    const struct extent extent = extent_now(chain, k, &start);
    bl_status status = BL_OK;
    int32_t *where;

    TRY(query_page_nodes(start, extent.bytes, &where));
    for (int64_t e = 0; status == BL_OK && e < events; e++)
        if (event[e].kind == BL_TRACE_SLICE)
            status = locality_range(
                &audit->found[array], &chain->info, k, &extent, where,
                (bl_range){event[e].range_begin, event[e].range_end}, event[e].node);
    free(where);
    return status;
}

static bl_status count_call(struct audit *audit, const struct audit_chain *chain,
                            const struct trace_recorder *recorder)
{
    int64_t events;

    TRY(trace_recorder_count(recorder, &events));
    for (int64_t e = 0; e < events; e++)
        if (recorder->event[e].kind == BL_TRACE_REGION)
            audit->threads = recorder->event[e].thread;
    for (int32_t array = 0; array < audit->arrays; array++)
        TRY(count_array(audit, chain, array, recorder->event, events));
    return BL_OK;
}

static bl_status count_calls(struct audit *audit, struct audit_chain *chain)
{
    struct trace_recorder recorder;
    bl_status status = BL_OK;

    TRY(trace_recorder_open(&recorder, chain->ctx, MOST_EVENTS));
    for (int32_t n = 0; status == BL_OK && n < audit->calls; n++) {
        trace_recorder_clear(&recorder);
        status = audit_chain_next(chain);
        if (status == BL_OK && n > 0)
            status = count_call(audit, chain, &recorder);
    }
    trace_recorder_close(&recorder, chain->ctx);
    return status;
}

/*
 * Count what the same calls would touch if memory were divided in the same way as the
 * work.
 */
static bl_status count_wanted(struct audit *audit, const struct audit_chain *chain)
{
    struct slices slices;
    bl_status status = BL_OK;

    TRY(slices_make(chain->plan, audit->threads, &slices));
    for (int32_t array = 0; status == BL_OK && array < audit->arrays; array++) {
        const int32_t k = operand_of(audit, array);
        const struct extent extent = {chain->now[k]->bytes, chain->first[k],
                                      audit_chain_size(chain, k)};

        audit->bytes[array] = extent.bytes;
        status = locality_ideal(&audit->wanted[array], &chain->info, k, &extent,
                                &slices, audit->threads);
    }
    slices_free(&slices);
    return status;
}

static bl_status check_machine(struct audit *audit)
{
    audit->machine.size = sizeof audit->machine;
    TRY(bl_topology_query(NULL, &audit->machine));
    if (strcmp(audit->machine.source, "description") == 0)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "memory can be asked for on the machine itself, not on a "
                            "description of another");
    return BL_OK;
}

bl_status audit_run(bl_context *ctx, const struct call *call, enum touch touch,
                    int32_t calls, struct audit *out)
{
    struct audit audit = {.call = call,
                          .touch = touch,
                          .calls = calls,
                          .arrays = call->inplace ? call->count : 1 + call->count};
    struct audit_chain chain;
    bl_status status = BL_OK;

    TRY(check_machine(&audit));
    TRY(audit_chain_open(&chain, ctx, call, touch));
    for (int32_t array = 0; status == BL_OK && array < audit.arrays; array++) {
        status = locality_open(audit.machine.nodes, &audit.found[array]);
        if (status == BL_OK)
            status = locality_open(audit.machine.nodes, &audit.wanted[array]);
    }
    if (status == BL_OK)
        status = count_calls(&audit, &chain);
    if (status == BL_OK)
        status = count_wanted(&audit, &chain);
    audit_chain_close(&chain);
    if (status == BL_OK)
        *out = audit;
    else
        audit_free(&audit);
    return status;
}

void audit_free(struct audit *audit)
{
    for (int32_t array = 0; array <= BL_MAX_INPUTS; array++) {
        locality_free(&audit->found[array]);
        locality_free(&audit->wanted[array]);
    }
}

const char *audit_name(const struct audit *audit, int32_t array)
{
    return array == 0 ? "result" : audit->call->text[operand_of(audit, array) - 1];
}

bool audit_is_judged(const struct audit *audit, int32_t array)
{
    return array == 0 || audit->bytes[array] >= LARGE_BYTES;
}

double audit_percent(const struct audit *audit, int32_t array)
{
    const double found = locality_percent(&audit->found[array]);
    const double wanted = locality_percent(&audit->wanted[array]);

    return found >= wanted ? 100 : 100 * found / wanted;
}

double audit_verdict(const struct audit *audit)
{
    double least = 100;

    for (int32_t array = 0; array < audit->arrays; array++)
        if (audit_is_judged(audit, array) && audit_percent(audit, array) < least)
            least = audit_percent(audit, array);
    return least;
}
