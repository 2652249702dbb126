/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which rows are written by non-temporal stores, and boxes of several rows that end
 * where cache lines do. A line of which a part is stored so and a part otherwise is
 * waited for.
 */
#include "expr/fusion_plan.h"

/*
 * Least bytes of a row that is not whole lines. a * b + c of f32, a row and a column,
 * Zen 5, AVX-512, 1 and 2 threads: with ordinary stores rows of 333 elements take .38
 * and .52 of the time, of 517 .65 and .96, of 777 1.0 and 1.3, of 1000 1.4.
 */
#define ODD_ROW 2560

/*
 * Bytes of results that boxes are multiples of: the registers of a bank, which are
 * stored together, or at least a line; and most bytes of a box for that: of rows of 100
 * f32 16 are 6400. a * b + c of 163840 of them takes .44 of the time that it takes with
 * boxes of 5 rows, with two threads .72.
 */
#define GROUP 256
#define MOST  8192

/* Whether non-temporal stores pay for rows of so many bytes. */
static bool pays(int64_t row_bytes)
{
    return row_bytes >= ODD_ROW || row_bytes % BLI_ALIGNMENT == 0;
}

/* Whether boxes are multiples of `unit` bytes of all results that are written so. */
static bool fills(const struct bli_fusion *made, int64_t elements, int64_t unit)
{
    for (int32_t r = 0; made->streams >> r != 0; r++)
        if ((made->streams >> r & 1) != 0 &&
            elements * bli_fusion_size(made, r) % unit != 0)
            return false;
    return true;
}

/* Find the rows of a box that end on lines; 0 if boxes would be too large. */
static int64_t rows_of_lines(const struct bli_fusion *made, int64_t row)
{
    for (int64_t unit = GROUP; unit >= BLI_ALIGNMENT; unit /= 2)
        for (int64_t many = 1; many <= unit; many *= 2)
            if (many * row * bli_fusion_size(made, 0) <= MOST &&
                fills(made, many * row, unit))
                return many;
    return 0;
}

/* Leave ordinary stores to results whose rows are short and no whole lines. */
static void drop_odd_rows(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;

    for (int32_t r = 0; made->streams >> r != 0; r++)
        if (!pays(draft->frame.extent[0] * bli_fusion_size(made, r)))
            made->streams &= ~(UINT32_C(1) << r);
}

/*
 * Kernels store several rows of a box together, programs one after the other: rows of
 * 200 f32 in a layer norm take .57 of the time with ordinary stores, scaled by their
 * largest element 1.3, by kernels; a - mean(a, 1, keepdim) 1.5 (Zen 4, 64 MiB).
 */
bool bli_fusion_row_pays(const struct bli_fusion_draft *draft, int32_t r)
{
    const struct bli_fusion *const made = &draft->made;
    const int32_t i = bli_fusion_member(draft, made->operand[r].value);

    return draft->class[i] < 0 ||
           pays(draft->frame.extent[0] * bli_fusion_size(made, r));
}

void bli_fusion_end_on_lines(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;

    if (made->level == 0) {
        drop_odd_rows(draft);
    } else {
        const int64_t many = rows_of_lines(made, bli_fusion_box(draft) / made->length);

        if (many == 0)
            made->streams = 0;
        else
            made->length = (made->length + many - 1) / many * many;
    }
    made->streamed_buffers &= made->streams;
}
