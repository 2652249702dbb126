/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What DLPack can describe and is refused: nothing is made, nothing leaks, and the
 * caller owns the struct as before.
 */
#define _DEFAULT_SOURCE

#include <broadloom.h>
#include <broadloom/dlpack.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/tap.h"
#include "io/dlpack.h"

static float numbers[8];
static int64_t shape[BL_MAX_RANK + 1] = {2, 2};
static int64_t stride[BL_MAX_RANK + 1] = {2, 1};
static int deleted;

static void count_deletion(struct DLManagedTensorVersioned *self)
{
    (void)self;
    deleted++;
}

static void count_unversioned(struct DLManagedTensor *self)
{
    (void)self;
    deleted++;
}

/* A matrix of f32 that is taken as it is. */
static struct bli_dlpack matrix(void)
{
    for (int32_t d = 0; d <= BL_MAX_RANK; d++)
        shape[d] = d < 2 ? 2 : 1;
    stride[0] = 2, stride[1] = 1;
    return (struct bli_dlpack){.data = numbers,
                               .device_type = BLI_DLPACK_CPU,
                               .ndim = 2,
                               .dtype = {BLI_DLPACK_FLOAT, 32, 1},
                               .shape = shape,
                               .strides = stride};
}

/* A fault: a member of the struct, and its value. */
enum member { DEVICE, NDIM, CODE, BITS, LANES, SHAPE, DATA, OFFSET, EXTENT, STRIDE };

static const struct {
    const char *what;
    enum member member;
    int64_t value;
    bl_status status;
    const char *says;
} faults[] = {
    {"memory of a GPU", DEVICE, 2, BL_ERR_UNSUPPORTED, "device 2:0, not of the CPU"},
    {"device 0", DEVICE, 0, BL_ERR_UNSUPPORTED, "device 0:0"},
    {"4 lanes", LANES, 4, BL_ERR_UNSUPPORTED, "4 lanes"},
    {"no lanes", LANES, 0, BL_ERR_UNSUPPORTED, "0 lanes"},
    {"a handle", CODE, 3, BL_ERR_UNSUPPORTED, "code 3 with 32 bits"},
    {"float8_e4m3fn", CODE, 10, BL_ERR_UNSUPPORTED, "code 10"},
    {"bool of 32 bits", CODE, 6, BL_ERR_UNSUPPORTED, "code 6 with 32 bits"},
    {"complex of 32 bits", CODE, 5, BL_ERR_UNSUPPORTED, "code 5 with 32 bits"},
    {"bfloat of 32 bits", CODE, 4, BL_ERR_UNSUPPORTED, "code 4 with 32 bits"},
    {"code 255", CODE, 255, BL_ERR_UNSUPPORTED, "code 255"},
    {"float of 128 bits", BITS, 128, BL_ERR_UNSUPPORTED, "128 bits"},
    {"float of 8 bits", BITS, 8, BL_ERR_UNSUPPORTED, "8 bits"},
    {"no bits", BITS, 0, BL_ERR_UNSUPPORTED, "0 bits"},
    {"-1 dimensions", NDIM, -1, BL_ERR_ARGUMENT, "rank -1"},
    {"65 dimensions", NDIM, 65, BL_ERR_UNSUPPORTED, "65 dimensions, more than 64"},
    {"2^31 - 1 dimensions", NDIM, INT32_MAX, BL_ERR_UNSUPPORTED, "2147483647"},
    {"no shape", SHAPE, 0, BL_ERR_ARGUMENT, "extent is null"},
    {"no data", DATA, 0, BL_ERR_ARGUMENT, "data is null"},
    {"a byte offset of 2", OFFSET, 2, BL_ERR_ARGUMENT, "not aligned to 4 bytes"},
    {"a byte offset of 2^64 - 4", OFFSET, -4, BL_ERR_OVERFLOW, "18446744073709551612"},
    {"a byte offset of 2^63 - 1", OFFSET, INT64_MAX, BL_ERR_ARGUMENT, "not aligned"},
    {"a byte offset beyond memory", OFFSET, INT64_MIN, BL_ERR_OVERFLOW,
     "9223372036854775808"},
    {"an extent of -1", EXTENT, -1, BL_ERR_ARGUMENT, "-1 of dimension 0 is negative"},
    {"an extent of 2^62", EXTENT, INT64_C(1) << 62, BL_ERR_OVERFLOW, "do not fit"},
    {"a stride of 2^63 - 1", STRIDE, INT64_MAX, BL_ERR_OVERFLOW, "do not fit"},
    {"a stride of -2^63", STRIDE, INT64_MIN, BL_ERR_OVERFLOW, "do not fit"},
};

