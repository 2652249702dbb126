/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The demonstration's programs share one executable; each step is a subcommand.
 */
#ifndef DEMO_H
#define DEMO_H

#include <broadloom.h>

enum { DEMO_CHANNELS = 3, DEMO_HEIGHT = 1200, DEMO_WIDTH = 1600 };

/* Colour of the scene at a pixel, each channel in [0, 1]. */
void demo_colour(int64_t row, int64_t column, double colour[DEMO_CHANNELS]);

/* Exit with a message unless `status` is BL_OK. */
void demo_need(bl_status status, const char *what);

/* An array of up to three dimensions over `data`. */
bl_array demo_array(void *data, bl_dtype dtype, int32_t rank, const int64_t *extent);

/* The steps; each takes the folder it works in. */
void demo_expose(const char *folder);
void demo_develop(const char *folder);
void demo_check(const char *folder);

/* Load FOLDER/NAME, which must be an array of that dtype and shape. */
bl_tensor *demo_load(const char *folder, const char *name, bl_dtype dtype, int32_t rank,
                     const int64_t *extent);

/* Write FOLDER/NAME into a static buffer, which is returned. */
const char *demo_path(const char *folder, const char *name);

#endif
