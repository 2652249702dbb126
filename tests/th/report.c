/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of TH that would broadcast today are reported: the function, the change, and
 * the source line; also those of a program's own loops.
 */
#define BROADLOOM_TH_KEEPDIM 0
#include "th/kit.h"

#include <broadloom/warnings.h>

static struct {
    int count;
    int line;
    char file[200];
    char function[40];
    char id[40];
    int32_t effect;
    double growth;
} heard;

static void listen(void *user, const bl_warning *warning)
{
    (void)user;
    heard.count++;
    heard.line = warning->line;
    heard.effect = warning->effect;
    heard.growth = warning->growth;
    snprintf(heard.file, sizeof heard.file, "%s", warning->file ? warning->file : "");
    snprintf(heard.function, sizeof heard.function, "%s", warning->function);
    snprintf(heard.id, sizeof heard.id, "%s", warning->id);
}

/* Whether exactly one more warning was reported, from that line of this file. */
static int is_heard(const char *function, const char *id, int line)
{
    const int once = heard.count == 1 && heard.line == line &&
                     strstr(heard.file, "report.c") &&
                     strcmp(heard.function, function) == 0 && strcmp(heard.id, id) == 0;

    if (!once)
        tap_note("%d of %s, %s at %s:%d", heard.count, heard.function, heard.id,
                 heard.file, heard.line);
    heard.count = 0;
    return once;
}

static void check_calls(THFloatTensor *column, THFloatTensor *vector,
                        THFloatTensor *square)
{
    THFloatTensor *const r = THFloatTensor_new();
    THByteTensor *const mask = THByteTensor_newWithSize1d(4);
    int line;

    THFloatTensor_cadd(r, column, 1, column);
    THFloatTensor_cadd(r, vector, 1, vector);
    tap_ok(heard.count == 0, "equal shapes are nobody's business");
    line = __LINE__ + 1;
    THFloatTensor_cadd(r, column, 1, vector);
    tap_ok(is_heard("add", "W_CHANGED", line) && heard.growth == 4 &&
               heard.effect == BL_CHANGE_VALUE,
           "(4,1) + (4) would be (4,4)");
    tap_ok(r->nDimension == 2 && r->size[0] == 4 && r->size[1] == 1, "and is (4,1)");
    line = __LINE__ + 1;
    THFloatTensor_cmax(r, vector, square);
    tap_ok(is_heard("max", "W_FALLBACK_OUT2", line), "a loop of TH's own falls back");
    line = __LINE__ + 1;
    THFloatTensor_cmul(column, column, vector);
    tap_ok(is_heard("mul", "W_FALLBACK_INPLACE", line), "so does a call in place");
    THByteTensor_zero(mask);
    line = __LINE__ + 1;
    THFloatTensor_maskedSelect(r, column, mask);
    tap_ok(is_heard("masked_select", "W_CHANGED", line), "a selection");
    line = __LINE__ + 1;
    THFloatTensor_copy(vector, square);
    tap_ok(is_heard("copy", "W_FALLBACK_INPLACE", line), "a copy");
    line = __LINE__ + 1;
    THFloatTensor_sum(r, square, 0);
    tap_ok(is_heard("sum", "W_KEEPDIM", line), "a reduction without keepdim");
    THFloatTensor_free(r);
    THByteTensor_free(mask);
}

static void check_loops(THFloatTensor *column, THFloatTensor *vector)
{
    double sum = 0;
    const int line = __LINE__ + 1;
    TH_TENSOR_APPLY2(float, column, float, vector, sum += *column_data * *vector_data;)
    tap_ok(is_heard("TH_TENSOR_APPLY2", "W_LOOP", line) && sum != 0 &&
               heard.effect == BL_CHANGE_NONE && heard.growth == 1,
           "a program's own loop, which nothing changes");
    tap_ok(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_PRECISE) == BL_OK,
           "precisely");
    TH_TENSOR_APPLY2(float, column, float, vector, sum += *column_data * *vector_data;)
    tap_ok(heard.count == 0, "it is nobody's business");
    tap_ok(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_EXACT) == BL_OK,
           "as PyTorch");
}

static void check_refusal(THFloatTensor *column, THFloatTensor *vector)
{
    THFloatTensor *const r = THFloatTensor_newWithSize1d(3);
    char place[200];

    tap_ok(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_VALUE, NULL) == BL_OK,
           "a filter");
    TRY(THFloatTensor_cadd(r, column, 1, vector));
    tap_ok(strstr(said, "Changing behavior in a backwards incompatible manner") &&
               r->nDimension == 1 && r->size[0] == 3,
           "makes an error of it before anything is changed");
    snprintf(place, sizeof place, " at %s:%d", __FILE__, __LINE__ + 1);
    TRY(THFloatTensor_cadd(r, column, 1, vector));
    tap_ok(strstr(said, place), "at the line of the call: %s", said);
    bl_warnings_reset();
    THFloatTensor_free(r);
}

int main(void)
{
    THFloatTensor *const column = THFloatTensor_newWithSize2d(4, 1);
    THFloatTensor *const vector = THFloatTensor_newWithSize1d(4);
    THFloatTensor *const square = THFloatTensor_newWithSize2d(2, 2);

    tap_plan();
    THFloatTensor_fill(column, 1);
    THFloatTensor_fill(vector, 2);
    THFloatTensor_fill(square, 3);
    bl_warnings_set_handler(listen, NULL);
    THFloatTensor_cadd(square, column, 1, vector);
    tap_ok(heard.count == 0, "nothing is said unless the warning is on");
    THFloatTensor_resize2d(square, 2, 2);
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_backcompat_keepdim_warning_set_enabled(true);
    handle_errors();
    check_calls(column, vector, square);
    check_loops(column, vector);
    check_refusal(column, vector);
    THFloatTensor_free(column);
    THFloatTensor_free(vector);
    THFloatTensor_free(square);
    return tap_done();
}
