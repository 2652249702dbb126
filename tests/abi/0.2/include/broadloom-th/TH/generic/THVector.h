/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on `n` contiguous elements of one type; a result may be an operand.
 */
/* Does nothing: the library dispatches to instruction sets itself. */
TH_API void THVector_(vectorDispatchInit)(void);

TH_API void THVector_(fill)(real *x, const real c, const ptrdiff_t n);
TH_API void THVector_(copy)(real *y, const real *x, const ptrdiff_t n);
TH_API void THVector_(neg)(real *y, const real *x, const ptrdiff_t n);
TH_API void THVector_(adds)(real *y, const real *x, const real c, const ptrdiff_t n);
TH_API void THVector_(muls)(real *y, const real *x, const real c, const ptrdiff_t n);
TH_API void THVector_(divs)(real *y, const real *x, const real c, const ptrdiff_t n);
/* z = x + c * y */
TH_API void THVector_(cadd)(real *z, const real *x, const real *y, const real c,
                            const ptrdiff_t n);
TH_API void THVector_(cmul)(real *z, const real *x, const real *y, const ptrdiff_t n);
TH_API void THVector_(cdiv)(real *z, const real *x, const real *y, const ptrdiff_t n);
