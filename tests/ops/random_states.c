/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers are the same in every floating-point state of the caller's, which is
 * left alone.
 */
#include <broadloom.h>

#include <string.h>

#include "harness/floating.h"
#include "harness/tap.h"

typedef bl_status maker(bl_context *ctx, bl_dtype dtype, int32_t rank,
                        const int64_t *extent, uint64_t seed, bl_tensor **out);

static const struct {
    const char *name;
    maker *make;
} makers[] = {{"rand", bl_tensor_rand}, {"randn", bl_tensor_randn}};

static const bl_dtype dtypes[] = {BL_DTYPE_F16, BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64, BL_DTYPE_C64,  BL_DTYPE_C128};

static const int64_t count = 5000;

/* Whether the numbers made in a state are those of `usual`. */
static bool is_same(maker *make, const bl_tensor *usual, int32_t state)
{
    const bl_array *const want = bl_tensor_array(usual);
    const struct floating own = floating_set(state);
    const struct floating set = floating_now();
    bl_tensor *tensor = NULL;
    bool pass = make(NULL, want->dtype, 1, &count, 42, &tensor) == BL_OK;

    pass = floating_is(set) && pass;
    floating_restore(own);
    pass = pass && memcmp(bl_tensor_array(tensor)->data, want->data,
                          (size_t)count * bl_dtype_size(want->dtype)) == 0;
    bl_tensor_release(tensor);
    return pass;
}

static void check(int which, bl_dtype dtype)
{
    bl_tensor *usual = NULL;
    bool pass = makers[which].make(NULL, dtype, 1, &count, 42, &usual) == BL_OK;

    for (int32_t state = 0; pass && state < FLOATING_STATES; state++) {
        pass = is_same(makers[which].make, usual, state);
        if (!pass)
            tap_note("%s, state %d", floating_name(state), (int)state);
    }
    tap_ok(pass, "%s of %s: the same numbers in any state", makers[which].name,
           bl_dtype_name(dtype));
    bl_tensor_release(usual);
}

int main(void)
{
    tap_plan();
    for (int which = 0; which < 2; which++)
        for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
            check(which, dtypes[d]);
    return tap_done();
}
