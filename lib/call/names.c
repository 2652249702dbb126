/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of a call's inputs in messages.
 */
#include "call/call.h"

/* Default names of inputs, by bli_inputs, for callers that give none. */
static const char *const default_names[][BL_MAX_INPUTS] = {
    [BLI_INPUTS_UNARY] = {"a"},
    [BLI_INPUTS_BINARY] = {"a", "b"},
    [BLI_INPUTS_TERNARY] = {"a", "b", "c"},
    [BLI_INPUTS_QUATERNARY] = {"a", "b", "c", "d"},
    [BLI_INPUTS_SELECT] = {"c", "a", "b"},
    [BLI_INPUTS_CONVERT] = {"a"},
};

const char *const *bli_call_names(const struct bli_call *call)
{
    return call->options && call->options->names
               ? call->options->names
               : default_names[bli_ops[call->op].inputs];
}
