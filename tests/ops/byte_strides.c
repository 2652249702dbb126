/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on components of one array of structs: they lie between each other and do not
 * overlap, true overlap is found, and plans, parts, the plan cache, reductions and
 * functions of a program count the strides in bytes.
 */
#include <broadloom.h>
#include <broadloom/describe.h>

#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

enum { MANY = 40000 };

struct particle {
    double x;
    float y;
    float _Complex z;
    int16_t charge;
};

static struct particle made[MANY], want[MANY];

static void fill(void)
{
    memset(made, 0, sizeof made);
    for (int32_t i = 0; i < MANY; i++) {
        made[i].x = i + 0.25;
        made[i].y = (float)(i % 1000) + 0.5f;
        made[i].charge = (int16_t)(i % 100 - 4);
    }
    memcpy(want, made, sizeof want);
}

/* Whether exactly the expected bytes were written. */
static bool is_right(void)
{
    return memcmp(made, want, sizeof made) == 0;
}

static bl_status refuse_copies(void *user, const bl_event *event)
{
    (void)user;
    return event->kind == BL_EVENT_OVERLAP_COPIED
               ? bl_error_set(BL_ERR_UNSUPPORTED, "an operand was copied")
               : BL_OK;
}

/* x = x + y and z = z * charge in place, over many and few structs, on several threads.
 */
static void check_in_place(void)
{
    static const int32_t threads[] = {1, 2, 8};
    static const int64_t counts[] = {0, 1, 7, 300, MANY};

    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const int64_t n = counts[c];
            bl_context *ctx;
            bool pass = bl_context_create(&ctx) == BL_OK &&
                        bl_context_set_threads(ctx, threads[t]) == BL_OK &&
                        bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK;

            bl_context_set_observer(ctx, refuse_copies, NULL);
            fill();
            for (int64_t i = 0; i < n; i++) {
                want[i].x += (double)want[i].y;
                want[i].y = want[i].y * (float)want[i].charge;
            }
            pass = pass &&
                   bl_add_inplace(ctx, BL_FIELD_VIEW(made, n, x),
                                  BL_FIELD_VIEW(made, n, y)) == BL_OK &&
                   bl_mul_out(ctx, BL_FIELD_VIEW(made, n, y), BL_FIELD_VIEW(made, n, y),
                              BL_FIELD_VIEW(made, n, charge)) == BL_OK;
            tap_ok(pass && is_right(),
                   "%d structs in place, %d threads: nothing copied", (int)n,
                   (int)threads[t]);
            bl_context_destroy(ctx);
        }
}

/* x[1:] = x[1:] + x[:-1] under each policy. */
static void check_overlap(void)
{
    static const struct {
        const char *what;
        bl_overlap policy;
        bl_status status;
        double last; /* of 1, 1, 1, 1 */
    } rows[] = {{"copied", BL_OVERLAP_COPY, BL_OK, 2},
                {"refused", BL_OVERLAP_REFUSE, BL_ERR_OVERLAP, 1},
                {"in sequence", BL_OVERLAP_SEQUENTIAL, BL_OK, 4}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        bl_context *ctx;
        bl_status status = bl_context_create(&ctx);

        for (int i = 0; i < 4; i++)
            made[i].x = 1;
        if (status == BL_OK)
            status = bl_context_set_overlap(ctx, rows[r].policy);
        if (status == BL_OK)
            status = bl_add_inplace(ctx, BL_FIELD_VIEW(made + 1, 3, x),
                                    BL_FIELD_VIEW(made, 3, x));
        tap_ok(status == rows[r].status && made[3].x == rows[r].last,
               "a component shifted by one struct: %s", rows[r].what);
        bl_context_destroy(ctx);
    }

    const bl_array *const shared = BL_BYTE_STRIDED_VIEW(
        (float _Complex *)&made[0].x, 1, BL_LIST(3), BL_LIST((int64_t)sizeof(float)));

    tap_ok(bl_neg_inplace(NULL, shared) == BL_ERR_ARGUMENT,
           "a result whose elements share bytes: %s", bl_error_message());
}

/* ---- plans ---- */

