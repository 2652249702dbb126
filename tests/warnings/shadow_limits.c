/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks of results that differ end, and there are so many at most.
 */
#include <broadloom/mask.h>

#include "harness/tap.h"
#include "shadow.h"
#include "shadow_spread.h"

/* ---- no longer marked ---- */

static void check_end(void)
{
    float whole[16] = {0};
    const int64_t both[2] = {4, 4};
    const bl_array memory = {whole, BL_DTYPE_F32, 2, both, NULL, 0};
    bl_tensor *tensor = make(true), *view = NULL, *other = make(false);

    bl_warnings_reset();
    bl_tensor_release(tensor);
    tensor = make(true);
    if (bl_copy_out(NULL, bl_tensor_array(tensor), bl_tensor_array(other)) != BL_OK)
        return;
    look(tensor, 1);
    tap_ok(is_spread(0, ""), "an overwritten result is not marked");
    bl_tensor_release(tensor);

    tensor = make(true);
    if (bl_tensor_wrap(NULL, &memory, NULL, NULL, &view) != BL_OK ||
        bl_copy_out(NULL, &memory, bl_tensor_array(tensor)) != BL_OK)
        return;
    for (int r = 0; r < 4; r++) {
        const int64_t four[1] = {4};
        const bl_array line = {
            whole + (ptrdiff_t)4 * r, BL_DTYPE_F32, 1, four, NULL, 0};

        look(view, 2);
        if (bl_fill(NULL, &line, bl_scalar_i64(0)) != BL_OK)
            return;
    }
    look(view, 2);
    tap_ok(is_spread(1, "data look.c:2 4"), "nor is one whose rows all are");
    bl_tensor_release(view);

    bl_warnings_reset();
    bl_tensor_release(tensor);
    tensor = make(true);
    {
        /* Only the address of freed memory is used. */
        const bl_array freed = *bl_tensor_array(tensor);
        const bl_array same = {freed.data, BL_DTYPE_F32, 2, both, NULL, 0};

        bl_tensor_release(tensor);
        if (bl_tensor_wrap(NULL, &same, NULL, NULL, &view) != BL_OK)
            return;
        look(view, 3);
    }
    tap_ok(is_spread(0, ""), "nor is freed memory");
    bl_tensor_release(view);
    bl_tensor_release(other);
}

/* ---- limits ---- */

static void check_limits(void)
{
    enum { KEPT = 300, MARKS = 256, PLACES = 300 };
    static bl_tensor *kept[KEPT];
    struct spread found;

    bl_warnings_reset();
    for (int k = 0; k < KEPT; k++)
        kept[k] = make(true);
    found = spread_now();
    look(kept[0], 1);
    look(kept[KEPT - 1], 2);
    tap_ok(found.forgotten == KEPT - MARKS && is_spread(0, "data look.c:2 1"),
           "of %d marks the oldest are forgotten, and counted", KEPT);
    for (int k = 0; k < KEPT; k++)
        bl_tensor_release(kept[k]);

    bl_warnings_reset();
    for (int32_t k = 0; k < PLACES; k++) {
        float out[16];

        if (!subtract(NULL, "places.c", 1 + k, out))
            return;
    }
    found = spread_now();
    tap_ok(found.forgotten >= PLACES - 256 && found.forgotten <= PLACES,
           "and so are differences of more than 255 places");

    bl_warnings_reset();
    kept[0] = make(true);
    for (int32_t k = 0; k < 20; k++)
        look(kept[0], 1 + k);
    found = spread_now();
    tap_ok(count_entries(found.reads, "data ") == 16 && strstr(found.reads, "; ..."),
           "of more than 16 places that read the first are listed");
    bl_tensor_release(kept[0]);
}

int main(void)
{
    tap_plan();
    if (bl_shadow_set_every(1) != BL_OK)
        return 1;
    check_end();
    check_limits();
    return tap_done();
}
