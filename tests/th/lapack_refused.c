/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What linear algebra refuses: shapes, letters, singular matrices.  Results stay as
 * they were.
 */
#include "th/kit.h"

static THDoubleTensor *wide, *zero, *vector, *cube, *one;
static THIntTensor *pivots, *infos;
static THDoubleTensor *r, *s, *t;

static THDoubleTensor *filled(double value, long rows, long columns)
{
    THDoubleTensor *const result = THDoubleTensor_newWithSize2d(rows, columns);

    THDoubleTensor_fill(result, value);
    return result;
}

/* Whether a result is as it was made. */
static int is_kept(THDoubleTensor *result)
{
    return result->nDimension == 2 && result->size[0] == 1 && result->size[1] == 3 &&
           THDoubleTensor_minall(result) == 7 && THDoubleTensor_maxall(result) == 7;
}

#define SYSTEMS(name, solve)                                                           \
    do {                                                                               \
        REFUSED_AS(solve(vector, one), "2: A should have 2 dimensions, but has 1",     \
                   name " of a vector");                                               \
        REFUSED_AS(solve(zero, cube), "1: B should have 1 or 2 dimensions, but has 3", \
                   name " for a batch");                                               \
        REFUSED_AS(solve(zero, wide),                                                  \
                   "2: A,B size incompatible - A has 3 rows, B has 2",                 \
                   name " for fewer rows");                                            \
    } while (0)

static void check_shapes(void)
{
#define SOLVE(a, b) THDoubleTensor_gesv(r, s, b, a)
    SYSTEMS("gesv", SOLVE);
    REFUSED(SOLVE(wide, wide), "A should be square, but is 2x3");
#undef SOLVE
#define SOLVE(a, b) THDoubleTensor_trtrs(r, s, b, a, "U", "N", "N")
    SYSTEMS("trtrs", SOLVE);
    REFUSED(SOLVE(wide, wide), "A should be square, but is 2x3");
#undef SOLVE
#define SOLVE(a, b) THDoubleTensor_potrs(r, b, a, "U")
    SYSTEMS("potrs", SOLVE);
    REFUSED(SOLVE(wide, wide), "A should be square, but is 2x3");
#undef SOLVE
#define SOLVE(a, b) THDoubleTensor_gels(r, s, b, a)
    SYSTEMS("gels", SOLVE);
#undef SOLVE
    REFUSED(THDoubleTensor_syev(r, s, vector, "V", "U"),
            "1: A should be 2 dimensional");
    REFUSED(THDoubleTensor_syev(r, s, wide, "V", "U"), "A should be square");
    REFUSED(THDoubleTensor_geev(r, s, wide, "V"), "A should be square");
    REFUSED(THDoubleTensor_gesvd(r, s, t, cube, "A"), "1: A should be 2 dimensional");
    REFUSED(THDoubleTensor_getri(r, wide), "A should be square");
    REFUSED(THDoubleTensor_potrf(r, wide, "U"), "A should be square");
    REFUSED(THDoubleTensor_potri(r, wide, "U"), "A should be square");
    REFUSED(THDoubleTensor_pstrf(r, pivots, wide, "U", 0), "A should be square");
    REFUSED(THDoubleTensor_qr(r, s, vector), "1: A should be 2 dimensional");
    REFUSED(THDoubleTensor_geqrf(r, s, vector), "1: A should be 2 dimensional");
    REFUSED(THDoubleTensor_orgqr(r, wide, vector),
            "tau should have at most 2 elements, but has 3");
    REFUSED(THDoubleTensor_orgqr(r, wide, wide), "3: tau should be 1 dimensional");
    REFUSED(THDoubleTensor_ormqr(r, wide, vector, zero, "L", "N"),
            "A should have 3 rows, but has 2");
    REFUSED(THDoubleTensor_ormqr(r, zero, vector, vector, "L", "N"),
            "c should be 2 dimensional");
    REFUSED(THDoubleTensor_btrifact(r, pivots, infos, 1, zero),
            "expected 3D tensor, got 2D");
    REFUSED(THDoubleTensor_btrifact(r, pivots, infos, 0, cube),
            "btrifact without pivoting is not implemented on the CPU");
    REFUSED(THDoubleTensor_btrisolve(r, vector, cube, pivots),
            "expected 2D or 3D tensor");
    REFUSED(THDoubleTensor_btrisolve(r, zero, cube, pivots),
            "number of batches must be equal");
    REFUSED(THDoubleTensor_btrisolve(r, wide, cube, pivots),
            "pivots should be 2x3, but are [2 x 2]");
    THIntTensor_resize2d(pivots, 2, 3);
    THIntTensor_fill(pivots, 4);
    REFUSED(THDoubleTensor_btrisolve(r, wide, cube, pivots),
            "pivots should be from 1 to 3, but are from 4 to 4");
}

