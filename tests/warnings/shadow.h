/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tests of shadow runs share: sums over all places, and a call that differs.
 */
#ifndef TESTS_SHADOW_H
#define TESTS_SHADOW_H

#include <math.h>

#include <broadloom.h>
#include <broadloom/shadow.h>
#include <broadloom/warnings.h>

static const int64_t column[2] = {4, 1}, row[1] = {4};

/* What was found at all places together, and the calls there. */
struct sum {
    int64_t places, count, compared, unequal, elements, differ, not_finite, max_ulp;
    int64_t forgotten;
    double max_abs, max_rel;
};

static inline bool add_site(void *user, const bl_warning_site *site)
{
    struct sum *const sum = user;

    sum->places++;
    sum->count += site->count;
    sum->compared += site->compared;
    sum->unequal += site->unequal;
    sum->elements += site->elements;
    sum->differ += site->differ;
    sum->not_finite += site->not_finite;
    sum->forgotten += site->forgotten;
    sum->max_ulp = site->max_ulp > sum->max_ulp ? site->max_ulp : sum->max_ulp;
    sum->max_abs = fmax(sum->max_abs, site->max_abs);
    sum->max_rel = fmax(sum->max_rel, site->max_rel);
    return true;
}

static inline struct sum found(void)
{
    struct sum sum = {0};

    bl_warnings_visit(add_site, &sum);
    return sum;
}

static inline bool begin(int64_t every)
{
    const bl_status status = bl_shadow_set_every(every);

    bl_warnings_reset();
    return status == BL_OK && bl_shadow_every() == every;
}

static float left[4] = {0, 1, 2, 3}, right[4] = {0, 10, 20, 30};

/* left - right; 12 of 16 elements differ. */
static inline bool subtract(bl_context *ctx, const char *file, int32_t line, float *out)
{
    const int64_t both[2] = {4, 4};
    const bl_array result = {out, BL_DTYPE_F32, 2, both, NULL, 0};
    const bl_array a = {left, BL_DTYPE_F32, 2, column, NULL, 0};
    const bl_array b = {right, BL_DTYPE_F32, 1, row, NULL, 0};

    bl_call_site_enter(file, line);
    return bl_call_site_leave(bl_sub_out(ctx, &result, &a, &b)) == BL_OK;
}

#endif
