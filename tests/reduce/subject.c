/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that are reduced at once and in pieces. */
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"
#include "reference/ref.h"
#include "reduce/subject.h"

bl_dtype subject_result(bl_reduction op, bl_dtype dtype)
{
    bl_dtype to = BL_DTYPE_NONE;

    return bl_reduction_result_dtype(op, dtype, &to) == BL_OK ? to : BL_DTYPE_NONE;
}

/* Write an element: often small, or any bits: NaN, zeros of both signs, infinities. */
static void put_element(const struct subject *subject, struct rng *rng, void *element)
{
    const bool is_factor = subject->op == BL_REDUCTION_PROD;
    const double most = is_factor ? 1.0 / 64 : 4096;
    double part[2];
    unsigned char bits[16];

    for (int32_t k = 0; k < 2; k++)
        part[k] = (double)(rng_below(rng, 8193) - 4096) / 4096 * most;
    part[0] += is_factor;
    if (rng_one_in(rng, 6))
        part[0] = rng_one_in(rng, 2) ? 0.0 : -0.0;
    if ((ref_class(subject->dtype) & (REF_REAL | REF_COMPLEX)) == 0)
        part[0] = (double)rng_below(rng, 100);
    ref_make(subject->dtype, part[0], part[1], element);
    if (subject->is_plain || !rng_one_in(rng, 300))
        return;
    for (size_t k = 0; k < sizeof bits; k++)
        bits[k] = (unsigned char)rng_below(rng, 256);
    memcpy(element, bits, ref_size(subject->dtype));
}

/* Allocate memory for the extents and strides that are set, and reduce it at once. */
static void open_subject(struct subject *subject, struct rng *rng, int64_t elements)
{
    const size_t size = ref_size(subject->dtype);
    int64_t outputs = 1;

    subject->is_plain = rng_one_in(rng, 2);
    subject->memory = malloc((size_t)(elements + 1) * size);
    for (int32_t d = 0; d < subject->rank; d++)
        outputs *= subject->results[d];
    subject->to = subject_result(subject->op, subject->dtype);
    subject->bytes = (size_t)outputs * ref_size(subject->to);
    subject->want = calloc(1, subject->bytes + 1);
    subject->got = calloc(1, subject->bytes + 1);
    if (!subject->memory || !subject->want || !subject->got)
        abort();
    for (int64_t i = 0; i < elements; i++)
        put_element(subject, rng, subject->memory + (size_t)i * size);
    subject->array.dtype = subject->dtype;
    subject->array.data = subject->memory;
    for (int32_t d = 0; d < subject->array.rank; d++)
        if (subject->stride[d] < 0)
            subject->array.data =
                (char *)subject->array.data -
                (subject->extent[d] - 1) * subject->stride[d] * (int64_t)size;

    const bl_array out = {.data = subject->want,
                          .dtype = subject->to,
                          .rank = subject->rank,
                          .extent = subject->results};

    if (bl_reduce(NULL, subject->op, &out, &subject->array, subject->axes_count,
                  subject->axes, false, NULL) != BL_OK)
        abort();
}

void subject_row(struct subject *subject, struct rng *rng, bl_reduction op,
                 bl_dtype dtype, int64_t count)
{
    memset(subject, 0, sizeof *subject);
    subject->op = op;
    subject->dtype = dtype;
    subject->array.rank = 1;
    subject->array.extent = subject->extent;
    subject->extent[0] = subject->count = count;
    subject->stride[0] = 1;
    subject->axes_count = 1;
    subject->unit = 1;
    open_subject(subject, rng, count);
    subject->array.stride = subject->stride;
}

/* An extent of about `most`, often around whole blocks or tiles. */
static int64_t any_extent(struct rng *rng, int64_t most)
{
    const int64_t near = 1023 + rng_below(rng, 4);

    if (most < 2)
        return 1;
    return near < most && rng_one_in(rng, 3) ? near : 1 + rng_below(rng, most);
}

