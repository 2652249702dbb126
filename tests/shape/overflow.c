/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes beyond 32 and 64 bits: what does not fit is refused before anything is
 * allocated; what fits is right, in memory that is mostly not resident; broadcast
 * dimensions take no memory.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include <broadloom.h>

#include "harness/tap.h"

/* ---- shapes that do not fit ---- */

static const struct {
    const char *what;
    bl_dtype dtype;
    int32_t rank;
    int64_t extent[4];
    bl_status status; /* of a new tensor; BL_OK only where it is empty */
} shapes[] = {
    {"a count of 2^64",
     BL_DTYPE_I8,
     2,
     {INT64_C(1) << 32, INT64_C(1) << 32},
     BL_ERR_OVERFLOW},
    {"a count that wraps to a small one",
     BL_DTYPE_I8,
     3,
     {INT64_C(1) << 32, INT64_C(1) << 31, 6},
     BL_ERR_OVERFLOW},
    {"bytes of 2^63", BL_DTYPE_F64, 1, {INT64_C(1) << 60}, BL_ERR_OVERFLOW},
    {"bytes of 2^64",
     BL_DTYPE_C128,
     2,
     {INT64_C(1) << 30, INT64_C(1) << 30},
     BL_ERR_OVERFLOW},
    {"the largest extent of wide elements",
     BL_DTYPE_C64,
     1,
     {INT64_MAX},
     BL_ERR_OVERFLOW},
    {"the largest extent of bytes", BL_DTYPE_U8, 1, {INT64_MAX}, BL_ERR_MEMORY},
    {"large extents and an empty one",
     BL_DTYPE_F64,
     3,
     {INT64_MAX, INT64_MAX, 0},
     BL_OK},
    {"an empty extent and large ones",
     BL_DTYPE_F64,
     3,
     {0, INT64_MAX, INT64_MAX},
     BL_OK},
};

static void check_shapes(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        bl_tensor *tensor = NULL;
        const bl_status status = bl_tensor_empty(NULL, shapes[i].dtype, shapes[i].rank,
                                                 shapes[i].extent, &tensor);

        if (!tap_ok(status == shapes[i].status && (tensor != NULL) == (status == BL_OK),
                    "a tensor: %s", shapes[i].what))
            tap_note("status %d: %s", (int)status, bl_error_message());
        bl_tensor_release(tensor);
    }
}

/* Results that broadcasting would make too large, from small operands. */
static void check_results(void)
{
    static const struct {
        const char *what;
        bl_op op;
        bl_dtype dtype;
        int64_t rows;
        int64_t columns;
        bl_status fresh; /* of a new result */
        bl_status plan;  /* of a plan for a compact result */
    } cases[] = {
        {"2^66 elements", BL_OP_ADD, BL_DTYPE_I8, INT64_C(1) << 33, INT64_C(1) << 33,
         BL_ERR_OVERFLOW, BL_ERR_OVERFLOW},
        {"2^62 elements of 8 bytes", BL_OP_ADD, BL_DTYPE_F64, INT64_C(1) << 31,
         INT64_C(1) << 31, BL_ERR_OVERFLOW, BL_ERR_OVERFLOW},
        {"2^62 elements of 1 byte", BL_OP_ADD, BL_DTYPE_U8, INT64_C(1) << 31,
         INT64_C(1) << 31, BL_ERR_MEMORY, BL_OK},
        {"2^59 booleans of wide operands", BL_OP_EQ, BL_DTYPE_C128, INT64_C(1) << 30,
         INT64_C(1) << 29, BL_ERR_MEMORY, BL_OK},
    };
    static double number[2];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t column[2] = {cases[i].rows, 1};
        const int64_t repeated[2] = {0, 0};
        const bl_array a = {number, cases[i].dtype, 2, column, repeated, 0};
        const bl_array b = {number, cases[i].dtype, 1, &cases[i].columns, repeated, 0};
        const bl_array *const in[] = {&a, &b};
        bl_tensor *tensor = NULL;
        bl_plan *plan = NULL;
        bl_plan_info info = {.size = sizeof info};
        const bl_status fresh = bl_apply_new(NULL, cases[i].op, 2, in, NULL, &tensor);
        bl_status made;

        if (!tap_ok(fresh == cases[i].fresh && tensor == NULL, "a new result of %s",
                    cases[i].what))
            tap_note("status %d: %s", (int)fresh, bl_error_message());
        made = bl_plan_create(NULL, cases[i].op, NULL, 2, in, NULL, &plan);
        if (made == BL_OK)
            made = bl_plan_query(plan, &info);
        if (!tap_ok(
                made == cases[i].plan &&
                    (made != BL_OK || info.numel == cases[i].rows * cases[i].columns),
                "a plan of %s", cases[i].what))
            tap_note("status %d, count %" PRId64 ": %s", (int)made, info.numel,
                     bl_error_message());
        bl_plan_destroy(plan);
    }
}

