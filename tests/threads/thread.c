/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Per-thread data: error messages and cached plans, during the thread's life and at its
 * end, when destructors of the application still call the library.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include <broadloom.h>

#include "core/lend.h"
#include "harness/tap.h"

/* Add (4,1), which holds 1, 2, 3, 4, and (4) of tens; whether the result is right. */
static bool adds(void)
{
    static const int64_t column[2] = {4, 1}, row[1] = {4}, square[2] = {4, 4};
    float a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, r[16] = {0};
    const bl_array left = {
        .data = a, .dtype = BL_DTYPE_F32, .rank = 2, .extent = column};
    const bl_array right = {.data = b, .dtype = BL_DTYPE_F32, .rank = 1, .extent = row};
    const bl_array out = {
        .data = r, .dtype = BL_DTYPE_F32, .rank = 2, .extent = square};

    if (bl_add_out(NULL, &out, &left, &right) != BL_OK)
        return false;
    for (int k = 0; k < 16; k++)
        if (r[k] != a[k / 4] + b[k % 4])
            return false;
    return true;
}

/* Make a call that fails; whether the message is right. */
static bool fails(void)
{
    static const int64_t three[1] = {3}, four[1] = {4};
    float a[4] = {0}, r[4] = {0};
    const bl_array left = {
        .data = a, .dtype = BL_DTYPE_F32, .rank = 1, .extent = three};
    const bl_array right = {
        .data = a, .dtype = BL_DTYPE_F32, .rank = 1, .extent = four};
    const bl_array out = {.data = r, .dtype = BL_DTYPE_F32, .rank = 1, .extent = four};

    return bl_add_out(NULL, &out, &left, &right) == BL_ERR_SHAPE &&
           strstr(bl_error_message(), "size of tensor a (3)") != NULL &&
           strstr(bl_error_where(), "f32[3]") != NULL;
}

static bool is_silent(void)
{
    return bl_error_message()[0] == '\0' && bl_error_where()[0] == '\0';
}

/* ---- threads that end ---- */

struct ending {
    bool began_silent, worked;
    int32_t calls; /* calls of the destructors, all of which succeeded */
};

/* Keys created before the library's and after it: destructors run in some order. */
static pthread_key_t early, late;

static void end(void *value)
{
    struct ending *const ending = value;

    /* Once for each key: thread data that is created again here is freed, too. */
    if (adds() && fails() && adds())
        ending->calls++;
}

static void *run(void *value)
{
    struct ending *const ending = value;

    ending->began_silent = is_silent();
    ending->worked = adds() && fails() && adds();
    pthread_setspecific(early, ending);
    pthread_setspecific(late, ending);
    return NULL;
}

static void test_ends(void)
{
    struct ending ending[50] = {{false, false, 0}};
    bool silent = true, worked = true, ended = true, ran = true;
    pthread_t thread;

    for (int k = 0; k < 50; k++) {
        ran = ran && pthread_create(&thread, NULL, run, &ending[k]) == 0 &&
              pthread_join(thread, NULL) == 0;
        silent = silent && ending[k].began_silent;
        worked = worked && ending[k].worked;
        ended = ended && ending[k].calls == 2;
    }
    tap_ok(ran && silent, "a new thread has no error");
    tap_ok(ran && worked, "a thread computes, fails and computes");
    tap_ok(ran && ended, "so do destructors at its end");
    tap_ok(strstr(bl_error_message(), "size of tensor a (3)") != NULL,
           "another thread's end takes no error of this one");
}

/* ---- memory ---- */

static void test_own(void)
{
    static _Thread_local void *place, *none;
    const unsigned char *const memory = bli_thread_own(&place, 1000);
    bool zero = memory != NULL;

    for (int k = 0; zero && k < 1000; k++)
        zero = memory[k] == 0;
    tap_ok(zero && place == memory, "memory of a thread's is zero");
    errno = 7;
    tap_ok(!bli_thread_own(&none, SIZE_MAX / 4) && !none && errno == 7,
           "without memory there is none, and errno stays");
}

static void test_lend(void)
{
    char *const first = bli_thread_lend(10000), *const second = bli_thread_lend(100);
    char *third;

    tap_ok(first && second && ((uintptr_t)first | (uintptr_t)second) % 4096 == 0 &&
               (second + 100 <= first || first + 10000 <= second),
           "what is lent at once is apart, on pages of its own");
    memset(first, 1, 10000);
    bli_thread_return(first);
    third = bli_thread_lend(9000);
    tap_ok(third == first && third[8999] == 1, "what was returned is lent again");
    bli_thread_return(second);
    bli_thread_return(third);
    third = bli_thread_lend(20000);
    tap_ok(third != NULL, "more than was lent before");
    memset(third, 2, 20000);
    bli_thread_return(third);
    errno = 7;
    tap_ok(!bli_thread_lend(SIZE_MAX / 4) && errno == 7 &&
               strstr(bl_error_message(), "out of memory") != NULL,
           "without memory nothing is lent, and errno stays");
    bli_thread_return(NULL);
}

int main(void)
{
    tap_plan();
    if (pthread_key_create(&early, end) != 0)
        return 99;
    tap_ok(is_silent(), "no error before the first");
    tap_ok(adds() && is_silent(), "none after a call that worked");
    tap_ok(fails(), "an error's message and place");
    if (pthread_key_create(&late, end) != 0)
        return 99;
    test_ends();
    test_own();
    test_lend();
    return tap_done();
}
