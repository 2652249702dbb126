/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions of one reducer, members of struct bli_reducer. The parameters
 * are described in reducers.tmpl.h; those of an operation are undefined at the end.
 *
 * A number is a component of an element: a real element has one, a complex one two.
 */
#define NAME(of)  PASTE4(of, BLI_REDUCE_OP, _, BLI_T)
#define numbers   NAME(numbers_)
#define lanes     NAME(lanes_)
#define any_lanes NAME(any_lanes_)
#define number    PASTE(number_, BLI_T)

enum {
    NAME(per_block_) = BLI_REDUCE_LANES / (int)sizeof(BLI_LANE),
    NAME(per_register_) = BLI_REGISTER / (int)sizeof(BLI_LANE)
};
#define PER_BLOCK    NAME(per_block_)
#define PER_REGISTER NAME(per_register_)
#define PER_LINE     (BLI_ALIGNMENT / (int64_t)sizeof(number))

/*
 * A register of lanes, the same at any address, and as many numbers as they are in
 * memory.
 */
typedef BLI_LANE lanes __attribute__((vector_size(BLI_REGISTER)));
typedef BLI_LANE any_lanes
    __attribute__((vector_size(BLI_REGISTER), aligned(sizeof(BLI_LANE)), may_alias));
typedef number numbers
    __attribute__((vector_size(BLI_REGISTER / sizeof(BLI_LANE) * sizeof(number)),
                   aligned(sizeof(number)), may_alias));

#if defined(BLI_LOAD)
#define LOAD(x) ((lanes)BLI_LOAD(x))
#else
#define LOAD(x) __builtin_convertvector(BLI_VALUE(*(const numbers *)(x)), lanes)
#endif

/*
 * take_: the lanes of an element at r accumulate the element at b, also in lanes;
 * take_element_: they accumulate the element at x, in memory.
 */
static inline void NAME(take_)(BLI_LANE *r, const BLI_LANE *b)
{
    BLI_TAKE(r, b);
}

static inline void NAME(take_element_)(BLI_LANE *r, const number *x)
{
    BLI_LANE b[BLI_PARTS];

    for (int32_t p = 0; p < BLI_PARTS; p++)
        b[p] = (BLI_LANE)BLI_VALUE(x[p]);
    NAME(take_)(r, b);
}

static void NAME(fill_)(void *partial, int64_t count)
{
    BLI_LANE *const to = partial;

    for (int64_t i = 0; i < count * BLI_PARTS; i++)
        to[i] = i % BLI_PARTS == 0 ? BLI_IDENTITY : 0;
}

static void NAME(merge_)(void *into, const void *other, int64_t count)
{
    BLI_LANE *const r = into;
    const BLI_LANE *const b = other;
    int64_t i = 0;

    for (; i + PER_REGISTER <= count * BLI_PARTS; i += PER_REGISTER)
        *(any_lanes *)(r + i) =
            BLI_JOIN(*(any_lanes *)(r + i), *(const any_lanes *)(b + i));
    for (; i < count * BLI_PARTS; i += BLI_PARTS)
        NAME(take_)(r + i, b + i);
}

static void NAME(pairs_)(void *partial, int64_t count)
{
    BLI_LANE *const at = partial;

    for (; count > 1; count = count / 2 + count % 2)
        for (int64_t i = 0; i < count; i += 2) {
            if (i + 1 < count)
                NAME(take_)(at + i * BLI_PARTS, at + (i + 1) * BLI_PARTS);
            memmove(at + i / 2 * BLI_PARTS, at + i * BLI_PARTS, BLI_PARTS * sizeof *at);
        }
}

#include "kernels/reduce/reducer_rows.tmpl.h"

#include "kernels/reduce/reducer_columns.tmpl.h"

#undef NAME
#undef numbers
#undef lanes
#undef any_lanes
#undef number
#undef PER_BLOCK
#undef PER_REGISTER
#undef PER_LINE
#undef LOAD
#undef BLI_LOAD
#undef BLI_REDUCE_OP
#undef BLI_LANE
#undef BLI_PARTS
#undef BLI_IDENTITY
#undef BLI_VALUE
#undef BLI_JOIN
#undef BLI_TAKE
#undef BLI_ASSOCIATES
#undef BLI_IS_NEUTRAL
