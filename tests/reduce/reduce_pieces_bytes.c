/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saved reductions that are damaged, cut off or of another version; every allocation
 * failing in turn.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"
#include "reduce/subject.h"

/* ---- bytes ---- */

/* Copy a reduction's bytes, which the caller frees. */
static char *save(const bl_reduce_pieces *pieces, size_t *size)
{
    char *bytes;

    *size = bl_reduce_pieces_size(pieces);
    bytes = malloc(*size);
    if (!bytes || bl_reduce_pieces_save(pieces, bytes, *size) != BL_OK)
        abort();
    return bytes;
}

/* Give bytes that were changed the check of what they are now, as saving does. */
static void seal(char *bytes, size_t size)
{
    const size_t own = 40;
    uint64_t check = 0, word;

    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (at == own)
            continue;
        check = (check ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        check ^= check >> 32;
    }
    memcpy(bytes + own, &check, sizeof check);
}

/* A mean of c64, with rows, nodes and lanes. */
static bl_reduce_pieces *make_mean(struct rng *rng)
{
    struct subject subject;
    bl_reduce_pieces *pieces;

    subject_row(&subject, rng, BL_REDUCTION_MEAN, BL_DTYPE_C64, 9000);
    pieces = subject_pieces(&subject, NULL);
    if (subject_add(&subject, NULL, pieces, 1000, 7000) != BL_OK)
        abort();
    subject_close(&subject);
    return pieces;
}

/* Whether bytes are refused, in a block of their own so that sanitizers see its end. */
static bool is_refused(const char *bytes, size_t size, bl_status status)
{
    char *const copy = malloc(size > 0 ? size : 1);
    bl_reduce_pieces *loaded = NULL;
    bl_status got;

    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    got = bl_reduce_pieces_load(NULL, copy, size, &loaded);
    free(copy);
    bl_reduce_pieces_destroy(loaded);
    return got == status && !loaded;
}

static void check_bytes(struct rng *rng)
{
    bl_reduce_pieces *const pieces = make_mean(rng);
    size_t size;
    char *const bytes = save(pieces, &size);
    bl_reduce_pieces *loaded = NULL;
    int32_t accepted = 0;
    bool pass = true;

    for (size_t k = 0; k < size; k += k < 400 ? 1 : 97)
        pass = pass && is_refused(bytes, k, BL_ERR_FORMAT);
    tap_ok(pass && is_refused(bytes, size - 1, BL_ERR_FORMAT),
           "bytes that are cut off");
    pass = bl_reduce_pieces_save(pieces, bytes, size - 1) == BL_ERR_ARGUMENT;
    tap_ok(pass, "too few bytes to save in");
    bytes[0] ^= 1;
    tap_ok(is_refused(bytes, size, BL_ERR_FORMAT), "other bytes");
    bytes[0] ^= 1;
    bytes[8]++;
    tap_ok(is_refused(bytes, size, BL_ERR_UNSUPPORTED) &&
               strcmp(bl_error_message(),
                      "bytes are of version 2, this release has 1") == 0,
           "bytes of another version");
    bytes[8]--;
    tap_ok(bl_reduce_pieces_load(NULL, bytes, size, &loaded) == BL_OK &&
               bl_reduce_pieces_count(loaded) == 6000,
           "the same bytes as they were");
    bl_reduce_pieces_destroy(loaded);
    pass = true;
    for (size_t at = 0; at < size; at++) {
        const char was = bytes[at];

        bytes[at] = (char)(was ^ 1 << rng_below(rng, 8));
        pass =
            pass && is_refused(bytes, size,
                               at >= 8 && at < 12 ? BL_ERR_UNSUPPORTED : BL_ERR_FORMAT);
        bytes[at] = was;
    }
    tap_ok(pass, "bytes of which one has another bit");
    /* Any change of the header and the ranges is refused, or is another reduction. */
    for (int32_t k = 0; k < 4000; k++) {
        const size_t at = 8 + (size_t)rng_below(rng, 200);
        const char was = bytes[at];

        bytes[at] = (char)rng_below(rng, 256);
        seal(bytes, size);
        loaded = NULL;
        accepted += bl_reduce_pieces_load(NULL, bytes, size, &loaded) == BL_OK;
        bl_reduce_pieces_destroy(loaded);
        bytes[at] = was;
    }
    tap_ok(accepted > 0 && accepted < 4000, "%d of 4000 forged bytes are another's",
           accepted);
    free(bytes);
    bl_reduce_pieces_destroy(pieces);
}

