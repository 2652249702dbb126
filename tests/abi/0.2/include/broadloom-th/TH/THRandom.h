/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generators of random numbers: the Mersenne Twister MT19937, one stream each, with the
 * numbers that TH drew from the same seed.  A generator belongs to one thread at a
 * time.
 */
#ifndef TH_RANDOM_INC
#define TH_RANDOM_INC

#include "THGeneral.h"

#define _MERSENNE_STATE_N 624
#define _MERSENNE_STATE_M 397

typedef struct THGenerator {
    unsigned long the_initial_seed;
    int left; /* draws until the state is renewed, this one included */
    int seeded;
    unsigned long next; /* index of the state's next number */
    unsigned long state[_MERSENNE_STATE_N];
    double normal_x; /* of normal draws, which come in pairs */
    double normal_y;
    double normal_rho;
    int normal_is_valid;
} THGenerator;

#define torch_Generator "torch.Generator"

/* A new generator, to be freed; without a seed, its first draw seeds it. */
TH_API THGenerator *THGenerator_new(void);
TH_API THGenerator *THGenerator_copy(THGenerator *self, THGenerator *from);
TH_API void THGenerator_free(THGenerator *self);
TH_API int THGenerator_isValid(THGenerator *self);

/* Seed from the system's entropy; returns the seed. */
TH_API unsigned long THRandom_seed(THGenerator *generator);
TH_API void THRandom_manualSeed(THGenerator *generator, unsigned long seed);
TH_API unsigned long THRandom_initialSeed(THGenerator *generator);

/* ---- numbers ---- */

TH_API unsigned long THRandom_random(THGenerator *generator); /* 32 bits */
TH_API double THRandom_uniform(THGenerator *generator, double a, double b); /* [a, b) */
TH_API double THRandom_normal(THGenerator *generator, double mean, double stdv);
TH_API double THRandom_exponential(THGenerator *generator, double lambda);
TH_API double THRandom_cauchy(THGenerator *generator, double median, double sigma);
TH_API double THRandom_logNormal(THGenerator *generator, double mean, double stdv);
TH_API int THRandom_geometric(THGenerator *generator, double p);
TH_API int THRandom_bernoulli(THGenerator *generator, double p);

#endif