static void check_letters(void)
{
    REFUSED(THDoubleTensor_potrf(r, zero, "X"),
            "Lapack Error in potrf : Illegal Argument 1");
    REFUSED(THDoubleTensor_potri(r, zero, ""),
            "Lapack Error in potri : Illegal Argument 1");
    REFUSED(THDoubleTensor_potrs(r, zero, zero, "N"),
            "Lapack Error in potrs : Illegal Argument 1");
    REFUSED(THDoubleTensor_pstrf(r, pivots, zero, NULL, 0),
            "Lapack Error in pstrf : Illegal Argument 1");
    REFUSED(THDoubleTensor_trtrs(r, s, zero, zero, "V", "N", "N"),
            "Lapack Error in trtrs : Illegal Argument 1");
    REFUSED(THDoubleTensor_trtrs(r, s, zero, zero, "U", "U", "N"),
            "Lapack Error in trtrs : Illegal Argument 2");
    REFUSED(THDoubleTensor_trtrs(r, s, zero, zero, "U", "N", "T"),
            "Lapack Error in trtrs : Illegal Argument 3");
    REFUSED(THDoubleTensor_syev(r, s, zero, "A", "U"),
            "Lapack Error in syev : Illegal Argument 1");
    REFUSED(THDoubleTensor_syev(r, s, zero, "V", "A"),
            "Lapack Error in syev : Illegal Argument 2");
    REFUSED(THDoubleTensor_geev(r, s, zero, "S"),
            "Lapack Error in geev : Illegal Argument 2");
    REFUSED(THDoubleTensor_gesvd(r, s, t, zero, "O"),
            "Lapack Error in gesvd : Illegal Argument 1");
    REFUSED(THDoubleTensor_ormqr(r, zero, vector, zero, "U", "N"),
            "Lapack Error in ormqr : Illegal Argument 1");
    REFUSED(THDoubleTensor_ormqr(r, zero, vector, zero, "L", "C"),
            "Lapack Error in ormqr : Illegal Argument 2");
}

static void check_singular(void)
{
    REFUSED(THDoubleTensor_gesv(r, s, vector, zero),
            "Lapack Error in gesv : U(1,1) is zero, singular U.");
    THDoubleTensor_set2d(zero, 0, 0, 1);
    REFUSED(THDoubleTensor_trtrs(r, s, vector, zero, "U", "N", "N"),
            "Lapack Error in trtrs : A(2,2) is zero, singular A");
    REFUSED(THDoubleTensor_gels(r, s, vector, zero),
            "Lapack Error in gels : The 2-th diagonal element of the triangular factor "
            "of A is zero");
    REFUSED(THDoubleTensor_getri(r, zero),
            "Lapack Error getrf : U(2,2) is 0, U is singular");
    REFUSED(THDoubleTensor_potrf(r, zero, "U"),
            "Lapack Error in potrf : the leading minor of order 2 is not positive "
            "definite");
    REFUSED(THDoubleTensor_potri(r, zero, "U"),
            "Lapack Error potri : A(2,2) is 0, A cannot be factorized");
    REFUSED(THDoubleTensor_pstrf(r, pivots, zero, "U", -1),
            "Lapack Error pstrf : matrix is rank deficient or not positive "
            "semidefinite");
    REFUSED(THDoubleTensor_btrifact(r, pivots, NULL, 1, cube),
            "failed to factorize batch element 1 (info == 2)");
}

int main(void)
{
    handle_errors();
    wide = filled(0, 2, 3);
    zero = filled(0, 3, 3);
    vector = THDoubleTensor_newWithSize1d(3);
    THDoubleTensor_fill(vector, 1);
    one = filled(1, 3, 1);
    cube = THDoubleTensor_newWithSize3d(2, 3, 3);
    THDoubleTensor_zero(cube);
    for (long i = 0; i < 3; i++)
        THDoubleTensor_set3d(cube, 0, i, i, 1);
    THDoubleTensor_set3d(cube, 1, 0, 0, 1);
    pivots = THIntTensor_newWithSize2d(2, 2);
    infos = THIntTensor_new();
    r = filled(7, 1, 3);
    s = filled(7, 1, 3);
    t = filled(7, 1, 3);
    check_shapes();
    check_letters();
    TRY(THDoubleTensor_getri(one, zero));
    if (strstr(said, "Lapack library not found"))
        tap_skip(said, "singular matrices are refused");
    else
        check_singular();
    tap_ok(is_kept(r) && is_kept(s) && is_kept(t), "refused calls write no result");
    THDoubleTensor_set2d(zero, 0, 0, 0);
    tap_ok(THDoubleTensor_maxall(zero) == 0 && infos->nDimension == 0,
           "and no operand");
    THIntTensor_free(infos);
    THIntTensor_free(pivots);
    for (int i = 0; i < 8; i++)
        THDoubleTensor_free(
            (THDoubleTensor *[]){wide, zero, vector, cube, one, r, s, t}[i]);
    return tap_done();
}
