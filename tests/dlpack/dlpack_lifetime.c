/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who owns memory that is given and taken by DLPack: when deleters run and on which
 * thread, and that nothing is left where an allocation fails.
 */
#include <broadloom.h>
#include <broadloom/dlpack.h>

#include <pthread.h>
#include <string.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"
#include "io/dlpack.h"

static float numbers[6] = {0, 1, 2, 3, 4, 5};
static int64_t shape[2];

/* ---- deleters ---- */

static int deleted;
static pthread_t deleted_on;

static void count_deletion(struct DLManagedTensorVersioned *self)
{
    deleted++;
    deleted_on = pthread_self();
    self->deleter = NULL;
}

/* A matrix of f32, of a later minor version. */
static struct DLManagedTensorVersioned lend(void)
{
    shape[0] = shape[1] = 2;
    deleted = 0;
    return (struct DLManagedTensorVersioned){
        .major = 1,
        .minor = 7,
        .deleter = count_deletion,
        .flags = 1 << 30,
        .tensor = {.data = numbers,
                   .device_type = BLI_DLPACK_CPU,
                   .ndim = 2,
                   .dtype = {BLI_DLPACK_FLOAT, 32, 1},
                   .shape = shape,
                   .byte_offset = 8}};
}

static void *release(void *tensor)
{
    bl_tensor_release(tensor);
    return NULL;
}

static void check_deleters(void)
{
    struct DLManagedTensorVersioned managed = lend();
    bl_tensor *tensor = NULL, *row = NULL;
    pthread_t other;

    tap_ok(bl_tensor_from_dlpack(NULL, &managed, &tensor) == BL_OK &&
               bl_tensor_data(tensor) == numbers + 2 &&
               bl_tensor_stride(tensor, 0) == 2 && bl_tensor_mutable_data(tensor),
           "a later minor version: null strides, a byte offset, an unknown flag");
    shape[0] = 99;
    tap_ok(bl_tensor_extent(tensor, 0) == 2, "the shape is a copy");
    tap_ok(bl_tensor_select(tensor, 0, 1, &row) == BL_OK && deleted == 0,
           "a view of it");
    bl_tensor_release(tensor);
    tap_ok(deleted == 0, "nothing is deleted while there is a view");
    tap_ok(pthread_create(&other, NULL, release, row) == 0 &&
               pthread_join(other, NULL) == 0 && deleted == 1 &&
               pthread_equal(deleted_on, other),
           "the deleter runs once, on the thread that releases the last view");

    managed = lend();
    managed.deleter = NULL;
    tap_ok(bl_tensor_from_dlpack(NULL, &managed, &tensor) == BL_OK, "no deleter");
    bl_tensor_release(tensor);
}

/* Many threads give and take one tensor. */
static void *trade(void *tensor)
{
    for (int i = 0; i < 500; i++) {
        struct DLManagedTensorVersioned *managed;
        bl_tensor *back;

        if (bl_tensor_to_dlpack(NULL, tensor, 0, &managed) != BL_OK ||
            bl_tensor_from_dlpack(NULL, managed, &back) != BL_OK)
            return NULL;
        bl_tensor_release(back);
    }
    return tensor;
}

static void check_threads(void)
{
    bl_tensor *tensor = NULL;
    pthread_t thread[8];
    int started = 0, traded = 0;

    tap_ok(bl_tensor_zeros(NULL, BL_DTYPE_F32, 2, (const int64_t[]){2, 3}, &tensor) ==
               BL_OK,
           "a tensor to trade");
    while (started < 8 && pthread_create(&thread[started], NULL, trade, tensor) == 0)
        started++;
    for (int i = 0; i < started; i++) {
        void *result = NULL;

        pthread_join(thread[i], &result);
        traded += result != NULL;
    }
    tap_ok(traded == 8, "eight threads give and take one tensor");
    bl_tensor_release(tensor);
}

/* ---- memory ---- */

static bl_status take(bl_context *ctx, bl_tensor *tensor)
{
    struct DLManagedTensorVersioned managed = lend();
    bl_tensor *out = NULL;
    const bl_status status = bl_tensor_from_dlpack(ctx, &managed, &out);

    (void)tensor;
    bl_tensor_release(out);
    return deleted == (status == BL_OK) ? status : BL_ERR_IO;
}

static bl_status give(bl_context *ctx, bl_tensor *tensor)
{
    struct DLManagedTensorVersioned *managed = NULL;
    const bl_status status = bl_tensor_to_dlpack(ctx, tensor, 0, &managed);

    if (managed)
        managed->deleter(managed);
    return (managed != NULL) == (status == BL_OK) ? status : BL_ERR_IO;
}

static bl_status give_copy(bl_context *ctx, bl_tensor *tensor)
{
    struct DLManagedTensor *managed = NULL;
    const bl_status status =
        bl_tensor_to_dlpack_unversioned(ctx, tensor, BL_DLPACK_COPY, &managed);

    if (managed)
        managed->deleter(managed);
    return (managed != NULL) == (status == BL_OK) ? status : BL_ERR_IO;
}

static void check_memory(void)
{
    static const struct {
        const char *what;
        bl_status (*run)(bl_context *ctx, bl_tensor *tensor);
        int least; /* at least this many requests are made */
    } calls[] = {{"taking", take, 1}, {"giving", give, 1}, {"a copy", give_copy, 2}};
    const struct DLManagedTensorVersioned given = lend();
    struct meter meter;
    bl_context *const ctx = meter_context(&meter);
    bl_array array;
    bl_tensor *tensor = NULL;

    tap_ok(bl_array_from_dlpack(&given.tensor, &array) == BL_OK &&
               bl_tensor_wrap(NULL, &array, NULL, NULL, &tensor) == BL_OK,
           "a tensor to give");
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        bl_status status = BL_ERR_MEMORY;
        int failures = -1;
        bool clean = true;

        while (status == BL_ERR_MEMORY && failures < 100) {
            meter.requests = 0;
            meter.fail_at = ++failures;
            deleted = 0;
            status = calls[k].run(ctx, tensor);
            clean = clean && meter.held == 0;
        }
        tap_ok(status == BL_OK && clean && failures >= calls[k].least,
               "%s survives each of %d allocations failing", calls[k].what, failures);
    }
    bl_tensor_release(tensor);
    bl_context_destroy(ctx);
}

int main(void)
{
    tap_plan();
    check_deleters();
    check_threads();
    check_memory();
    return tap_done();
}