/* Strides of a compact array in a random order of memory, with gaps and turns. */
static int64_t set_strides(struct subject *subject, struct rng *rng)
{
    const int32_t rank = subject->array.rank;
    int64_t next = rng_one_in(rng, 4) ? 2 : 1;
    bool is_set[SUBJECT_RANK] = {false};

    for (int32_t left = rank; left > 0; left--) {
        int32_t d = rank - 1;

        if (rng_one_in(rng, 2))
            d = (int32_t)rng_below(rng, rank);
        while (is_set[d])
            d = (d + rank - 1) % rank;
        is_set[d] = true;
        subject->stride[d] = rng_one_in(rng, 6) ? -next : next;
        next *= subject->extent[d];
    }
    return next;
}

void subject_random(struct subject *subject, struct rng *rng, bl_reduction op,
                    bl_dtype dtype, int64_t count)
{
    const int32_t rank = 1 + (int32_t)rng_below(rng, SUBJECT_RANK);
    int32_t reduced = 1 + (int32_t)rng_below(rng, 2);
    int64_t left = count;

    memset(subject, 0, sizeof *subject);
    subject->op = op;
    subject->dtype = dtype;
    subject->array.rank = rank;
    subject->array.extent = subject->extent;
    subject->array.stride = subject->stride;
    subject->count = subject->unit = 1;
    reduced = reduced < rank ? reduced : rank;
    for (int32_t d = 0; d < rank; d++) {
        const bool is_reduced =
            reduced > 0 && (rank - d <= reduced || rng_one_in(rng, 2));
        const int64_t extent = any_extent(rng, is_reduced ? left : left / 40 + 2);

        subject->extent[d] = extent;
        left /= extent;
        if (!is_reduced) {
            subject->results[subject->rank++] = extent;
            continue;
        }
        reduced--;
        subject->count *= extent;
        if (subject->axes_count > 0)
            subject->unit *= extent;
        subject->axes[subject->axes_count++] = d;
    }
    open_subject(subject, rng, set_strides(subject, rng));
}

void subject_close(struct subject *subject)
{
    free(subject->memory);
    free(subject->want);
    free(subject->got);
}

bl_reduce_pieces *subject_pieces(const struct subject *subject, bl_context *ctx)
{
    bl_reduce_pieces *pieces = NULL;

    if (bl_reduce_pieces_create(ctx, subject->op, subject->dtype, subject->rank,
                                subject->results, NULL, &pieces) != BL_OK)
        abort();
    return pieces;
}

bl_status subject_add(const struct subject *subject, bl_context *ctx,
                      bl_reduce_pieces *pieces, int64_t begin, int64_t end)
{
    const int32_t cut = subject->axes[0];
    int64_t extent[SUBJECT_RANK];
    bl_array piece = subject->array;

    memcpy(extent, subject->extent, sizeof extent);
    extent[cut] = (end - begin) / subject->unit;
    piece.extent = extent;
    piece.data = (char *)piece.data + begin / subject->unit * subject->stride[cut] *
                                          (int64_t)ref_size(subject->dtype);
    return bl_reduce_pieces_add(ctx, pieces, begin, &piece, subject->axes_count,
                                subject->axes);
}

bool subject_is_right(const struct subject *subject, bl_context *ctx,
                      const bl_reduce_pieces *pieces)
{
    const bl_array out = {.data = subject->got,
                          .dtype = subject->to,
                          .rank = subject->rank,
                          .extent = subject->results};

    memset(subject->got, 0xa5, subject->bytes + 1);
    if (bl_reduce_pieces_finish(ctx, &out, pieces, subject->count) != BL_OK) {
        tap_note("%s of %s refused: %s", bl_reduction_name(subject->op),
                 bl_dtype_name(subject->dtype), bl_error_message());
        return false;
    }
    if (subject->got[subject->bytes] == 0xa5 &&
        memcmp(subject->want, subject->got, subject->bytes) == 0)
        return true;
    tap_note("%s of %s: other bits", bl_reduction_name(subject->op),
             bl_dtype_name(subject->dtype));
    return false;
}
