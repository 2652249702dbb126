/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extents that extensions broadcast by themselves, and draws by aliases.
 */
#include <TH/TH.h>
#include <math.h>

#include "harness/tap.h"

static void check_sizes(void)
{
    THLongStorage *const out = THLongStorage_new(), *const to =
                                                        THLongStorage_newWithSize(3);
    long a[] = {4, 1, 3}, b[] = {5, 1}, bad[] = {2, 3}, *size, *stride;
    char text[128] = "";

    tap_ok(THLongStorage_inferSize2(out, a, 3, b, 2, text, sizeof text) == 0 &&
               out->size == 3 && out->data[0] == 4 && out->data[1] == 5 &&
               out->data[2] == 3,
           "two shapes broadcast");
    tap_ok(THLongStorage_inferSizeN(out, 3, (long *[]){b, a, bad}, (long[]){2, 3, 2},
                                    text, sizeof text) == -1 &&
               strcmp(text,
                      "The size of tensor 0 (5) must match the size of tensor 2 (2) "
                      "at non-singleton dimension 1.") == 0 &&
               out->size == 3,
           "three that do not, with a text");
    THLongStorage_inferSize2(out, a, 3, (long[]){7}, 1, text, 8);
    tap_ok(strcmp(text, "The siz") == 0, "which is cut to the buffer");

    to->data[0] = 6;
    to->data[1] = -1;
    to->data[2] = 4;
    tap_ok(THLongStorage_inferExpandGeometry(b, (long[]){1, 1}, 2, to, &size, &stride,
                                             text, sizeof text) == 0 &&
               size[0] == 6 && size[1] == 5 && size[2] == 4 && stride[1] == 1 &&
               stride[2] == 0,
           "strides of an expanded tensor");
    THFree(size);
    THFree(stride);
    to->data[0] = -1;
    tap_ok(THLongStorage_inferExpandGeometry(b, (long[]){1, 1}, 2, to, &size, &stride,
                                             text, sizeof text) == -1 &&
               strstr(text, "leading, non-existing dimension 0"),
           "a leading extent cannot be kept");
    to->data[0] = 1;
    to->data[1] = 2;
    tap_ok(THLongStorage_inferExpandGeometry(b, (long[]){1, 1}, 2, to, &size, &stride,
                                             text, sizeof text) == -1 &&
               strstr(text, "tensor (2) must match the existing size (5)"),
           "nor an extent be changed");
    THLongStorage_free(out);
    THLongStorage_free(to);
}

/* Frequencies of 10^5 draws, within five standard deviations of each probability. */
static void check_aliases(void)
{
    enum { DRAWS = 100000, CATEGORIES = 5 };
    static const double probability[CATEGORIES] = {0.5, 0, 0.125, 0.25, 0.125};
    THDoubleTensor *const p = THDoubleTensor_newWithSize1d(CATEGORIES);
    THDoubleTensor *const q = THDoubleTensor_new();
    THLongTensor *const j = THLongTensor_new();
    THLongTensor *const drawn = THLongTensor_newWithSize1d(DRAWS);
    THGenerator *const generator = THGenerator_new();
    long count[CATEGORIES] = {0};
    int off = 0;

    memcpy(THDoubleTensor_data(p), probability, sizeof probability);
    THRandom_manualSeed(generator, 1);
    THDoubleTensor_multinomialAliasSetup(p, j, q);
    THDoubleTensor_multinomialAliasDraw(drawn, generator, j, q);
    TH_TENSOR_APPLY(long, drawn,
                    if (*drawn_data < 0 || *drawn_data >= CATEGORIES) off++;
                    else count[*drawn_data]++;)
    for (int i = 0; i < CATEGORIES; i++) {
        const double variance = DRAWS * probability[i] * (1 - probability[i]);

        off += fabs((double)count[i] - DRAWS * probability[i]) > 5 * sqrt(variance);
    }
    tap_ok(off == 0, "draws by aliases have the probabilities");
    THDoubleTensor_free(p);
    THDoubleTensor_free(q);
    THLongTensor_free(j);
    THLongTensor_free(drawn);
    THGenerator_free(generator);
}

int main(void)
{
    check_sizes();
    check_aliases();
    return tap_done();
}
