/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's reductions, functions, plain memory and random numbers of each type, and loops
 * of the program.
 */
#include "th.h"

#include "th_reduce.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "th_float.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

static void check_generator(THGenerator *generator)
{
    THGenerator *const copy = THGenerator_copy(THGenerator_new(), generator);
    THByteTensor *const state = THByteTensor_new();
    unsigned long next;

    CHECK(THGenerator_isValid(copy));
    THRandom_seed(copy);
    THRandom_manualSeed(copy, 7);
    CHECK(THRandom_initialSeed(copy) == 7);
    THByteTensor_getRNGState(copy, state);
    next = THRandom_random(copy);
    CHECK(THRandom_uniform(copy, 3, 4) >= 3);
    CHECK(fabs(THRandom_normal(copy, 100, 0.5) - 100) < 10);
    CHECK(THRandom_exponential(copy, 5) >= 0);
    CHECK(fabs(THRandom_cauchy(copy, 0, 1e-3)) < 1e6);
    CHECK(THRandom_logNormal(copy, 1, 0.5) > 0);
    CHECK(THRandom_geometric(copy, 0.9) >= 1);
    CHECK(THRandom_bernoulli(copy, 1) == 1);
    THByteTensor_setRNGState(copy, state);
    CHECK(THRandom_random(copy) == next);
    THByteTensor_free(state);
    THGenerator_free(copy);
}

static int refused;

static void count_error(const char *message, void *data)
{
    (void)data;
    refused += strstr(message, "inconsistent tensor size") != NULL;
}

static void check_loops(void)
{
    THFloatTensor *const a = THFloatTensor_newWithSize2d(2, 3);
    THFloatTensor *const b = THFloatTensor_newWithSize2d(3, 2);
    THFloatTensor *const c = THFloatTensor_newWithSize2d(2, 1);
    float sum = 0;

    THFloatTensor_fill(a, 2);
    THFloatTensor_fill(b, 3);
    TH_TENSOR_APPLY(float, a, sum += *a_data;)
    TH_TENSOR_APPLY2(float, a, float, b, sum += *a_data * *b_data;)
    CHECK(sum == 12 + 36);
    TH_TENSOR_DIM_APPLY2(float, a, float, c, 1,
                         c_data[0] = a_data[0] + a_data[a_stride];)
    CHECK(THFloatTensor_get2d(c, 1, 0) == 4);
    THSetErrorHandler(count_error, NULL);
    THCallSite("train.c", 41);
    TH_TENSOR_APPLY2(float, a, float, c, sum += *a_data * *c_data;)
    THDimApplyCheckRank_(__FILE__, __LINE__, 0, 2, "a", 2, a->size, "c", 1, c->size);
    THSetErrorHandler(NULL, NULL);
    CHECK(refused == 2);
    THKeepdimDefault_("sum", NULL);
    THFloatTensor_free(c);
    THFloatTensor_free(b);
    THFloatTensor_free(a);
}

static void check_booleans(void)
{
    THByteTensor *const bytes = THByteTensor_newWithSize1d(3);

    THByteTensor_zero(bytes);
    THByteTensor_set1d(bytes, 1, 1);
    CHECK(THByteTensor_logicalany(bytes) && !THByteTensor_logicalall(bytes));
    THByteTensor_free(bytes);
}

int main(void)
{
    THGenerator *const generator = THGenerator_new();

    THRandom_manualSeed(generator, 3);
    check_reduce_Byte(generator);
    check_reduce_Char(generator);
    check_reduce_Short(generator);
    check_reduce_Int(generator);
    check_reduce_Long(generator);
    check_reduce_Float(generator);
    check_reduce_Double(generator);
    check_float_Float(generator);
    check_float_Double(generator);
    check_generator(generator);
    check_loops();
    check_booleans();
    THGenerator_free(generator);
    return failures;
}
