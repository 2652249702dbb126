/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine on which the BLAS and LAPACK of the build are not installed.
 */
#include "th/kit.h"

/* The program's own, which the library calls: no library can be loaded. */
void *dlopen(const char *name, int mode);
void *dlopen(const char *name, int mode)
{
    (void)name, (void)mode;
    return NULL;
}

#define MISSING(call, name)                                                            \
    do {                                                                               \
        REFUSED(call, name " : Lapack library not found (");                           \
        tap_ok(strstr(said, name "_") != NULL, "the function is named");               \
    } while (0)

int main(void)
{
    THFloatTensor *const a = THFloatTensor_newWithSize2d(2, 2);
    THFloatTensor *const r = THFloatTensor_newWithSize1d(1), *const s =
                                                                 THFloatTensor_new();
    THIntTensor *const p = THIntTensor_new();
    THFloatTensor *batch;
    double number = 1;
    int info;

    handle_errors();
    THFloatTensor_fill(a, 2);
    batch = THFloatTensor_newClone(a);
    THFloatTensor_resize3d(batch, 1, 2, 2);
    THFloatTensor_fill(r, 7);
    MISSING(THFloatTensor_gesv(r, s, a, a), "gesv");
    MISSING(THFloatTensor_trtrs(r, s, a, a, "U", "N", "N"), "trtrs");
    MISSING(THFloatTensor_gels(r, s, a, a), "gels");
    MISSING(THFloatTensor_syev(r, s, a, "N", "U"), "syev");
    MISSING(THFloatTensor_geev(r, s, a, "N"), "geev");
    MISSING(THFloatTensor_gesvd(r, s, r, a, "A"), "gesvd");
    MISSING(THFloatTensor_getri(r, a), "getri");
    MISSING(THFloatTensor_potrf(r, a, "U"), "potrf");
    MISSING(THFloatTensor_potri(r, a, "U"), "potri");
    MISSING(THFloatTensor_potrs(r, a, a, "U"), "potrs");
    MISSING(THFloatTensor_pstrf(r, p, a, "U", 0), "pstrf");
    MISSING(THFloatTensor_qr(r, s, a), "geqrf");
    MISSING(THFloatTensor_geqrf(r, s, a), "geqrf");
    MISSING(THFloatTensor_orgqr(r, a, r), "orgqr");
    MISSING(THFloatTensor_ormqr(r, a, r, a, "L", "N"), "ormqr");
    MISSING(THFloatTensor_btrifact(r, p, NULL, 1, batch), "getrf");
    MISSING(THDoubleLapack_potrf('U', 1, &number, 1, &info), "potrf");
    tap_ok(r->nDimension == 1 && THFloatTensor_get1d(r, 0) == 7 && s->nDimension == 0,
           "nothing is written");
    THFloatTensor_addmm(a, 0, a, 1, a, a);
    tap_ok(THFloatTensor_minall(a) == 8 && THFloatTensor_maxall(a) == 8,
           "products are computed by loops");
    THFloatTensor_free(batch);
    THIntTensor_free(p);
    THFloatTensor_free(s);
    THFloatTensor_free(r);
    THFloatTensor_free(a);
    return tap_done();
}
