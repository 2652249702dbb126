/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function that creates a tensor: which allocator it uses, and that nothing is
 * left when each allocation fails in turn.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

#define CHECK(call) check((call), #call)

static void check(bl_status status, const char *call)
{
    if (status != BL_OK) {
        tap_note("%s: %s", call, bl_error_message());
        abort();
    }
}

/* ---- an allocator that counts, and fails after `left` requests ---- */

struct ledger {
    int64_t left;
    int64_t live;
    size_t bytes;
    char *last, *end; /* of the block that was allocated last */
};

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    struct ledger *const ledger = user;

    if (ledger->left-- <= 0)
        return NULL;
    ledger->live++;
    ledger->bytes += bytes + alignment;
    ledger->last =
        aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    ledger->end = ledger->last + bytes;
    return ledger->last;
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    struct ledger *const ledger = user;

    ledger->live--;
    ledger->bytes -= bytes + alignment;
    free(memory);
}

/* ---- every function that creates a tensor ---- */

static const int64_t extent_23[] = {2, 3};
static const int64_t extent_32[] = {3, 2};
static const int64_t extent_423[] = {4, 2, 3};
static const int32_t swapped[] = {1, 0};

/* `at` is f32[2,3], `bt` f32[3,2]: a transposed, and therefore not compact. */
static bl_context *ctx;
static bl_tensor *at, *bt;

#define MAKER(name, call)                                                              \
    static bl_status make_##name(bl_tensor **out)                                      \
    {                                                                                  \
        return call;                                                                   \
    }
#define CREATED(name, ...) MAKER(name, bl_tensor_##name(ctx, __VA_ARGS__, out))
#define VIEWED(name, ...)  MAKER(name, bl_tensor_##name(at, __VA_ARGS__, out))

static const float full_value = 7.0f;
static float wrapped[6];
static const bl_array wrapped_array = {wrapped, BL_DTYPE_F32, 2, extent_23, NULL, 0};

CREATED(empty, BL_DTYPE_F32, 2, extent_23)
CREATED(zeros, BL_DTYPE_I8, 2, extent_23)
CREATED(ones, BL_DTYPE_C128, 2, extent_23)
CREATED(full, BL_DTYPE_F32, 2, extent_23, &full_value)
CREATED(arange, BL_DTYPE_I32, 0.0, 10.0, 1.0)
CREATED(rand, BL_DTYPE_F32, 2, extent_23, 1)
CREATED(randn, BL_DTYPE_F64, 2, extent_23, 1)
CREATED(wrap, &wrapped_array, NULL, NULL)
CREATED(clone, bl_tensor_array(bt))
CREATED(contiguous, bt)
MAKER(reshape_copies, bl_tensor_reshape(ctx, bt, 2, extent_23, out))
MAKER(reshape_views, bl_tensor_reshape(ctx, at, 2, extent_32, out))
MAKER(add, bl_add(ctx, bl_tensor_array(at), bl_tensor_array(at), out))
MAKER(cast, bl_cast(ctx, bl_tensor_array(at), BL_DTYPE_F64, out))
VIEWED(expand, 3, extent_423)
VIEWED(broadcast_to, 3, extent_423)
VIEWED(unsqueeze, 0)
VIEWED(squeeze, 0)
MAKER(squeeze_all, bl_tensor_squeeze_all(at, out))
VIEWED(permute, swapped)
VIEWED(transpose, 0, 1)
VIEWED(select, 0, 1)
VIEWED(narrow, 1, 1, 2)
VIEWED(slice, 1, BL_SLICE_END, BL_SLICE_END, 2)
VIEWED(flip, 0)
VIEWED(view, 2, extent_32)
VIEWED(place_dims, 2, (const int32_t[]){0, 1})

static const struct {
    const char *name;
    bl_status (*make)(bl_tensor **out);
    bool shares; /* with `at` */
} makers[] = {
#define ROW(name, shares)                                                              \
    {                                                                                  \
#name, make_##name, shares                                                     \
    }
    ROW(empty, false),
    ROW(zeros, false),
    ROW(ones, false),
    ROW(full, false),
    ROW(arange, false),
    ROW(rand, false),
    ROW(randn, false),
    ROW(wrap, false),
    ROW(clone, false),
    ROW(contiguous, false),
    ROW(reshape_copies, false),
    ROW(add, false),
    ROW(cast, false),
    ROW(reshape_views, true),
    ROW(expand, true),
    ROW(broadcast_to, true),
    ROW(unsqueeze, true),
    ROW(squeeze, true),
    ROW(squeeze_all, true),
    ROW(permute, true),
    ROW(transpose, true),
    ROW(select, true),
    ROW(narrow, true),
    ROW(slice, true),
    ROW(flip, true),
    ROW(view, true),
    ROW(place_dims, true),
#undef ROW
};
enum { MAKERS = sizeof makers / sizeof makers[0] };

