/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether operands of a nest share bytes, decided exactly where a bounded search can:
 * is there a sum of c[t] * x[t], 0 <= x[t] <= limit[t], inside a window?
 *
 * The question is a bounded linear Diophantine problem, NP-hard in general; the layouts
 * that people use make it easy, because large strides are multiples of small ones.
 */
#include "shape/shape.h"

#include <stdlib.h>

/* Steps after which the search gives up: about 50 microseconds. */
#define SEARCH_STEPS 10000

#define MAX_TERMS (2 * BL_MAX_RANK)

struct search {
    int32_t terms;
    int32_t steps;                  /* left */
    int64_t factor[MAX_TERMS];      /* c[t] > 0, falling */
    int64_t limit[MAX_TERMS];       /* largest x[t] */
    int64_t reach[MAX_TERMS + 1];   /* largest sum of the terms from t on */
    int64_t divisor[MAX_TERMS + 1]; /* gcd of the factors from t on */
    bool is_dense[MAX_TERMS + 1];   /* sums: all multiples of it up to reach */
};

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Insert a term, keeping factors in falling order; equal factors are merged. */
static void add_term(struct search *s, int64_t factor, int64_t limit)
{
    int32_t at = s->terms;

    if (factor == 0 || limit == 0)
        return;
    while (at > 0 && s->factor[at - 1] < factor)
        at--;
    if (at > 0 && s->factor[at - 1] == factor) {
        s->limit[at - 1] += limit;
        return;
    }
    for (int32_t t = s->terms; t > at; t--) {
        s->factor[t] = s->factor[t - 1];
        s->limit[t] = s->limit[t - 1];
    }
    s->factor[at] = factor;
    s->limit[at] = limit;
    s->terms++;
}

/* Compute reach, divisor and density of the tails; false if a sum overflows. */
static bool sum_up(struct search *s)
{
    s->reach[s->terms] = 0;
    s->divisor[s->terms] = 0;
    s->is_dense[s->terms] = true;
    for (int32_t t = s->terms - 1; t >= 0; t--) {
        int64_t most;

        if (!bli_mul_i64(s->factor[t], s->limit[t], &most) ||
            !bli_add_i64(most, s->reach[t + 1], &s->reach[t]))
            return false;
        s->divisor[t] = greatest_divisor(s->factor[t], s->divisor[t + 1]);
        /* A step of the factor must not exceed what the tail covers. */
        s->is_dense[t] =
            s->is_dense[t + 1] &&
            (s->divisor[t + 1] == 0
                 ? true
                 : s->divisor[t] == s->divisor[t + 1] &&
                       s->factor[t] <= s->reach[t + 1] + s->divisor[t + 1]);
    }
    return true;
}

/*
 * Whether a sum of the terms from t on lies in [low, high]: PARTIAL if one does, NONE
 * if none does, UNKNOWN if the search ran out of steps.
 */
static enum bli_overlap find_sum(struct search *s, int32_t t, int64_t low, int64_t high)
{
    low = low > 0 ? low : 0;
    high = high < s->reach[t] ? high : s->reach[t];
    if (low > high)
        return BLI_OVERLAP_NONE;
    if (low == 0)
        return BLI_OVERLAP_PARTIAL;
    if (s->divisor[t] == 0 || high / s->divisor[t] * s->divisor[t] < low)
        return BLI_OVERLAP_NONE;
    if (s->is_dense[t])
        return BLI_OVERLAP_PARTIAL;

    const int64_t factor = s->factor[t], rest = s->reach[t + 1];
    const int64_t first = low > rest ? (low - rest + factor - 1) / factor : 0;
    const int64_t last = high / factor < s->limit[t] ? high / factor : s->limit[t];

    for (int64_t x = last; x >= first; x--) {
        if (--s->steps < 0)
            return BLI_OVERLAP_UNKNOWN;
        const enum bli_overlap found =
            find_sum(s, t + 1, low - x * factor, high - x * factor);
        if (found != BLI_OVERLAP_NONE)
            return found;
    }
    return BLI_OVERLAP_NONE;
}

static enum bli_overlap run_search(struct search *s, int64_t low, int64_t high)
{
    s->steps = SEARCH_STEPS;
    return sum_up(s) ? find_sum(s, 0, low, high) : BLI_OVERLAP_UNKNOWN;
}