static void check_plans(void)
{
    const bl_array *const x = BL_FIELD_VIEW(made, MANY, x);
    const bl_array *const y = BL_FIELD_VIEW(made, MANY, y);
    const bl_array *const inputs[] = {x, y};
    const void *const data[] = {x->data, y->data};
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan;

    fill();
    for (int64_t i = 0; i < MANY; i++)
        want[i].x -= (double)want[i].y;
    tap_ok(bl_plan_create(NULL, BL_OP_SUB, x, 2, inputs, NULL, &plan) == BL_OK &&
               bl_plan_query(plan, &info) == BL_OK &&
               info.loop[info.loops - 1].stride[0] == (int64_t)sizeof made[0] &&
               info.loop[info.loops - 1].stride[2] == (int64_t)sizeof made[0],
           "a plan's strides are the struct's size");
    tap_ok(bl_plan_execute(NULL, plan, x->data, data) == BL_OK && is_right(),
           "it is executed");
    fill();
    for (int64_t i = 0; i < MANY; i++)
        want[i].x -= (double)want[i].y;
    for (int32_t part = 0; part < 3; part++)
        BL_IGNORE(bl_plan_execute_part(NULL, plan, part, 3, x->data, data));
    tap_ok(is_right(), "and in three parts");
    bl_plan_destroy(plan);
}

/* Calls that differ in what the same strides count must not share a cached plan. */
static void check_cache(void)
{
    double numbers[33] = {0}, sum[3];
    bool pass = true;

    for (int i = 0; i < 33; i++)
        numbers[i] = i;
    for (int turn = 0; turn < 6; turn++) {
        const bl_array *const in =
            turn % 2 == 0 ? BL_STRIDED_VIEW(numbers, 1, BL_LIST(3), BL_LIST(16))
                          : BL_BYTE_STRIDED_VIEW(numbers, 1, BL_LIST(3), BL_LIST(16));
        const double step = turn % 2 == 0 ? 16 : 2;

        pass = bl_add_out(NULL, BL_VIEW(sum, 3), in, in) == BL_OK &&
               sum[1] == 2 * step && sum[2] == 4 * step && pass;
    }
    tap_ok(pass, "strides of 16 elements and of 16 bytes in turn");
}

/* ---- reductions, masks, functions ---- */

static void check_reductions(void)
{
    const bl_array *const x = BL_BYTE_STRIDED_VIEW(
        &made[0].x, 2, BL_LIST(200, 200),
        BL_LIST(200 * (int64_t)sizeof made[0], (int64_t)sizeof made[0]));
    const int32_t axes[] = {0, 1};
    static double compact[200][200], sums[200];

    for (int32_t a = 0; a < 2; a++) {
        bool pass = true;

        fill();
        for (int64_t i = 0; i < MANY; i++)
            compact[i / 200][i % 200] = made[i].x;
        pass = bl_reduce(NULL, BL_REDUCTION_SUM, BL_VIEW(sums, 200),
                         BL_VIEW(&compact[0][0], 200, 200), 1, &axes[a], false,
                         NULL) == BL_OK;
        for (int64_t i = 0; i < 200; i++)
            want[i].x = sums[i];
        pass = pass && bl_reduce(NULL, BL_REDUCTION_SUM, BL_FIELD_VIEW(made, 200, x), x,
                                 1, &axes[a], false, NULL) == BL_OK;
        tap_ok(pass && is_right(), "sums along axis %d over the array itself", (int)a);
    }
    tap_ok(bl_reduce(NULL, BL_REDUCTION_SUM,
                     BL_BYTE_STRIDED_VIEW(&made[0].x, 1, BL_LIST(200), BL_LIST(0)), x,
                     1, axes, false, NULL) == BL_ERR_ARGUMENT,
           "a result that repeats elements: %s", bl_error_message());
}

static double half(void *user, double a)
{
    (void)user;
    return a / 2;
}

