/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Least squares, eigenvalues, singular values and batches of one type, as
 * lapack.tmpl.h.
 */

/* a' * b */
static THTensor *THTensor_(turnedProduct)(THTensor *a, THTensor *b)
{
    THTensor *const turned = THTensor_(newTranspose)(a, 0, 1);
    THTensor *const result = THTensor_(newWithSize2d)(a->size[1], b->size[1]);

    THTensor_(addmm)(result, 0, result, 1, turned, b);
    THTensor_(free)(turned);
    return result;
}

/* gels: the normal equations, or a solution among a combination of rows. */
static int THTensor_(squares)(enum layout la, enum layout lb, enum manner manner,
                              long m, long n)
{
    THTensor *const a = THTensor_(regular)(la, m, n), *const b =
                                                          THTensor_(laid)(lb, m, 2);
    THTensor *const ra = manner == NEW ? THTensor_(new)() : a;
    THTensor *const rb = manner == NEW ? THTensor_(new)() : b;
    THTensor *const kept = THTensor_(newClone)(a), *const want = THTensor_(newClone)(b);
    int wrong = 0;

    THTensor_(gels)(rb, ra, manner == NULLS ? NULL : b, manner == NULLS ? NULL : a);
    if (m >= n) {
        THTensor *const square = THTensor_(turnedProduct)(kept, kept);
        THTensor *const right = THTensor_(turnedProduct)(kept, want);

        wrong += !THTensor_(multiplyTo)(square, 0, rb, 0, right);
        THTensor_(free)(right);
        THTensor_(free)(square);
    } else {
        THTensor *const turned = THTensor_(newTranspose)(kept, 0, 1);
        THTensor *const rows = THTensor_(new)(), *const factor = THTensor_(new)();

        wrong += !THTensor_(multiplyTo)(kept, 0, rb, 0, want);
        THTensor_(gels)(rows, factor, rb, turned);
        wrong += !THTensor_(multiplyTo)(turned, 0, rows, 0, rb);
        THTensor_(freeAll)(3, (THTensor *[]){turned, rows, factor});
    }
    wrong += rb->size[0] != n || rb->size[1] != 2;
    if (manner == NEW)
        wrong += !THTensor_(equal)(a, kept) || !THTensor_(equal)(b, want) ||
                 rb->stride[0] != 1 || rb->stride[1] != THMax(m, n);
    THTensor_(free)(want);
    THTensor_(free)(kept);
    THTensor_(freeAll)(4, (THTensor *[]){a, b, ra, rb});
    return wrong;
}

/* The columns of a matrix times the elements of a vector. */
static THTensor *THTensor_(scaled)(THTensor *a, THTensor *by)
{
    THTensor *const result = THTensor_(newClone)(a);

    for (long i = 0; i < a->size[0]; i++)
        for (long j = 0; j < a->size[1]; j++)
            THTensor_(set2d)(result, i, j,
                             THTensor_(get2d)(a, i, j) * THTensor_(get1d)(by, j));
    return result;
}

static int THTensor_(symmetric)(enum layout layout, enum manner manner, long n)
{
    THTensor *const a = THTensor_(definite)(layout, n), *const kept =
                                                            THTensor_(newClone)(a);
    THTensor *const v = manner == NEW ? THTensor_(new)() : a;
    THTensor *const values = THTensor_(new)(), *again = THTensor_(new)();
    THTensor *scaled;
    int wrong = 0;

    THTensor_(syev)(values, v, manner == NULLS ? NULL : a, "V", "L");
    scaled = THTensor_(scaled)(v, values);
    wrong += !THTensor_(multiplyTo)(kept, 0, v, 0, scaled);
    wrong += !THTensor_(isOrthonormal)(v);
    for (long i = 1; i < n; i++)
        wrong += THTensor_(get1d)(values, i - 1) > THTensor_(get1d)(values, i);
    THTensor_(syev)(again, v, kept, "N", "U");
    wrong += !THTensor_(isNear)(values, again);
    THTensor_(freeAll)(6, (THTensor *[]){scaled, a, kept, v, values, again});
    return wrong;
}

