/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that calls functions which libbroadloom-th omits, and supplies them:
 * another file defines them under TH's names.
 */
#include "brought.h"

#include "harness/scratch.h"
#include "harness/tap.h"

#include <unistd.h>

static void check_products(void)
{
    THFloatTensor *const a = THFloatTensor_new(), *const b = THFloatTensor_new();
    THFloatTensor *const t = THFloatTensor_newWithSize2d(2, 2);
    THFloatTensor *const r = THFloatTensor_new();

    THFloatTensor_range(a, 1, 6, 1);
    THFloatTensor_resize2d(a, 2, 3);
    THFloatTensor_range(b, 1, 6, 1);
    THFloatTensor_resize2d(b, 3, 2);
    THFloatTensor_fill(t, 10);
    THFloatTensor_addmm(r, 1, t, 2, a, b);
    tap_ok(brought_calls == 1 && THFloatTensor_get2d(r, 0, 0) == 54 &&
               THFloatTensor_get2d(r, 1, 1) == 138,
           "a matrix product that the program brings");
    THFloatTensor_free(a);
    THFloatTensor_free(b);
    THFloatTensor_free(t);
    THFloatTensor_free(r);
}

static void check_order(void)
{
    THIntTensor *const t = THIntTensor_newWithSize1d(3), *const r = THIntTensor_new();
    THLongTensor *const where = THLongTensor_new();

    THIntTensor_set1d(t, 0, 7);
    THIntTensor_set1d(t, 1, 9);
    THIntTensor_set1d(t, 2, 8);
    THIntTensor_sort(r, where, t, 0, 1);
    tap_ok(THIntTensor_get1d(r, 0) == 9 && THIntTensor_get1d(r, 2) == 7 &&
               THLongTensor_get1d(where, 1) == 2,
           "a sort");
    THIntTensor_free(t);
    THIntTensor_free(r);
    THLongTensor_free(where);
}

static void check_solver(void)
{
    THDoubleTensor *const a = THDoubleTensor_newWithSize2d(2, 2);
    THDoubleTensor *const b = THDoubleTensor_newWithSize2d(2, 1);
    THDoubleTensor *const x = THDoubleTensor_new(), *const lu = THDoubleTensor_new();

    THDoubleTensor_zero(a);
    THDoubleTensor_set2d(a, 0, 0, 2);
    THDoubleTensor_set2d(a, 1, 1, 4);
    THDoubleTensor_fill(b, 12);
    brought_calls = 0;
    THDoubleTensor_gesv(x, lu, b, a);
    tap_ok(brought_calls == 1 && THDoubleTensor_get2d(x, 0, 0) == 6 &&
               THDoubleTensor_get2d(x, 1, 0) == 3,
           "a solver, and LAPACK below it");
    THDoubleTensor_free(a);
    THDoubleTensor_free(b);
    THDoubleTensor_free(x);
    THDoubleTensor_free(lu);
}

static void check_file(void)
{
    char name[SCRATCH_BYTES];

    scratch_name(name, "th_brought");

    const int descriptor = mkstemp(name);
    float data[] = {1.5F, 2.5F};
    THFile *file;

    if (!tap_ok(descriptor >= 0, "a file to write"))
        return;
    close(descriptor);
    file = THDiskFile_new(name, "w", 0);
    tap_ok(THFile_writeFloatRaw(file, data, 2) == 2, "written by a THFile of its own");
    THFile_free(file);
    file = THDiskFile_new(name, "r", 0);
    tap_ok(THFile_readFloatScalar(file) == 1.5F && THFile_readFloatScalar(file) == 2.5F,
           "and read");
    THFile_free(file);
    unlink(name);
}

int main(void)
{
    tap_plan();
    check_products();
    check_order();
    check_solver();
    check_file();
    return tap_done();
}
