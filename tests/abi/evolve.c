/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structs with a member `size`, passed with every size: smaller than in the first
 * release is refused, the library's own size is accepted, and a larger one is accepted
 * unless a byte that the library does not know is set.  Structs that the library fills
 * in are written up to their size, with zeros in unknown members.
 */
#include <broadloom.h>

#include "harness/tap.h"

#include <string.h>

enum { ROOM = 8192, LONGER = 64 };

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

static bl_status with_op_info(void *given)
{
    return bl_op_query(BL_OP_ADD, given);
}

static bl_status with_plan_info(void *given)
{
    return bl_plan_query(plan, given);
}

static bl_status with_node_info(void *given)
{
    return bl_topology_node(0, given);
}

static bl_status with_topology_info(void *given)
{
    return bl_topology_query(NULL, given);
}

static bl_status with_error_info(void *given)
{
    return bl_error_query(given);
}

static const bl_options options = BL_OPTIONS_DEFAULT;
static const bl_reduce_options reduce_options = BL_REDUCE_OPTIONS_DEFAULT;
static const bl_map_options map_options = BL_MAP_OPTIONS_DEFAULT;

static const struct row {
    const char *name;
    bl_status (*call)(void *given);
    size_t bytes;
    const void *defaults; /* NULL: the library fills the struct in */
} rows[] = {
    {"bl_options of bl_apply", with_apply, sizeof(bl_options), &options},
    {"bl_options of bl_apply_new", with_apply_new, sizeof(bl_options), &options},
    {"bl_options of bl_plan_create", with_plan, sizeof(bl_options), &options},
    {"bl_reduce_options", with_reduce, sizeof(bl_reduce_options), &reduce_options},
    {"bl_map_options", with_map, sizeof(bl_map_options), &map_options},
    {"bl_error_info", with_error_info, sizeof(bl_error_info), NULL},
    {"bl_op_info", with_op_info, sizeof(bl_op_info), NULL},
    {"bl_plan_info", with_plan_info, sizeof(bl_plan_info), NULL},
    {"bl_node_info", with_node_info, sizeof(bl_node_info), NULL},
    {"bl_topology_info", with_topology_info, sizeof(bl_topology_info), NULL},
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

    for (size_t size = 0; size < row->bytes; size++) {
        prepare(row, size, 0);
        refused = refused && row->call(given) == BL_ERR_ARGUMENT;
    }
    prepare(row, SIZE_MAX / 2, 0);
    refused = refused && row->call(given) == BL_ERR_ARGUMENT;
    tap_ok(refused, "%s: a size below the first release's, or never set, is refused",
           row->name);
    for (size_t size = row->bytes; size <= row->bytes + LONGER; size++) {
        prepare(row, size, 0);
        taken = taken && row->call(given) == BL_OK;
        for (size_t i = row->bytes; i < size; i++) {
            prepare(row, size, 0);
            given[i] = 1;
            found = found && row->call(given) == BL_ERR_UNSUPPORTED &&
                    strstr(bl_error_message(), "newer than the library") != NULL;
        }
    }
    tap_ok(taken, "%s: a longer one is taken whose unknown bytes are 0", row->name);
    tap_ok(found, "%s: a set byte that is not known is refused in words", row->name);
}

static void check_out(const struct row *row)
{
    bool refused = true, filled = true, kept = true;
    unsigned char want[ROOM];

    for (size_t size = 0; size < row->bytes; size++) {
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
    for (size_t size = row->bytes; size <= row->bytes + LONGER; size++) {
        size_t now;

        prepare(row, size, 0xa5);
        filled = filled && row->call(given) == BL_OK &&
                 memcmp(given + sizeof size, want + sizeof size,
                        row->bytes - sizeof size) == 0 &&
                 is_all(given, row->bytes, size, 0);
        memcpy(&now, given, sizeof now);
        kept = kept && now == size && is_all(given, size, sizeof given, 0xa5);
    }
    tap_ok(filled, "%s: a longer one is filled in, with zeros at its end", row->name);
    tap_ok(kept, "%s: its size stays, and what is behind it", row->name);
}

int main(void)
{
    tap_plan();
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
