/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that a program supplies because libbroadloom-th omits them, as such
 * programs took them from elsewhere: matrix products by template, a solver, a file, a
 * sort.
 */
#include "brought.h"

int brought_calls;

struct THFile__ {
    FILE *stream;
};

THFile *THDiskFile_new(const char *name, const char *mode, int isQuiet)
{
    THFile *const self = THAlloc(sizeof *self);

    (void)isQuiet;
    brought_calls++;
    self->stream = fopen(name, strcmp(mode, "r") == 0 ? "rb" : "wb");
    return self;
}

size_t THFile_writeFloatRaw(THFile *self, float *data, size_t n)
{
    return fwrite(data, sizeof *data, n, self->stream);
}

float THFile_readFloatScalar(THFile *self)
{
    float value = 0;

    return fread(&value, sizeof value, 1, self->stream) == 1 ? value : -1;
}

void THFile_free(THFile *self)
{
    fclose(self->stream);
    THFree(self);
}

/* Solve with diagonal matrices. */
void THDoubleLapack_gesv(int n, int nrhs, double *a, int lda, int *ipiv, double *b,
                         int ldb, int *info)
{
    brought_calls++;
    *info = 0;
    for (int i = 0; i < n; i++) {
        ipiv[i] = i + 1;
        for (int k = 0; k < nrhs; k++)
            b[k * ldb + i] /= a[i * lda + i];
    }
}

void THDoubleTensor_gesv(THDoubleTensor *rb_, THDoubleTensor *ra_, THDoubleTensor *b_,
                         THDoubleTensor *a_)
{
    int pivots[8], info = 0;

    THDoubleTensor_resizeAs(rb_, b_);
    THDoubleTensor_copy(rb_, b_);
    THDoubleTensor_resizeAs(ra_, a_);
    THDoubleTensor_copy(ra_, a_);
    THDoubleLapack_gesv((int)a_->size[0], 1, THDoubleTensor_data(ra_), (int)a_->size[0],
                        pivots, THDoubleTensor_data(rb_), (int)a_->size[0], &info);
    THLapackCheck("Lapack Error in %s : U(%d,%d) is zero", "gesv", info, info);
}

/* In the manner of TH's own sources. */
#define TH_GENERIC_FILE "th/brought.tmpl.h"
#include "THGenerateAllTypes.h"
