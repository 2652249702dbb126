/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack use of TH's calls: operators, reductions, loops, views, random numbers, and
 * warnings of broadcasting with their places.
 */
#include <broadloom/warnings.h>

#include <TH/TH.h>

#include <stdlib.h>

#include "harness/painted.h"

enum { ROWS = 120, COLUMNS = 150 };

static THDoubleTensor *a, *b, *r, *turned, *row;
static THFloatTensor *f;
static THByteTensor *mask;
static THLongTensor *where;
static double number;

static void add(void)
{
    THDoubleTensor_cadd(r, a, 2, turned);
}

static void broadcast(void)
{
    THDoubleTensor_cadd(r, a, 1, row);
}

static void multiply(void)
{
    THDoubleTensor_cmul(r, turned, b);
    THDoubleTensor_addcmul(r, a, 2, turned, b);
    THDoubleTensor_cpow(r, a, b);
}

static void convert(void)
{
    THFloatTensor_resize2d(f, ROWS, COLUMNS);
    THFloatTensor_copyDouble(f, turned);
    THDoubleTensor_copyFloat(turned, f);
}

static void choose(void)
{
    THDoubleTensor_gtTensor(mask, turned, b);
    THDoubleTensor_maskedSelect(r, b, mask);
    THDoubleTensor_maskedFill(b, mask, 3);
}

static void along(void)
{
    THDoubleTensor_max(r, where, turned, 0, 0);
    THDoubleTensor_sum(r, turned, 1, 0);
    THDoubleTensor_norm(r, turned, 3, 0, 1);
    THDoubleTensor_cumsum(r, turned, 1);
}

static void of_all(void)
{
    number = THDoubleTensor_dot(a, b) + THDoubleTensor_sumall(turned) +
             THDoubleTensor_varall(turned, 0) + THDoubleTensor_dist(a, turned, 1.5);
}

static void loop(void)
{
    THDoubleTensor_resizeAs(r, a);
    TH_TENSOR_APPLY3(double, r, double, a, double, turned,
                     *r_data = *a_data + *turned_data;);
}

static const struct {
    const char *what;
    void (*call)(void);
} rows_of_calls[] = {
    {"cadd", add},
    {"cadd of as many elements, with a warning", broadcast},
    {"cmul, addcmul, cpow", multiply},
    {"copies", convert},
    {"masks", choose},
    {"reductions", along},
    {"of all", of_all},
    {"a loop", loop},
};

static void (*call)(void);

static bl_status call_one(void)
{
    call();
    return BL_OK;
}

static void make(void)
{
    a = THDoubleTensor_newWithSize2d(ROWS, COLUMNS);
    b = THDoubleTensor_newWithSize2d(ROWS, COLUMNS);
    row = THDoubleTensor_newWithSize1d(ROWS * COLUMNS);
    turned = THDoubleTensor_newWithSize2d(COLUMNS, ROWS);
    r = THDoubleTensor_new();
    f = THFloatTensor_new();
    mask = THByteTensor_new();
    where = THLongTensor_new();
    THDoubleTensor_fill(a, 1.5);
    THDoubleTensor_fill(b, 2.5);
    THDoubleTensor_fill(row, 3.5);
    THDoubleTensor_fill(turned, 4.5);
    THDoubleTensor_transpose(turned, NULL, 0, 1);
}

static void drop(void)
{
    THDoubleTensor_free(a);
    THDoubleTensor_free(b);
    THDoubleTensor_free(r);
    THDoubleTensor_free(row);
    THDoubleTensor_free(turned);
    THFloatTensor_free(f);
    THByteTensor_free(mask);
    THLongTensor_free(where);
}

static void groups(void)
{
    make();
    bl_backcompat_broadcast_warning_set_enabled(true);
    painted_begin("TH");
    for (size_t i = 0; i < sizeof rows_of_calls / sizeof rows_of_calls[0]; i++) {
        call = rows_of_calls[i].call;
        (void)painted_call(call_one, "%s", rows_of_calls[i].what);
    }
    painted_end();
    drop();
}

int main(int argc, char **argv)
{
    return painted_main(argc, argv, groups);
}
