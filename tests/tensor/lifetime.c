/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lifetime of memory: references, views, deleters, threads.
 */
#include <broadloom.h>

#include <pthread.h>
#include <stdlib.h>

#include "harness/tap.h"

#define CHECK(call) check((call), #call)

static void check(bl_status status, const char *call)
{
    if (status != BL_OK) {
        tap_note("%s: %s", call, bl_error_message());
        abort();
    }
}

static const int64_t extent_23[] = {2, 3};
static float wrapped[6];
static const bl_array wrapped_array = {wrapped, BL_DTYPE_F32, 2, extent_23, NULL, 0};

static int deleted;
static void *deleted_data;

static void count_deletion(void *user, void *data)
{
    *(int *)user += 1;
    deleted_data = data;
}

static void test_deleter(void)
{
    bl_tensor *tensor, *row, *element, *again;

    deleted = 0;
    CHECK(bl_tensor_wrap(NULL, &wrapped_array, count_deletion, &deleted, &tensor));
    CHECK(bl_tensor_select(tensor, 0, 1, &row));
    CHECK(bl_tensor_select(row, 0, -1, &element));
    again = bl_tensor_retain(tensor);
    tap_ok(again == tensor, "retain gives the same handle");
    bl_tensor_release(tensor);
    bl_tensor_release(again);
    bl_tensor_release(row);
    tap_ok(deleted == 0, "memory stays while a view of a view is alive");
    tap_ok(bl_tensor_array(element)->data == &wrapped[5], "which is the last element");
    bl_tensor_release(element);
    tap_ok(deleted == 1 && deleted_data == wrapped,
           "the deleter is called once, with the wrapped address");

    bl_array wrong = wrapped_array;

    wrong.dtype = BL_DTYPE_NONE;
    tap_ok(bl_tensor_wrap(NULL, &wrong, count_deletion, &deleted, &tensor) ==
                   BL_ERR_ARGUMENT &&
               deleted == 1,
           "a refused wrap leaves the memory to the caller");
}

/* ---- threads ---- */

enum { THREADS = 8, ROUNDS = 2000 };

static void *share(void *argument)
{
    bl_tensor *const tensor = argument;

    for (int i = 0; i < ROUNDS; i++) {
        bl_tensor *view;

        if (bl_tensor_select(bl_tensor_retain(tensor), 0, i % 2, &view) != BL_OK)
            return NULL;
        bl_tensor_release(tensor);
        bl_tensor_release(view);
    }
    bl_tensor_release(tensor);
    return argument;
}

static void test_threads(void)
{
    pthread_t thread[THREADS];
    bl_tensor *tensor;
    bool pass = true;

    deleted = 0;
    CHECK(bl_tensor_wrap(NULL, &wrapped_array, count_deletion, &deleted, &tensor));
    for (int i = 0; i < THREADS; i++)
        pass = pthread_create(&thread[i], NULL, share, bl_tensor_retain(tensor)) == 0 &&
               pass;
    bl_tensor_release(tensor);
    for (int i = 0; i < THREADS; i++) {
        void *result;

        pass = pthread_join(thread[i], &result) == 0 && result != NULL && pass;
    }
    tap_ok(pass && deleted == 1, "%d threads retain, view and release: deleted once",
           THREADS);
}

/* Two handles on one tensor, and memory without a deleter. */
static void test_contiguous(void)
{
    bl_tensor *tensor, *same, *turned, *compact;

    CHECK(bl_tensor_wrap(NULL, &wrapped_array, NULL, NULL, &tensor));
    CHECK(bl_tensor_contiguous(NULL, tensor, &same));
    CHECK(bl_tensor_transpose(tensor, 0, 1, &turned));
    CHECK(bl_tensor_contiguous(NULL, turned, &compact));
    tap_ok(same == tensor, "a contiguous tensor is its own contiguous form");
    tap_ok(bl_tensor_array(compact)->data != wrapped &&
               bl_tensor_array(compact)->stride[0] == 2,
           "a transposed one is copied");
    bl_tensor_release(compact);
    bl_tensor_release(turned);
    bl_tensor_release(same);
    tap_ok(bl_tensor_array(tensor)->data == wrapped, "and the first stays");
    bl_tensor_release(tensor);
}

int main(void)
{
    tap_plan();
    test_deleter();
    test_contiguous();
    test_threads();
    return tap_done();
}