/* geev: a * (x + i y) = (re + i im) * (x + i y), by its two parts. */
static int THTensor_(general)(enum layout layout, long n)
{
    THTensor *const a = THTensor_(laid)(layout, n, n), *const v = THTensor_(new)();
    THTensor *const values = THTensor_(new)(), *const pairs =
                                                   THTensor_(newWithSize2d)(n, n);
    THTensor *product, *const again = THTensor_(new)();
    int wrong = 0;

    for (long i = 0; i + 1 < n; i += 2) /* a rotation: conjugate pairs */
        THTensor_(set2d)(a, i, i + 1, (real)-THTensor_(get2d)(a, i + 1, i) - 9);
    THTensor_(geev)(values, v, a, "V");
    THTensor_(zero)(pairs);
    for (long j = 0; j < n; j++) {
        const real imaginary = THTensor_(get2d)(values, j, 1);

        THTensor_(set2d)(pairs, j, j, THTensor_(get2d)(values, j, 0));
        if (imaginary > 0)
            THTensor_(set2d)(pairs, j + 1, j, -imaginary);
        else if (imaginary < 0)
            THTensor_(set2d)(pairs, j - 1, j, -imaginary);
    }
    product = THTensor_(newWithSize2d)(n, n);
    THTensor_(addmm)(product, 0, product, 1, v, pairs);
    wrong += !THTensor_(multiplyTo)(a, 0, v, 0, product);
    wrong += !THTensor_(isByColumns)(v) || values->size[0] != n || values->size[1] != 2;
    THTensor_(geev)(again, v, a, "N");
    wrong += !THTensor_(isNear)(values, again) || !THTensor_(isByColumns)(v);
    THTensor_(freeAll)(6, (THTensor *[]){a, v, values, pairs, product, again});
    return wrong;
}

static int THTensor_(singular)(enum layout layout, long m, long n)
{
    THTensor *const a = THTensor_(laid)(layout, m, n), *const kept =
                                                           THTensor_(newClone)(a);
    THTensor *const u = THTensor_(new)(), *const s = THTensor_(new)();
    THTensor *const v = THTensor_(new)(), *const again = THTensor_(new)(), *scaled;
    const long count = THMin(m, n);
    int wrong = 0;

    THTensor_(gesvd)(u, s, v, a, "S");
    scaled = THTensor_(scaled)(u, s);
    wrong += !THTensor_(multiplyTo)(scaled, 0, v, 1, kept);
    wrong += !THTensor_(isOrthonormal)(u) || !THTensor_(isOrthonormal)(v);
    wrong += u->size[1] != count || v->size[1] != count || v->size[0] != n;
    wrong += !THTensor_(isByColumns)(u) || !THTensor_(isContiguous)(v);
    for (long i = 1; i < count; i++)
        wrong += THTensor_(get1d)(s, i - 1) < THTensor_(get1d)(s, i);
    wrong += !THTensor_(equal)(a, kept);
    THTensor_(gesvd)(u, again, v, a, "N");
    wrong += !THTensor_(isNear)(s, again) || u->size[1] != count;
    /* The work matrix is the operand, where that is NULL. */
    THTensor_(gesvd2)(u, again, v, a, NULL, "A");
    wrong += u->size[1] != m || v->size[1] != n;
    wrong += !THTensor_(isOrthonormal)(u) || !THTensor_(isOrthonormal)(v);
    THTensor_(narrow)(u, NULL, 1, 0, count);
    THTensor_(narrow)(v, NULL, 1, 0, count);
    THTensor_(free)(scaled);
    scaled = THTensor_(scaled)(u, again);
    wrong += !THTensor_(multiplyTo)(scaled, 0, v, 1, kept);
    THTensor_(freeAll)(7, (THTensor *[]){a, kept, u, s, v, again, scaled});
    return wrong;
}

