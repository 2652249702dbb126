/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps around `broadloom eval`: expose a flawed photograph, check the corrected
 * one against a plain loop, and convert both to pictures.
 */
#include "demo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int64_t image_extent[] = {DEMO_CHANNELS, DEMO_HEIGHT, DEMO_WIDTH};
static const int64_t channel_extent[] = {DEMO_CHANNELS, 1, 1};
static const int64_t column_extent[] = {DEMO_WIDTH};
static const int64_t mask_extent[] = {DEMO_HEIGHT, DEMO_WIDTH};

enum { PIXELS = DEMO_HEIGHT * DEMO_WIDTH };

/* The gain of the camera's channels, which gives a colour cast. */
static const double gain[DEMO_CHANNELS] = {0.62, 0.80, 1.00};
static const double offset[DEMO_CHANNELS] = {0.05, 0.10, 0.22};

/*
 * The level of a sensor column, in units of a channel's contrast, which gives stripes.
 */
static double stripe(int64_t column)
{
    return 0.30 * sin((double)column * 0.021) + (column % 16 < 8 ? 0.22 : -0.22);
}

/* Whether the lens lets light through to a pixel: inside a circle. */
static bool is_lit(int64_t row, int64_t column)
{
    const double y = (double)row - DEMO_HEIGHT / 2.0,
                 x = (double)column - DEMO_WIDTH / 2.0;

    return x * x + y * y < 0.60 * DEMO_HEIGHT * 0.60 * DEMO_HEIGHT * 1.35;
}

static void save(const char *folder, const char *name, void *data, bl_dtype dtype,
                 int32_t rank, const int64_t *extent)
{
    const bl_array array = demo_array(data, dtype, rank, extent);

    demo_need(bl_npy_save(NULL, demo_path(folder, name), &array), name);
    printf("  %-10s ", name);
    for (int32_t d = 0; d < rank; d++)
        printf("%s%" PRId64, d ? "," : "(", extent[d]);
    printf(") %s\n", bl_dtype_name(dtype));
}

/* Mean and standard deviation of one channel. */
static void measure(const float *pixel, double *mean, double *deviation)
{
    double sum = 0, squares = 0;

    for (int64_t i = 0; i < PIXELS; i++)
        sum += pixel[i];
    *mean = sum / PIXELS;
    for (int64_t i = 0; i < PIXELS; i++)
        squares += (pixel[i] - *mean) * (pixel[i] - *mean);
    *deviation = sqrt(squares / PIXELS);
}

/* Take the photograph: the scene through the lens and on the sensor. */
static void photograph(float *image)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t row = 0; row < DEMO_HEIGHT; row++) {
        for (int64_t column = 0; column < DEMO_WIDTH; column++) {
            double colour[DEMO_CHANNELS];

            demo_colour(row, column, colour);
            for (int64_t c = 0; c < DEMO_CHANNELS; c++)
                image[c * PIXELS + row * DEMO_WIDTH + column] =
                    (float)(offset[c] + gain[c] * colour[c]);
        }
    }
    for (int64_t c = 0; c < DEMO_CHANNELS; c++) {
        double mean, deviation;

        measure(image + c * PIXELS, &mean, &deviation);
        for (int64_t i = 0; i < PIXELS; i++)
            image[c * PIXELS + i] += (float)(deviation * stripe(i % DEMO_WIDTH));
    }
}