/* Lowest and highest byte offset at which elements of operand k start. */
static void element_span(const struct bli_nest *nest, int32_t k, int64_t *lowest,
                         int64_t *highest)
{
    *lowest = *highest = nest->offset[k];
    for (int32_t i = 0; i < nest->loops; i++) {
        const int64_t reach = nest->stride[i][k] * (nest->extent[i] - 1);

        *(reach < 0 ? lowest : highest) += reach;
    }
}

void bli_nest_span(const struct bli_nest *nest, int32_t k, int64_t size, int64_t *begin,
                   int64_t *end)
{
    element_span(nest, k, begin, end);
    *end += size;
}

bool bli_nest_is_alike(const struct bli_nest *nest, int32_t k)
{
    if (nest->offset[0] != nest->offset[k])
        return false;
    for (int32_t i = 0; i < nest->loops; i++)
        if (nest->extent[i] != 1 && nest->stride[i][0] != nest->stride[i][k])
            return false;
    return true;
}

enum bli_overlap bli_overlap_operands(const struct bli_nest *nest, int32_t k,
                                      const void *data0, int64_t size0,
                                      const void *datak, int64_t sizek)
{
    int64_t lowest0, highest0, lowestk, highestk;

    if (nest->count == 0)
        return BLI_OVERLAP_NONE;
    element_span(nest, 0, &lowest0, &highest0);
    element_span(nest, k, &lowestk, &highestk);

    /* Compared as integers: the operands need not be parts of one object. */
    const intptr_t begin0 = (intptr_t)data0 + lowest0;
    const intptr_t begink = (intptr_t)datak + lowestk;

    if (begin0 + (highest0 - lowest0) + size0 <= begink ||
        begink + (highestk - lowestk) + sizek <= begin0)
        return BLI_OVERLAP_NONE;
    if (data0 == datak && size0 == sizek && bli_nest_is_alike(nest, k))
        return BLI_OVERLAP_EXACT;

    /*
     * Count x from the lowest address of the result and y from the highest of the
     * operand: then elements overlap where sum(x) + sum(y) differs from the distance by
     * less than their sizes.
     */
    const int64_t distance = begink + (highestk - lowestk) - begin0;
    struct search s;

    s.terms = 0;
    for (int32_t i = 0; i < nest->loops; i++) {
        add_term(&s, llabs(nest->stride[i][0]), nest->extent[i] - 1);
        add_term(&s, llabs(nest->stride[i][k]), nest->extent[i] - 1);
    }
    return run_search(&s, distance - size0 + 1, distance + sizek - 1);
}

enum bli_overlap bli_overlap_self(const struct bli_nest *nest, int64_t size)
{
    int64_t reach = size; /* bytes from first to last that the loops so far cover */
    bool is_nested = true;

    if (nest->count == 0)
        return BLI_OVERLAP_NONE;
    for (int32_t i = 0; i < nest->loops; i++) {
        if (nest->extent[i] == 1)
            continue;
        if (nest->stride[i][0] == 0)
            return BLI_OVERLAP_PARTIAL;
        is_nested = is_nested && nest->stride[i][0] >= reach;
        reach += nest->stride[i][0] * (nest->extent[i] - 1);
    }
    if (is_nested)
        return BLI_OVERLAP_NONE;

    /*
     * Two iterations differ by d; loop i is the outermost with d[i] != 0, and d[i] > 0.
     */
    for (int32_t i = 0; i < nest->loops; i++) {
        struct search s;
        int64_t lowest = nest->stride[i][0];

        if (nest->extent[i] == 1)
            continue;
        s.terms = 0;
        add_term(&s, nest->stride[i][0], nest->extent[i] - 2);
        for (int32_t j = 0; j < i; j++) {
            add_term(&s, nest->stride[j][0], 2 * (nest->extent[j] - 1));
            lowest -= nest->stride[j][0] * (nest->extent[j] - 1);
        }
        const enum bli_overlap found =
            run_search(&s, 1 - size - lowest, size - 1 - lowest);
        if (found != BLI_OVERLAP_NONE)
            return found;
    }
    return BLI_OVERLAP_NONE;
}
