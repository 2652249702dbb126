/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for TH with calls in every form, which migrate.t.sh runs.  Its report names
 * the lines that are marked "RISK COUNT NAME", and no others.
 */
#define BROADLOOM_TH_KEEPDIM 0
#include <TH/TH.h>

#include <setjmp.h>

typedef THFloatTensor *tensor;

static tensor column, vector, result;
static THByteTensor *mask;
static jmp_buf out_of_error;

/* A call through a pointer, as in programs with tables of functions. */
static void (*volatile add)(tensor, tensor, float, tensor) = THFloatTensor_cadd;
static void (*volatile copy)(tensor, tensor) = THFloatTensor_copy;
static void (*volatile move)(tensor, tensor) = THFloatTensor_freeCopyTo;
static void (*volatile less)(THByteTensor *, tensor, tensor) = THFloatTensor_ltTensor;
static void (*volatile largest)(tensor, tensor, tensor) = THFloatTensor_cmax;
static void (*volatile sum)(tensor, tensor, int) = THFloatTensor_sum;
static void (*volatile product)(tensor, tensor, float, tensor,
                                tensor) = THFloatTensor_addcmul;

static void leave(const char *text, void *data)
{
    (void)text;
    (void)data;
    longjmp(out_of_error, 1);
}

static tensor clone(tensor t)
{
    return THFloatTensor_newClone(t);
}

/* A call that is refused, for its number of elements. */
static void refuse(void)
{
    const tensor other = THFloatTensor_newWithSize1d(3);

    THSetErrorHandler(leave, NULL);
    THSetArgErrorHandler((THArgErrorHandlerFunction)(void (*)(void))leave, NULL);
    if (!setjmp(out_of_error)) {
        THFloatTensor_cadd(result, column, 1, other);
        abort();
    }
    THFloatTensor_free(other);
}

/* Calls whose location is not consumed by a warning. */
static void forget(void)
{
    THFloatTensor_copy(column, column);
    add(result, column, 1, vector); /* value 1 add */
    refuse();
    largest(result, column, vector);                 /* value 1 max */
    THFloatTensor_freeCopyTo(clone(column), vector); /* fallback 1 copy */
    copy(vector, column);                            /* fallback 1 copy */
}

/* Calls whose arguments are calls of TH. */
static void nest(void)
{
    const tensor x = THFloatTensor_newClone(column), y = vector;

    THFloatTensor_csub(result, clone(column), 1, y);                   /* value 1 sub */
    THFloatTensor_cadd(result, x, (float)THFloatTensor_dot(y, y), y);  /* value 1 add */
    THFloatTensor_cmul(result, (THFloatTensor_copy(x, column), x), y); /* value 1 mul */
    THFloatTensor_free(x);
}

static void point(void)
{
    THFloatTensor_cdiv(result, column, vector);               /* value 1 div */
    less(mask, column, vector);                               /* value 1 lt */
    product(result, column, 1, vector, vector);               /* value 1 addcmul */
    THFloatTensor_addcmul(result, column, 1, vector, vector); /* value 1 addcmul */
    move(THFloatTensor_newClone(vector), column);             /* fallback 1 copy */
    THFloatTensor_sum(result, column, 0);                     /* keepdim 1 sum */
    sum(result, column, 0);                                   /* keepdim 1 sum */
    THFloatTensor_resize1d(result, 4);
}

/* Loops of this program itself, which will always pair as 1-D. */
static int count(tensor a, tensor b, tensor c)
{
    int n = 0;

    TH_TENSOR_APPLY2(float, a, float, b, n++;)           /* none 3 TH_TENSOR_APPLY2 */
    TH_TENSOR_APPLY3(float, a, float, b, float, c, n++;) /* none 3 TH_TENSOR_APPLY3 */
    return n;
}

/* One source line for all shapes. */
static void subtract(tensor a, tensor b)
{
    THFloatTensor_cpow(result, a, b); /* value 5 pow */
    THFloatTensor_resize1d(result, 4);
}

static void vary(void)
{
    const tensor long_column = THFloatTensor_newWithSize2d(1000, 1);
    const tensor long_vector = THFloatTensor_newWithSize1d(1000);

    THFloatTensor_fill(long_column, 1);
    THFloatTensor_fill(long_vector, 1);
    subtract(column, vector);
    subtract(column, vector);
    subtract(long_column, long_vector);
    subtract(vector, column);
    subtract(column, vector);
    THFloatTensor_free(long_column);
    THFloatTensor_free(long_vector);
}

int main(void)
{
    int total = 0;
    tensor square;

    column = THFloatTensor_newWithSize2d(4, 1);
    vector = THFloatTensor_newWithSize1d(4);
    square = THFloatTensor_newWithSize2d(2, 2);
    result = THFloatTensor_new();
    mask = THByteTensor_new();
    THFloatTensor_fill(column, 1);
    THFloatTensor_fill(vector, 2);
    THFloatTensor_fill(square, 3);
    forget();
    nest();
    point();
    for (int k = 0; k < 2; k++)
        total += count(column, vector, square);
    total += count(square, vector, column);
    vary();
    printf("total %d\n", total);
    return 0;
}
