/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * masked_select and masked_scatter against plain loops: layouts, element sizes,
 * densities of the mask, numbers of threads.  Refusals are in mask_calls.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/layouts.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

static bl_context *ctx;

/* ---- operands ---- */

static uint32_t random_state;

static uint32_t random_number(void)
{
    random_state = random_state * UINT32_C(1664525) + UINT32_C(1013904223);
    return random_state >> 8;
}

/* Random bytes, of which operands copy pieces from any place on. */
enum { PIECE = 1 << 15 };
static unsigned char random_bytes[2 * PIECE];

/* Make an array of random bytes; of bool, true with probability `often` / 256. */
static void make_filled(struct layout_operand *o, bl_dtype dtype, enum layout layout,
                        int64_t rows, int64_t columns, uint32_t often)
{
    layout_make(o, dtype, layout, rows, columns);
    for (size_t i = 0; i < o->bytes; i += PIECE) {
        const unsigned char *const piece = random_bytes + random_number() % PIECE;
        const size_t count = o->bytes - i < PIECE ? o->bytes - i : PIECE;

        memcpy(o->memory + i, piece, count);
        for (size_t k = 0; k < count && dtype == BL_DTYPE_BOOL; k++)
            o->memory[i + k] = piece[k] < often;
    }
}

/* ---- one problem ---- */

struct problem {
    bl_dtype dtype;
    enum layout array, mask;
    int64_t rows, columns;
    uint32_t often;
};

static void note(const struct problem *p, const char *what, bl_status status)
{
    tap_note("%s: %s in %s, mask in %s, %" PRId64 " by %" PRId64 ", %" PRIu32
             "/256: status %d, \"%s\"",
             what, bl_dtype_name(p->dtype), layout_names[p->array],
             layout_names[p->mask], p->rows, p->columns, p->often, (int)status,
             bl_error_message());
}

static bool is_select_right(const struct problem *p, const struct layout_operand *a,
                            const struct layout_operand *mask)
{
    const size_t size = bl_dtype_size(p->dtype);
    bl_tensor *result = NULL;
    const bl_status status = bl_masked_select(ctx, &a->array, &mask->array, &result);
    const char *data = NULL;
    int64_t found = 0;
    bool pass = status == BL_OK && bl_tensor_array(result)->rank == 1 &&
                bl_tensor_array(result)->dtype == p->dtype;

    if (pass)
        data = bl_tensor_array(result)->data;
    for (int64_t i = 0; pass && i < p->rows; i++)
        for (int64_t j = 0; pass && j < p->columns; j++) {
            if (!*layout_at(mask, i, j))
                continue;
            pass = found < bl_tensor_numel(result) &&
                   memcmp(data + (size_t)found * size, layout_at(a, i, j), size) == 0;
            found++;
        }
    pass = pass && found == bl_tensor_numel(result);
    if (!pass)
        note(p, "select", status);
    bl_tensor_release(result);
    return pass;
}

/* Check a scatter; `source` has an element for each element of the problem. */
static bool is_scatter_right(const struct problem *p, const struct layout_operand *a,
                             const struct layout_operand *mask,
                             const struct layout_operand *source)
{
    const size_t size = bl_dtype_size(p->dtype);
    bl_tensor *result = NULL;
    const bl_status status =
        bl_masked_scatter(ctx, &a->array, &mask->array, &source->array, &result);
    int64_t found = 0;
    bool pass = status == BL_OK && bl_tensor_numel(result) == p->rows * p->columns;

    for (int64_t i = 0; pass && i < p->rows; i++)
        for (int64_t j = 0; pass && j < p->columns; j++) {
            const char *const r = (char *)bl_tensor_array(result)->data +
                                  (size_t)(i * p->columns + j) * size;
            const bool is_true = *layout_at(mask, i, j) != 0;

            pass = memcmp(r,
                          is_true ? layout_at(source, found / p->columns,
                                              found % p->columns)
                                  : layout_at(a, i, j),
                          size) == 0;
            found += is_true;
        }
    if (!pass)
        note(p, "scatter", status);
    bl_tensor_release(result);
    return pass;
}

