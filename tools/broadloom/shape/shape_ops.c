/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks operators up by name, for queries about shapes.
 */
#include "shape_ops.h"

#include <string.h>

#include "functions.h"

struct row {
    const char *name;
    bl_op op;
    int32_t least, most;
    enum shape_kind kind;
    const char *operand[3];
};

static const struct row rows[] = {
#define BL_FUNCTION(name, op, least, most, kind, refusal, a, b, c)                     \
    {name, BL_OP_##op, least, most, SHAPE_##kind, {a, b, c}},
#include "../../../compat/rules/functions.def"
#undef BL_FUNCTION
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/*
 * Find the first `length` bytes of `name` as a row of the table; NULL if there is none.
 */
static const struct row *find_row(const char *name, size_t length)
{
    for (int k = 0; k < ROWS; k++)
        if (strlen(rows[k].name) == length && memcmp(rows[k].name, name, length) == 0)
            return &rows[k];
    return NULL;
}

bl_status shape_op_find(const char *name, struct shape_op *out)
{
    const size_t length = strlen(name);
    const struct row *row = find_row(name, length);
    struct function function;

    if (!row && length > 1 && name[length - 1] == '_') {
        row = find_row(name, length - 1);
        if (row && row->kind != SHAPE_PAIRED && row->kind != SHAPE_MASKED)
            row = NULL;
    }
    if (row) {
        *out = (struct shape_op){
            row->name, row->op,   row->least,
            row->most, row->kind, {row->operand[0], row->operand[1], row->operand[2]}};
        return BL_OK;
    }
    for (int32_t count = 1; count <= BL_MAX_INPUTS; count++) {
        if (function_find(name, count, &function) != BL_OK)
            continue;
        *out = (struct shape_op){NULL, function.op, count, count, SHAPE_PAIRED, {NULL}};
        return BL_OK;
    }
    return bl_error_set(BL_ERR_ARGUMENT, "unknown operator '%s'", name);
}
