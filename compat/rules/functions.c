/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up the names of a function and of its operands in PyTorch.
 */
#include "torch_shape.h"

#include <string.h>

static const struct bli_function rows[] = {
#define BL_FUNCTION(name, op, least, most, kind, refusal, a, b, c)                     \
    {name, BL_OP_##op, BLI_KIND_##kind, BLI_REFUSAL_##refusal, {a, b, c}},
#include "functions.def"
#undef BL_FUNCTION
    /* Loop macros of TH, which are not functions. */
    {"TH_TENSOR_APPLY2", BL_OP_NONE, BLI_KIND_LOOP, BLI_REFUSAL_APPLY2, {NULL}},
    {"TH_TENSOR_APPLY3", BL_OP_NONE, BLI_KIND_LOOP, BLI_REFUSAL_APPLY3, {NULL}},
};

/* The row of an operator that is not in the table. */
static const struct bli_function nameless = {
    NULL, BL_OP_NONE, BLI_KIND_PAIRED, BLI_REFUSAL_POINTWISE, {NULL, NULL, NULL}};

const struct bli_function *bli_function_of(const bl_rules_query *query)
{
    const size_t count = sizeof rows / sizeof rows[0];
    const char *const name = query->function;

    for (size_t i = 0; name && i < count; i++)
        if (rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    for (size_t i = 0; query->op != BL_OP_NONE && i < count; i++)
        if (rows[i].op == query->op)
            return &rows[i];
    return &nameless;
}

const char *bli_torch_name(const bl_rules_query *query, int32_t k)
{
    static const char letter[BL_MAX_INPUTS][2] = {"a", "b", "c", "d", "e", "f", "g"};
    const struct bli_function *const function = bli_function_of(query);
    int32_t place = k;

    if (query->operand[k].name)
        return query->operand[k].name;
    if (function->kind == BLI_KIND_MASKED || function->kind == BLI_KIND_MASK_FIRST)
        place = query->operand[k].role; /* self, mask, source */
    if (place < 3 && function->operand[place])
        return function->operand[place];
    return letter[k];
}