/* Batches of 3, of vectors where `columns` is 0. */
static int THTensor_(batch)(long n, long columns, int turned)
{
    THTensor *const a = THTensor_(newWithSize3d)(3, n, n);
    THTensor *const b = columns ? THTensor_(newWithSize3d)(3, n, columns)
                                : THTensor_(newWithSize2d)(3, n);
    THTensor *const lu = THTensor_(new)(), *const x = THTensor_(new)();
    THTensor *const one = THTensor_(new)(), *const solution = THTensor_(new)();
    THTensor *const right = THTensor_(new)();
    THIntTensor *const pivots = THIntTensor_new(), *const infos = THIntTensor_new();
    int wrong = 0;

    TH_TENSOR_APPLY(real, a, *a_data = (real)draw(-3, 4);)
    TH_TENSOR_APPLY(real, b, *b_data = (real)draw(-3, 4);)
    if (turned)
        THTensor_(transpose)(a, NULL, 1, 2);
    for (long i = 0; i < 3; i++)
        for (long j = 0; j < n; j++)
            THTensor_(set3d)(a, i, j, n - 1 - j, (real)(20 + j));
    THTensor_(btrifact)(lu, pivots, turned ? NULL : infos, 1, a);
    THTensor_(btrisolve)(x, b, lu, pivots);
    for (long i = 0; i < 3; i++) {
        THTensor_(select)(one, a, 0, i);
        THTensor_(select)(solution, x, 0, i);
        THTensor_(select)(right, b, 0, i);
        wrong += !THTensor_(multiplyTo)(one, 0, solution, 0, right);
        wrong += !turned && THIntTensor_get1d(infos, i) != 0;
    }
    wrong += !THTensor_(isSameSizeAs)(x, b);
    THTensor_(btrifact)(a, pivots, NULL, 1, a);
    wrong += !THTensor_(equal)(a, lu);
    THTensor_(btrisolve)(b, b, a, pivots);
    wrong += !THTensor_(equal)(b, x);
    THIntTensor_free(infos);
    THIntTensor_free(pivots);
    THTensor_(freeAll)(7, (THTensor *[]){a, b, lu, x, one, solution, right});
    return wrong;
}

static void THTensor_(check)(void)
{
    static const long extents[] = {1, 2, 5, 17};
    int wrong[8] = {0};

    for (int i = 0; i < 4; i++)
        for (int layout = 0; layout < REPEATED; layout++) {
            const long n = extents[i], other = extents[(i + layout) % 4];

            for (int manner = NEW; manner < MANNERS; manner++) {
                for (int lb = 0; lb < REPEATED; lb++) {
                    wrong[0] += THTensor_(systems)(layout, lb, manner, n, 1 + lb);
                    wrong[1] += THTensor_(squares)(layout, lb, manner, n, other);
                }
                wrong[2] += THTensor_(factors)(layout, manner, n);
                wrong[3] += THTensor_(symmetric)(layout, manner, n);
            }
            wrong[2] += THTensor_(pivoted)(layout, n);
            wrong[4] +=
                THTensor_(orthogonal)(layout, (layout + 1) % REPEATED, n, other);
            wrong[5] += THTensor_(general)(layout, n);
            wrong[6] += THTensor_(singular)(layout, n, other);
            wrong[7] += THTensor_(batch)(n, layout, layout % 2);
        }
    tap_ok(!wrong[0], "gesv, trtrs and potrs solve, type " TH_CONCAT_STRING_2(, Real));
    tap_ok(!wrong[1], "gels solves the normal equations, or by a combination of rows");
    tap_ok(!wrong[2], "potrf, potri, getri and pstrf: factors and inverses");
    tap_ok(!wrong[3], "syev: eigenvectors of symmetric matrices");
    tap_ok(!wrong[4], "qr, geqrf, orgqr and ormqr");
    tap_ok(!wrong[5], "geev: eigenvectors, conjugate pairs too");
    tap_ok(!wrong[6], "gesvd and gesvd2: singular values and vectors");
    tap_ok(!wrong[7], "btrifact and btrisolve");
}
