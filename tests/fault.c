/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation fails in turn: the call says so, gives back what it had, and writes
 * neither its output pointer nor memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "tap.h"

/* ---- an allocator that fails on request ---- */

struct faulty {
    int64_t calls;
    int64_t fails_at; /* the call that fails, from 0; -1: none */
    int64_t blocks;   /* not given back yet */
    int64_t bytes;
    bool is_confused; /* a block came back with another size */
};

/* What lies before each block: its size, and room up to the next alignment. */
enum { HEADER = 64 };

static void *faulty_allocate(void *user, size_t bytes, size_t alignment)
{
    struct faulty *faulty = user;
    unsigned char *memory;

    if (faulty->calls++ == faulty->fails_at || alignment > HEADER || bytes == 0)
        return NULL;
    memory = aligned_alloc(HEADER, HEADER + (bytes + HEADER - 1) / HEADER * HEADER);
    if (memory == NULL)
        return NULL;
    memcpy(memory, &bytes, sizeof bytes);
    faulty->blocks++;
    faulty->bytes += (int64_t)bytes;
    return memory + HEADER;
}

static void faulty_release(void *user, void *memory, size_t bytes)
{
    struct faulty *faulty = user;
    unsigned char *block = (unsigned char *)memory - HEADER;
    size_t had;

    memcpy(&had, block, sizeof had);
    faulty->is_confused = faulty->is_confused || had != bytes;
    faulty->blocks--;
    faulty->bytes -= (int64_t)had;
    free(block);
}

/* ---- calls ---- */

/* What the calls work on: x is a matrix, y another, both in `memory`. */
struct work {
    bl_context *ctx;
    float memory[64];
    bl_tensor *tensor; /* 4 x 4, allocated before faults begin */
    bl_tensor *result; /* what the call made, to be released */
    bl_plan *plan;
};

static const int64_t square[2] = {4, 4};
static const int64_t by_rows[2] = {4, 1};
static const int64_t by_columns[2] = {1, 4};

static bl_array matrix(struct work *work, const int64_t *stride, int64_t offset)
{
    return (bl_array){.data = work->memory + offset,
                      .dtype = BL_DTYPE_F32,
                      .rank = 2,
                      .extent = square,
                      .stride = stride};
}

static bl_status do_add(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);

    return bl_add(work->ctx, &x, &x, &work->result);
}

static bl_status do_cast(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);

    return bl_cast(work->ctx, &x, BL_DTYPE_F64, &work->result);
}

static bl_status do_add_transposed(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array turned = matrix(work, by_columns, 0);

    return bl_add_to(work->ctx, &x, &x, &turned);
}

static bl_status do_copy_both(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 1);
    const bl_array before = matrix(work, by_rows, 0);
    const bl_array after = matrix(work, by_rows, 2);

    return bl_sub_to(work->ctx, &x, &before, &after);
}

static bl_status do_plan(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array *const in[] = {&x, &x};

    return bl_plan_create(work->ctx, BL_OP_ADD, 2, in, &x, NULL, &work->plan);
}

static bl_status do_empty(struct work *work)
{
    return bl_tensor_empty(work->ctx, BL_DTYPE_I16, 2, square, &work->result);
}

static bl_status do_zeros(struct work *work)
{
    return bl_tensor_zeros(work->ctx, BL_DTYPE_C128, 2, square, &work->result);
}

static bl_status do_ones(struct work *work)
{
    return bl_tensor_ones(work->ctx, BL_DTYPE_BF16, 2, square, &work->result);
}

static bl_status do_full(struct work *work)
{
    return bl_tensor_full(work->ctx, BL_DTYPE_F32, 2, square, work->memory,
                          &work->result);
}

static bl_status do_arange(struct work *work)
{
    return bl_tensor_arange(work->ctx, BL_DTYPE_F64, 0, 10, 0.5, &work->result);
}

static bl_status do_rand(struct work *work)
{
    return bl_tensor_rand(work->ctx, BL_DTYPE_F32, 2, square, 1, &work->result);
}

static bl_status do_randn(struct work *work)
{
    return bl_tensor_randn(work->ctx, BL_DTYPE_F16, 2, square, 1, &work->result);
}

static bl_status do_wrap(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);

    return bl_tensor_wrap(work->ctx, &x, NULL, NULL, &work->result);
}

static bl_status do_clone(struct work *work)
{
    const bl_array turned = matrix(work, by_columns, 0);

    return bl_tensor_clone(work->ctx, &turned, &work->result);
}

