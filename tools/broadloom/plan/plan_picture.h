/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws which node and thread executes which part of a call.
 */
#ifndef PLAN_PICTURE_H
#define PLAN_PICTURE_H

#include "plan_report.h"

/*
 * Write the picture of a plan as SVG to the file `path`.  BL_ERR_IO where that fails,
 * BL_ERR_UNSUPPORTED for a result without elements.
 */
bl_status plan_picture(const struct plan_report *report, const char *path);

#endif
