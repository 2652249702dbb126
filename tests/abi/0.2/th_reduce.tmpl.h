/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions, plain memory and random numbers of one type.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_reduce.tmpl.h"
#else

#define GIVES(call, ...)                                                               \
    do {                                                                               \
        call;                                                                          \
        TH_HAS(r, V, __VA_ARGS__);                                                     \
    } while (0)

/* Of the tensor 1 2 3; 4 5 6. */
static void TH_CONCAT_2(check_sums_, Real)(THTensor *r, THTensor *t)
{
    THLongTensor *const at = THLongTensor_new();

    CHECK(THTensor_(dot)(t, t) == 91 && THTensor_(minall)(t) == 1);
    CHECK(THTensor_(maxall)(t) == 6 && THTensor_(sumall)(t) == 21);
    CHECK((double)THTensor_(prodall)(t) == 720);
    CHECK(THTensor_(meanall)(t) == (accreal)3.5);
    GIVES(THTensor_(sum)(r, t, 0, 0), 5, 7, 9);
    GIVES(THTensor_(prod)(r, t, 0, 1), 4, 10, 18);
    GIVES(THTensor_(max)(r, at, t, 1, 0), 3, 6);
    CHECK(THLongTensor_get1d(at, 1) == 2);
    GIVES(THTensor_(min)(r, at, t, 1, 0), 1, 4);
    CHECK(THLongTensor_get1d(at, 1) == 0);
    GIVES(THTensor_(cumsum)(r, t, 1), 1, 3, 6, 4, 9, 15);
    GIVES(THTensor_(cumprod)(r, t, 1), 1, 2, 6, 4, 20, 120);
    THLongTensor_free(at);
}

static void TH_CONCAT_2(check_vectors_, Real)(void)
{
    real x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8}, z[4];

    THVector_(vectorDispatchInit)();
    THVector_(fill)(z, 7, 4);
    CHECK(z[3] == 7);
    THVector_(copy)(z, x, 4);
    CHECK(z[3] == 4);
    THVector_(neg)(z, x, 4);
    THVector_(neg)(z, z, 4);
    CHECK(z[3] == 4);
    THVector_(adds)(z, x, 2, 4);
    CHECK(z[3] == 6);
    THVector_(muls)(z, x, 2, 4);
    CHECK(z[3] == 8);
    THVector_(divs)(z, y, 2, 4);
    CHECK(z[3] == 4);
    THVector_(cadd)(z, x, y, 2, 4);
    CHECK(z[3] == 20);
    THVector_(cmul)(z, x, y, 4);
    CHECK(z[3] == 32);
    THVector_(cdiv)(z, z, y, 4);
    CHECK(z[3] == 4);
    THBlas_(swap)(4, x, 1, y, 1);
    CHECK(x[0] == 5 && y[0] == 1);
    THBlas_(scal)(2, 2, x, 2);
    CHECK(x[0] == 10 && x[1] == 6 && x[2] == 14);
    THBlas_(copy)(2, x, 2, y, 1);
    CHECK(y[0] == 10 && y[1] == 14 && y[2] == 3);
    THBlas_(axpy)(2, 3, y, 1, z, 1);
    CHECK(z[0] == 31 && z[1] == 44);
    CHECK(THBlas_(dot)(2, y + 2, 1, y + 2, 1) == 25);
}

/* Draws repeat with their seed, and lie where they must. */
#define DRAW(call, low, high)                                                          \
    do {                                                                               \
        THRandom_manualSeed(generator, 5);                                             \
        call;                                                                          \
        THTensor_(resizeAs)(again, r);                                                 \
        THTensor_(copy)(again, r);                                                     \
        THRandom_manualSeed(generator, 5);                                             \
        call;                                                                          \
        CHECK(THTensor_(equal)(again, r));                                             \
        CHECK((double)THTensor_(minall)(r) >= (low) &&                                 \
              (double)THTensor_(maxall)(r) <= (high));                                 \
    } while (0)

static void TH_CONCAT_2(check_draws_, Real)(THTensor *r, THGenerator *generator)
{
    THTensor *const again = THTensor_(new)();
    THFloatTensor *const likely = THFloatTensor_newWithSize1d(4);
    THDoubleTensor *const sure = THDoubleTensor_newWithSize1d(4);

    THFloatTensor_fill(likely, 0.5f);
    THDoubleTensor_fill(sure, 1);
    THTensor_(resize1d)(r, 4);
    DRAW(THTensor_(random)(r, generator), 0, 1e19);
    DRAW(THTensor_(clampedRandom)(r, generator, 3, 5), 3, 5);
    DRAW(THTensor_(cappedRandom)(r, generator, 3), 0, 2);
    DRAW(THTensor_(geometric)(r, generator, 0.9), 1, 100);
    DRAW(THTensor_(bernoulli)(r, generator, 0.5), 0, 1);
    DRAW(THTensor_(bernoulli_FloatTensor)(r, generator, likely), 0, 1);
    DRAW(THTensor_(bernoulli_DoubleTensor)(r, generator, sure), 1, 1);
    DRAW(THTensor_(randperm)(r, generator, 5), 0, 5);
    THDoubleTensor_free(sure);
    THFloatTensor_free(likely);
    THTensor_(free)(again);
}

static void TH_CONCAT_2(check_reduce_, Real)(THGenerator *generator)
{
    THTensor *const t = THTensor_(newWithSize2d)(2, 3), *const r = THTensor_(new)();

    for (long i = 0; i < 6; i++)
        THTensor_(set2d)(t, i / 3, i % 3, (real)(i + 1));
    TH_CONCAT_2(check_sums_, Real)(r, t);
    TH_CONCAT_2(check_vectors_, Real)();
    TH_CONCAT_2(check_draws_, Real)(r, generator);
    THTensor_(free)(r);
    THTensor_(free)(t);
}

#undef DRAW
#undef GIVES
#endif
