/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of one type in column-major order, as LAPACK takes them: operands are copied
 * to such matrices, and results from them, so that a refused call writes nothing.
 */

/*
 * A copy of a matrix, or of a vector as a matrix of one column, in column-major order.
 * It has `rows` rows; those that the matrix does not have are not set.
 */
static THTensor *THTensor_(newColumns)(THTensor *src, long rows)
{
    const bool is_vector = src->nDimension == 1;
    THTensor *const from = THTensor_(newWithStorage2d)(
        src->storage, src->storageOffset, src->size[0], src->stride[0],
        is_vector ? 1 : src->size[1], is_vector ? 0 : src->stride[1]);
    THTensor *const result = THTensor_(newWithSize2d)(from->size[1], rows);
    THTensor *part;

    THTensor_(transpose)(result, NULL, 0, 1);
    part = THTensor_(newNarrow)(result, 0, 0, from->size[0]);
    THTensor_(copy)(part, from);
    THTensor_(free)(part);
    THTensor_(free)(from);
    return result;
}

/*
 * Give r_ the matrix `result`, which is freed.  Where r_ is the call's operand
 * `source`, it keeps its strides if it has the shape; else it becomes column-major,
 * unless it has the shape and is not contiguous.
 */
static void THTensor_(giveColumns)(THTensor *result, THTensor *r_, THTensor *source)
{
    if (r_ == source) {
        THTensor_(resize2d)(r_, result->size[0], result->size[1]);
    } else if (!THTensor_(isSameSizeAs)(r_, result) || THTensor_(isContiguous)(r_)) {
        THTensor_(resize2d)(r_, result->size[1], result->size[0]);
        THTensor_(transpose)(r_, NULL, 0, 1);
    }
    THTensor_(freeCopyTo)(result, r_);
}

/* ---- operands ---- */

/* Refuse what is not a matrix, or not a square one. */
static void THTensor_(checkMatrix)(THTensor *a, bool square)
{
    THArgCheck(a->nDimension == 2, 1, "A should be 2 dimensional");
    THArgCheck(!square || a->size[0] == a->size[1], 1, "A should be square");
    THArgCheck(th_fit(a->size[0], a->size[1]), 1, "A is too large: %ldx%ld", a->size[0],
               a->size[1]);
}

/* Refuse what is not a system of equations, A * X = B. */
static void THTensor_(checkSystem)(THTensor *a, THTensor *b, bool square)
{
    THArgCheck(a->nDimension == 2, 2, "A should have 2 dimensions, but has %d",
               a->nDimension);
    THArgCheck(b->nDimension == 1 || b->nDimension == 2, 1,
               "B should have 1 or 2 dimensions, but has %d", b->nDimension);
    THArgCheck(!square || a->size[0] == a->size[1], 2,
               "A should be square, but is %ldx%ld", a->size[0], a->size[1]);
    THArgCheck(a->size[0] == b->size[0], 2,
               "A,B size incompatible - A has %ld rows, B has %ld", a->size[0],
               b->size[0]);
    THArgCheck(th_fit(a->size[0], a->size[1]), 2, "A is too large: %ldx%ld", a->size[0],
               a->size[1]);
    THArgCheck(th_fit(b->nDimension == 2 ? b->size[1] : 1, 1), 1,
               "B is too large: %ldx%ld", b->size[0], b->size[b->nDimension - 1]);
}

/* Whether there is a LAPACK with this function; else an error. */
static bool THTensor_(hasLapack)(const char *name)
{
    char function[16];
    void *found;

    snprintf(function, sizeof function, "%c%s_",
             sizeof(real) == sizeof(float) ? 's' : 'd', name);
    return th_lapack_find(name, function, &found);
}
