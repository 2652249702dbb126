/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Masks and reductions of elements that are NaN.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "nan_bits.h"
#include "reference/ref.h"
#include "harness/tap.h"

enum { ROWS = 21, COLUMNS = 130, COUNT = ROWS * COLUMNS };
/* The first layout with broadcast elements. */
enum { REPEATED = 9 };
static const int64_t extent[] = {ROWS, COLUMNS}, all[] = {COUNT};

/* A buffer for an array's elements, in logical order. */
struct room {
    _Alignas(64) char bytes[COUNT * REF_ELEMENT];
};

static void describe(struct problem_operand *operand, bl_dtype dtype, int32_t number)
{
    struct problem_layout layout;
    const char *name;

    problem_layout_named(number, 2, &layout, &name);
    problem_describe(operand, dtype, 2, extent, &layout);
}

/* ---- masks ---- */

static struct room elements, source, selected, scattered, filled;
static bool mask[COUNT];

/* A NaN scalar, with a sign and a payload. */
static const uint64_t number = UINT64_C(0xfffbcafe12345678);

/*
 * Compute the expected results with a plain loop; returns how many elements are
 * selected.
 */
static int64_t expect(bl_dtype dtype)
{
    const int64_t size = (int64_t)ref_size(dtype);
    const char *const x[] = {(const char *)&number};
    char fill[REF_ELEMENT];
    int64_t found = 0;

    nan_want(BL_OP_COPY, BL_DTYPE_F64, dtype, x, fill);
    scattered = filled = elements;
    for (int64_t i = 0; i < COUNT; i++) {
        mask[i] = i * i % 11 < 4;
        if (!mask[i])
            continue;
        memcpy(selected.bytes + found * size, elements.bytes + i * size, (size_t)size);
        memcpy(scattered.bytes + i * size, source.bytes + found * size, (size_t)size);
        memcpy(filled.bytes + i * size, fill, (size_t)size);
        found++;
    }
    return found;
}

static bool gives(bl_status status, bl_tensor *tensor, const struct room *want,
                  int64_t bytes)
{
    const bool pass = status == BL_OK && memcmp(bl_tensor_array(tensor)->data,
                                                want->bytes, (size_t)bytes) == 0;

    if (status != BL_OK)
        tap_note("refused: %s", bl_error_message());
    else
        bl_tensor_release(tensor);
    return pass;
}

static bool masks_keep(bl_context *ctx, const bl_array *in, int64_t found)
{
    const int64_t size = (int64_t)ref_size(in->dtype);
    const bl_array where = {mask, BL_DTYPE_BOOL, 2, extent, NULL, 0};
    const bl_array from = {source.bytes, in->dtype, 1, all, NULL, 0};
    bl_scalar value = {BL_DTYPE_F64, {{0, 0}}};
    bl_tensor *out = NULL;
    bl_status status;

    memcpy(&value.value.f64, &number, sizeof number);
    status = bl_masked_select(ctx, in, &where, &out);
    if (!gives(status, out, &selected, found * size))
        return false;
    status = bl_masked_scatter(ctx, in, &where, &from, &out);
    if (!gives(status, out, &scattered, COUNT * size))
        return false;
    status = bl_masked_fill(ctx, in, &where, value, &out);
    return gives(status, out, &filled, COUNT * size);
}

void nan_check_masks(const struct setting *settings, bl_dtype dtype)
{
    bool pass = true;

    nan_fill(dtype, source.bytes, COUNT, 3);
    for (int32_t layout = 0; pass && layout < PROBLEM_LAYOUTS; layout++) {
        struct problem_operand in;

        describe(&in, dtype, layout);
        nan_open(&in, 5);
        nan_gather(&in.array, elements.bytes);
        const int64_t found = expect(dtype);

        for (int32_t i = 0; pass && i < settings_distinct(settings); i++)
            pass = masks_keep(settings[i].ctx, &in.array, found);
        free(in.memory);
    }
    tap_ok(pass, "%s that masks select, scatter and fill", ref_dtype_name(dtype));
}

/* ---- reductions ---- */

/* Reduce along `axis`, where 2 means all, to `results`; false where refused. */
static bool reduce(bl_context *ctx, bl_reduction op, const bl_array *in, int32_t axis,
                   struct room *results)
{
    bl_tensor *out = NULL;

    memset(results, 0, sizeof *results);
    if (bl_reduce_new(ctx, op, in, axis < 2, &axis, false, NULL, &out) != BL_OK) {
        tap_note("refused: %s", bl_error_message());
        return false;
    }
    nan_gather(bl_tensor_array(out), results->bytes);
    bl_tensor_release(out);
    return true;
}

/* Compare one layout with every setting with the first result. */
static bool reduces_to(const struct setting *settings, bl_reduction op,
                       const bl_array *in, int32_t axis, const struct room *want)
{
    static struct room got;

    for (int32_t i = 0; i < settings_distinct(settings); i++)
        if (!reduce(settings[i].ctx, op, in, axis, &got) ||
            memcmp(want, &got, sizeof got) != 0) {
            tap_note("%s along %" PRId32 ", %s", bl_reduction_name(op), axis,
                     settings[i].name);
            return false;
        }
    return true;
}

static bool is_same(const struct setting *settings, bl_reduction op, bl_dtype dtype,
                    int32_t axis)
{
    const bl_array compact = {elements.bytes, dtype, 2, extent, NULL, 0};
    static struct room want, unified;
    bool pass = reduce(settings[0].ctx, op, &compact, axis, &want);

    unified = want;
    nan_unify(dtype, unified.bytes, COUNT, true);
    /*
     * Computed values are the canonical NaN; the maximum and the minimum are elements.
     */
    if (op < BL_REDUCTION_MAX)
        pass = pass && memcmp(&want, &unified, sizeof want) == 0;
    for (int32_t layout = 0; pass && layout < REPEATED; layout++) {
        struct problem_operand in;

        describe(&in, dtype, layout);
        nan_open(&in, 0);
        for (int64_t i = 0; i < COUNT; i++)
            memcpy(ref_at(&in.array, i), elements.bytes + i * (int64_t)ref_size(dtype),
                   ref_size(dtype));
        pass = reduces_to(settings, op, &in.array, axis, &want);
        free(in.memory);
    }
    return pass;
}

void nan_check_reductions(const struct setting *settings, bl_dtype dtype)
{
    bl_dtype to;
    bool pass = true;

    /* Results with no NaN, one and several. */
    nan_fill(dtype, elements.bytes, COUNT, 7);
    for (int64_t i = 0; i < COUNT; i++)
        if (i * i % 101 != 1)
            ref_make(dtype, (double)(i % 19) - 9, (double)(i % 7),
                     elements.bytes + i * (int64_t)ref_size(dtype));
    for (int32_t op = BL_REDUCTION_SUM; op <= BL_REDUCTION_MIN; op++)
        for (int32_t axis = 0; axis < 3; axis++)
            if (bl_reduction_result_dtype((bl_reduction)op, dtype, &to) == BL_OK)
                pass = pass && is_same(settings, (bl_reduction)op, dtype, axis);
    tap_ok(pass, "%s that are reduced", ref_dtype_name(dtype));
}