void demo_expose(const char *folder)
{
    float *const image = malloc(sizeof(float) * DEMO_CHANNELS * PIXELS);
    uint8_t *const mask = malloc(PIXELS);
    float mean[DEMO_CHANNELS], deviation[DEMO_CHANNELS], bias[DEMO_WIDTH];
    double spread = 0;

    if (!image || !mask)
        demo_need(BL_ERR_MEMORY, "the photograph");
    photograph(image);
    for (int64_t c = 0; c < DEMO_CHANNELS; c++) {
        double m, d;

        measure(image + c * PIXELS, &m, &d);
        mean[c] = (float)m;
        deviation[c] = (float)d;
    }
    /* Stripes and scene are independent, so their variances add. */
    for (int64_t column = 0; column < DEMO_WIDTH; column++)
        spread += stripe(column) * stripe(column) / DEMO_WIDTH;
    for (int64_t column = 0; column < DEMO_WIDTH; column++)
        bias[column] = (float)(-stripe(column) / sqrt(1 + spread));
    for (int64_t i = 0; i < PIXELS; i++)
        mask[i] = is_lit(i / DEMO_WIDTH, i % DEMO_WIDTH);
    save(folder, "image.npy", image, BL_DTYPE_F32, 3, image_extent);
    save(folder, "mean.npy", mean, BL_DTYPE_F32, 3, channel_extent);
    save(folder, "std.npy", deviation, BL_DTYPE_F32, 3, channel_extent);
    save(folder, "bias.npy", bias, BL_DTYPE_F32, 1, column_extent);
    save(folder, "mask.npy", mask, BL_DTYPE_BOOL, 2, mask_extent);
    free(image);
    free(mask);
}

void demo_check(const char *folder)
{
    bl_tensor *const t[] = {
        demo_load(folder, "image.npy", BL_DTYPE_F32, 3, image_extent),
        demo_load(folder, "mean.npy", BL_DTYPE_F32, 3, channel_extent),
        demo_load(folder, "std.npy", BL_DTYPE_F32, 3, channel_extent),
        demo_load(folder, "bias.npy", BL_DTYPE_F32, 1, column_extent),
        demo_load(folder, "mask.npy", BL_DTYPE_BOOL, 2, mask_extent),
        demo_load(folder, "result.npy", BL_DTYPE_F32, 3, image_extent)};
    const float *const image = bl_tensor_array(t[0])->data;
    const float *const mean = bl_tensor_array(t[1])->data;
    const float *const deviation = bl_tensor_array(t[2])->data;
    const float *const bias = bl_tensor_array(t[3])->data;
    const uint8_t *const mask = bl_tensor_array(t[4])->data;
    const float *const result = bl_tensor_array(t[5])->data;
    int64_t wrong = 0;
    double sum = 0;

    for (int64_t i = 0; i < (int64_t)DEMO_CHANNELS * PIXELS; i++) {
        const int64_t c = i / PIXELS, pixel = i % PIXELS;
        const float level =
            (image[i] - mean[c]) / deviation[c] + bias[pixel % DEMO_WIDTH];
        const float expected = mask[pixel] ? level : 0.0f;

        wrong += result[i] != expected;
        sum += fabs((double)result[i]);
    }
    printf("  %" PRId64 " of %d elements differ from a plain loop's\n", wrong,
           DEMO_CHANNELS * PIXELS);
    printf("  check value: mean magnitude %.6f\n",
           sum / ((double)DEMO_CHANNELS * PIXELS));
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        bl_tensor_release(t[i]);
    if (wrong)
        exit(1);
}

/* Write an image as a PPM, with levels [low, high] stretched to [0, 255]. */
static void write_picture(const char *path, const float *image, double low, double high)
{
    FILE *const file = fopen(path, "wb");

    if (!file)
        demo_need(BL_ERR_IO, path);
    fprintf(file, "P6\n%d %d\n255\n", DEMO_WIDTH, DEMO_HEIGHT);
    for (int64_t i = 0; i < PIXELS; i++) {
        for (int64_t c = 0; c < DEMO_CHANNELS; c++) {
            const double level = (image[c * PIXELS + i] - low) / (high - low);

            putc((int)(255 * fmin(1, fmax(0, level)) + 0.5), file);
        }
    }
    if (fclose(file) != 0)
        demo_need(BL_ERR_IO, path);
    printf("  %s\n", path);
}

void demo_develop(const char *folder)
{
    bl_tensor *const before =
        demo_load(folder, "image.npy", BL_DTYPE_F32, 3, image_extent);
    bl_tensor *const after =
        demo_load(folder, "result.npy", BL_DTYPE_F32, 3, image_extent);

    write_picture(demo_path(folder, "before.ppm"), bl_tensor_array(before)->data, 0,
                  1.1);
    write_picture(demo_path(folder, "after.ppm"), bl_tensor_array(after)->data, -2.4,
                  1.9);
    bl_tensor_release(before);
    bl_tensor_release(after);
}
