/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear algebra of one type: what results multiply to, in each layout of operands and
 * results.
 */

static const double THTensor_(epsilon) = sizeof(real) == sizeof(float) ? FLT_EPSILON
                                                                       : DBL_EPSILON;

static THDoubleTensor *THTensor_(exact)(THTensor *t)
{
    THDoubleTensor *const result =
        THDoubleTensor_newWithSize2d(t->size[0], t->nDimension == 2 ? t->size[1] : 1);

    for (long i = 0; i < result->size[0]; i++)
        for (long j = 0; j < result->size[1]; j++)
            THDoubleTensor_set2d(result, i, j,
                                 (double)(t->nDimension == 2 ? THTensor_(get2d)(t, i, j)
                                                             : THTensor_(get1d)(t, i)));
    return result;
}

/* Whether a * b is `want`, each a transpose where it is turned, within rounding. */
static int THTensor_(multiplyTo)(THTensor *a, int turn_a, THTensor *b, int turn_b,
                                 THTensor *want)
{
    THDoubleTensor *const left = THTensor_(exact)(a), *const right =
                                                          THTensor_(exact)(b);
    THDoubleTensor *const product = THTensor_(exact)(want);
    const double given = largest(product);
    double bound;

    if (turn_a)
        THDoubleTensor_transpose(left, NULL, 0, 1);
    if (turn_b)
        THDoubleTensor_transpose(right, NULL, 0, 1);
    bound = 16 * THTensor_(epsilon) * (double)left->size[1] *
            (given + largest(left) * largest(right) * (double)left->size[1]);
    THDoubleTensor_addmm(product, -1, product, 1, left, right);
    bound -= largest(product);
    THDoubleTensor_free(product);
    THDoubleTensor_free(right);
    THDoubleTensor_free(left);
    return bound >= 0;
}

/* Whether the columns of q are orthonormal. */
static int THTensor_(isOrthonormal)(THTensor *q)
{
    THTensor *const one = THTensor_(new)();
    int good;

    THTensor_(eye)(one, q->size[1], q->size[1]);
    good = THTensor_(multiplyTo)(q, 1, q, 0, one);
    THTensor_(free)(one);
    return good;
}

static int THTensor_(isNear)(THTensor *a, THTensor *b)
{
    THTensor *const one = THTensor_(new)();
    int good;

    THTensor_(eye)(one, a->size[0], a->size[0]);
    good = THTensor_(multiplyTo)(one, 0, a, 0, b);
    THTensor_(free)(one);
    return good;
}

/* A well-conditioned matrix in a layout. */
static THTensor *THTensor_(regular)(enum layout layout, long m, long n)
{
    THTensor *const a = THTensor_(laid)(layout, m, n);

    for (long i = 0; i < THMin(m, n); i++)
        THTensor_(set2d)(a, i, i,
                         (real)(THTensor_(get2d)(a, i, i) + (real)(4 * THMax(m, n))));
    return a;
}

/* A symmetric positive definite one. */
static THTensor *THTensor_(definite)(enum layout layout, long n)
{
    THTensor *const a = THTensor_(regular)(layout, n, n);

    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++)
            THTensor_(set2d)(a, i, j, THTensor_(get2d)(a, j, i));
    return a;
}

/* Whether t is laid out by columns. */
static int THTensor_(isByColumns)(THTensor *t)
{
    return t->nDimension == 2 && (t->size[0] == 1 || t->stride[0] == 1) &&
           (t->size[1] == 1 || t->stride[1] == t->size[0]);
}

/* Free a call's tensors, of which some are the same. */
static void THTensor_(freeAll)(int count, THTensor **tensors)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) {
            if (tensors[j] == tensors[i] && j < i)
                break;
            if (j == i)
                THTensor_(free)(tensors[i]);
        }
}

/* Solve by gesv, trtrs and potrs; the number of wrong results. */
static int THTensor_(systems)(enum layout la, enum layout lb, enum manner manner,
                              long n, long columns)
{
    int wrong = 0;

    for (int which = 0; which < 3; which++) {
        THTensor *const a =
            which == 2 ? THTensor_(definite)(la, n) : THTensor_(regular)(la, n, n);
        THTensor *const b = THTensor_(laid)(lb, n, columns);
        THTensor *const ra = manner == NEW || which == 2 ? THTensor_(new)() : a;
        THTensor *const rb = manner == NEW ? THTensor_(new)() : b;
        THTensor *const kept = THTensor_(newClone)(a), *want = THTensor_(newClone)(b);
        const long step = rb->nDimension ? rb->stride[1] : 0;

        if (which == 0) {
            THTensor_(gesv)(rb, ra, manner == NULLS ? NULL : b,
                            manner == NULLS ? NULL : a);
        } else if (which == 1) {
            THTensor_(trtrs)(rb, ra, manner == NULLS ? NULL : b,
                             manner == NULLS ? NULL : a, "L", "t", "N");
            wrong += !THTensor_(equal)(ra, kept);
            THTensor_(tril)(kept, kept, 0);
            THTensor_(transpose)(kept, NULL, 0, 1);
        } else {
            THTensor_(potrf)(ra, a, "U");
            THTensor_(potrs)(rb, manner == NULLS ? NULL : b, ra, "U");
        }
        wrong += !THTensor_(multiplyTo)(kept, 0, rb, 0, want);
        if (manner == NEW)
            wrong += !THTensor_(isByColumns)(rb) || !THTensor_(isByColumns)(ra) ||
                     !THTensor_(equal)(b, want);
        else
            wrong += rb->stride[1] != step;
        THTensor_(free)(want);
        THTensor_(free)(kept);
        THTensor_(freeAll)(4, (THTensor *[]){a, b, ra, rb});
    }
    return wrong;
}

