/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The built-in rules by name.
 */
#include "context/context.h"

#include <broadloom/compat.h>

#include <string.h>

static const bl_rules *(*const built_in_rules[])(void) = {
    bl_rules_modern,       bl_rules_strict, bl_rules_paddle,
    bl_rules_transitional, bl_rules_legacy,
};

const bl_rules *bl_rules_find(const char *name)
{
    const size_t count = sizeof built_in_rules / sizeof built_in_rules[0];

    for (size_t i = 0; name && i < count; i++)
        if (strcmp(built_in_rules[i]()->name, name) == 0)
            return built_in_rules[i]();
    return NULL;
}
