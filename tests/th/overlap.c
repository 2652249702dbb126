/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands that overlap the result give what TH's loop gave: elements are computed in
 * row-major order, and later ones read what earlier ones wrote.
 */
#include <TH/TH.h>

#include "harness/tap.h"

/* A view of a storage. */
struct view {
    int rank;
    long size[2], stride[2], offset;
};

struct kind {
    const char *name;
    struct view result, operand;
};

enum { KINDS = 9 };

/* Views of a storage of side * side elements. */
static void make_kinds(struct kind *kinds, long side)
{
    const long all = side * side;
    const struct view rows = {2, {side, side}, {side, 1}, 0};
    const struct view columns = {2, {side, side}, {1, side}, 0};
    const struct view ahead = {1, {all - 1}, {1}, 1}, behind = {1, {all - 1}, {1}, 0};
    const struct view repeated = {2, {side, side}, {0, 1}, side};
    const struct view windows = {2, {all - 4, 4}, {1, 1}, 0};
    const struct view columned = {2, {all - 1, 1}, {1, 1}, 0};
    const struct view spread = {1, {all / 2 - 1}, {2}, 1};
    const struct view start = {1, {all / 2 - 1}, {1}, 0};
    const struct kind made[KINDS] = {
        {"itself, a step ahead", ahead, behind},
        {"itself, a step behind", behind, ahead},
        {"its transpose", rows, columns},
        {"repeated elements and themselves", repeated, repeated},
        {"repeated elements and all", repeated, rows},
        {"all and repeated elements", rows, repeated},
        {"sliding windows", windows, windows},
        {"another shape, a step ahead", ahead, columned},
        {"every other element", spread, start},
    };

    memcpy(kinds, made, sizeof made);
}

/* ---- operations ---- */

static void run_add(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_cadd(r, r, 1, t);
}

static double add(double r, double t)
{
    return r + t;
}

static void run_reversed(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_csub(r, r, -2, t);
}

static double reversed(double r, double t)
{
    return r + 2 * t;
}

static void run_multiply(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_cmul(r, r, t);
}

static double multiply(double r, double t)
{
    return r * t;
}

static void run_larger(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_cmax(r, r, t);
}

static double larger(double r, double t)
{
    return r > t ? r : t;
}

static void run_third(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_addcmul(r, r, 1, t, t);
}

static double third(double r, double t)
{
    return r + t * t;
}

static void run_between(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_lerp(r, r, t, 0.5);
}

static double between(double r, double t)
{
    return r + 0.5 * (t - r);
}

static void run_copy(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_copy(r, t);
}

static double copy(double r, double t)
{
    (void)r;
    return t;
}

static void run_number(THDoubleTensor *r, THDoubleTensor *t)
{
    THDoubleTensor_mul(r, r, 0.5);
    THDoubleTensor_add(r, r, 1);
    (void)t;
}

static const struct operation {
    const char *name;
    void (*run)(THDoubleTensor *r, THDoubleTensor *t);
    double (*scalar)(double r, double t);
} operations[] = {
    {"cadd", run_add, add},           {"csub", run_reversed, reversed},
    {"cmul", run_multiply, multiply}, {"cmax", run_larger, larger},
    {"addcmul", run_third, third},    {"lerp", run_between, between},
    {"copy", run_copy, copy},
};

/* ---- what TH's loop gives ---- */

static double value(long i)
{
    return (double)(i * 7 % 11 - 5) / 8;
}

/* Position in the storage of element `number` of a view. */
static long locate(const struct view *view, long number)
{
    if (view->rank == 1)
        return view->offset + number * view->stride[0];
    return view->offset + number / view->size[1] * view->stride[0] +
           number % view->size[1] * view->stride[1];
}

static long count(const struct view *view)
{
    return view->size[0] * (view->rank == 1 ? 1 : view->size[1]);
}

static THDoubleTensor *make_view(THDoubleStorage *storage, const struct view *view)
{
    THDoubleTensor *const t = THDoubleTensor_new();

    if (view->rank == 1)
        THDoubleTensor_setStorage1d(t, storage, view->offset, view->size[0],
                                    view->stride[0]);
    else
        THDoubleTensor_setStorage2d(t, storage, view->offset, view->size[0],
                                    view->stride[0], view->size[1], view->stride[1]);
    return t;
}

static void check(const struct kind *kind, const struct operation *operation, long side)
{
    const ptrdiff_t all = side * side;
    THDoubleStorage *const got = THDoubleStorage_newWithSize(all);
    THDoubleStorage *const want = THDoubleStorage_newWithSize(all);
    THDoubleTensor *r, *t;

    for (long i = 0; i < all; i++)
        got->data[i] = want->data[i] = value(i);
    for (long i = 0; i < count(&kind->result); i++) {
        double *const to = want->data + locate(&kind->result, i);

        *to = operation->scalar(*to, want->data[locate(&kind->operand, i)]);
    }
    r = make_view(got, &kind->result);
    t = make_view(got, &kind->operand);
    operation->run(r, t);
    tap_ok(memcmp(got->data, want->data, (size_t)all * sizeof(double)) == 0,
           "%s of %s, %ld elements", operation->name, kind->name, (long)all);
    THDoubleTensor_free(r);
    THDoubleTensor_free(t);
    THDoubleStorage_free(got);
    THDoubleStorage_free(want);
}

/* An element with n positions is combined with a scalar n times. */
static void check_numbers(void)
{
    THDoubleStorage *const storage = THDoubleStorage_newWithSize(4);
    const struct view repeated = {2, {3, 4}, {0, 1}, 0};
    THDoubleTensor *const r = make_view(storage, &repeated);

    THDoubleStorage_fill(storage, 16);
    run_number(r, NULL);
    tap_ok(storage->data[0] == 5 && storage->data[3] == 5,
           "repeated elements and numbers");
    THDoubleTensor_free(r);
    THDoubleStorage_free(storage);
}

/* addcmul and addcdiv copy t to the result first, which may be src1 or src2 too. */
static void check_products(void)
{
    THDoubleTensor *const r = THDoubleTensor_newWithSize1d(2);
    THDoubleTensor *const t = THDoubleTensor_newWithSize1d(2);
    THDoubleTensor *const b = THDoubleTensor_newWithSize1d(2);

    THDoubleTensor_fill(r, 100);
    THDoubleTensor_fill(t, 1);
    THDoubleTensor_fill(b, 4);
    THDoubleTensor_addcmul(r, t, 1, r, b);
    tap_ok(THDoubleTensor_get1d(r, 1) == 5, "addcmul whose result is src1: %g",
           THDoubleTensor_get1d(r, 1));
    THDoubleTensor_fill(r, 100);
    THDoubleTensor_addcdiv(r, t, 3, b, r);
    tap_ok(THDoubleTensor_get1d(r, 1) == 13, "addcdiv whose result is src2: %g",
           THDoubleTensor_get1d(r, 1));
    THDoubleTensor_fill(r, 100);
    THDoubleTensor_addcmul(r, r, 1, r, b);
    tap_ok(THDoubleTensor_get1d(r, 1) == 500, "addcmul in place whose src1 it is: %g",
           THDoubleTensor_get1d(r, 1));
    THDoubleTensor_free(b);
    THDoubleTensor_free(t);
    THDoubleTensor_free(r);
}

int main(void)
{
    static const long sides[] = {4, 9, 200};

    tap_plan();
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        struct kind kinds[KINDS];

        make_kinds(kinds, sides[s]);
        for (int k = 0; k < KINDS; k++)
            for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
                check(&kinds[k], &operations[o], sides[s]);
    }
    check_numbers();
    check_products();
    return tap_done();
}
