/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which elements of a call's operands lie along each other: paired as 1-D, and
 * broadcast; and pictures of both for HTML documents (svg.h).
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "suggestions.h"

#include <stdio.h>

/* Elements have the numbers of row-major order. */
struct pairs {
    const struct paired *call;
    int32_t self;           /* the operand whose shape a result of 1-D has */
    int64_t numel;          /* of each operand */
    struct shape broadcast; /* the shape that the operands broadcast to */
    bool broadcasts;        /* false: they do not */
    int32_t row, column;    /* the dimensions of `broadcast` that are drawn; -1: none */
};

/* ---- pairs.c ---- */

/*
 * Find the pairs of a call, which must outlive them; false where its operands differ in
 * numel or are empty.
 */
bool pairs_find(const struct paired *call, int32_t self, struct pairs *pairs);

/* The extent of an operand along a dimension of the broadcast shape, 1 for -1. */
int64_t pairs_extent(const struct pairs *pairs, int32_t k, int32_t d);

/* The element of an operand at index i of the row's dimension and j of the column's. */
int64_t pairs_element(const struct pairs *pairs, int32_t k, int64_t i, int64_t j);

/* Whether the elements there are paired as 1-D, too. */
bool pairs_is_linear(const struct pairs *pairs, int64_t i, int64_t j);

/* ---- pairs_draw.c ---- */

/* Draw the operands as rows of elements, and the result below them. */
void pairs_draw_linear(const struct pairs *pairs, FILE *file);

/*
 * Draw each operand as it is repeated, and the pairs of the result; those that 1-D has,
 * too, are shaded.
 */
void pairs_draw_broadcast(const struct pairs *pairs, FILE *file);

#endif
