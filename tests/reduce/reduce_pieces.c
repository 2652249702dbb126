/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in pieces have the bits of one bl_reduce(): every cut of small arrays and
 * around the borders of blocks, random pieces in random order and brackets, by way of
 * saved bytes, with every number of threads and instruction set.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"
#include "reference/ref.h"
#include "reduce/subject.h"

static struct setting settings[SETTINGS];

/* Call `check` for each reduction of each dtype that it takes; stops at a failure. */
static bool each_kind(struct rng *rng,
                      bool (*check)(struct rng *rng, bl_reduction op, bl_dtype dtype))
{
    for (int32_t op = BL_REDUCTION_SUM; op <= BL_REDUCTION_ALL; op++)
        for (int32_t dtype = 1; dtype < REF_DTYPES_END; dtype++)
            if (subject_result((bl_reduction)op, (bl_dtype)dtype) != BL_DTYPE_NONE &&
                !check(rng, (bl_reduction)op, (bl_dtype)dtype))
                return false;
    return true;
}

/* A context of any setting. */
static bl_context *any(struct rng *rng)
{
    return settings[rng_below(rng, SETTINGS)].ctx;
}

/* Cut a row at `count` places in rising order, and add its pieces in order. */
static bool check_cuts(const struct subject *subject, bl_context *ctx, int32_t count,
                       const int64_t *cut)
{
    bl_reduce_pieces *const pieces = subject_pieces(subject, ctx);
    bool pass = true;

    for (int32_t k = 0; k <= count; k++)
        pass = pass && subject_add(subject, ctx, pieces, k > 0 ? cut[k - 1] : 0,
                                   k < count ? cut[k] : subject->count) == BL_OK;
    pass = pass && bl_reduce_pieces_count(pieces) == subject->count &&
           subject_is_right(subject, ctx, pieces);
    if (!pass)
        tap_note("%" PRId64 " elements in %" PRId32 " pieces, the first of %" PRId64,
                 subject->count, count + 1, count > 0 ? cut[0] : subject->count);
    bl_reduce_pieces_destroy(pieces);
    return pass;
}

/* Every way to cut up to 7 elements, and every place to cut up to 40. */
static bool check_small(struct rng *rng, bl_reduction op, bl_dtype dtype)
{
    const bool needs_some = op == BL_REDUCTION_MAX || op == BL_REDUCTION_MIN;
    struct subject subject;
    int64_t cut[8];
    bool pass = true;

    for (int64_t n = needs_some; pass && n <= 40; n++) {
        subject_row(&subject, rng, op, dtype, n);
        for (int32_t set = 0; pass && n <= 7 && set < 1 << (n > 0 ? n - 1 : 0); set++) {
            int32_t count = 0;

            for (int32_t k = 1; k < n; k++)
                if (set >> (k - 1) & 1)
                    cut[count++] = k;
            pass = check_cuts(&subject, settings[set % SETTINGS].ctx, count, cut);
        }
        for (*cut = 0; pass && *cut <= n; ++*cut)
            pass = check_cuts(&subject, settings[*cut % SETTINGS].ctx, 1, cut);
        subject_close(&subject);
    }
    return pass;
}

/* Two cuts at the borders of blocks, and next to them, of three blocks and a part. */
static bool check_borders(struct rng *rng, bl_reduction op, bl_dtype dtype)
{
    static const int64_t places[] = {0,    1,    7,    1000, 1016, 1023,
                                     1024, 1025, 1033, 2040, 2047, 2048,
                                     2049, 3000, 3071, 3072, 3073, 3100};
    const int32_t count = (int32_t)(sizeof places / sizeof *places);
    struct subject subject;
    int32_t turn = 0;
    bool pass = true;

    subject_row(&subject, rng, op, dtype, 3100);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = i; pass && k < count; k++) {
            const int64_t cut[] = {places[i], places[k]};

            pass = check_cuts(&subject, settings[turn++ % SETTINGS].ctx, 2, cut);
        }
    subject_close(&subject);
    return pass;
}

