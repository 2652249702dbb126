/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments FILE:/DATASET, which name a dataset of an HDF5 file: "run.h5:/fields/x".
 * They are read and written where the tool was built with HDF5 (dataset.c), and refused
 * with the name of configure's option elsewhere (no_dataset.c).
 */
#ifndef DATASET_H
#define DATASET_H

#include "tool.h"

/*
 * Whether an argument names a dataset: it has ":/", and there is no file of the whole
 * name.
 */
bool dataset_is_named(const char *text);

/* Load the dataset that is named, with a progress bar. */
bl_status dataset_load(bl_context *ctx, const char *text, bl_tensor **out);

/*
 * Refuse to save as the dataset that is named, before there is anything to save: one
 * that exists, unless it is to be replaced, and what cannot be written.
 */
bl_status dataset_check(const char *text, bool replace);

/* Save the array as the dataset that is named, in place of one that exists if asked. */
bl_status dataset_save(bl_context *ctx, const char *text, const bl_array *array,
                       bool replace);

#endif
