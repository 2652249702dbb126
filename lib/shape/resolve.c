/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applying rules: the query is checked before they are called and the answer after,
 * whoever wrote the rules.  Every call runs this: success formats and clears nothing.
 */
#include "core/sized.h"
#include "shape/broadcast.h"

#include <inttypes.h>
#include <string.h>

static bl_status check_query(const bl_rules_query *query)
{
    if (query->count < 1 || query->count > BL_MAX_INPUTS || query->operand == NULL)
        return bli_error_argument("query", "query: %" PRId32 " operands at %s",
                                  query->count, query->operand ? "an address" : "null");
    if (query->op != BL_OP_NONE && !bli_op_is_valid(query->op))
        return bli_error_argument("query", "query: %d is no operator", (int)query->op);
    if (query->mode < BL_MODE_NEW || query->mode > BL_MODE_IN_PLACE)
        return bli_error_argument("query", "query: unknown mode %" PRId32, query->mode);
    if (!(query->max_growth >= 0))
        return bli_error_argument("query", "query: max_growth %g is not a limit",
                                  query->max_growth);
    if (query->fixed >> query->count != 0)
        return bli_error_argument(
            "query", "query: fixed 0x%" PRIx32 " names more than %" PRId32 " operands",
            query->fixed, query->count);
    for (int32_t k = 0; k < query->count; k++) {
        const bl_rules_operand *operand = &query->operand[k];

        if (!bli_shape_is_valid(operand->shape.rank, operand->shape.extent))
            return bli_shape_check(bli_operand_name(query, k), operand->shape.rank,
                                   operand->shape.extent);
        if (operand->role < BL_ROLE_PAIRED || operand->role > BL_ROLE_SOURCE)
            return bli_error_argument(bli_operand_name(query, k),
                                      "%s: unknown role %" PRId32,
                                      bli_operand_name(query, k), operand->role);
    }
    if (query->mode != BL_MODE_OUT)
        return BL_OK;
    if (query->result == NULL)
        return bli_error_argument("query", "query: result is null");
    return bli_shape_check("out", query->result->rank, query->result->extent);
}

/*
 * Whether each dimension of an operand has extent 1 or that of the result's dimension.
 */
static bool fits_result(const bl_shape *shape, int32_t shift,
                        const bl_rules_answer *answer)
{
    for (int32_t d = 0; d < shape->rank; d++) {
        const int64_t at = (int64_t)d + shift;

        if (shape->extent[d] == 1)
            continue;
        if (at < 0 || at >= answer->rank || shape->extent[d] != answer->extent[at])
            return false;
    }
    return true;
}

/* Whether an operand can be paired as answered with a result of `count` elements. */
static bool is_possible(const bl_rules_operand *operand, bl_pairing pairing,
                        const bl_rules_answer *answer, int64_t count)
{
    const bl_shape *shape = &operand->shape;
    int64_t own;

    if (operand->role == BL_ROLE_SOURCE)
        return pairing.kind == BL_PAIRING_NONE;
    if (pairing.kind == BL_PAIRING_BROADCAST)
        return fits_result(shape, pairing.shift, answer);
    return pairing.kind == BL_PAIRING_LINEAR &&
           bli_shape_numel(shape->rank, shape->extent, &own) && own == count;
}

/*
 * Refuse an answer whose pairings would make a plan read out of bounds, or whose events
 * are invalid.
 */
static bl_status check_answer(const bl_rules *rules, const bl_rules_query *query,
                              const bl_rules_answer *answer, int64_t count)
{
    for (int32_t k = 0; k < query->count; k++) {
        const bl_pairing pairing = answer->pairing[k];

        if (!is_possible(&query->operand[k], pairing, answer, count))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s rules: %s cannot be paired as answered "
                                "(kind %" PRId32 ", shift %" PRId32 ")",
                                rules->name ? rules->name : "unnamed",
                                bli_operand_name(query, k), pairing.kind,
                                pairing.shift);
    }
    for (int32_t e = 0; e < answer->events; e++) {
        const bl_rules_event *event = &answer->event[e];

        if (!bli_event_is_of(event, query))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s rules: an event names operands %" PRId32
                                " and %" PRId32 " of %" PRId32,
                                rules->name ? rules->name : "unnamed", event->first,
                                event->second, query->count);
        if (event->change < BL_CHANGE_NONE || event->change > BL_CHANGE_SHAPE)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s rules: an event of unknown change %" PRId32,
                                rules->name ? rules->name : "unnamed", event->change);
    }
    return BL_OK;
}

