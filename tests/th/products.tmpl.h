/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices of one type against sums of small whole numbers, which every
 * type but bytes holds exactly; integers wrap in both.
 */

/* The sum of products, as THTensor_(addmm) and the like define it. */
static real THTensor_(expected)(real beta, real t, real alpha, THTensor *a, long i,
                                THTensor *b, long j)
{
    int64_t sum = 0;

    for (long k = 0; k < a->size[1]; k++)
        sum += (int64_t)THTensor_(get2d)(a, i, k) * (int64_t)THTensor_(get2d)(b, k, j);
    return (real)((int64_t)beta * (int64_t)t + (int64_t)alpha * sum);
}

/* Every layout of every operand, for one set of extents. */
static int THTensor_(matrices)(long m, long k, long n)
{
    const real beta = 2, alpha = 3;
    int wrong = 0;

    for (int which = 0; which < LAYOUTS * LAYOUTS * LAYOUTS * 3; which++) {
        THTensor *const a = THTensor_(laid)(which % LAYOUTS, m, k);
        THTensor *const b = THTensor_(laid)(which / LAYOUTS % LAYOUTS, k, n);
        THTensor *const t = THTensor_(laid)(which / LAYOUTS / LAYOUTS % LAYOUTS, m, n);
        THTensor *const before = THTensor_(newClone)(t);
        const int mode = which / LAYOUTS / LAYOUTS / LAYOUTS;
        const int fresh = mode == 0 || t->stride[0] == 0;
        THTensor *const r = fresh ? THTensor_(new)() : t;

        THTensor_(addmm)(r, mode == 2 ? 0 : beta, t, alpha, a, b);
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++)
                wrong += THTensor_(get2d)(r, i, j) !=
                         THTensor_(expected)(mode == 2 ? 0 : beta,
                                             THTensor_(get2d)(before, i, j), alpha, a,
                                             i, b, j);
        if (fresh)
            THTensor_(free)(r);
        THTensor_(free)(before);
        THTensor_(free)(t);
        THTensor_(free)(b);
        THTensor_(free)(a);
    }
    return wrong;
}

/* The vector that a column of a matrix is. */
static THTensor *THTensor_(column)(THTensor *matrix, long number)
{
    THTensor *const vector = THTensor_(new)();

    THTensor_(select)(vector, matrix, 1, number);
    return vector;
}

static int THTensor_(vectors)(long m, long n)
{
    int wrong = 0;

    for (int which = 0; which < LAYOUTS * LAYOUTS * LAYOUTS; which++) {
        THTensor *const a = THTensor_(laid)(which % LAYOUTS, m, n);
        THTensor *const xs = THTensor_(laid)(which / LAYOUTS % LAYOUTS, n, 2);
        THTensor *const ys = THTensor_(laid)(which / LAYOUTS / LAYOUTS, m, 2);
        THTensor *const x = THTensor_(column)(xs, 1), *y = THTensor_(column)(ys, 1);
        THTensor *const x1 = THTensor_(newClone)(x), *const y1 = THTensor_(newClone)(y);
        THTensor *const r = THTensor_(new)();

        THTensor_(resize2d)(x1, n, 1);
        THTensor_(addmv)(r, 2, y, 3, a, x);
        for (long i = 0; i < m; i++)
            wrong += THTensor_(get1d)(r, i) !=
                     THTensor_(expected)(2, THTensor_(get1d)(y, i), 3, a, i, x1, 0);
        THTensor_(addr)(r, 2, a, 3, y, x);
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++)
                wrong += THTensor_(get2d)(r, i, j) !=
                         (real)(2 * (int64_t)THTensor_(get2d)(a, i, j) +
                                3 * (int64_t)THTensor_(get1d)(y, i) *
                                    (int64_t)THTensor_(get1d)(x, j));
        /* In place, with the result's step. */
        if (y->stride[0] > 0) {
            THTensor_(addmv)(y, 1, y, 1, a, x);
            for (long i = 0; i < m; i++)
                wrong +=
                    THTensor_(get1d)(y, i) !=
                    THTensor_(expected)(1, THTensor_(get1d)(y1, i), 1, a, i, x1, 0);
        }
        THTensor_(free)(r);
        THTensor_(free)(y1);
        THTensor_(free)(x1);
        THTensor_(free)(y);
        THTensor_(free)(x);
        THTensor_(free)(ys);
        THTensor_(free)(xs);
        THTensor_(free)(a);
    }
    return wrong;
}

