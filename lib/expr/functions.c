/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks functions up by name, and maps their arguments to the operator's inputs. */
#include "expr/functions.h"

#include <string.h>

static const struct row {
    const char *name;
    bl_op op;
    const char *inputs;
} rows[] = {
#define FUNCTION(name, op, inputs) {name, BL_OP_##op, inputs},
#include "expr/functions.def"
#undef FUNCTION
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct {
    char letter;
    bl_scalar number;
} numbers[] = {
    {'1', {BL_DTYPE_I64, {.i64 = 1}}},
    {'R', {BL_DTYPE_F64, {.f64 = 1e-5}}},
    {'A', {BL_DTYPE_F64, {.f64 = 1e-8}}},
};

int32_t bli_function_input(const struct bli_function *function, int32_t k,
                           const bl_scalar **number)
{
    const char letter = function->pattern ? function->pattern[k] : (char)('a' + k);

    *number = NULL;
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        if (numbers[n].letter == letter)
            *number = &numbers[n].number;
    return *number ? -1 : letter - 'a';
}

/* Number of arguments in a pattern, which is given by its highest letter. */
static int32_t count_arguments(const char *pattern)
{
    int32_t count = 0;

    for (; *pattern != '\0'; pattern++)
        if (*pattern >= 'a' && *pattern - 'a' >= count)
            count = *pattern - 'a' + 1;
    return count;
}

bool bli_function_find(const char *name, int32_t count, struct bli_function *out,
                       int32_t *takes)
{
    const bl_op op = bl_op_find(name);

    *takes = 0;
    for (int k = 0; k < ROWS; k++) {
        if (strcmp(rows[k].name, name) != 0)
            continue;
        *takes = count_arguments(rows[k].inputs);
        *out = (struct bli_function){rows[k].op, *takes, rows[k].inputs};
        if (*takes == count)
            return true;
    }
    if (op == BL_OP_NONE)
        return false;
    *takes = bli_ops[op].count;
    *out = (struct bli_function){op, *takes, NULL};
    return *takes == count;
}
