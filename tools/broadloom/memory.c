/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocates memory with a chosen first touch.
 */
#define _GNU_SOURCE

#include "memory.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 2 << 20 };

static const char *const touches[] = {"team", "one", "spread"};

bl_status parse_touch(const char *text, enum touch *touch)
{
    for (size_t k = 0; k < sizeof touches / sizeof touches[0]; k++) {
        if (strcmp(text, touches[k]) == 0) {
            *touch = (enum touch)k;
            return BL_OK;
        }
    }
    return bl_error_set(BL_ERR_ARGUMENT, "touch must be team, one or spread, got '%s'",
                        text);
}

const char *touch_name(enum touch touch)
{
    return touches[touch];
}

/* Write `bytes` on a processor of `node`. */
static void touch_from(int32_t node, char *data, int64_t bytes)
{
    cpu_set_t there;

    CPU_ZERO(&there);
    for (int32_t p = 0; p < CPU_SETSIZE; p++)
        if (bl_processor_node(p) == node)
            CPU_SET(p, &there);
    if (CPU_COUNT(&there) > 0)
        (void)sched_setaffinity(0, sizeof there, &there);
    memset(data, 1, (size_t)bytes);
}

/*
 * Step to the previous node, cyclically, that has processors; a node with three
 * processors comes three times in a row.  *turns counts them.
 */
static bl_status next_node(int32_t nodes, int32_t *node, int32_t *turns)
{
    bl_node_info info = {.size = sizeof info};

    if (*turns > 0)
        (*turns)--;
    while (*turns == 0) {
        *node = *node > 0 ? *node - 1 : nodes - 1;
        TRY(bl_node_query(*node, &info));
        *turns = info.processors;
    }
    return BL_OK;
}

/*
 * First-touch blocks round-robin over the processors, beginning with the last node's.
 */
static bl_status touch_spread(char *data, int64_t bytes)
{
    bl_topology_info machine = {.size = sizeof machine};
    int32_t node = 0, turns = 0;
    cpu_set_t mask;

    TRY(bl_topology_query(NULL, &machine));
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the system binds no threads");
    for (int64_t at = 0; at < bytes; at += BLOCK_BYTES) {
        TRY(next_node(machine.nodes, &node, &turns));
        touch_from(node, data + at,
                   bytes - at < BLOCK_BYTES ? bytes - at : BLOCK_BYTES);
    }
    (void)sched_setaffinity(0, sizeof mask, &mask);
    return BL_OK;
}

static void *block_allocate(size_t bytes)
{
    return aligned_alloc(BLOCK_BYTES,
                         (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES);
}

bl_status memory_make(bl_context *ctx, bl_dtype dtype, int64_t elements,
                      enum touch touch, struct memory *out)
{
    struct memory memory = {NULL, elements * (int64_t)bl_dtype_size(dtype), NULL};

    if (touch == TOUCH_TEAM) {
        TRY(bl_tensor_ones(ctx, dtype, 1, &elements, &memory.tensor));
        memory.data = bl_tensor_array(memory.tensor)->data;
    } else {
        bl_status status = BL_OK;

        memory.data = block_allocate((size_t)memory.bytes + 1);
        if (!memory.data)
            return bl_error_set(BL_ERR_MEMORY, "no memory for an operand");
        if (touch == TOUCH_SPREAD)
            status = touch_spread(memory.data, memory.bytes);
        else
            memset(memory.data, 1, (size_t)memory.bytes);
        if (status != BL_OK) {
            free(memory.data);
            return status;
        }
    }
    *out = memory;
    return BL_OK;
}

void memory_free(struct memory *memory)
{
    if (memory->tensor)
        bl_tensor_release(memory->tensor);
    else
        free(memory->data);
    *memory = (struct memory){NULL, 0, NULL};
}

/* ---- placement ---- */

static void *allocate_touched(void *user, size_t bytes, size_t alignment)
{
    char *const memory = block_allocate(bytes);

    (void)user;
    (void)alignment;
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)alignment;
    (void)user;
    (void)bytes;
    free(memory);
}

bl_status read_placement(const char *text, void *place)
{
    static const char *const kinds[] = {
        [BL_PLACEMENT_FIRST_TOUCH] = "first-touch",
        [BL_PLACEMENT_INTERLEAVE] = "interleave",
        [BL_PLACEMENT_NODE] = "node:",
        [BL_PLACEMENT_BIND_RANGE] = "bind-range",
    };
    struct placement *const placement = place;
    int64_t node = 0;

    *placement = (struct placement){true, strcmp(text, "off") == 0, {0, 0}};
    if (placement->is_off)
        return BL_OK;
    for (int32_t k = 0; k < (int32_t)(sizeof kinds / sizeof kinds[0]); k++) {
        const size_t length = strlen(kinds[k]);

        if (k == BL_PLACEMENT_NODE && strncmp(text, kinds[k], length) == 0)
            TRY(parse_integer("a node", text + length, 0, INT32_MAX, &node));
        else if (strcmp(text, kinds[k]) != 0)
            continue;
        placement->policy = (bl_placement){k, (int32_t)node};
        return BL_OK;
    }
    return bl_error_set(BL_ERR_ARGUMENT,
                        "placement must be first-touch, interleave, bind-range, node:N "
                        "or off, got '%s'",
                        text);
}

bl_status set_placement(bl_context *ctx, const struct placement *placement)
{
    const bl_allocator touched = {allocate_touched, release, NULL};

    if (placement->is_off)
        BL_IGNORE(bl_context_set_allocator(ctx, &touched));
    else if (placement->is_given)
        return bl_context_set_placement(ctx, placement->policy);
    return BL_OK;
}
