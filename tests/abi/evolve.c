/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structs with a member `size`, passed with every size: smaller than in the first
 * release (structs.def) is refused, from there on every size is accepted, one beyond
 * the library's unless a byte that the library does not know is set.  Structs that the
 * library fills in are written up to their size, with zeros in unknown members.
 */
#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

#include <string.h>

enum {
    ROOM = 8192,
    LONGER = 64,
#define ABI_FROZEN(type, bytes)
#define ABI_SIZED(type, bytes, least) LEAST_##type = least,
#define ABI_MEMBER(type, member, offset)
#include "structs.def"
#undef ABI_FROZEN
#undef ABI_SIZED
#undef ABI_MEMBER
};

static float values[4];
static const int64_t extent[] = {4};
static const bl_array array = {values, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array *const inputs[] = {&array, &array};
static bl_plan *plan;

/* Calls that take a struct at `given`. */
static bl_status with_apply(void *given)
{
    return bl_apply(NULL, BL_OP_ADD, &array, 2, inputs, given);
}

static bl_status with_apply_new(void *given)
{
    bl_tensor *out = NULL;
    const bl_status status = bl_apply_new(NULL, BL_OP_ADD, 2, inputs, given, &out);

    bl_tensor_release(out);
    return status;
}

static bl_status with_plan(void *given)
{
    bl_plan *made = NULL;
    const bl_status status =
        bl_plan_create(NULL, BL_OP_ADD, NULL, 2, inputs, given, &made);

    bl_plan_destroy(made);
    return status;
}

static bl_status with_reduce(void *given)
{
    bl_tensor *out = NULL;
    const bl_status status =
        bl_reduce_new(NULL, BL_REDUCTION_SUM, &array, 0, NULL, false, given, &out);

    bl_tensor_release(out);
    return status;
}

static void copy(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user;
    memcpy(out, in[0], (size_t)count * sizeof(float));
}

static bl_status with_map(void *given)
{
    return bl_map(NULL, copy, NULL, &array, 1, inputs, given);
}

#define CALLED(name, call)                                                             \
    static bl_status with_##name(void *given)                                          \
    {                                                                                  \
        return call;                                                                   \
    }
CALLED(error_info, bl_error_query(given))
CALLED(op_info, bl_op_query(BL_OP_ADD, given))
CALLED(plan_info, bl_plan_query(plan, given))
CALLED(node_info, bl_node_query(0, given))
CALLED(topology_info, bl_topology_query(NULL, given))

/* ---- rules and queries ---- */

static bl_status pair(const bl_rules *rules, const bl_rules_query *query,
                      bl_rules_answer *answer)
{
    (void)rules;
    return bl_rules_resolve(NULL, query, answer);
}

static const bl_rules rules = {.size = sizeof rules, .name = "own", .resolve = pair};
static const bl_rules_operand operand[] = {{{1, extent}, BL_ROLE_PAIRED, NULL},
                                           {{1, extent}, BL_ROLE_PAIRED, NULL}};
static const bl_rules_query query = {
    .size = sizeof query, .axis = BL_AXIS_LAST, .count = 2, .operand = operand};

static bl_status with_rules_resolve(void *given)
{
    bl_rules_answer answer;

    return bl_rules_resolve(given, &query, &answer);
}

static bl_status with_rules_apply(void *given)
{
    bl_options chosen = BL_OPTIONS_DEFAULT;

    chosen.rules = given;
    return bl_apply(NULL, BL_OP_ADD, &array, 2, inputs, &chosen);
}

static bl_status with_rules_map(void *given)
{
    bl_map_options chosen = BL_MAP_OPTIONS_DEFAULT;

    chosen.rules = given;
    return bl_map(NULL, copy, NULL, &array, 1, inputs, &chosen);
}

static bl_status with_rules_context(void *given)
{
    bl_context *ctx = NULL;
    bl_status status = bl_context_create(&ctx);

    if (status == BL_OK)
        status = bl_context_set_rules(ctx, given);
    bl_context_destroy(ctx);
    return status;
}

static bl_status with_query_resolve(void *given)
{
    bl_rules_answer answer;

    return bl_rules_resolve(NULL, given, &answer);
}

static bl_status with_query_raise(void *given)
{
    static const bl_rules_event event = {BL_CHANGE_VALUE, 0, 1};
    bl_rules_answer answer;
    const bl_status status = bl_rules_resolve(NULL, &query, &answer);

    return status == BL_OK ? bl_warnings_raise(given, &answer, &event, NULL) : status;
}

CALLED(query_pointwise, bl_warnings_raise_pointwise(given, NULL, 0, NULL))

static const bl_options options = BL_OPTIONS_DEFAULT;
static const bl_reduce_options reduce_options = BL_REDUCE_OPTIONS_DEFAULT;
static const bl_map_options map_options = BL_MAP_OPTIONS_DEFAULT;

static const struct row {
    const char *name;
    bl_status (*call)(void *given);
    size_t least, bytes;     /* in the first release, and now */
    const void *defaults;    /* NULL: the library fills the struct in */
    size_t reserved, behind; /* bytes that are reserved */
} rows[] = {
#define IN(type, of, call, defaults)                                                   \
    {                                                                                  \
#type " of " of, call, LEAST_##type, sizeof(type), defaults, sizeof(type), 0   \
    }
#define OUT(type, call)                                                                \
    {                                                                                  \
#type, call, LEAST_##type, sizeof(type), NULL, 0, 0                            \
    }
    IN(bl_options, "bl_apply", with_apply, &options),
    IN(bl_options, "bl_apply_new", with_apply_new, &options),
    IN(bl_options, "bl_plan_create", with_plan, &options),
    {"bl_reduce_options", with_reduce, LEAST_bl_reduce_options,
     sizeof(bl_reduce_options), &reduce_options, offsetof(bl_reduce_options, reserved),
     offsetof(bl_reduce_options, correction)},
    IN(bl_map_options, "bl_map", with_map, &map_options),
    IN(bl_rules, "bl_rules_resolve", with_rules_resolve, &rules),
    IN(bl_rules, "bl_apply", with_rules_apply, &rules),
    IN(bl_rules, "bl_map", with_rules_map, &rules),
    IN(bl_rules, "a context", with_rules_context, &rules),
    IN(bl_rules_query, "bl_rules_resolve", with_query_resolve, &query),
    IN(bl_rules_query, "bl_warnings_raise", with_query_raise, &query),
    IN(bl_rules_query, "bl_warnings_raise_pointwise", with_query_pointwise, &query),
    OUT(bl_error_info, with_error_info),
    OUT(bl_op_info, with_op_info),
    OUT(bl_plan_info, with_plan_info),
    OUT(bl_node_info, with_node_info),
    OUT(bl_topology_info, with_topology_info),
#undef IN
#undef OUT
};

static _Alignas(16) unsigned char given[ROOM];

static void prepare(const struct row *row, size_t size, int unknown)
{
    memset(given, unknown, sizeof given);
    if (row->defaults)
        memcpy(given, row->defaults, row->bytes);
    memcpy(given, &size, sizeof size);
}

static bool is_all(const unsigned char *byte, size_t begin, size_t end, int value)
{
    for (size_t i = begin; i < end; i++)
        if (byte[i] != value)
            return false;
    return true;
}

static void check_in(const struct row *row)
{
    bool refused = true, taken = true, found = true;

    for (size_t size = 0; size < row->least; size++) {
        prepare(row, size, 0);
        refused = refused && row->call(given) == BL_ERR_ARGUMENT;
    }
    prepare(row, SIZE_MAX / 2, 0);
    refused = refused && row->call(given) == BL_ERR_ARGUMENT;
    tap_ok(refused, "%s: a size below the first release's, or never set, is refused",
           row->name);
    for (size_t size = row->least; size <= row->bytes + LONGER; size++) {
        prepare(row, size, 0);
        taken = taken && row->call(given) == BL_OK;
        for (size_t i = row->reserved; i < size;
             i = i + 1 == row->behind ? row->bytes : i + 1) {
            prepare(row, size, 0);
            given[i] = 1;
            found = found && row->call(given) == BL_ERR_UNSUPPORTED &&
                    strstr(bl_error_message(), "newer than the library") != NULL;
        }
    }
    tap_ok(taken, "%s: every size from the first release's on is taken", row->name);
    tap_ok(found, "%s: a set byte that is not known is refused in words", row->name);
}

/* Whether `size` bytes are filled in as `want` has them, with zeros behind `bytes`. */
static bool is_filled(const struct row *row, size_t size, const unsigned char *want)
{
    const size_t known = size < row->bytes ? size : row->bytes;

    return memcmp(given + sizeof size, want + sizeof size, known - sizeof size) == 0 &&
           is_all(given, known, size, 0);
}

static void check_out(const struct row *row)
{
    bool refused = true, filled = true, kept = true;
    unsigned char want[ROOM];

    for (size_t size = 0; size < row->least; size++) {
        prepare(row, size, 0xa5);
        refused = refused && row->call(given) == BL_ERR_ARGUMENT &&
                  is_all(given, sizeof size, sizeof given, 0xa5);
    }
    prepare(row, SIZE_MAX / 2, 0xa5);
    refused = refused && row->call(given) == BL_ERR_ARGUMENT;
    tap_ok(refused, "%s: a size below the first release's, or never set, is refused",
           row->name);
    prepare(row, row->bytes, 0xa5);
    filled = row->call(given) == BL_OK;
    memcpy(want, given, sizeof want);
    for (size_t size = row->least; size <= row->bytes + LONGER; size++) {
        size_t now;

        prepare(row, size, 0xa5);
        filled = filled && row->call(given) == BL_OK && is_filled(row, size, want);
        memcpy(&now, given, sizeof now);
        kept = kept && now == size && is_all(given, size, sizeof given, 0xa5);
    }
    tap_ok(filled, "%s: every size from there on is filled in, zeros at its end",
           row->name);
    tap_ok(kept, "%s: its size stays, and what is behind it", row->name);
}

int main(void)
{
    tap_plan();
    if (sizeof(void *) != 8) {
        tap_skip("structs of other versions", "the table is of 64-bit machines");
        return tap_done();
    }
    if (bl_plan_create(NULL, BL_OP_ADD, NULL, 2, inputs, NULL, &plan) != BL_OK)
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].defaults)
            check_in(&rows[i]);
        else
            check_out(&rows[i]);
    }
    bl_plan_destroy(plan);
    return tap_done();
}