static struct bli_dlpack faulty(enum member member, int64_t value)
{
    struct bli_dlpack tensor = matrix();

    switch (member) {
    case DEVICE:
        tensor.device_type = (int32_t)value;
        break;
    case NDIM:
        tensor.ndim = (int32_t)value;
        break;
    case CODE:
        tensor.dtype.code = (uint8_t)value;
        break;
    case BITS:
        tensor.dtype.bits = (uint8_t)value;
        break;
    case LANES:
        tensor.dtype.lanes = (uint16_t)value;
        break;
    case SHAPE:
        tensor.shape = NULL;
        break;
    case DATA:
        tensor.data = NULL;
        break;
    case OFFSET:
        tensor.byte_offset = (uint64_t)value;
        break;
    case EXTENT:
        shape[0] = value;
        break;
    default:
        stride[0] = value;
    }
    return tensor;
}

static bool is_refused(bl_status status, const char *call, size_t k)
{
    const bool named = strncmp(bl_error_where(), call, strlen(call)) == 0 &&
                       bl_error_where()[strlen(call)] == '(';

    if (status == faults[k].status && named && deleted == 0 &&
        strstr(bl_error_message(), faults[k].says))
        return true;
    tap_note("%s: status %d, %s: %s", call, (int)status, bl_error_where(),
             bl_error_message());
    return false;
}

static void check_faults(void)
{
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        const struct bli_dlpack tensor = faulty(faults[k].member, faults[k].value);
        const bool is_data =
            strstr(faults[k].says, "aligned") || faults[k].member == DATA;
        struct DLManagedTensorVersioned versioned = {
            .major = 1, .deleter = count_deletion, .tensor = tensor};
        struct DLManagedTensor unversioned = {tensor, NULL, count_unversioned};
        bl_array array = {.rank = 77};
        bl_tensor *out = NULL;
        bool pass = is_refused(bl_tensor_from_dlpack(NULL, &versioned, &out),
                               "bl_tensor_from_dlpack", k);

        pass = pass &&
               is_refused(bl_tensor_from_dlpack_unversioned(NULL, &unversioned, &out),
                          "bl_tensor_from_dlpack_unversioned", k);
        /* Calls that access an array check its data. */
        if (!is_data)
            pass = pass && is_refused(bl_array_from_dlpack(&tensor, &array),
                                      "bl_array_from_dlpack", k);
        tap_ok(pass && !out && array.rank == (is_data ? array.rank : 77),
               "%s is refused", faults[k].what);
    }
}

/* What every major version begins with. */
struct beginning {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct DLManagedTensorVersioned *self);
};

/* Of another major version nothing else is read: it ends where no page follows. */
static void check_versions(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0) {
        tap_skip("no pages", "other major versions");
        return;
    }

    void *const end = pages + page - sizeof(struct beginning);
    for (uint32_t major = 0; major <= 2; major += 2) {
        struct beginning *const managed = end;
        bl_tensor *out = NULL;

        *managed = (struct beginning){major, 3, NULL, count_deletion};
        deleted = 0;
        tap_ok(bl_tensor_from_dlpack(NULL, end, &out) == BL_ERR_UNSUPPORTED && !out &&
                   deleted == 0 && strstr(bl_error_message(), ".3 of DLPack, not 1.x"),
               "version %u.3 is refused: %s", (unsigned)major, bl_error_message());
        managed->deleter(end);
        tap_ok(deleted == 1, "and its deleter can be called");
    }
    deleted = 0;
    munmap(pages, 2 * page);
}

