/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions of a reducer of integers or booleans to i64, members of
 * struct bli_reducer. Arithmetic that wraps has the same bits in any order, so the
 * order is left to the compiler; of the tree only the layout of the columns' lanes is
 * kept.
 *
 *   BLI_T          the dtype's name
 *   BLI_REDUCE_OP  the operation's name; undefined at the end, as are the following
 *   BLI_IDENTITY   its identity
 *   BLI_VALUE(x)   an element as the value to reduce
 *   BLI_JOIN(a, b) the operation
 *   BLI_REDUCTION  its name in OpenMP
 *   BLI_SUM        a type that holds the reduction of a block, and elements
 */
#define NAME(of)   PASTE4(of, BLI_REDUCE_OP, _, BLI_T)
#define number     PASTE(number_, BLI_T)
#define LANES      ((int64_t)(BLI_REDUCE_LANES / sizeof(int64_t)))
#define ELEMENT(x) BLI_VALUE((BLI_SUM)(x))

static void NAME(fill_)(void *partial, int64_t count)
{
    int64_t *const to = partial;

    for (int64_t i = 0; i < count; i++)
        to[i] = BLI_IDENTITY;
}

static void NAME(merge_)(void *into, const void *other, int64_t count)
{
    int64_t *const r = into;
    const int64_t *const b = other;

#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        r[i] = BLI_JOIN(r[i], b[i]);
}

static void NAME(pairs_)(void *partial, int64_t count)
{
    int64_t *const at = partial;

    for (int64_t i = 1; i < count; i++)
        at[0] = BLI_JOIN(at[0], at[i]);
}

/* Reduce rows, in any order: see struct bli_reducer. */
static void NAME(rows_)(void *partial, const char *data, int64_t step, int64_t rows,
                        int64_t count, bool near)
{
    int64_t *const to = partial;

    (void)near; /* one row has several sums already */

    for (int64_t r = 0; r < rows; r++) {
        const number *const x = (const number *)(const void *)(data + r * step);
        BLI_SUM all = BLI_IDENTITY;

#pragma omp simd reduction(BLI_REDUCTION : all)
        for (int64_t i = 0; i < count; i++)
            all = BLI_JOIN(all, ELEMENT(x[i]));
        to[r] = all;
    }
}

/* Accumulate a part of a block in the first of each row's lanes. */
static void NAME(parts_)(void *lane_, const char *data, int64_t step, int64_t rows,
                         int64_t first, int64_t count)
{
    int64_t *const lane = lane_;

    (void)first;
    for (int64_t r = 0; r < rows; r++) {
        int64_t all;

        NAME(rows_)(&all, data + r * step, step, 1, count, true);
        lane[r * LANES] = BLI_JOIN(lane[r * LANES], all);
    }
}

static void NAME(close_)(void *partial, const void *lane_, int64_t rows, int64_t count)
{
    const int64_t *const lane = lane_;
    int64_t *const to = partial;

    (void)count;
    for (int64_t r = 0; r < rows; r++)
        to[r] = lane[r * LANES];
}

/* Accumulate `count` contiguous numbers, each in its lane. */
static inline void NAME(flat_)(int64_t *lane, const char *data, int64_t count)
{
    const number *const x = (const number *)(const void *)data;

#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        lane[i] = BLI_JOIN(lane[i], (int64_t)ELEMENT(x[i]));
}

/*
 * Accumulate four rows, `step` bytes apart, each number in the lane of its column, and
 * prefetch the four rows that are `ahead` bytes further.
 */
static inline void NAME(flat_four_)(int64_t *lane, const char *data, int64_t step,
                                    int64_t ahead, int64_t count)
{
    const number *const x = (const number *)(const void *)data;
    const number *const y = (const number *)(const void *)(data + step);
    const number *const z = (const number *)(const void *)(data + 2 * step);
    const number *const w = (const number *)(const void *)(data + 3 * step);

    for (int64_t i = 0; i < count * (int64_t)sizeof *x; i += BLI_ALIGNMENT)
        prefetch_four(data + ahead + i, step);
#pragma omp simd
    for (int64_t i = 0; i < count; i++) {
        const BLI_SUM both = BLI_JOIN(ELEMENT(x[i]), ELEMENT(y[i]));
        const BLI_SUM rest = BLI_JOIN(ELEMENT(z[i]), ELEMENT(w[i]));

        lane[i] = BLI_JOIN(lane[i], (int64_t)BLI_JOIN(both, rest));
    }
}

static void NAME(columns_)(void *lane_, const char *data, int64_t step, int64_t first,
                           int64_t rows, int64_t width)
{
    int64_t *const lane = lane_;
    int64_t r = 0;

    for (; r < rows && (first + r) % LANES != 0; r++)
        NAME(flat_)(lane + (first + r) % LANES * width, data + r * step, width);
    if (step == width * (int64_t)sizeof(number)) {
        /* Rows without gaps: one row for each lane, together, are one long row. */
        for (; r + 4 * LANES <= rows; r += 4 * LANES)
            NAME(flat_four_)
        (lane, data + r * step, LANES * step, 4 * LANES * step, LANES * width);
        for (; r + LANES <= rows; r += LANES)
            NAME(flat_)(lane, data + r * step, LANES * width);
    } else {
        for (; r + 4 <= rows; r += 4)
            NAME(flat_four_)(lane, data + r * step, step, 8 * step, width);
    }
    for (; r < rows; r++)
        NAME(flat_)(lane + (first + r) % LANES * width, data + r * step, width);
}

static bool NAME(columns_in_registers_)(void *partial, const char *data, int64_t step,
                                        int64_t rows, int64_t width)
{
    (void)partial, (void)data, (void)step, (void)rows, (void)width;
    return false;
}

#undef NAME
#undef number
#undef LANES
#undef ELEMENT
#undef BLI_REDUCE_OP
#undef BLI_IDENTITY
#undef BLI_VALUE
#undef BLI_JOIN
#undef BLI_REDUCTION
#undef BLI_SUM
