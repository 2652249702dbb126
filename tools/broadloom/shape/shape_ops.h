/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operators whose result shape can be queried: the library's, and functions of
 * PyTorch and PaddlePaddle by their own names (compat/rules/functions.def).
 */
#ifndef SHAPE_OPS_H
#define SHAPE_OPS_H

#include "tool.h"

enum shape_kind {
    SHAPE_PAIRED,
    SHAPE_SCALAR,
    SHAPE_MASKED,
    SHAPE_MASK_FIRST,
    SHAPE_SUM_TO,
    SHAPE_EXPAND
};

struct shape_op {
    const char
        *function; /* the function's name; NULL: an operator without another name */
    bl_op op;      /* BL_OP_NONE where the library has none */
    int32_t least, most;
    enum shape_kind kind;
    const char *operand[3]; /* their names; NULL: none */
};

/* Look `name` up. BL_ERR_ARGUMENT: unknown operator; *out is written on success. */
bl_status shape_op_find(const char *name, struct shape_op *out);

#endif