/* Parts of a plan of 2^62 elements are adjacent, and cover it. */
static void check_ranges(void)
{
    static const int32_t parts[] = {1, 2, 3, 7, 1024, INT32_MAX};
    const int64_t extent[2] = {INT64_C(1) << 31, INT64_C(1) << 31};
    const int64_t repeated[2] = {0, 0};
    const bl_array a = {NULL, BL_DTYPE_U8, 2, extent, repeated, 0};
    const bl_array *const in[] = {&a};
    bl_plan *plan = NULL;

    if (!tap_ok(bl_plan_create(NULL, BL_OP_NEG, NULL, 1, in, NULL, &plan) == BL_OK,
                "a plan of 2^62 elements"))
        return;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool pass = true;
        bl_range range = {0, 0};
        int64_t end = 0;

        for (int32_t part = 0; pass && part < parts[i] && part < 5000; part++) {
            pass = bl_plan_range(plan, part, parts[i], &range) == BL_OK &&
                   range.begin == end && range.end >= range.begin;
            end = range.end;
        }
        pass = pass && bl_plan_range(plan, parts[i] - 1, parts[i], &range) == BL_OK &&
               range.end == INT64_C(1) << 62 && range.begin <= range.end;
        tap_ok(pass, "its ranges among %" PRId32 " parts", parts[i]);
    }
    bl_plan_destroy(plan);
}

/*
 * Overlapping windows: more elements than their memory has, too many to count their
 * bytes.
 */
static void check_windows(void)
{
    const int64_t extent[2] = {INT64_C(1) << 31, INT64_C(1) << 31};
    const int64_t shared[2] = {1, 1};
    const bl_array a = {NULL, BL_DTYPE_C128, 2, extent, shared, 0};
    const bl_array *const in[] = {&a, &a};
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan = NULL;

    tap_ok(bl_plan_create(NULL, BL_OP_EQ, NULL, 2, in, NULL, &plan) == BL_OK &&
               bl_plan_query(plan, &info) == BL_OK && info.numel == INT64_C(1) << 62 &&
               info.bytes == INT64_MAX,
           "bytes that 64 bits cannot count are reported as the most they can");
    bl_plan_destroy(plan);
}

/* ---- memory that is mostly not resident ---- */

enum { SPACE_GIB = 24 };

/* One operand has widely spaced elements: x - y into z, all in one reserved space. */
static bool check_far(unsigned char *space, int64_t stride, int64_t offset)
{
    enum { ROWS = 4, COLUMNS = 5 };
    const int64_t extent[2] = {ROWS, COLUMNS};
    const int64_t far[2] = {stride, 7};
    double *const base = (double *)(void *)space;
    double y[ROWS * COLUMNS];
    const bl_array x = {base + offset, BL_DTYPE_F64, 2, extent, far, 0};
    const bl_array close = {y, BL_DTYPE_F64, 2, extent, NULL, 0};
    const bl_array z = {base + offset + 3, BL_DTYPE_F64, 2, extent, far, 0};

    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        y[i] = (double)(i + 1);
        base[offset + i / COLUMNS * stride + i % COLUMNS * 7] = (double)(100 * i);
    }
    if (bl_sub_out(NULL, &z, &x, &close) != BL_OK ||
        bl_sub_out(NULL, &close, &close, &z) != BL_OK) {
        tap_note("%s", bl_error_message());
        return false;
    }
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const double difference = (double)(100 * i) - (double)(i + 1);
        const double got = base[offset + 3 + i / COLUMNS * stride + i % COLUMNS * 7];

        if (got != difference || y[i] != (double)(i + 1) - difference)
            return false;
    }
    return true;
}

static void check_sparse(void)
{
    static const struct {
        int64_t stride; /* of rows, in elements of 8 bytes */
        int64_t offset;
    } cases[] = {
        {(INT64_C(1) << 29) + 17, 0},                            /* 4 GiB and some */
        {(INT64_C(1) << 29) * 3 / 2, 64},                        /* 6 GiB */
        {-((INT64_C(1) << 29) + 11), (INT64_C(3) << 29) + 4096}, /* backwards */
        {INT64_C(1) << 28, 5},                                   /* just 2 GiB */
    };
    unsigned char *space = mmap(NULL, (size_t)SPACE_GIB << 30, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (space == MAP_FAILED)
            tap_skip("no address space to reserve", "rows %" PRId64 " elements apart",
                     cases[i].stride);
        else
            tap_ok(check_far(space, cases[i].stride, cases[i].offset),
                   "rows %" PRId64 " elements apart", cases[i].stride);
    }
    if (space != MAP_FAILED)
        munmap(space, (size_t)SPACE_GIB << 30);
}

int main(void)
{
    tap_plan();
    check_shapes();
    check_results();
    check_ranges();
    check_windows();
    check_sparse();
    return tap_done();
}