/* Check a scatter in place: nothing else in the array's memory changes. */
static bool is_inplace_right(const struct problem *p, struct layout_operand *a,
                             const struct layout_operand *mask,
                             const struct layout_operand *source)
{
    const size_t size = bl_dtype_size(p->dtype);
    struct layout_operand copy = *a;
    int64_t found = 0;
    bl_status status;
    bool pass;

    copy.memory = malloc(copy.bytes);
    copy.array.data = copy.memory + ((char *)a->array.data - a->memory);
    memcpy(copy.memory, a->memory, copy.bytes);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            if (*layout_at(mask, i, j)) {
                memcpy(layout_at(&copy, i, j),
                       layout_at(source, found / p->columns, found % p->columns), size);
                found++;
            }
    status = bl_masked_scatter_inplace(ctx, &a->array, &mask->array, &source->array);
    pass = status == BL_OK && memcmp(copy.memory, a->memory, copy.bytes) == 0;
    if (!pass)
        note(p, "scatter in place", status);
    free(copy.memory);
    return pass;
}

static bool is_right(const struct problem *p)
{
    struct layout_operand a, mask, source;
    bool pass;

    random_state = UINT32_C(2463534242);
    make_filled(&a, p->dtype, p->array, p->rows, p->columns, 128);
    make_filled(&mask, BL_DTYPE_BOOL, p->mask, p->rows, p->columns, p->often);
    make_filled(&source, p->dtype, p->mask <= EVERY_THIRD ? p->mask : ROWS, p->rows,
                p->columns, 128);
    pass = true;
    /* Together, operands that broadcast must have the problem's shape. */
    if (p->array <= EVERY_THIRD || p->mask <= EVERY_THIRD)
        pass = is_select_right(p, &a, &mask) && is_scatter_right(p, &a, &mask, &source);
    if (pass && p->array <= EVERY_THIRD)
        pass = is_inplace_right(p, &a, &mask, &source);
    free(a.memory);
    free(mask.memory);
    free(source.memory);
    return pass;
}

/* ---- many problems ---- */

static const struct {
    const char *what;
    int64_t rows, columns;
} sizes[] = {
    {"one element", 1, 1},     {"no elements", 0, 3}, {"a few", 3, 5},
    {"a row", 1, 100},         {"a column", 100, 1},  {"short rows", 3000, 3},
    {"past a block", 2, 4099}, {"many", 190, 317},
};

static const bl_dtype dtypes[] = {BL_DTYPE_BOOL, BL_DTYPE_F16, BL_DTYPE_F32,
                                  BL_DTYPE_I64, BL_DTYPE_C128};
static const uint32_t densities[] = {0, 5, 128, 250, 256};

static void check_layouts(int32_t threads)
{
    if (bl_context_set_threads(ctx, threads) != BL_OK)
        tap_ok(false, "%" PRId32 " threads", threads);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        bool pass = true;
        size_t turn = 0;

        for (int a = ROWS; a < LAYOUTS; a++)
            for (int m = ROWS; m < LAYOUTS; m++)
                for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++) {
                    const struct problem p = {dtypes[d],        (enum layout)a,
                                              (enum layout)m,   sizes[s].rows,
                                              sizes[s].columns, densities[turn++ % 5]};

                    /* With ThreadSanitizer, pairs of layouts, for half of the dtypes.
                     */
                    if (!HAS_THREAD_SANITIZER || turn % 2 == 0)
                        pass = is_right(&p) && pass;
                }
        /* All densities of one layout. */
        for (size_t d = 0; d < 25; d++) {
            const struct problem p = {
                dtypes[d / 5],   ROWS, ROWS, sizes[s].rows, sizes[s].columns,
                densities[d % 5]};

            pass = is_right(&p) && pass;
        }
        tap_ok(pass, "%s in every layout, %" PRId32 " threads", sizes[s].what, threads);
    }
}

/* Check more blocks than fit on the stack. */
static void check_large(void)
{
    const struct problem p = {BL_DTYPE_U8, ROWS, ROWS, 3, 1000003, 100};
    const struct problem repeated = {BL_DTYPE_I16, ROWS, ONE_ROW, 3, 1000003, 30};

    tap_ok(is_right(&p) && is_right(&repeated), "millions of elements");
}

int main(void)
{
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    for (size_t i = 0; i < sizeof random_bytes; i++)
        random_bytes[i] = (unsigned char)random_number();
    if (!HAS_THREAD_SANITIZER) /* a thread alone has no races */
        check_layouts(1);
    check_layouts(2);
    check_layouts(8);
    check_large();
    bl_context_destroy(ctx);
    return tap_done();
}