/* Elements one by one, from the first to the last and from the last to the first. */
static bool check_single(struct rng *rng, bl_reduction op, bl_dtype dtype)
{
    const int64_t n = 1100;
    bl_reduce_pieces *forward, *backward;
    struct subject subject;
    bool pass = true;

    subject_row(&subject, rng, op, dtype, n);
    forward = subject_pieces(&subject, any(rng));
    backward = subject_pieces(&subject, any(rng));
    for (int64_t i = 0; pass && i < n; i++)
        pass =
            subject_add(&subject, settings[0].ctx, forward, i, i + 1) == BL_OK &&
            subject_add(&subject, settings[0].ctx, backward, n - 1 - i, n - i) == BL_OK;
    pass = pass && subject_is_right(&subject, any(rng), forward) &&
           subject_is_right(&subject, any(rng), backward);
    bl_reduce_pieces_destroy(forward);
    bl_reduce_pieces_destroy(backward);
    subject_close(&subject);
    return pass;
}

/* ---- random pieces ---- */

#define MOST_PIECES 14

struct part {
    int64_t begin, end;
    bl_reduce_pieces *pieces;
};

/* Replace a reduction by one that is loaded from its bytes. */
static bool reload(bl_context *ctx, bl_reduce_pieces **pieces)
{
    const size_t size = bl_reduce_pieces_size(*pieces);
    /* At any address, and with bytes behind them. */
    char *const bytes = malloc(size + 4);
    bl_reduce_pieces *loaded = NULL;
    bool pass = bytes && bl_reduce_pieces_save(*pieces, bytes + 1, size) == BL_OK &&
                bl_reduce_pieces_load(ctx, bytes + 1, size + 3, &loaded) == BL_OK;

    free(bytes);
    if (pass) {
        bl_reduce_pieces_destroy(*pieces);
        *pieces = loaded;
    }
    return pass;
}

/* Whether two reductions have as many bytes, within what was promised, and the same. */
static bool are_same(const struct subject *subject, const bl_reduce_pieces *a,
                     const bl_reduce_pieces *b)
{
    const size_t size = bl_reduce_pieces_size(a);
    char *const first = malloc(size), *const second = malloc(size);
    const bool pass = first && second && size == bl_reduce_pieces_size(b) &&
                      size <= bl_reduce_pieces_size_most(a, subject->count) &&
                      bl_reduce_pieces_save(a, first, size) == BL_OK &&
                      bl_reduce_pieces_save(b, second, size) == BL_OK &&
                      (!subject->is_plain || memcmp(first, second, size) == 0);

    free(first);
    free(second);
    if (!pass)
        tap_note("other bytes after other pieces");
    return pass;
}

/* Cut a subject in parts, and put them in any order. */
static int32_t cut_parts(const struct subject *subject, struct rng *rng,
                         struct part *part)
{
    const int64_t units = subject->count / subject->unit;
    int64_t cut[MOST_PIECES + 1] = {0};
    const int32_t count = 1 + (int32_t)rng_below(rng, MOST_PIECES);

    for (int32_t i = 1; i < count; i++) {
        cut[i] = rng_below(rng, units + 1);
        if (rng_one_in(rng, 3))
            cut[i] = cut[i] / 1024 * 1024;
        for (int32_t k = i; k > 1 && cut[k] < cut[k - 1]; k--) {
            const int64_t other = cut[k];

            cut[k] = cut[k - 1];
            cut[k - 1] = other;
        }
    }
    cut[count] = units;
    for (int32_t i = 0; i < count; i++) {
        const int32_t k = (int32_t)rng_below(rng, i + 1);

        part[i] = part[k];
        part[k] =
            (struct part){cut[i] * subject->unit, cut[i + 1] * subject->unit, NULL};
    }
    return count;
}