/* Fail allocation 0, then 1, ..., until the call succeeds. */
static void test_failing_allocations(struct ledger *ledger)
{
    const int64_t live = ledger->live;
    const size_t bytes = ledger->bytes;

    for (int i = 0; i < MAKERS; i++) {
        bl_tensor *out = NULL;
        int64_t failures = 0;
        bool pass = true;

        for (ledger->left = 0; makers[i].make(&out) != BL_OK;
             ledger->left = ++failures) {
            pass =
                pass && out == NULL && ledger->live == live && ledger->bytes == bytes;
            if (failures > 100)
                break;
        }
        ledger->left = INT64_MAX;
        pass = pass && failures > 0 && failures <= 100 && out != NULL;
        bl_tensor_release(out);
        tap_ok(pass && ledger->live == live && ledger->bytes == bytes,
               "%s leaves nothing behind when any of its %" PRId64
               " allocations fails, nor after release",
               makers[i].name, failures);
    }
    tap_ok(bl_error_message()[0] != '\0', "and says so: %s", bl_error_message());
}

static void test_shared_storage(void)
{
    for (int i = 0; i < MAKERS; i++) {
        bl_tensor *out;

        CHECK(makers[i].make(&out));
        tap_ok(bl_tensor_shares_storage(at, out) == makers[i].shares &&
                   bl_tensor_shares_storage(out, at) == makers[i].shares,
               "%s %s memory", makers[i].name,
               makers[i].shares ? "shares" : "has its own");
        bl_tensor_release(out);
    }
    tap_ok(!bl_tensor_shares_storage(NULL, at) && !bl_tensor_shares_storage(at, NULL),
           "null shares nothing");
}

/*
 * Elements are aligned, lie within the block that was allocated last, and may all be
 * written: their shape stays as it is.
 */
static bool is_placed(const struct ledger *ledger, int32_t rank, int64_t many)
{
    int64_t extent[BL_MAX_RANK];
    bl_tensor *made = NULL;

    for (int32_t d = 0; d < rank; d++)
        extent[d] = d == rank / 2 ? many : 1;
    CHECK(bl_tensor_empty(ctx, BL_DTYPE_U8, rank, extent, &made));

    char *const data = bl_tensor_mutable_data(made);
    const int64_t count = rank > 0 ? many : 1;
    bool pass = bl_tensor_numel(made) == count && bl_tensor_rank(made) == rank;

    if (count > 0) {
        pass = pass && (uintptr_t)data % 64 == 0 && data >= ledger->last &&
               data + count <= ledger->end;
        memset(data, 0xa5, (size_t)count);
    }
    for (int32_t d = 0; d < rank; d++)
        pass = pass && bl_tensor_extent(made, d) == extent[d] &&
               bl_tensor_stride(made, d) == (d < rank / 2 && many > 0 ? many : 1);
    bl_tensor_release(made);
    return pass;
}

static void test_places(const struct ledger *ledger)
{
    static const int64_t counts[] = {0,     1,     7,     63,    64,     65,
                                     65472, 65535, 65536, 65537, 1 << 20};

    for (int32_t rank = 0; rank <= BL_MAX_RANK; rank++) {
        bool pass = true;

        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            pass = is_placed(ledger, rank, counts[i]) && pass;
        tap_ok(pass, "elements of rank %" PRId32 " have their place", rank);
    }
}

static void test_null_arguments(void)
{
    for (int i = 0; i < MAKERS; i++)
        tap_ok(makers[i].make(NULL) == BL_ERR_ARGUMENT, "%s into null is refused: %s",
               makers[i].name, bl_error_message());
    bl_tensor_release(NULL);
    tap_ok(bl_tensor_retain(NULL) == NULL && bl_tensor_array(NULL) == NULL &&
               bl_tensor_numel(NULL) == 0,
           "a null tensor is nothing");
}

int main(void)
{
    struct ledger ledger = {.left = INT64_MAX};
    const bl_allocator allocator = {allocate, release, &ledger};

    tap_plan();
    CHECK(bl_context_create(&ctx));
    BL_IGNORE(bl_context_set_allocator(ctx, &allocator));
    CHECK(bl_tensor_ones(ctx, BL_DTYPE_F32, 2, extent_23, &at));
    CHECK(bl_tensor_transpose(at, 0, 1, &bt));
    test_null_arguments();
    test_shared_storage();
    test_failing_allocations(&ledger);
    test_places(&ledger);
    bl_tensor_release(bt);
    bl_tensor_release(at);
    tap_ok(ledger.live == 0 && ledger.bytes == 0, "all memory was given back");
    bl_context_destroy(ctx);
    return tap_done();
}
