/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The precise predicate against actual pairing in both ways: broadcasting's index maps
 * and pairing as 1-D, for all pairs and for triples of small shapes.  No false
 * positive, no false negative.
 */
#include <broadloom/compat.h>
#include <broadloom/warnings.h>

#include "harness/shapes.h"
#include "harness/tap.h"

#include <stdio.h>
#include <string.h>

/* Most operands, and elements of a broadcast of three shapes of the test. */
enum { OPERANDS = 3, MOST = 6 * 6 * 6 };

/*
 * A result: its shape, and which element of each operand every element is computed
 * from.
 */
struct pairing {
    bool is_refused;
    struct shape shape;
    int64_t count;
    int64_t element[MOST][OPERANDS];
};

static int64_t count_of(const struct shape *shape)
{
    int64_t count = 1;

    for (int32_t d = 0; d < shape->rank; d++)
        count *= shape->extent[d];
    return count;
}

/* A further operand of rank 0 is a number, as the value of addcmul was. */
static void pair_flat(int32_t operands, const struct shape *shape,
                      struct pairing *pairing)
{
    pairing->is_refused = false;
    pairing->shape = shape[0];
    pairing->count = count_of(&shape[0]);
    for (int32_t k = 1; k < operands; k++)
        if (shape[k].rank > 0 && count_of(&shape[k]) != pairing->count)
            pairing->is_refused = true;
    for (int64_t i = 0; !pairing->is_refused && i < pairing->count; i++)
        for (int32_t k = 0; k < operands; k++)
            pairing->element[i][k] = shape[k].rank > 0 ? i : 0;
}

/* Index of an operand's element for the result's element `i`, row-major. */
static int64_t element_at(const struct shape *result, int64_t i,
                          const struct shape *operand)
{
    int64_t element = 0, step = 1;

    for (int32_t d = 0; d < result->rank; d++) {
        const int32_t from_end = result->rank - 1 - d;
        const int32_t own = operand->rank - 1 - d;
        const int64_t index = i % result->extent[from_end];

        i /= result->extent[from_end];
        if (own < 0)
            break;
        if (operand->extent[own] != 1)
            element += index * step;
        step *= operand->extent[own];
    }
    return element;
}

static void pair_by_broadcast(int32_t operands, const struct shape *shape,
                              bool is_in_place, struct pairing *pairing)
{
    struct shape *const result = &pairing->shape;

    pairing->is_refused = false;
    result->rank = 0;
    for (int32_t k = 0; k < operands; k++)
        if (shape[k].rank > result->rank)
            result->rank = shape[k].rank;
    for (int32_t d = 0; d < result->rank; d++)
        result->extent[d] = 1;
    for (int32_t k = 0; k < operands; k++)
        for (int32_t d = 0; d < shape[k].rank; d++) {
            int64_t *const at = &result->extent[result->rank - shape[k].rank + d];

            if (*at != 1 && shape[k].extent[d] != 1 && *at != shape[k].extent[d])
                pairing->is_refused = true;
            if (*at == 1)
                *at = shape[k].extent[d];
        }
    if (is_in_place && !shape_equal(&shape[0], result->rank, result->extent))
        pairing->is_refused = true;
    pairing->count = pairing->is_refused ? 0 : count_of(result);
    for (int64_t i = 0; i < pairing->count && i < MOST; i++)
        for (int32_t k = 0; k < operands; k++)
            pairing->element[i][k] = element_at(result, i, &shape[k]);
}

/* What actually differs between the two. */
static bl_change compare(const struct pairing *before, const struct pairing *now)
{
    if (before->is_refused || now->is_refused)
        return BL_CHANGE_NONE;
    if (before->count != now->count)
        return BL_CHANGE_VALUE;
    for (int64_t i = 0; i < now->count; i++)
        for (int32_t k = 0; k < OPERANDS; k++)
            if (before->element[i][k] != now->element[i][k])
                return BL_CHANGE_VALUE;
    return shape_equal(&before->shape, now->shape.rank, now->shape.extent)
               ? BL_CHANGE_NONE
               : BL_CHANGE_SHAPE;
}

/*
 * What the library says differs; *exact counts calls that PyTorch's flag warned about.
 */
static bl_change ask(const bl_rules *rules, int32_t operands, const struct shape *shape,
                     bool is_in_place, int *exact)
{
    bl_rules_operand operand[OPERANDS];
    const bl_rules_query query = {.size = sizeof query,
                                  .mode = is_in_place ? BL_MODE_IN_PLACE : BL_MODE_NEW,
                                  .axis = BL_AXIS_LAST,
                                  .count = operands,
                                  .operand = operand};
    bl_rules_answer answer;
    bl_rules_event event[2];

    for (int32_t k = 0; k < operands; k++)
        operand[k] = (bl_rules_operand){.shape = shape_borrow(&shape[k])};
    if (bl_rules_resolve(rules, &query, &answer) != BL_OK || answer.events > 0)
        return BL_CHANGE_NONE;
    *exact += bl_change_find(&query, &answer, BL_PREDICATE_EXACT, event) > 0;
    return bl_change_find(&query, &answer, BL_PREDICATE_PRECISE, event) > 0
               ? (bl_change)event[0].change
               : BL_CHANGE_NONE;
}