/* Whether the size of the last part's reduction follows from the parts in it. */
static bool size_is_known(const struct part *part, int32_t count)
{
    const bl_reduce_pieces *const pieces = part[count - 1].pieces;
    bl_range range[MOST_PIECES];
    int32_t ranges = 0;

    for (int32_t i = 0; i < count; i++) {
        int32_t k = ranges;

        if (part[i].pieces != pieces || part[i].begin == part[i].end)
            continue;
        for (; k > 0 && range[k - 1].begin > part[i].begin; k--)
            range[k] = range[k - 1];
        range[k] = (bl_range){part[i].begin, part[i].end};
        ranges++;
    }
    return bl_reduce_pieces_size_of(pieces, ranges, range) ==
           bl_reduce_pieces_size(pieces);
}

/* Add parts to reductions of their own or of others, and join these as dice have it. */
static bool check_parts(const struct subject *subject, struct rng *rng)
{
    struct part part[MOST_PIECES];
    bl_reduce_pieces *const whole = subject_pieces(subject, any(rng));
    int32_t count = cut_parts(subject, rng, part);
    bool pass = subject_add(subject, any(rng), whole, 0, subject->count) == BL_OK;

    for (int32_t i = 0; i < count; i++) {
        const bool is_new = i == 0 || rng_one_in(rng, 2);

        part[i].pieces =
            is_new ? subject_pieces(subject, any(rng)) : part[i - 1].pieces;
        pass = pass && subject_add(subject, any(rng), part[i].pieces, part[i].begin,
                                   part[i].end) == BL_OK;
    }
    pass = pass && size_is_known(part, count);
    for (int32_t i = 1, kept = 1, all = count; i < all; i++)
        if (part[i].pieces == part[i - 1].pieces)
            count--;
        else
            part[kept++].pieces = part[i].pieces;
    while (count > 1) {
        const int32_t a = (int32_t)rng_below(rng, count - 1);

        if (pass && rng_one_in(rng, 3))
            pass = reload(any(rng), &part[a].pieces);
        pass = pass && bl_reduce_pieces_join(any(rng), part[a].pieces,
                                             part[count - 1].pieces) == BL_OK;
        bl_reduce_pieces_destroy(part[--count].pieces);
    }
    pass = pass && subject_is_right(subject, any(rng), part[0].pieces) &&
           are_same(subject, whole, part[0].pieces);
    bl_reduce_pieces_destroy(part[0].pieces);
    bl_reduce_pieces_destroy(whole);
    return pass;
}

static bool check_random(struct rng *rng, bl_reduction op, bl_dtype dtype)
{
    const int32_t times = test_times(8, 80);
    bool pass = true;

    for (int32_t k = 0; pass && k < times; k++) {
        struct subject subject;

        subject_random(&subject, rng, op, dtype, rng_one_in(rng, 16) ? 200000 : 9000);
        for (int32_t i = 0; pass && i < 3; i++)
            pass = check_parts(&subject, rng);
        if (!pass)
            tap_note("rank %" PRId32 ", extents %" PRId64 " %" PRId64 " %" PRId64
                     " %" PRId64 ", strides %" PRId64 " %" PRId64 " %" PRId64
                     " %" PRId64 ", axes %" PRId32 " %" PRId32,
                     subject.array.rank, subject.extent[0], subject.extent[1],
                     subject.extent[2], subject.extent[3], subject.stride[0],
                     subject.stride[1], subject.stride[2], subject.stride[3],
                     subject.axes[0], subject.axes[1]);
        subject_close(&subject);
    }
    return pass;
}

int main(void)
{
    struct rng rng;

    tap_plan();
    rng = rng_new();
    settings_open(settings);
    tap_ok(each_kind(&rng, check_small), "every cut of small rows");
    tap_ok(each_kind(&rng, check_borders), "cuts at the borders of blocks");
    tap_ok(each_kind(&rng, check_single),
           "elements one by one, forwards and backwards");
    tap_ok(each_kind(&rng, check_random), "random pieces, joined in any order");
    settings_close(settings);
    return tap_done();
}
