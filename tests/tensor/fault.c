/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation fails in turn: the call reports it, releases what it had, and writes
 * neither its output pointer nor memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "harness/tap.h"

/* ---- an allocator that fails on request ---- */

struct faulty {
    int64_t calls;
    int64_t fails_at; /* the request that fails, from 0; -1: none */
    int64_t blocks;   /* not released yet */
    int64_t bytes;
    bool is_confused; /* a block was released with another size */
};

/* Bytes before each block for its size, and padding to the next alignment. */
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

static void faulty_release(void *user, void *memory, size_t bytes, size_t alignment)
{
    struct faulty *faulty = user;
    unsigned char *block = (unsigned char *)memory - HEADER;
    size_t had;

    memcpy(&had, block, sizeof had);
    faulty->is_confused = faulty->is_confused || had != bytes || alignment > HEADER;
    faulty->blocks--;
    faulty->bytes -= (int64_t)had;
    free(block);
}

/* Make one call with allocation `fails_at` failing; *more is set if it was reached. */
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
    status = fault_cases[i].call(work);
    *more = faulty->calls > faulty->fails_at;
    if (!*more) {
        pass = status == BL_OK && faulty->calls >= fault_cases[i].allocations;
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
    static const int64_t square[2] = {4, 4};
    struct faulty faulty = {.fails_at = -1};
    const bl_allocator allocator = {faulty_allocate, faulty_release, &faulty};
    struct work work = {0};

    tap_plan();
    if (!tap_ok(bl_context_create(&work.ctx) == BL_OK, "a context"))
        return tap_done();
    BL_IGNORE(bl_context_set_allocator(work.ctx, &allocator));
    tap_ok(bl_tensor_ones(work.ctx, BL_DTYPE_F32, 2, square, &work.tensor) == BL_OK,
           "a tensor from an allocator of the caller's");
    for (size_t i = 0; i < fault_cases_count; i++) {
        bool pass = true;
        bool more = true;

        for (faulty.fails_at = 0; pass && more; faulty.fails_at++)
            pass = check_fault(i, &work, &faulty, &more);
        tap_ok(pass, "%s, each allocation refused in turn", fault_cases[i].what);
    }
    bl_tensor_release(work.tensor);
    tap_ok(faulty.blocks == 0 && faulty.bytes == 0, "everything was given back");
    bl_context_destroy(work.ctx);
    return tap_done();
}
