/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks functions up by name, and maps their arguments to the operator's inputs.
 */
#include "functions.h"

#include <string.h>

static const struct row {
    const char *name;
    bl_op op;
    const char *inputs;
} rows[] = {
#define FUNCTION(name, op, inputs) {name, BL_OP_##op, inputs},
#include "../../lib/expr/functions.def"
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

struct function function_of_op(bl_op op, int32_t inputs)
{
    return (struct function){op, inputs, inputs, NULL};
}

int32_t function_input(const struct function *function, int32_t k,
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

bl_status function_find(const char *name, int32_t count, struct function *out)
{
    bl_op_info info = {.size = sizeof info};
    const bl_op op = bl_op_find(name);
    int32_t takes = 0;

    for (int k = 0; k < ROWS; k++) {
        const char *pattern = rows[k].inputs;

        if (strcmp(rows[k].name, name) != 0)
            continue;
        takes = count_arguments(pattern);
        if (takes == count) {
            *out =
                (struct function){rows[k].op, takes, (int32_t)strlen(pattern), pattern};
            return BL_OK;
        }
    }
    if (op != BL_OP_NONE) {
        TRY(bl_op_query(op, &info));
        takes = info.inputs;
        if (takes == count) {
            *out = function_of_op(op, count);
            return BL_OK;
        }
    }
    if (takes == 0)
        return bl_error_set(BL_ERR_UNSUPPORTED, "unknown function '%.60s'", name);
    return bl_error_set(BL_ERR_ARGUMENT, "%s takes %d argument%s, got %d", name,
                        (int)takes, takes == 1 ? "" : "s", (int)count);
}
