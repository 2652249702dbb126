/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) and the distributions
 * drawn from it, with draws in the same order as in TH.
 */
#include "core.h"

#include <fcntl.h>
#include <unistd.h>

enum { N = _MERSENNE_STATE_N, M = _MERSENNE_STATE_M };

/* ---- generators ---- */

THGenerator *THGenerator_new(void)
{
    THGenerator *const self = THAlloc(sizeof *self);

    memset(self, 0, sizeof *self);
    self->left = 1;
    return self;
}

THGenerator *THGenerator_copy(THGenerator *self, THGenerator *from)
{
    memcpy(self, from, sizeof *self);
    return self;
}

void THGenerator_free(THGenerator *self)
{
    THFree(self);
}

int THGenerator_isValid(THGenerator *self)
{
    return self->seeded == 1 && self->left > 0 && self->left <= N && self->next <= N;
}

unsigned long THRandom_seed(THGenerator *generator)
{
    const int file = open("/dev/urandom", O_RDONLY);
    unsigned long seed = (unsigned long)time(NULL);
    ssize_t length = -1;

    if (file >= 0) {
        length = read(file, &seed, sizeof seed);
        close(file);
    }
    if (length != (ssize_t)sizeof seed)
        seed = (unsigned long)time(NULL);
    THRandom_manualSeed(generator, seed);
    return seed;
}

void THRandom_manualSeed(THGenerator *generator, unsigned long seed)
{
    memset(generator, 0, sizeof *generator);
    generator->the_initial_seed = seed;
    generator->seeded = 1;
    generator->left = 1;
    generator->state[0] = seed & 0xffffffffUL;
    for (unsigned long i = 1; i < N; i++) {
        const unsigned long before = generator->state[i - 1];

        generator->state[i] =
            (1812433253UL * (before ^ before >> 30) + i) & 0xffffffffUL;
    }
}

unsigned long THRandom_initialSeed(THGenerator *generator)
{
    if (!generator->seeded)
        THRandom_seed(generator);
    return generator->the_initial_seed;
}

/* Compute the next N words of the state. */
static void twist(THGenerator *generator)
{
    unsigned long *const state = generator->state;

    for (int i = 0; i < N; i++) {
        const unsigned long joined =
            (state[i] & 0x80000000UL) | (state[(i + 1) % N] & 0x7fffffffUL);

        state[i] = state[(i + M) % N] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfUL : 0);
    }
    generator->left = N;
    generator->next = 0;
}

unsigned long THRandom_random(THGenerator *generator)
{
    unsigned long number;

    if (!generator->seeded)
        THRandom_seed(generator);
    if (--generator->left == 0)
        twist(generator);
    number = generator->state[generator->next++];
    number ^= number >> 11;
    number ^= number << 7 & 0x9d2c5680UL;
    number ^= number << 15 & 0xefc60000UL;
    return number ^ number >> 18;
}

/* ---- distributions ---- */

/* A uniform number in [0, 1). */
static double draw(THGenerator *generator)
{
    return (double)THRandom_random(generator) * (1.0 / 4294967296.0);
}

double THRandom_uniform(THGenerator *generator, double a, double b)
{
    return draw(generator) * (b - a) + a;
}

/* Box and Muller's transform gives two numbers: the next call returns the second. */
double THRandom_normal(THGenerator *generator, double mean, double stdv)
{
    double angle;

    THArgCheck(stdv > 0, 2, "standard deviation must be strictly positive");
    generator->normal_is_valid = !generator->normal_is_valid;
    if (generator->normal_is_valid) {
        generator->normal_x = draw(generator);
        generator->normal_y = draw(generator);
        generator->normal_rho = sqrt(-2 * log(1 - generator->normal_y));
    }
    angle = 2 * M_PI * generator->normal_x;
    return generator->normal_rho *
               (generator->normal_is_valid ? cos(angle) : sin(angle)) * stdv +
           mean;
}

double THRandom_exponential(THGenerator *generator, double lambda)
{
    return -1 / lambda * log(1 - draw(generator));
}

double THRandom_cauchy(THGenerator *generator, double median, double sigma)
{
    return median + sigma * tan(M_PI * (draw(generator) - 0.5));
}

double THRandom_logNormal(THGenerator *generator, double mean, double stdv)
{
    THArgCheck(stdv > 0, 2, "standard deviation must be strictly positive");
    return exp(THRandom_normal(generator, mean, stdv));
}

int THRandom_geometric(THGenerator *generator, double p)
{
    THArgCheck(p > 0 && p < 1, 1, "must be > 0 and < 1");
    return (int)(log(1 - draw(generator)) / log(p)) + 1;
}

int THRandom_bernoulli(THGenerator *generator, double p)
{
    THArgCheck(p >= 0 && p <= 1, 1, "must be >= 0 and <= 1");
    return draw(generator) <= p;
}