/* Get shape `number` of 1 to `rank` dimensions with `extents` of the list. */
static bool list_shape(int64_t number, int32_t rank, int32_t extents,
                       const int64_t *extent, struct shape *shape)
{
    int64_t shapes = 1;

    for (shape->rank = 1; shape->rank <= rank; shape->rank++) {
        shapes *= extents;
        if (number < shapes)
            break;
        number -= shapes;
    }
    if (shape->rank > rank)
        return false;
    for (int32_t d = 0; d < shape->rank; d++, number /= extents)
        shape->extent[d] = extent[number % extents];
    return true;
}

/* How many calls differ in each way, and how many answers are wrong. */
struct tally {
    int differs[BL_CHANGE_SHAPE + 1];
    int wrong;
    int exact;
};

static void check(struct tally *tally, const bl_rules *rules, int32_t operands,
                  const struct shape *shape, bool is_in_place)
{
    static struct pairing before, now;
    char a[SHAPE_TEXT], b[SHAPE_TEXT];
    bl_change want, got;

    memset(&before, 0, sizeof before);
    memset(&now, 0, sizeof now);
    pair_flat(operands, shape, &before);
    pair_by_broadcast(operands, shape, is_in_place, &now);
    want = compare(&before, &now);
    got = ask(rules, operands, shape, is_in_place, &tally->exact);
    tally->differs[want]++;
    if (want != got && tally->wrong++ < 5)
        tap_note("%s and %s%s: %d instead of %d",
                 shape_write(a, shape[0].rank, shape[0].extent),
                 shape_write(b, shape[1].rank, shape[1].extent),
                 is_in_place ? " in place" : "", (int)got, (int)want);
}

static void check_pairs(const bl_rules *rules, bool is_in_place)
{
    static const int64_t extent[] = {1, 2, 3, 4, 6};
    const int want_exact = is_in_place ? 35 : 360;
    const int want_shape = is_in_place ? 0 : 35;
    const char *const how = is_in_place ? "in place" : "new";
    struct tally tally = {.wrong = 0};
    struct shape shape[OPERANDS];

    for (int64_t i = 0; list_shape(i, 3, 5, extent, &shape[0]); i++)
        for (int64_t j = 0; list_shape(j, 3, 5, extent, &shape[1]); j++)
            check(&tally, rules, 2, shape, is_in_place);
    tap_ok(tally.wrong == 0,
           "%s, %s: what differs is found in all pairs, and nothing else", rules->name,
           how);
    tap_ok(tally.exact == want_exact, "%s, %s: PyTorch's flag warns of %d pairs",
           rules->name, how, want_exact);
    tap_ok(tally.differs[BL_CHANGE_VALUE] == (is_in_place ? 0 : 290),
           "%s, %s: values differ in %d", rules->name, how,
           tally.differs[BL_CHANGE_VALUE]);
    tap_ok(tally.differs[BL_CHANGE_SHAPE] == want_shape,
           "%s, %s: shapes alone differ in %d", rules->name, how,
           tally.differs[BL_CHANGE_SHAPE]);
}

static void check_triples(const bl_rules *rules, bool is_in_place)
{
    static const int64_t extent[] = {1, 2, 4};
    struct tally tally = {.wrong = 0};
    struct shape shape[OPERANDS];

    for (int64_t i = 0; list_shape(i, 2, 3, extent, &shape[0]); i++)
        for (int64_t j = 0; list_shape(j, 2, 3, extent, &shape[1]); j++) {
            shape[2].rank = 0;
            if (rules == bl_rules_modern()) /* others refuse rank 0 */
                check(&tally, rules, 3, shape, is_in_place);
            for (int64_t k = 0; list_shape(k, 2, 3, extent, &shape[2]); k++)
                check(&tally, rules, 3, shape, is_in_place);
        }
    tap_ok(tally.wrong == 0, "%s, %s: the same of triples", rules->name,
           is_in_place ? "in place" : "new");
    tap_note("of them %d differ in values, %d in shape", tally.differs[BL_CHANGE_VALUE],
             tally.differs[BL_CHANGE_SHAPE]);
}

int main(void)
{
    const bl_rules *const rules[] = {bl_rules_modern(), bl_rules_transitional()};

    tap_plan();
    for (int r = 0; r < 2; r++)
        for (int is_in_place = 0; is_in_place < 2; is_in_place++) {
            check_pairs(rules[r], is_in_place != 0);
            check_triples(rules[r], is_in_place != 0);
        }
    return tap_done();
}
