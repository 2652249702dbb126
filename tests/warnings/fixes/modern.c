/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked to programs for TH, this makes its calls pair as modern rules do: those of
 * tensors with other shapes than the first one's are refused, or broadcast.
 */
#include <broadloom.h>
#include <broadloom/compat.h>

const bl_rules *bl_rules_legacy(void)
{
    return bl_rules_modern();
}
