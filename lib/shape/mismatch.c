/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What errors say of shapes that do not agree: which operands, along which axis.
 */
#include "shape/broadcast.h"

const char *bli_operand_name(const bl_rules_query *query, int32_t k)
{
    static const char letter[BL_MAX_INPUTS][2] = {"a", "b", "c", "d", "e", "f", "g"};

    return query->operand[k].name ? query->operand[k].name : letter[k];
}

/* Extent of a shape along axis `d` of a result of `rank` dimensions. */
static int64_t extent_at(const bl_shape *shape, int32_t rank, int32_t d)
{
    const int32_t own = d - (rank - shape->rank);

    return own >= 0 ? shape->extent[own] : 1;
}

bl_status bli_broadcast_mismatch(const bl_rules_query *query, int32_t k)
{
    const bl_rules_operand *const operand = query->operand;
    int32_t rank = 0;

    for (int32_t j = 0; j <= k; j++)
        if (operand[j].role != BL_ROLE_SOURCE && operand[j].shape.rank > rank)
            rank = operand[j].shape.rank;
    for (int32_t d = rank - 1; d >= 0; d--)
        for (int32_t j = 0; j < k; j++) {
            const int64_t a = extent_at(&operand[j].shape, rank, d);
            const int64_t b = extent_at(&operand[k].shape, rank, d);

            if (operand[j].role != BL_ROLE_SOURCE && a != 1 && b != 1 && a != b)
                return bl_error_set_extents(BL_ERR_SHAPE, d, bli_operand_name(query, k),
                                            b, bli_operand_name(query, j), a);
        }
    return BL_ERR_SHAPE;
}

bl_status bli_fault_shape(bl_status status, const char *name, bl_shape own,
                          bl_shape wanted)
{
    if (own.rank == wanted.rank)
        for (int32_t d = own.rank - 1; d >= 0; d--)
            if (own.extent[d] != wanted.extent[d])
                return bl_error_set_extents(status, d, name, own.extent[d], NULL,
                                            wanted.extent[d]);
    return bli_fault_argument(status, name);
}
