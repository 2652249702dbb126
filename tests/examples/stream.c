/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mean of each column of a stream that is never in memory as a whole, with the bits
 * of one bl_mean(); its state is saved and loaded in the middle, as for a restart.
 *
 *     cc -O2 -o stream stream.c $(pkg-config --cflags --libs broadloom)
 *     ./stream
 */
#include <broadloom/describe.h>
#include <broadloom/reduce_pieces.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 3, MOST = 700, RECORDS = 100000 };

static double record[MOST][COLUMNS], mean[COLUMNS];
static char saved[4096];

static void check(bl_status status)
{
    if (status == BL_OK)
        return;
    fprintf(stderr, "%s: %s\n", bl_error_where(), bl_error_message());
    exit(1);
}

/* Read the next records, as from a device; return how many there are. */
static int64_t receive(int64_t first)
{
    const int64_t rest = RECORDS - first, count = 1 + first % MOST;

    for (int64_t i = 0; i < count * COLUMNS; i++)
        record[i / COLUMNS][i % COLUMNS] = (double)((first * COLUMNS + i) % 3000);
    return count < rest ? count : rest;
}

int main(void)
{
    static const int64_t columns[] = {COLUMNS};
    static const int32_t axis = 0;
    bl_reduce_pieces *means;
    int64_t first = 0, count;

    check(bl_reduce_pieces_create(NULL, BL_REDUCTION_MEAN, BL_DTYPE_F64, 1, columns,
                                  NULL, &means));
    for (int restarts = 0; first < RECORDS; first += count) {
        const bl_array *const piece = BL_VIEW(*record, count = receive(first), COLUMNS);

        check(bl_reduce_pieces_add(NULL, means, first, piece, 1, &axis));
        if (first < RECORDS / 2 || restarts++ > 0)
            continue;
        check(bl_reduce_pieces_save(means, saved, sizeof saved));
        bl_reduce_pieces_destroy(means);
        check(bl_reduce_pieces_load(NULL, saved, sizeof saved, &means));
    }
    check(bl_reduce_pieces_finish(NULL, BL_VIEW(mean, COLUMNS), means, RECORDS));
    bl_reduce_pieces_destroy(means);
    printf("of %d records %g %g %g\n", RECORDS, mean[0], mean[1], mean[2]);
    return 0;
}