/* A tensor of no elements needs no data, and one without dimensions no shape. */
static void check_nothing(void)
{
    struct DLManagedTensorVersioned managed = {
        .major = 1, .deleter = count_deletion, .tensor = matrix()};
    bl_tensor *out = NULL;

    shape[0] = 0;
    managed.tensor.data = NULL;
    managed.tensor.byte_offset = 4;
    tap_ok(bl_tensor_from_dlpack(NULL, &managed, &out) == BL_OK &&
               bl_tensor_numel(out) == 0 && !bl_tensor_data(out),
           "no elements, and no data");
    bl_tensor_release(out);
    managed.tensor = matrix();
    managed.tensor.ndim = 0;
    managed.tensor.shape = managed.tensor.strides = NULL;
    tap_ok(bl_tensor_from_dlpack(NULL, &managed, &out) == BL_OK &&
               bl_tensor_numel(out) == 1 && bl_tensor_rank(out) == 0,
           "no dimensions, and no shape");
    bl_tensor_release(out);
    tap_ok(deleted == 2, "both are given back");
    deleted = 0;
}

/* ---- arguments ---- */

static void check_arguments(void)
{
    struct DLManagedTensorVersioned managed = {
        .major = 1, .deleter = count_deletion, .tensor = matrix()};
    struct DLManagedTensorVersioned *given = NULL;
    struct DLManagedTensor *unversioned = NULL;
    bl_tensor *tensor = NULL;
    bl_array array;

    tap_ok(bl_tensor_from_dlpack(NULL, NULL, &tensor) == BL_ERR_ARGUMENT &&
               bl_tensor_from_dlpack_unversioned(NULL, NULL, &tensor) ==
                   BL_ERR_ARGUMENT &&
               bl_array_from_dlpack(NULL, &array) == BL_ERR_ARGUMENT,
           "null is refused");
    tap_ok(bl_tensor_from_dlpack(NULL, &managed, NULL) == BL_ERR_ARGUMENT &&
               bl_array_from_dlpack(&managed.tensor, NULL) == BL_ERR_ARGUMENT &&
               deleted == 0,
           "a null result is refused");

    managed.flags = BLI_DLPACK_READ_ONLY;
    const bl_status taken = bl_tensor_from_dlpack(NULL, &managed, &tensor);
    tap_ok(taken == BL_OK && !bl_tensor_mutable_data(tensor) &&
               bl_fill(NULL, bl_tensor_array(tensor), bl_scalar_i64(1)) ==
                   BL_ERR_ARGUMENT,
           "read-only memory is no result");
    tap_ok(bl_tensor_to_dlpack_unversioned(NULL, tensor, 0, &unversioned) ==
                   BL_ERR_UNSUPPORTED &&
               !unversioned && strstr(bl_error_message(), "read-only"),
           "and not given without a version: %s", bl_error_message());
    tap_ok(bl_tensor_to_dlpack(NULL, tensor, 0, &given) == BL_OK &&
               given->flags == BLI_DLPACK_READ_ONLY,
           "it is given as read-only");
    given->deleter(given);
    given = NULL;
    tap_ok(bl_tensor_to_dlpack(NULL, NULL, 0, &given) == BL_ERR_ARGUMENT &&
               bl_tensor_to_dlpack(NULL, tensor, 0, NULL) == BL_ERR_ARGUMENT &&
               bl_tensor_to_dlpack_unversioned(NULL, tensor, 1, NULL) ==
                   BL_ERR_ARGUMENT,
           "no tensor and no result");
    tap_ok(bl_tensor_to_dlpack(NULL, tensor, 6, &given) == BL_ERR_ARGUMENT && !given &&
               strstr(bl_error_message(), "flags: unknown bits 0x6"),
           "unknown flags are refused");
    bl_tensor_release(tensor);
    tap_ok(deleted == 1, "what was taken is given back");
    deleted = 0;
}

static void check_borrowed(void)
{
    const struct bli_dlpack tensor = matrix();
    bl_array array;
    float sum = 0;
    const bl_array out = {&sum, BL_DTYPE_F32, 0, NULL, NULL, 0};

    for (int32_t k = 0; k < 4; k++)
        numbers[k] = (float)k;
    tap_ok(bl_array_from_dlpack(&tensor, &array) == BL_OK && array.extent == shape &&
               array.stride == stride && array.data == numbers &&
               bl_sum_out(NULL, &out, &array, 0, NULL, false) == BL_OK && sum == 6,
           "a borrowed tensor is an operand");
}

int main(void)
{
    tap_plan();
    check_faults();
    check_versions();
    check_nothing();
    check_arguments();
    check_borrowed();
    return tap_done();
}
