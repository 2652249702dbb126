/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups grow item by item.  Two of them become one only where no way leads from either
 * to the other by way of a third: groups then stay free of circles.
 */
#include "expr/grouping.h"

/* The item of a use, which is negative where its group may not have both. */
static int32_t used_item(int32_t use)
{
    return use < 0 ? ~use : use;
}

/* Push the groups that a group uses and that have not been visited. */
static int32_t push_used(struct bli_grouping *grouping, int32_t group, int32_t top)
{
    for (int32_t i = group; i >= 0; i = grouping->item[i].next)
        for (int32_t u = grouping->item[i].first; u < grouping->item[i].end; u++) {
            const int32_t used = grouping->item[used_item(grouping->use[u])].group;

            if (grouping->item[used].mark == grouping->marks)
                continue;
            grouping->item[used].mark = grouping->marks;
            grouping->stack[top++] = used;
        }
    return top;
}

/* Whether group `a` uses an item of group `b` with which it may not be. */
static bool uses_apart(const struct bli_grouping *grouping, int32_t a, int32_t b)
{
    for (int32_t i = a; i >= 0; i = grouping->item[i].next)
        for (int32_t u = grouping->item[i].first; u < grouping->item[i].end; u++)
            if (grouping->use[u] < 0 &&
                grouping->item[used_item(grouping->use[u])].group == b)
                return true;
    return false;
}

/* Whether group `a` needs what group `b` makes by way of other groups, or apart. */
static bool needs_indirectly(struct bli_grouping *grouping, int32_t a, int32_t b)
{
    int32_t top;

    if (uses_apart(grouping, a, b))
        return true;
    grouping->marks++;
    grouping->item[a].mark = grouping->item[b].mark = grouping->marks;
    top = push_used(grouping, a, 0);
    grouping->item[b].mark = grouping->marks - 1;
    while (top > 0) {
        top = push_used(grouping, grouping->stack[top - 1], top - 1);
        if (grouping->item[b].mark == grouping->marks)
            return true;
    }
    return false;
}

/* Whether two groups may become one. */
static bool may_merge(struct bli_grouping *grouping, int32_t a, int32_t b)
{
    const struct bli_grouped *const first = &grouping->item[a];
    const struct bli_grouped *const other = &grouping->item[b];

    return a != b && first->class == other->class &&
           (first->kind == other->kind || first->kind == 0 || other->kind == 0) &&
           first->items + other->items <= grouping->most_items &&
           first->weight + other->weight <= grouping->most_weight &&
           !needs_indirectly(grouping, a, b) && !needs_indirectly(grouping, b, a);
}

/* Make one group of two.  Its items stay in order. */
static void merge(struct bli_grouping *grouping, int32_t a, int32_t b)
{
    const int32_t first = a < b ? a : b, other = a < b ? b : a;
    int32_t i = first, rest = other;

    grouping->item[first].items += grouping->item[other].items;
    grouping->item[first].weight += grouping->item[other].weight;
    grouping->item[first].kind |= grouping->item[other].kind;
    while (rest >= 0) {
        const int32_t next = grouping->item[i].next;

        if (next < 0 || next > rest) {
            grouping->item[i].next = rest;
            rest = next;
        }
        i = grouping->item[i].next;
    }
    for (i = first; i >= 0; i = grouping->item[i].next)
        grouping->item[i].group = first;
}

void bli_grouping_add(struct bli_grouping *grouping, int32_t class, int32_t kind,
                      int32_t weight, int32_t count, const struct bli_grouping_use *use)
{
    const int32_t i = grouping->count++;
    struct bli_grouped *const item = &grouping->item[i];

    *item = (struct bli_grouped){.class = class,
                                 .kind = kind,
                                 .group = i,
                                 .next = -1,
                                 .first = grouping->uses,
                                 .end = grouping->uses + count,
                                 .items = 1,
                                 .weight = weight,
                                 .mark = -1};
    for (int32_t k = 0; k < count; k++)
        grouping->use[grouping->uses++] = use[k].may_join ? use[k].item : ~use[k].item;
    for (int32_t k = 0; k < count; k++) {
        const int32_t group = grouping->item[use[k].item].group;

        if (class >= 0 && use[k].may_join && may_merge(grouping, item->group, group))
            merge(grouping, item->group, group);
        else if (group != item->group)
            grouping->item[item->group].weight++;
    }
}

bool bli_grouping_join(struct bli_grouping *grouping, int32_t i, int32_t j)
{
    const int32_t a = grouping->item[i].group, b = grouping->item[j].group;

    if (!may_merge(grouping, a, b))
        return false;
    merge(grouping, a, b);
    return true;
}
