/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which calls a shadow run compares: one in so many of each place, shape and thread.
 */
#include <pthread.h>
#include <stdint.h>

#include "harness/tap.h"
#include "shadow.h"

static void ignore(void *user, const bl_warning *warning)
{
    (void)user;
    (void)warning;
}

static void check_sampling(void)
{
    float out[16];
    bool is_done = begin(3);
    struct sum sum;

    for (int i = 0; i < 10; i++)
        is_done = is_done && subtract(NULL, "some.c", 1, out);
    sum = found();
    tap_ok(is_done && sum.count == 10 && sum.compared == 4 && sum.differ == 48 &&
               out[1] == -10 && out[4] == 1,
           "one in three: the first, fourth, seventh and tenth call");
    is_done = begin(BL_SHADOW_AUTO);
    for (int i = 0; i < 1000; i++)
        is_done = is_done && subtract(NULL, "some.c", 1, out);
    sum = found();
    tap_ok(is_done && sum.count == 1000 && sum.compared > 1 && sum.compared < 100,
           "auto: some, %d of 1000 small calls", (int)sum.compared);
    is_done = begin(0);
    is_done = is_done && subtract(NULL, "some.c", 1, out);
    sum = found();
    tap_ok(is_done && sum.count == 1 && sum.compared == 0, "none");
    tap_ok(bl_shadow_set_every(-2) == BL_ERR_ARGUMENT && bl_shadow_every() == 0,
           "a negative number is refused");
}

/* left - right of `length` elements each, 50 times at one line. */
static void *subtract_often(void *length)
{
    static const int64_t lengths[] = {2, 3, 4};
    const int64_t *const n = &lengths[*(const int *)length];
    const int64_t tall[2] = {*n, 1};
    const bl_array a = {left, BL_DTYPE_F32, 2, tall, NULL, 0};
    const bl_array b = {right, BL_DTYPE_F32, 1, n, NULL, 0};

    for (int i = 0; i < 50; i++) {
        bl_tensor *out = NULL;

        bl_call_site_enter("often.c", 1);
        BL_IGNORE(bl_call_site_leave(bl_sub(NULL, &a, &b, &out)));
        bl_tensor_release(out);
    }
    return NULL;
}

/* Shapes and threads that meet at one line have a first call each. */
static void check_kinds(bool is_printed)
{
    static const int lengths[] = {0, 1, 2};
    pthread_t thread;
    bool is_done = begin(100);

    if (is_printed) {
        is_done = is_done && bl_warnings_filter_text("always") == BL_OK;
        bl_warnings_set_handler(ignore, NULL);
    }
    (void)subtract_often((void *)(uintptr_t)&lengths[0]);
    (void)subtract_often((void *)(uintptr_t)&lengths[1]);
    for (int k = 1; k < 3; k++) {
        if (pthread_create(&thread, NULL, subtract_often,
                           (void *)(uintptr_t)&lengths[k]) != 0)
            is_done = false;
        else
            pthread_join(thread, NULL);
    }
    bl_warnings_set_handler(NULL, NULL);

    const struct sum sum = found();

    /* Calls that are reported are counted together, whichever thread makes them. */
    tap_ok(is_done && sum.count == 200 && sum.compared == (is_printed ? 3 : 4) &&
               sum.elements == (is_printed ? 4 + 9 + 16 : 4 + 9 + 9 + 16),
           "the first call of each shape%s", is_printed ? ", reported" : " and thread");
}

/*
 * A call that is refused, by a filter or since its result repeats elements, is not
 * compared, and leaves nothing to the next one.
 */
static void check_refused(bool is_filtered)
{
    static const int64_t square[2] = {4, 4}, still[2] = {0, 0};
    const bl_array a = {left, BL_DTYPE_F32, 2, column, NULL, 0};
    const bl_array b = {right, BL_DTYPE_F32, 1, row, NULL, 0};
    bl_tensor *product = NULL;
    float memory[16];
    const bl_array out = {memory, BL_DTYPE_F32, 2, square, is_filtered ? NULL : still,
                          0};
    bool is_done = begin(1);

    if (is_filtered)
        is_done = is_done && bl_warnings_filter_text("error:value") == BL_OK;
    is_done = is_done && bl_sub_out(NULL, &out, &a, &b) != BL_OK &&
              bl_mul(NULL, &b, &b, &product) == BL_OK;

    const struct sum sum = found();

    tap_ok(is_done && sum.count == 1 && sum.compared == 0,
           "the call after one that %s refuses is not taken for it",
           is_filtered ? "a filter" : "its result");
    bl_tensor_release(product);
}

int main(void)
{
    tap_plan();
    check_sampling();
    check_kinds(false);
    check_kinds(true);
    check_refused(true);
    check_refused(false);
    return tap_done();
}
