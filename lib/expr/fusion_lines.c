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

static bool is_worth(int64_t row_bytes)
{
    return row_bytes >= ODD_ROW || row_bytes % BLI_ALIGNMENT == 0;
}

static int64_t size_of(const struct bli_fusion *made, int32_t k)
{
    return bli_dtypes[made->operand[k].dtype].size;
}

/* Whether boxes are multiples of `unit` bytes of all results that are written so. */
static bool fill(const struct bli_fusion *made, int64_t elements, int64_t unit)
{
    bool fill = true;

    for (int32_t r = 0; made->streams >> r != 0; r++)
        fill = fill && ((made->streams >> r & 1) == 0 ||
                        elements * size_of(made, r) % unit == 0);
    return fill;
}

/* Find the rows of a box that end on lines; 0 if boxes would be too large. */
static int64_t rows_of_lines(const struct bli_fusion *made, int64_t row)
{
    for (int64_t unit = GROUP; unit >= BLI_ALIGNMENT; unit /= 2)
        for (int64_t many = 1; many <= unit; many *= 2)
            if (many * row * size_of(made, 0) <= MOST && fill(made, many * row, unit))
                return many;
    return 0;
}

void bli_fusion_end_on_lines(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    const int64_t inner = draft->frame.extent[0];
    int64_t row = 1, many;

    for (int32_t r = 0; made->level == 0 && made->streams >> r != 0; r++)
        if (!is_worth(inner * size_of(made, r)))
            made->streams &= ~(UINT32_C(1) << r);
    for (int32_t i = 0; i < made->level; i++)
        row *= draft->frame.extent[i];
    many = made->level > 0 ? rows_of_lines(made, row) : 1;
    if (many == 0)
        made->streams = 0;
    else if (made->level > 0)
        made->length = (made->length + many - 1) / many * many;
    made->streamed_buffers &= made->streams;
}
