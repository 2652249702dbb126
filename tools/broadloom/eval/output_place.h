/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a result goes, however that is spelled. */
#ifndef OUTPUT_PLACE_H
#define OUTPUT_PLACE_H

#include "../tool.h"

/*
 * Whether two results would be written to the same file, of which one would be lost: to
 * the same dataset, if both have one.
 */
bool output_is_same(const char *first, const char *second);

#endif