static void check_others(void)
{
    static bool mask[MANY];

    fill();
    for (int64_t i = 0; i < MANY; i++) {
        mask[i] = i % 3 == 0;
        want[i].x = mask[i] ? -1 : want[i].x / 2;
        want[i].y = mask[i] ? (float)(i / 3) : want[i].y;
        want[i].charge = 9;
    }
    tap_ok(
        bl_map_unary_f64(NULL, half, NULL, BL_FIELD_VIEW(made, MANY, x),
                         BL_FIELD_VIEW(made, MANY, x)) == BL_OK &&
            bl_masked_fill_inplace(NULL, BL_FIELD_VIEW(made, MANY, x),
                                   BL_VIEW(mask, MANY), bl_scalar_f64(-1)) == BL_OK &&
            bl_fill(NULL, BL_FIELD_VIEW(made, MANY, charge), bl_scalar_i64(9)) == BL_OK,
        "a function, a mask and a number are applied to components");

    bl_tensor *counts;
    const bool pass =
        bl_tensor_arange(NULL, BL_DTYPE_F32, 0, MANY, 1, &counts) == BL_OK &&
        bl_masked_scatter_inplace(NULL, BL_FIELD_VIEW(made, MANY, y),
                                  BL_VIEW(mask, MANY),
                                  bl_tensor_array(counts)) == BL_OK;

    tap_ok(pass && is_right(), "and another's elements are scattered into one");
    bl_tensor_release(counts);
}

/* ---- elements that are not aligned ---- */

enum { PACKED = 13 }; /* i8, f64 and f32 without padding */
static unsigned char bytes[PACKED * 300], wanted[sizeof bytes];

static void check_packed(void)
{
    static const int64_t extent[] = {300}, stride[] = {PACKED}, near[] = {4};
    const bl_array x = {bytes + 1, BL_DTYPE_F64, 1,
                        extent,    stride,       BL_ARRAY_BYTE_STRIDES};
    const bl_array y = {bytes + 9, BL_DTYPE_F32, 1,
                        extent,    stride,       BL_ARRAY_BYTE_STRIDES};
    const bl_array shared = {bytes + 1, BL_DTYPE_F64, 1,
                             extent,    near,         BL_ARRAY_BYTE_STRIDES};
    const bl_array *const inputs[] = {&x, &y};
    bl_context *ctx;
    bl_plan *plan;
    bool pass = true;

    memset(bytes, 7, sizeof bytes);
    for (int32_t i = 0; i < 300; i++)
        memcpy(bytes + PACKED * i + 1, &(double){i}, sizeof(double));
    memcpy(wanted, bytes, sizeof bytes);
    BL_IGNORE(bl_fill(NULL, &y, bl_scalar_f64(0.5)));
    pass = bl_add_inplace(NULL, &x, &y) == BL_OK &&
           bl_map_unary_f64(NULL, half, NULL, &x, &x) == BL_OK;
    for (int32_t i = 0; i < 300; i++) {
        memcpy(wanted + PACKED * i + 1, &(double){(i + 0.5) / 2}, sizeof(double));
        memcpy(wanted + PACKED * i + 9, &(float){0.5f}, sizeof(float));
    }
    tap_ok(pass && memcmp(bytes, wanted, sizeof bytes) == 0,
           "packed members in place, bytes between them stay");
    tap_ok(bl_plan_create(NULL, BL_OP_ADD, &x, 2, inputs, NULL, &plan) ==
               BL_ERR_ARGUMENT,
           "a plan: %s", bl_error_message());
    tap_ok(bl_neg_inplace(NULL, &shared) == BL_ERR_ARGUMENT &&
               memcmp(bytes, wanted, sizeof bytes) == 0,
           "a result that shares bytes: %s", bl_error_message());
    pass = bl_context_create(&ctx) == BL_OK &&
           bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL) == BL_OK;
    tap_ok(pass && bl_neg_inplace(ctx, &x) == BL_OK &&
               bl_neg_inplace(ctx, &x) == BL_OK &&
               bl_add_inplace(ctx, &x, &y) == BL_ERR_UNSUPPORTED &&
               memcmp(bytes, wanted, sizeof bytes) == 0,
           "in sequence: %s", bl_error_message());
    bl_context_destroy(ctx);
}

int main(void)
{
    tap_plan();
    check_in_place();
    check_overlap();
    check_plans();
    check_cache();
    check_reductions();
    check_others();
    check_packed();
    return tap_done();
}
