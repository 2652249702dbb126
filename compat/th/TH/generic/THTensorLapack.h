/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear algebra of one type, by the system's LAPACK; an error where there is none.
 *
 * Operands are matrices of any strides.  Results may be operands or share memory with
 * them, and nothing is written after an error.  A result that is the operand of which
 * it is made keeps its strides.  Any other becomes column-major (strides 1, rows),
 * unless it has the shape and is not contiguous.  Letters of arguments may be upper or
 * lower case.  An operand of NULL is the result that it is made into.
 *
 * An OpenBLAS with threads of its own computes on the calling thread.
 */

/* ---- systems of equations: b is a matrix, or a vector, whose solution is a matrix of
 * one column ---- */

/* Solve a * rb_ = b, a square; ra_ is the factors L and U of a with its rows permuted.
 * An error where a is singular. */
TH_API void THTensor_(gesv)(THTensor *rb_, THTensor *ra_, THTensor *b_, THTensor *a_);

/*
 * Solve op(a) * rb_ = b for the upper ("U") or lower ("L") triangle of a square a, op a
 * transpose where `trans` is "T", not "N".  diag "U": its diagonal counts as ones, "N":
 * as it is.  ra_ is a.
 */
TH_API void THTensor_(trtrs)(THTensor *rb_, THTensor *ra_, THTensor *b_, THTensor *a_,
                             const char *uplo, const char *trans, const char *diag);

/*
 * Least squares, or the solution of least norm where a has more columns than rows; a of
 * full rank.  ra_ is the factors that LAPACK leaves.  Below the rows of rb_, in its
 * storage, are those whose squares sum to the residual.
 */
TH_API void THTensor_(gels)(THTensor *rb_, THTensor *ra_, THTensor *b_, THTensor *a_);

/* Solve by a factor that potrf made. */
TH_API void THTensor_(potrs)(THTensor *rb_, THTensor *b_, THTensor *a_,
                             const char *uplo);

/* ---- inverses and factors ---- */

TH_API void THTensor_(getri)(THTensor *ra_, THTensor *a);

/* Of a symmetric positive definite matrix, of which one triangle is read: the factor U,
 * a = U' * U, or L, a = L * L'; the other triangle is 0. */
TH_API void THTensor_(potrf)(THTensor *ra_, THTensor *a, const char *uplo);
/* The inverse of the matrix whose factor, by potrf, is a */
TH_API void THTensor_(potri)(THTensor *ra_, THTensor *a, const char *uplo);
/*
 * As potrf, with columns and rows permuted: a[p[i]][p[j]] are the elements of U' * U,
 * where p is rpiv_, which counts from 1.  An error where a pivot is at most `tol`;
 * below 0: n * the largest element * the precision.
 */
TH_API void THTensor_(pstrf)(THTensor *ra_, THIntTensor *rpiv_, THTensor *a,
                             const char *uplo, real tol);

/* Of m by n: rq_ is m by min(m, n) with orthonormal columns, rr_ upper triangular. */
TH_API void THTensor_(qr)(THTensor *rq_, THTensor *rr_, THTensor *a);
/* R, and below it the reflectors whose product is Q; rtau_ are their factors. */
TH_API void THTensor_(geqrf)(THTensor *ra_, THTensor *rtau_, THTensor *a);
/* The first columns of Q, as many as tau has elements; others stay those of a. */
TH_API void THTensor_(orgqr)(THTensor *ra_, THTensor *a, THTensor *tau);
/* Q * c, or c * Q where `side` is "R", not "L"; with the transpose of Q where `trans`
 * is "T", not "N". */
TH_API void THTensor_(ormqr)(THTensor *ra_, THTensor *a, THTensor *tau, THTensor *c,
                             const char *side, const char *trans);

/* ---- eigenvalues and singular values ---- */

/* Of a symmetric matrix, of which one triangle is read: re_ in ascending order; with
 * jobz "V", eigenvectors are the columns of rv_, with "N" it is not specified. */
TH_API void THTensor_(syev)(THTensor *re_, THTensor *rv_, THTensor *a_,
                            const char *jobz, const char *uplo);
/*
 * Of any square matrix: re_ is n by 2, real and imaginary parts.  With jobvr "V", rv_
 * is eigenvectors as LAPACK has them: of a conjugate pair, the first column is the real
 * part, the next the imaginary; with "N" it is not touched.
 */
TH_API void THTensor_(geev)(THTensor *re_, THTensor *rv_, THTensor *a_,
                            const char *jobvr);
/*
 * a = ru_ * diag(rs_) * rv_'.  jobu "S": ru_ and rv_ have min(m, n) columns, "A": m and
 * n, "N": they are not touched.  rv_ is row-major.  gesvd2 gives what LAPACK leaves of
 * a, too.
 */
TH_API void THTensor_(gesvd)(THTensor *ru_, THTensor *rs_, THTensor *rv_, THTensor *a,
                             const char *jobu);
TH_API void THTensor_(gesvd2)(THTensor *ru_, THTensor *rs_, THTensor *rv_,
                              THTensor *ra_, THTensor *a, const char *jobu);

/* ---- of a batch of square matrices ---- */

/*
 * Factors as gesv has them, one after the other, and pivots, which count from 1.
 * rinfo_ is 0 for each matrix, or a diagonal element of U that is 0; where it is NULL,
 * that is an error.  `pivot` is 1.
 */
TH_API void THTensor_(btrifact)(THTensor *ra_, THIntTensor *rpivots_,
                                THIntTensor *rinfo_, int pivot, THTensor *a);
/* Solve by them, for batches of vectors or matrices. */
TH_API void THTensor_(btrisolve)(THTensor *rb_, THTensor *b, THTensor *atf,
                                 THIntTensor *pivots);
