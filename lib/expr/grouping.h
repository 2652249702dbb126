/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of connected items, each of which uses earlier ones, such that groups can be
 * computed one after the other: no group needs, by way of others, what it makes itself.
 */
#ifndef BLI_EXPR_GROUPING_H
#define BLI_EXPR_GROUPING_H

#include <stdbool.h>
#include <stdint.h>

struct bli_grouped {
    int32_t class;      /* items of the same one may share a group; -1: by itself */
    int32_t kind;       /* of a group, at its first item: with others, or with 0 */
    int32_t group;      /* the first item of its group */
    int32_t next;       /* item of the group; -1: none */
    int32_t first, end; /* of its uses in the grouping's list */
    int32_t items;      /* of a group, at its first item */
    int32_t weight;     /* of a group, at its first item: the sum */
    int32_t mark;       /* for searches */
};

struct bli_grouping {
    int32_t count;       /* of items */
    int32_t uses;        /* of all items */
    int32_t most_items;  /* of a group */
    int32_t most_weight; /* of a group: bounds the operands that it has in memory */
    struct bli_grouped *item;
    int32_t *use;   /* an item; ~item where no group may have both */
    int32_t *stack; /* room for each item */
    int32_t marks;
};

/* What an item uses: an earlier item; whether one group may have both. */
struct bli_grouping_use {
    int32_t item;
    bool may_join;
};

/*
 * Add an item, which joins the groups of the items it uses where that is allowed: items
 * of one class, whose kinds are one or 0.  It weighs `weight`, and 1 more for each use
 * that is not of its group when it comes.
 */
void bli_grouping_add(struct bli_grouping *grouping, int32_t class, int32_t kind,
                      int32_t weight, int32_t count,
                      const struct bli_grouping_use *use);

/* Make one group of those of two items, where that is allowed: whether it was done. */
bool bli_grouping_join(struct bli_grouping *grouping, int32_t i, int32_t j);

#endif
