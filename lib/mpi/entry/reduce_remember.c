/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions that a grid remembers: their plans, and memory for messages.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/entry/reduce.h"
#include "mpi/entry/remember.h"

/* Bytes that one may keep. */
enum { MOST_BYTES = 256 << 10 };

static int64_t bytes_of(const bl_tensor *tensor)
{
    return !tensor ? 0
                   : bl_tensor_numel(tensor) *
                         (int64_t)bl_dtype_size(bl_tensor_array(tensor)->dtype);
}

/* Whether a call can be kept: the operand stays, and what is reserved is little. */
static bool can_be_kept(const struct bli_reducing *call,
                        const struct bli_reducing_key *key)
{
    const struct bli_reduction_query *const query = key->query;
    int64_t bytes = 0;

    if (!bli_may_remember(call->grid, key->ctx) || key->limits ||
        call->plan.ways.way == BLI_WAY_MOVE || query->axes_count > BLI_KEPT_AXES)
        return false;
    for (int32_t i = 0; i < call->plan.rounds; i++)
        bytes += bytes_of(call->effort[i].buffers) + bytes_of(call->effort[i].arena) +
                 bytes_of(call->effort[i].finished_tensor) +
                 bytes_of(call->effort[i].result_tensor);
    return bytes <= MOST_BYTES;
}

static bool are_options(const bl_reduce_options *given, const bl_reduce_options *kept)
{
    static const bl_reduce_options defaults = BL_REDUCE_OPTIONS_DEFAULT;

    given = given ? given : &defaults;
    return given->size == sizeof *given && memcmp(given, kept, sizeof *given) == 0;
}

static bool is_of(const struct bli_reducing *call, const struct bli_reducing_key *key)
{
    const struct bli_reduction_query *const query = key->query;

    return call->function == key->function && call->plan.op == query->op &&
           call->keepdim == query->keepdim && call->axes_count == query->axes_count &&
           (query->axes_count == 0 ||
            (query->axes &&
             memcmp(call->axes, query->axes,
                    (size_t)query->axes_count * sizeof *call->axes) == 0)) &&
           call->plan.dtype == key->in->dtype &&
           are_options(query->options, &call->plan.options) &&
           bli_spread_is_equal(call->plan.from, key->in->spread) &&
           bli_lies_as(bl_mpi_local(key->in), &call->own.layout);
}

struct bli_reducing *bli_reducing_recall(const struct bli_reducing_key *key)
{
    struct bli_remembered *const remembered = &key->in->grid->remembered;

    if (!bli_may_remember(key->in->grid, key->ctx) || key->limits || key->is_refused)
        return NULL;
    for (int i = 0; i < BLI_REMEMBERED; i++) {
        struct bli_reducing *const call = remembered->reducing[i];

        if (call && is_of(call, key)) {
            remembered->reducing[i] = NULL;
            return call;
        }
    }
    return NULL;
}

/* Move a call to memory of its own; NULL: there is none, and it is as it was. */
static struct bli_reducing *note(const struct bli_reducing *call,
                                 const struct bli_reducing_key *key,
                                 const struct bli_ballot *ballot)
{
    const struct bli_reduction_query *const query = key->query;
    struct bli_reducing *const kept =
        can_be_kept(call, key) ? malloc(sizeof *kept) : NULL;

    if (!kept)
        return NULL;
    *kept = *call;
    bli_reducing_bind(kept);
    kept->function = key->function;
    kept->axes_count = query->axes_count;
    if (query->axes_count > 0)
        memcpy(kept->axes, query->axes, (size_t)query->axes_count * sizeof *kept->axes);
    kept->keepdim = query->keepdim;
    kept->ballot = *ballot;
    return kept;
}

void bli_reducing_remember(struct bli_reducing *call,
                           const struct bli_reducing_key *key,
                           const struct bli_ballot *ballot)
{
    struct bli_reducing **const kept = call->grid->remembered.reducing;
    struct bli_reducing *latest = call->function ? call : note(call, key, ballot);

    if (!latest) {
        bli_reducing_release(call);
        return;
    }
    for (int32_t i = 0; i < latest->plan.rounds; i++)
        bli_effort_clear(&latest->effort[i]);
    bl_mpi_tensor_release(latest->made); /* which has a reference to the grid */
    latest->made = NULL;
    for (int i = 0; i < BLI_REMEMBERED && latest; i++) {
        struct bli_reducing *const older = kept[i];

        kept[i] = latest;
        latest = older;
    }
    bli_reducing_free(latest);
}

void bli_reducing_free(struct bli_reducing *call)
{
    if (call)
        bli_reducing_release(call);
    free(call);
}