/* addbmm, baddbmm and match against products and differences of their matrices. */
static int THTensor_(batches)(void)
{
    THTensor *const a = THTensor_(new)(), *const b = THTensor_(new)();
    THTensor *const sum = THTensor_(new)(), *const each = THTensor_(new)();
    THTensor *const part1 = THTensor_(new)(), *const part2 = THTensor_(new)();
    THTensor *const far = THTensor_(new)();
    int wrong = 0;

    THTensor_(resize3d)(a, 3, 4, 5);
    THTensor_(resize3d)(b, 3, 6, 5);
    TH_TENSOR_APPLY(real, a, *a_data = (real)draw(-3, 4);)
    TH_TENSOR_APPLY(real, b, *b_data = (real)draw(-3, 4);)
    THTensor_(transpose)(b, b, 1, 2);
    THTensor_(resize2d)(sum, 4, 6);
    THTensor_(fill)(sum, 1);
    THTensor_(resize3d)(each, 3, 4, 6);
    THTensor_(fill)(each, 1);
    THTensor_(addbmm)(sum, 1, sum, 2, a, b);
    THTensor_(baddbmm)(each, 1, each, 2, a, b);
    for (long i = 0; i < 4; i++)
        for (long j = 0; j < 6; j++) {
            int64_t total = 1;

            for (long k = 0; k < 3; k++) {
                THTensor_(select)(part1, a, 0, k);
                THTensor_(select)(part2, b, 0, k);
                wrong += THTensor_(get3d)(each, k, i, j) !=
                         THTensor_(expected)(1, 1, 2, part1, i, part2, j);
                total += 2 * (int64_t)THTensor_(expected)(0, 0, 1, part1, i, part2, j);
            }
            wrong += THTensor_(get2d)(sum, i, j) != (real)total;
        }
    THTensor_(match)(far, a, a, 2);
    for (long i = 0; i < 3; i++)
        for (long j = 0; j < 3; j++) {
            int64_t square = 0;

            for (long k = 0; k < 20; k++) {
                const int64_t d = (int64_t)THTensor_(get3d)(a, i, k / 5, k % 5) -
                                  (int64_t)THTensor_(get3d)(a, j, k / 5, k % 5);

                square += d * d;
            }
            wrong += THTensor_(get2d)(far, i, j) != (real)(2 * square);
        }
    THTensor_(free)(far);
    THTensor_(free)(part2);
    THTensor_(free)(part1);
    THTensor_(free)(each);
    THTensor_(free)(sum);
    THTensor_(free)(b);
    THTensor_(free)(a);
    return wrong;
}

static void THTensor_(check)(void)
{
    static const long extents[][3] = {{1, 1, 1}, {1, 5, 1}, {4, 1, 3},  {1, 3, 7},
                                      {7, 3, 1}, {3, 4, 5}, {17, 9, 33}};
    int wrong = 0;

    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++)
        wrong += THTensor_(matrices)(extents[i][0], extents[i][1], extents[i][2]);
    tap_ok(wrong == 0, "addmm of every layout, type " TH_CONCAT_STRING_2(, Real));
    wrong = THTensor_(vectors)(1, 1) + THTensor_(vectors)(5, 1) +
            THTensor_(vectors)(1, 6) + THTensor_(vectors)(9, 7);
    tap_ok(wrong == 0, "addmv and addr");
    tap_ok(THTensor_(batches)() == 0, "addbmm, baddbmm and match");
}
