/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan as text and as JSON.
 */
#ifndef PLAN_REPORT_H
#define PLAN_REPORT_H

#include "call.h"

struct plan_report {
    const struct call *call;
    const bl_plan *plan;
    const bl_plan_info *info;
    int32_t threads;   /* that would run */
    const char *limit; /* why there are not more */
};

/* Print the plan as text, or as one line of JSON. */
bl_status plan_report_words(const struct plan_report *report);
bl_status plan_report_json(const struct plan_report *report);

#endif