static bl_status do_transpose(struct work *work)
{
    return bl_tensor_transpose(work->tensor, 0, 1, &work->result);
}

static bl_status do_expand(struct work *work)
{
    static const int64_t extent[3] = {7, 4, 4};

    return bl_tensor_expand(work->tensor, 3, extent, &work->result);
}

/* A reshape that has to copy: of a transposed tensor. */
static bl_status do_reshape(struct work *work)
{
    static const int64_t extent[1] = {16};
    bl_tensor *turned = NULL;
    bl_status status = bl_tensor_transpose(work->tensor, 0, 1, &turned);

    if (status == BL_OK)
        status = bl_tensor_reshape(work->ctx, turned, 1, extent, &work->result);
    bl_tensor_release(turned);
    return status;
}

static bl_status do_contiguous(struct work *work)
{
    bl_tensor *turned = NULL;
    bl_status status = bl_tensor_transpose(work->tensor, 0, 1, &turned);

    if (status == BL_OK)
        status = bl_tensor_contiguous(work->ctx, turned, &work->result);
    bl_tensor_release(turned);
    return status;
}

static const struct {
    const char *what;
    bl_status (*call)(struct work *work);
    int64_t allocations; /* at least */
} cases[] = {
    {"a new result", do_add, 2},
    {"a cast", do_cast, 2},
    {"an operand that overlaps the result", do_add_transposed, 1},
    {"two operands that overlap the result", do_copy_both, 2},
    {"a plan", do_plan, 1},
    {"an empty tensor", do_empty, 2},
    {"zeros", do_zeros, 2},
    {"ones", do_ones, 2},
    {"a full tensor", do_full, 2},
    {"a range", do_arange, 2},
    {"uniform random numbers", do_rand, 2},
    {"normal random numbers", do_randn, 2},
    {"wrapped memory", do_wrap, 1},
    {"a clone", do_clone, 2},
    {"a transposed view", do_transpose, 1},
    {"an expanded view", do_expand, 1},
    {"a reshape that copies", do_reshape, 3},
    {"a contiguous copy", do_contiguous, 3},
};

/* One call with the allocation numbered `fails_at` refused; *more while it was reached.
 */
static bool check_fault(size_t i, struct work *work, struct faulty *faulty, bool *more)
{
    float before[64];
    const int64_t blocks = faulty->blocks;
    bl_status status;
    bool pass;

    for (int32_t e = 0; e < 64; e++)
        before[e] = work->memory[e] = (float)e;
    work->result = NULL;
    work->plan = NULL;
    faulty->calls = 0;
    status = cases[i].call(work);
    *more = faulty->calls > faulty->fails_at;
    if (!*more) {
        pass = status == BL_OK && faulty->calls >= cases[i].allocations;
        bl_tensor_release(work->result);
        bl_plan_destroy(work->plan);
    } else {
        pass = status == BL_ERR_MEMORY && work->result == NULL && work->plan == NULL &&
               memcmp(before, work->memory, sizeof before) == 0 &&
               bl_error_message()[0] != '\0';
    }
    pass = pass && faulty->blocks == blocks && !faulty->is_confused;
    if (!pass)
        tap_note("allocation %" PRId64 " refused: status %d, \"%s\", %" PRId64
                 " blocks are left",
                 faulty->fails_at, (int)status, bl_error_message(),
                 faulty->blocks - blocks);
    return pass;
}

int main(void)
{
    struct faulty faulty = {.fails_at = -1};
    const bl_allocator allocator = {faulty_allocate, faulty_release, &faulty};
    struct work work = {0};

    tap_plan();
    if (!tap_ok(bl_context_create(&work.ctx) == BL_OK, "a context"))
        return tap_done();
    bl_context_set_allocator(work.ctx, &allocator);
    tap_ok(bl_tensor_ones(work.ctx, BL_DTYPE_F32, 2, square, &work.tensor) == BL_OK,
           "a tensor from an allocator of the caller's");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool pass = true;
        bool more = true;

        for (faulty.fails_at = 0; pass && more; faulty.fails_at++)
            pass = check_fault(i, &work, &faulty, &more);
        tap_ok(pass, "%s, each allocation refused in turn", cases[i].what);
    }
    bl_tensor_release(work.tensor);
    tap_ok(faulty.blocks == 0 && faulty.bytes == 0, "everything was given back");
    bl_context_destroy(work.ctx);
    return tap_done();
}
