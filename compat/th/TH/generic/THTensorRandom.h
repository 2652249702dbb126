/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random elements of one type, drawn from a generator in row-major order.
 */
TH_API void THTensor_(random)(THTensor *self, THGenerator *generator);
TH_API void THTensor_(clampedRandom)(THTensor *self, THGenerator *generator, long min,
                                     long max);
TH_API void THTensor_(cappedRandom)(THTensor *self, THGenerator *generator, long max);
TH_API void THTensor_(geometric)(THTensor *self, THGenerator *generator, double p);
TH_API void THTensor_(bernoulli)(THTensor *self, THGenerator *generator, double p);
TH_API void THTensor_(bernoulli_FloatTensor)(THTensor *self, THGenerator *generator,
                                             THFloatTensor *p);
TH_API void THTensor_(bernoulli_DoubleTensor)(THTensor *self, THGenerator *generator,
                                              THDoubleTensor *p);

/* A random permutation of 0 to n - 1. */
TH_API void THTensor_(randperm)(THTensor *r_, THGenerator *generator, long n);

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_API void THTensor_(uniform)(THTensor *self, THGenerator *generator, double a,
                               double b);
TH_API void THTensor_(normal)(THTensor *self, THGenerator *generator, double mean,
                              double stdv);

/* Normal draws with a mean or a standard deviation for each element. */
TH_API void THTensor_(normal_means)(THTensor *self, THGenerator *generator,
                                    THTensor *means, double stddev);
TH_API void THTensor_(normal_stddevs)(THTensor *self, THGenerator *generator,
                                      double mean, THTensor *stddevs);
TH_API void THTensor_(normal_means_stddevs)(THTensor *self, THGenerator *generator,
                                            THTensor *means, THTensor *stddevs);

TH_API void THTensor_(exponential)(THTensor *self, THGenerator *generator,
                                   double lambda);
TH_API void THTensor_(cauchy)(THTensor *self, THGenerator *generator, double median,
                              double sigma);
TH_API void THTensor_(logNormal)(THTensor *self, THGenerator *generator, double mean,
                                 double stdv);

/* Draw `n_sample` categories, from 0 on, by each row of weights, or by a vector. */
TH_API void THTensor_(multinomial)(THLongTensor *self, THGenerator *generator,
                                   THTensor *prob_dist, int n_sample,
                                   int with_replacement);

/*
 * Draws with replacement in constant time, by the method of aliases: Setup makes tables
 * J and q of a vector of probabilities whose sum is 1, Draw fills `self` with
 * categories, from 0 on.
 */
TH_API void THTensor_(multinomialAliasSetup)(THTensor *probs, THLongTensor *J,
                                             THTensor *q);
TH_API void THTensor_(multinomialAliasDraw)(THLongTensor *self, THGenerator *generator,
                                            THLongTensor *J, THTensor *q);

TH_API void THTensor_(rand)(THTensor *r_, THGenerator *generator, THLongStorage *size);
TH_API void THTensor_(randn)(THTensor *r_, THGenerator *generator, THLongStorage *size);
#endif

#if defined(TH_REAL_IS_BYTE)
/* A generator's state as bytes. */
TH_API void THTensor_(getRNGState)(THGenerator *generator, THTensor *self);
TH_API void THTensor_(setRNGState)(THGenerator *generator, THTensor *self);
#endif