/* Inverses and factors of a square matrix. */
static int THTensor_(factors)(enum layout layout, enum manner manner, long n)
{
    int wrong = 0;

    for (int which = 0; which < 5; which++) {
        const char *const side = which % 2 ? "U" : "l";
        THTensor *const a = THTensor_(definite)(layout, n);
        THTensor *const r = manner == NEW ? THTensor_(new)() : a;
        THTensor *const operand = manner == NULLS ? NULL : a;
        THTensor *const kept = THTensor_(newClone)(a), *const one = THTensor_(new)();

        THTensor_(eye)(one, n, n);
        if (which < 2) {
            THTensor_(potrf)(r, operand, side);
            wrong += !THTensor_(multiplyTo)(r, which == 1, r, which == 0, kept);
            wrong += n > 1 && THTensor_(get2d)(r, which == 0 ? 0 : n - 1,
                                               which == 0 ? n - 1 : 0) != 0;
        } else if (which < 4) {
            THTensor_(potrf)(r, operand, side);
            THTensor_(potri)(r, NULL, side);
            wrong += !THTensor_(multiplyTo)(r, 0, kept, 0, one);
        } else {
            THTensor_(getri)(r, operand);
            wrong += !THTensor_(multiplyTo)(kept, 0, r, 0, one);
        }
        if (manner == NEW)
            wrong += !THTensor_(equal)(a, kept) || !THTensor_(isByColumns)(r);
        THTensor_(free)(one);
        THTensor_(free)(kept);
        THTensor_(freeAll)(2, (THTensor *[]){a, r});
    }
    return wrong;
}

/* pstrf: the permuted matrix is the product of its factor. */
static int THTensor_(pivoted)(enum layout layout, long n)
{
    THTensor *const a = THTensor_(definite)(layout, n), *const r = THTensor_(new)();
    THTensor *const permuted = THTensor_(newWithSize2d)(n, n);
    THIntTensor *const pivots = THIntTensor_new();
    int wrong;

    THTensor_(set2d)(a, n - 1, n - 1, (real)(20 * n));
    THTensor_(pstrf)(r, pivots, a, "U", -1);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            THTensor_(set2d)(permuted, i, j,
                             THTensor_(get2d)(a, THIntTensor_get1d(pivots, i) - 1,
                                              THIntTensor_get1d(pivots, j) - 1));
    wrong = !THTensor_(multiplyTo)(r, 1, r, 0, permuted);
    wrong += THIntTensor_get1d(pivots, 0) != n;
    THIntTensor_free(pivots);
    THTensor_(free)(permuted);
    THTensor_(free)(r);
    THTensor_(free)(a);
    return wrong;
}

/* qr, and the same by its parts. */
static int THTensor_(orthogonal)(enum layout layout, enum layout lc, long m, long n)
{
    THTensor *const a = THTensor_(laid)(layout, m, n), *const q = THTensor_(new)();
    THTensor *const r = THTensor_(new)(), *const tau = THTensor_(new)();
    THTensor *const full = THTensor_(new)(), *const product = THTensor_(new)();
    THTensor *const c = THTensor_(laid)(lc, m, 3), *const turned = THTensor_(new)();
    const long count = THMin(m, n);
    int wrong = 0;

    THTensor_(qr)(q, r, a);
    wrong += !THTensor_(multiplyTo)(q, 0, r, 0, a) || !THTensor_(isOrthonormal)(q);
    wrong += q->size[1] != count || r->size[0] != count || !THTensor_(isByColumns)(q);
    wrong += count > 1 && THTensor_(get2d)(r, 1, 0) != 0;
    THTensor_(geqrf)(full, tau, a);
    /* Q' * c, then Q * that, and the same from the right. */
    THTensor_(ormqr)(product, full, tau, c, "L", "T");
    if (m <= n)
        wrong += !THTensor_(multiplyTo)(q, 1, c, 0, product);
    THTensor_(ormqr)(product, full, tau, product, "L", "N");
    THTensor_(transpose)(turned, c, 0, 1);
    wrong += !THTensor_(isNear)(product, c);
    THTensor_(ormqr)(product, full, tau, turned, "R", "N");
    if (m <= n)
        wrong += !THTensor_(multiplyTo)(turned, 0, q, 0, product);
    THTensor_(orgqr)(full, NULL, tau);
    THTensor_(narrow)(full, NULL, 1, 0, count);
    wrong += !THTensor_(equal)(full, q);
    THTensor_(freeAll)(8, (THTensor *[]){a, q, r, tau, full, product, c, turned});
    return wrong;
}
