/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes, layouts and their views, broadcasting rules.
 */
#include "kept.h"

#include <broadloom/compat.h>

static const int64_t shape[] = {2, 3};

/* Whether a layout has this offset, these extents and these strides. */
static bool lies(const bl_layout *layout, int64_t offset, int32_t rank,
                 const int64_t *extent, const int64_t *stride)
{
    bool equal = layout->rank == rank && layout->offset == offset;

    for (int32_t d = 0; equal && d < rank; d++)
        equal = layout->extent[d] == extent[d] && layout->stride[d] == stride[d];
    return equal;
}

/* LIES(view, offset, rank, extents..., strides...): of a rank-2 or rank-3 layout. */
#define LIES_1(view, offset, e0, s0)                                                   \
    CHECK(lies(view, offset, 1, (const int64_t[]){e0}, (const int64_t[]){s0}))
#define LIES_2(view, offset, e0, e1, s0, s1)                                           \
    CHECK(lies(view, offset, 2, (const int64_t[]){e0, e1}, (const int64_t[]){s0, s1}))
#define LIES_3(view, offset, e0, e1, e2, s0, s1, s2)                                   \
    CHECK(lies(view, offset, 3, (const int64_t[]){e0, e1, e2},                         \
               (const int64_t[]){s0, s1, s2}))

static void check_shapes(void)
{
    const bl_shape shapes[] = {{2, (const int64_t[]){2, 1}}, {1, (const int64_t[]){3}}};
    bl_broadcast_info info;
    int64_t extent[BL_MAX_RANK], count = 0;
    int32_t rank = 0;

    OK(bl_shape_numel(2, shape, &count));
    CHECK(count == 6);
    OK(bl_broadcast_shapes(2, shapes, &rank, extent));
    CHECK(rank == 2 && extent[0] == 2 && extent[1] == 3);
    OK(bl_broadcast_query(2, shapes, 8, &info));
    CHECK(info.rank == 2 && info.extent[1] == 3 && info.numel == 6 && info.bytes == 48);
    CHECK(info.growth == 2 && info.expanded_dims[0] == 2 && info.expanded_dims[1] == 1);
}

static void check_layouts(void)
{
    bl_layout base, other;
    int64_t lowest = 0, highest = 0;

    OK(bl_layout_compact(2, shape, &base));
    LIES_2(&base, 0, 2, 3, 3, 1);
    CHECK(bl_layout_numel(&base) == 6 && bl_layout_is_contiguous(&base));
    OK(bl_layout_strided(2, shape, (const int64_t[]){-3, 1}, 3, &other));
    CHECK(bl_layout_span(&other, &lowest, &highest) && lowest == 0 && highest == 5);
    CHECK(!bl_layout_is_contiguous(&other));
    OK(bl_layout_expand(&base, 3, (const int64_t[]){4, -1, -1}, &other));
    LIES_3(&other, 0, 4, 2, 3, 0, 3, 1);
    OK(bl_layout_broadcast_to(&base, 3, (const int64_t[]){4, 2, 3}, &other));
    LIES_3(&other, 0, 4, 2, 3, 0, 3, 1);
    OK(bl_layout_unsqueeze(&base, 1, &other));
    CHECK(other.rank == 3 && other.extent[1] == 1);
    OK(bl_layout_squeeze(&other, 1, &other));
    LIES_2(&other, 0, 2, 3, 3, 1);
    OK(bl_layout_unsqueeze(&base, 0, &other));
    OK(bl_layout_squeeze_all(&other, &other));
    LIES_2(&other, 0, 2, 3, 3, 1);
    OK(bl_layout_permute(&base, (const int32_t[]){1, 0}, &other));
    LIES_2(&other, 0, 3, 2, 1, 3);
    OK(bl_layout_transpose(&base, 0, 1, &other));
    LIES_2(&other, 0, 3, 2, 1, 3);
    OK(bl_layout_select(&base, 0, 1, &other));
    LIES_1(&other, 3, 3, 1);
    OK(bl_layout_narrow(&base, 1, 1, 2, &other));
    LIES_2(&other, 1, 2, 2, 3, 1);
    OK(bl_layout_slice(&base, 1, 0, 3, 2, &other));
    LIES_2(&other, 0, 2, 2, 3, 2);
    OK(bl_layout_flip(&base, 1, &other));
    LIES_2(&other, 2, 2, 3, 3, -1);
    OK(bl_layout_view(&base, 2, (const int64_t[]){3, -1}, &other));
    LIES_2(&other, 0, 3, 2, 2, 1);
    OK(bl_layout_place_dims(&base, 3, (const int32_t[]){0, 2}, &other));
    CHECK(other.rank == 3 && other.extent[0] == 2 && other.extent[1] == 1 &&
          other.extent[2] == 3);
}

/* Rules of the program: the shape of the first operand, pointwise. */
static bl_status take_first(const bl_rules *rules, const bl_rules_query *query,
                            bl_rules_answer *answer)
{
    const bl_shape *const first = &query->operand[0].shape;

    if (query->count > *(const int32_t *)rules->user)
        return bl_error_set(BL_ERR_RULES, "too many operands");
    answer->rank = first->rank;
    memcpy(answer->extent, first->extent, (size_t)first->rank * sizeof *first->extent);
    for (int32_t k = 0; k < query->count; k++)
        answer->pairing[k] = (bl_pairing){BL_PAIRING_LINEAR, 0};
    answer->events = 0;
    return BL_OK;
}

static void check_rules(void)
{
    static int32_t most = 2;
    static const bl_rules own = {sizeof own, "first", take_first, &most, 0};
    const bl_rules_operand operands[] = {
        {{2, shape}, BL_ROLE_PAIRED, "self"},
        {{1, (const int64_t[]){6}}, BL_ROLE_PAIRED, "other"}};
    const bl_rules_query query = {.size = sizeof query,
                                  .mode = BL_MODE_NEW,
                                  .axis = BL_AXIS_LAST,
                                  .count = 2,
                                  .operand = operands};
    bl_rules_answer answer;

    CHECK(bl_rules_find("modern") == bl_rules_modern());
    CHECK(bl_rules_find("strict") == bl_rules_strict());
    CHECK(bl_rules_find("paddle") == bl_rules_paddle());
    CHECK(bl_rules_find("legacy") == bl_rules_legacy());
    CHECK(bl_rules_find("transitional") == bl_rules_transitional());
    CHECK(strcmp(bl_rules_strict()->name, "strict") == 0);
    CHECK(bl_rules_legacy()->flags == BL_RULES_SEQUENTIAL &&
          bl_rules_modern()->flags == 0);
    CHECK(bl_rules_resolve(NULL, &query, &answer) == BL_ERR_SHAPE);
    OK(bl_rules_resolve(bl_rules_legacy(), &query, &answer));
    CHECK(answer.rank == 2 && answer.extent[1] == 3);
    CHECK(answer.pairing[1].kind == BL_PAIRING_LINEAR);
    OK(bl_rules_resolve(bl_rules_transitional(), &query, &answer));
    CHECK(answer.events == 1 && answer.event[0].change == BL_CHANGE_FALLBACK);
    OK(bl_rules_resolve(&own, &query, &answer));
    CHECK(answer.rank == 2 && answer.extent[0] == 2);
    most = 1;
    CHECK(bl_rules_resolve(&own, &query, &answer) == BL_ERR_RULES);
}

int main(void)
{
    check_shapes();
    check_layouts();
    check_rules();
    return failures;
}
