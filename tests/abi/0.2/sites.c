/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: functions as macros that record file and line.
 */
#define BROADLOOM_CALL_SITES
#include "kept.h"

#include <broadloom/warnings.h>

static double column[4] = {1, 2, 3, 4}, row[4] = {1, 2, 3, 4}, r[16];
static const bool mask[4] = {true, true, false, true};

static int lines[100], count;

static void handle(void *user, const bl_warning *warning)
{
    (void)user;
    if (count < 100 && warning->file && strstr(warning->file, "sites.c"))
        lines[count++] = warning->line;
}

/* A call raises one warning, which names this line. */
#define AT(call)                                                                       \
    do {                                                                               \
        const int before = count;                                                      \
                                                                                       \
        OK(call);                                                                      \
        CHECK(count == before + 1 && lines[before] == __LINE__);                       \
    } while (0)

int main(void)
{
    const bl_array *const out = BL_VIEW(r, 4, 4), *const left = BL_VIEW(column, 4, 1);
    const bl_array *const right = BL_VIEW(row, 4);
    const bl_array *const in[] = {left, right};
    bl_tensor *tensor = NULL;

    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_set_handler(handle, NULL);
    AT(bl_add_out(NULL, out, left, right));
    CHECK(r[0] == 2 && r[15] == 8);
    AT(bl_mul(NULL, left, right, &tensor));
    bl_tensor_release(tensor);
    AT(bl_apply(NULL, BL_OP_SUB, out, 2, in, NULL));
    AT(bl_apply_new(NULL, BL_OP_SUB, 2, in, NULL, &tensor));
    bl_tensor_release(tensor);
    OK(bl_masked_fill_inplace(NULL, right, BL_VIEW(mask, 4), bl_scalar_f64(9)));
    CHECK(row[0] == 9 && row[2] == 3 && count == 4);
    CHECK((bl_add_out)(NULL, out, left, right) == BL_OK);
    return failures;
}
