/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides the boxes of a fusion that reduces columns. */
#include "exec/bind/bind.h"
#include "expr/fusion_boxes.h"
#include "expr/fusion_cost.h"
#include "plan/reduce.h"

/*
 * Most elements of a row, or of rows where they are few.  Zen 3, one and two threads:
 * with 256 sums of products of f32[1000,1000] take 1.1 times as long, largest ones 1.2;
 * with 4096 columns instead of 512 max(a * b, 0) of f32[2,150000] takes .8 of the time.
 */
#define COLUMNS  512
#define ELEMENTS 8192

/*
 * Rows of each lane that reducers take at a time; fewest rows; bytes of rows in
 * buffers, half of L1, if these are more, and at most.  Zen 3: sum(a * b, 0) of
 * f32[20000,16] in boxes of 256 rows takes .75 of the time of those of 32, max(a * b,
 * 0) of f32[1000,1000] in boxes of 64, which reducers of 16 lanes take at once, .7.
 */
#define AT_ONCE    4
#define LEAST_ROWS 32
#define BOX_BYTES  (16 << 10)
#define MOST_BYTES (160 << 10)

int64_t bli_fusion_columns(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    const int64_t side = draft->frame.extent[0];
    const int32_t threads = bli_team_size(
        &draft->making->ctx->team, bli_threads_for(bli_fusion_calls_ns(draft)), NULL);
    const int64_t fits = ELEMENTS / made->reduced;
    const int64_t width = bli_tile_columns(side, made->outputs / side * made->blocks,
                                           threads, fits > COLUMNS ? fits : COLUMNS);

    return width < side ? width : side;
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
    while (turn > LEAST_ROWS && turn * row > MOST_BYTES)
        turn /= 2;
    rows = BOX_BYTES / row / turn * turn;
    rows = rows > turn ? rows : turn;
    return rows > most || most * row <= BOX_BYTES ? most : rows;
}