/* Check that an existing result has the shape of the answer. */
static bl_status check_output(const bl_rules_query *query,
                              const bl_rules_answer *answer)
{
    char own[BLI_SHAPE_TEXT], wanted[BLI_SHAPE_TEXT];

    if (query->mode == BL_MODE_NEW)
        return BL_OK;

    const bl_shape *out =
        query->mode == BL_MODE_OUT ? query->result : &query->operand[0].shape;
    bool same = out->rank == answer->rank;

    for (int32_t d = 0; same && d < out->rank; d++)
        same = out->extent[d] == answer->extent[d];
    if (same)
        return BL_OK;
    (void)bl_error_set(BL_ERR_SHAPE,
                       "output with shape %s doesn't match the broadcast shape %s",
                       bli_shape_text(own, out->rank, out->extent),
                       bli_shape_text(wanted, answer->rank, answer->extent));
    return bli_fault_shape(
        BL_ERR_SHAPE, query->mode == BL_MODE_OUT ? "out" : bli_operand_name(query, 0),
        (bl_shape){out->rank, out->extent}, (bl_shape){answer->rank, answer->extent});
}

/* Check that operands which the caller forbids to broadcast are not. */
static bl_status check_fixed(const bl_rules_query *query, const bl_rules_answer *answer)
{
    for (int32_t k = 0; query->fixed >> k != 0; k++) {
        const bl_shape *shape = &query->operand[k].shape;

        if ((query->fixed >> k & 1) == 0 ||
            answer->pairing[k].kind != BL_PAIRING_BROADCAST)
            continue;
        for (int32_t d = 0; d < answer->rank; d++) {
            const int64_t at = (int64_t)d - answer->pairing[k].shift;
            const int64_t own = at >= 0 && at < shape->rank ? shape->extent[at] : 1;
            char text[BLI_SHAPE_TEXT], result[BLI_SHAPE_TEXT];

            if (answer->extent[d] > own)
                return bl_error_set_extents(
                    bl_error_set(BL_ERR_RULES,
                                 "%s must not be repeated, but shape %s grows to %s at "
                                 "dimension %" PRId32,
                                 bli_operand_name(query, k),
                                 bli_shape_text(text, shape->rank, shape->extent),
                                 bli_shape_text(result, answer->rank, answer->extent),
                                 d),
                    d, bli_operand_name(query, k), own, NULL, answer->extent[d]);
        }
    }
    return BL_OK;
}

/* Check that the result's numel is within max_growth times the largest operand's. */
static bl_status check_growth(const bl_rules_query *query,
                              const bl_rules_answer *answer, int64_t count)
{
    char text[BLI_SHAPE_TEXT];
    int64_t largest = 0;

    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *shape = &query->operand[k].shape;
        int64_t own;

        if (answer->pairing[k].kind == BL_PAIRING_NONE)
            continue;
        if (!bli_shape_numel(shape->rank, shape->extent, &own))
            return BL_OK; /* larger than the result, whose numel fits */
        if (own > largest)
            largest = own;
    }
    if ((double)count <= query->max_growth * (double)largest)
        return BL_OK;
    return bl_error_set(BL_ERR_RULES,
                        "result %s has %" PRId64 " elements, %g times the largest "
                        "operand's %" PRId64 "; the limit is %g",
                        bli_shape_text(text, answer->rank, answer->extent), count,
                        (double)count / (double)largest, largest, query->max_growth);
}

