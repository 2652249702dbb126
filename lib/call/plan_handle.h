/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans that a program keeps. */
#ifndef BLI_PLAN_HANDLE_H
#define BLI_PLAN_HANDLE_H

#include "call/call.h"

/* A plan with what frees it, and with alpha, if there is one, as its third input. */
struct bli_plan_handle {
    struct bl_plan plan; /* first: the public handle points to it */
    bl_allocator allocator;
    bool has_alpha;
    bl_scalar alpha;
    /* For queries: the nest's loops, outermost first, and bytes of staging buffers. */
    bl_plan_loop loop[BL_MAX_RANK];
    int64_t buffer_bytes[BLI_MAX_OPERANDS];
};

/* Fill in what bl_plan_query() points to, once the plan is made. */
void bli_plan_describe(struct bli_plan_handle *handle);

/* bl_plan_query() without the name of the call in errors. */
bl_status bli_plan_query(const bl_plan *plan, bl_plan_info *info);

#endif
