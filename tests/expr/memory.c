/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions for which there is no memory write nothing, and keep nothing. */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdlib.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"

enum { ROWS = 70, COUNT = ROWS * ROWS };

static float x[COUNT], one_memory[COUNT];
static bool two_memory[COUNT];

struct counting {
    int64_t left, held; /* allocations that will succeed; that are not released */
};

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    struct counting *const counting = user;

    if (counting->left-- <= 0)
        return NULL;
    counting->held++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    struct counting *const counting = user;

    (void)bytes, (void)alignment;
    counting->held -= memory != NULL;
    free(memory);
}

/* Whether a run with so many allocations succeeds, or fails as it should. */
static bool run_short(const char *text, struct counting *counting, int64_t allocations,
                      bool *is_done)
{
    static const int64_t extent[] = {ROWS, ROWS};
    const bl_allocator allocator = {allocate, release, counting};
    const bl_array in = {x, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array one = {one_memory, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array two = {two_memory, BL_DTYPE_BOOL, 2, extent, NULL, 0};
    const bl_array *const inputs[] = {&in}, *const outs[] = {&one, &two};
    bl_context *ctx = NULL;
    bl_expr *expr = NULL;
    bl_expr_plan *plan = NULL;
    bl_status status;

    counting->left = INT64_MAX;
    must(bl_context_create(&ctx));
    must(bl_context_set_allocator(ctx, &allocator));
    must(bl_expr_parse(ctx, text, 0, NULL, &expr));
    memset(one_memory, 0x55, COUNT * 4);
    counting->left = allocations;
    status = bl_expr_plan_create(ctx, expr, outs, inputs, NULL, &plan);
    if (status == BL_OK)
        status = bl_expr_plan_execute(ctx, plan, (void *[]){one_memory, two_memory},
                                      (const void *[]){x});
    bl_expr_plan_destroy(plan);
    *is_done = status == BL_OK;
    bl_expr_destroy(expr);
    bl_context_destroy(ctx);
    if (counting->held != 0)
        return false;
    for (int i = 0; status != BL_OK && i < COUNT * 4; i++)
        if (((const char *)one_memory)[i] != 0x55)
            return false;
    return status == BL_OK || status == BL_ERR_MEMORY;
}

static void check_memory(const char *text)
{
    struct counting counting = {.held = 0};
    bool pass = true, is_done = false;
    int64_t needed = 0;

    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i % 201) / 16;
    for (; pass && !is_done && needed < 1000; needed++)
        pass = run_short(text, &counting, needed, &is_done);
    tap_ok(pass && is_done && needed > 3,
           "each of %d allocations fails: nothing is written or lost", (int)needed - 1);
}

int main(void)
{
    tap_plan();
    check_memory(
        "d = a - mean(a, 1, keepdim); e = d / sqrt(d * d + 1e-5); e * 2; e > d");
    check_memory(
        "e = exp(a - max(a, 1, keepdim)); f = e / sum(e, 1, keepdim); f; f > .5");
    check_memory("d = a * a; s = sum(d); d; d > s");
    check_memory("d = a * a; s = max(d + 1, 0); d; d + 1 > s");
    return tap_done();
}