/* Copy an answer, its arrays only up to their counts. */
static void copy_answer(const bl_rules_answer *from, int32_t operands,
                        bl_rules_answer *to)
{
    to->rank = from->rank;
    to->events = from->events;
    for (int32_t d = 0; d < from->rank; d++)
        to->extent[d] = from->extent[d];
    for (int32_t k = 0; k < operands; k++)
        to->pairing[k] = from->pairing[k];
    for (int32_t e = 0; e < from->events; e++)
        to->event[e] = from->event[e];
}

/* Call the rules; a refusal without a message gets one. */
static bl_status ask(const bl_rules *rules, const bl_rules_query *query,
                     bl_rules_answer *answer)
{
    const uint32_t before = bli_error_count();
    const bl_status status = rules->resolve(rules, query, answer);

    return status == BL_OK ? BL_OK
                           : bli_error_of_callback(status, before,
                                                   rules->name ? rules->name : "rules");
}

bl_status bli_rules_resolve(const bl_rules *rules, const bl_rules_query *given,
                            bl_rules_answer *answer)
{
    bl_rules_query known;
    const bl_rules_query *query = given;
    bl_rules_answer found;
    int64_t count;

    if (answer == NULL)
        return bli_error_null("answer");
    rules = rules ? rules : &bli_rules_modern;
    BL_TRY(bli_rules_check(rules));
    if (!given || given->size != sizeof *given) {
        BL_TRY(bli_query_read(&known, given));
        query = &known;
    }
    BL_TRY(check_query(query));

    /* Detect rules that leave the answer unset, instead of reading stale memory. */
    found.rank = -1;
    found.events = 0;
    for (int32_t k = 0; k < query->count; k++)
        found.pairing[k].kind = -1;
    BL_TRY(ask(rules, query, &found));
    if (found.rank < 0 || found.rank > BL_MAX_RANK || found.events < 0 ||
        found.events > 2)
        return bl_error_set(
            BL_ERR_ARGUMENT,
            "%s rules: answered rank %" PRId32 " and %" PRId32 " events",
            rules->name ? rules->name : "unnamed", found.rank, found.events);
    if (!bli_shape_is_valid(found.rank, found.extent))
        return bli_shape_check("result", found.rank, found.extent);
    BL_TRY(check_output(query, &found));
    BL_TRY(bli_result_count(found.rank, found.extent, &count));
    BL_TRY(check_answer(rules, query, &found, count));
    if (query->fixed != 0)
        BL_TRY(check_fixed(query, &found));
    if (query->max_growth > 0)
        BL_TRY(check_growth(query, &found, count));
    copy_answer(&found, query->count, answer);
    return BL_OK;
}

/* Name the call of bl_rules_resolve() that is refused.  Returns `status`. */
static bl_status refuse_query(bl_status status, const bl_rules *rules,
                              const bl_rules_query *query)
{
    const size_t least = BLI_SIZE_THROUGH(bl_rules_query, function);
    const bool has_rules = bli_sized_is_valid(rules, BLI_SIZE_THROUGH(bl_rules, flags));
    struct bli_text text;

    bli_error_open(&text, status, "bl_rules_resolve");
    bli_text_add(&text, "%s", has_rules && rules->name ? rules->name : "rules");
    if (bli_sized_is_valid(query, least) && query->operand &&
        query->count <= BL_MAX_INPUTS)
        for (int32_t k = 0; k < query->count; k++) {
            const bl_shape *const shape = &query->operand[k].shape;
            const bl_array array = {.rank = shape->rank, .extent = shape->extent};

            bli_error_operand(&text, 1 + k, bli_operand_name(query, k), &array);
        }
    bli_error_close(&text, 0);
    return status;
}

bl_status bl_rules_resolve(const bl_rules *rules, const bl_rules_query *query,
                           bl_rules_answer *answer)
{
    const bl_status status = bli_rules_resolve(rules, query, answer);

    return status == BL_OK ? BL_OK : refuse_query(status, rules, query);
}
