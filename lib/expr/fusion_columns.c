/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides the boxes of a fusion that reduces columns. */
#include "exec/bind/bind.h"
#include "expr/fusion_boxes.h"
#include "expr/fusion_cost.h"
#include "plan/cost.h"
#include "plan/reduce.h"

/*
 * Most elements of a row, or of rows where they are few.  Zen 3, one thread: with 512
 * of a row and 8192 of rows, the sums of 40 expressions over columns took 1.07 of the
 * time, those of products of 1000 rows of 1000 1.15 (f32), 1.25 (f64), 1.5 (i64, c64);
 * with 256 still 1.1 of that, with 2048 the same (f32) or 1.1 (f64). With 512 bits more
 * than 512 was not measured.
 */
#define COLUMNS(isa)  (bli_isa_has_512_bits(isa) ? 512 : 1024)
#define ELEMENTS(isa) (16 * COLUMNS(isa))

/*
 * Rows of each lane that reducers take at a time; fewest rows; bytes of rows in
 * buffers, half of L1, if these are more, and at most.  Zen 3: sum(a * b, 0) of
 * f32[20000,16] in boxes of 256 rows takes .75 of the time of those of 32, max(a * b,
 * 0) of f32[1000,1000] in boxes of 64, which reducers of 16 lanes take at once, .7.
 */
#define AT_ONCE         4
#define LEAST_ROWS      32
#define BOX_BYTES       (16 << 10)
#define MOST_BYTES(isa) (bli_isa_has_512_bits(isa) ? 160 << 10 : 256 << 10)

/*
 * Most bytes of all rows of a block that are reduced in registers at once, where lanes
 * would be wider than elements: they are neither written nor read again.  Zen 3, AVX2,
 * one thread: sum(a * b, 0) of f32[64,64] takes .82 of the time so, of [64,256] .8, of
 * [256,64] .94, of i32[64,256] .97; max(a * b, 0) of f32[256,64] 1.1.  With 512 bits
 * (Zen 4) f32[64,64] and i32[64,64] take .75, f64[16,64] .8.
 */
#define WHOLE_BYTES (96 << 10)

int64_t bli_fusion_columns(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    const int64_t side = draft->frame.extent[0];
    const int32_t threads = bli_team_size(
        &draft->making->ctx->team, bli_threads_for(bli_fusion_calls_ns(draft)), NULL);
    const int64_t fits = ELEMENTS(made->isa) / made->reduced;
    const int64_t least = COLUMNS(made->isa);
    const int64_t width = bli_tile_columns(side, made->outputs / side * made->blocks,
                                           threads, fits > least ? fits : least);

    return width < side ? width : side;
}

/* Most bytes of all rows of a block, which then are one box. */
static int64_t whole_bytes(const struct bli_fusion_draft *draft)
{
    bool are_wider = true;

    for (int32_t f = 0; f < draft->made.folds; f++) {
        const struct bli_reducer *const how = draft->fold[f].pass[0].reducer;

        are_wider = are_wider && how->partial_size > how->size;
    }
    return are_wider ? WHOLE_BYTES : BOX_BYTES;
}

int64_t bli_fusion_columns_rows(const struct bli_fusion_draft *draft, int64_t bytes,
                                int64_t most)
{
    const int64_t row = bytes + draft->made.length * bli_fusion_converted(draft);
    int64_t turn = LEAST_ROWS, rows;

    for (int32_t f = 0; f < draft->made.folds; f++) {
        const int64_t own = AT_ONCE * bli_reducer_turn(draft->fold[f].pass[0].reducer,
                                                       draft->made.length);

        turn = own > turn ? own : turn;
    }
    while (turn > LEAST_ROWS && turn * row > MOST_BYTES(draft->made.isa))
        turn /= 2;
    rows = BOX_BYTES / row / turn * turn;
    rows = rows > turn ? rows : turn;
    return rows > most || most * row <= whole_bytes(draft) ? most : rows;
}