/* ---- allocations ---- */

struct faulty {
    int64_t calls, fails_at; /* the call that fails; -1: none */
    int64_t blocks;          /* not released */
};

static void *faulty_allocate(void *user, size_t bytes, size_t alignment)
{
    struct faulty *const faulty = user;
    void *const memory =
        faulty->calls++ == faulty->fails_at
            ? NULL
            : aligned_alloc(alignment, (bytes / alignment + 1) * alignment);

    faulty->blocks += memory != NULL;
    return memory;
}

static void faulty_release(void *user, void *memory, size_t bytes, size_t alignment)
{
    struct faulty *const faulty = user;

    (void)bytes, (void)alignment;
    faulty->blocks--;
    free(memory);
}

/* Whether a reduction still has these bytes. */
static bool has_bytes(const bl_reduce_pieces *pieces, const char *bytes, size_t size)
{
    size_t now;
    char *const got = save(pieces, &now);
    const bool same = now == size && memcmp(bytes, got, size) == 0;

    free(got);
    return same;
}

/*
 * Add or join the middle of a subject with each allocation failing in turn: nothing has
 * changed then, and the last time the result is right.
 */
static bool check_faults(struct faulty *faulty, bl_context *ctx,
                         const struct subject *subject, bool joins)
{
    const int64_t border = 300, n = subject->count;
    bl_reduce_pieces *const pieces = subject_pieces(subject, ctx);
    bl_reduce_pieces *const other = subject_pieces(subject, ctx);
    bl_status status = BL_ERR_MEMORY;
    size_t size;
    char *bytes;
    bool pass = subject_add(subject, ctx, pieces, 0, 3 * border) == BL_OK &&
                subject_add(subject, ctx, pieces, n - border, n) == BL_OK &&
                subject_add(subject, ctx, other, 3 * border, n - border) == BL_OK;

    bytes = save(pieces, &size);
    for (faulty->fails_at = 0; pass && status != BL_OK; faulty->fails_at++) {
        faulty->calls = 0;
        status = joins ? bl_reduce_pieces_join(ctx, pieces, other)
                       : subject_add(subject, ctx, pieces, 3 * border, n - border);
        pass = status == BL_OK
                   ? faulty->calls <= faulty->fails_at
                   : status == BL_ERR_MEMORY && has_bytes(pieces, bytes, size);
    }
    tap_note("%d allocations", (int)faulty->fails_at - 1);
    pass = pass && faulty->fails_at > 2;
    faulty->fails_at = -1;
    pass = pass && subject_is_right(subject, ctx, pieces);
    free(bytes);
    bl_reduce_pieces_destroy(pieces);
    bl_reduce_pieces_destroy(other);
    return pass;
}

static void check_memory(struct rng *rng)
{
    struct faulty faulty = {.fails_at = -1};
    const bl_allocator allocator = {faulty_allocate, faulty_release, &faulty};
    bl_reduce_pieces *made = NULL;
    struct subject subject;
    bl_context *ctx = NULL;
    bool pass;

    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_allocator(ctx, &allocator) != BL_OK)
        abort();
    subject_row(&subject, rng, BL_REDUCTION_SUM, BL_DTYPE_F32, 9000);
    tap_ok(check_faults(&faulty, ctx, &subject, false),
           "a piece with every allocation failing");
    tap_ok(check_faults(&faulty, ctx, &subject, true),
           "a join with every allocation failing");
    subject_close(&subject);
    faulty.fails_at = faulty.calls = 0;
    pass = bl_reduce_pieces_create(ctx, BL_REDUCTION_SUM, BL_DTYPE_F32, 0, NULL, NULL,
                                   &made) == BL_ERR_MEMORY &&
           !made;
    tap_ok(pass && faulty.blocks == 0, "no memory for a reduction; all is released");
    bl_context_destroy(ctx);
}

int main(void)
{
    struct rng rng;

    tap_plan();
    rng = rng_new();
    check_bytes(&rng);
    check_memory(&rng);
    return tap_done();
}
