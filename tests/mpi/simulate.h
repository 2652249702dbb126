/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All ranks of a grid in one process: their blocks, the messages that a plan lists, and
 * what comes of them.
 */
#ifndef TESTS_SIMULATE_H
#define TESTS_SIMULATE_H

#include "mpi/spread/move.h"

/* Copy the elements of box `what` between compact blocks of two boxes. */
void copy_box(int32_t rank, int64_t size, char *to, const struct bli_box *to_box,
              const char *from, const struct bli_box *from_box,
              const struct bli_box *what);

/*
 * Give each rank its block of an operand, whose elements are compact at `whole`, pass
 * the messages that ranks send, and write the block that each rank needs to a new
 * need[rank], NULL where it needs nothing; the caller frees them.
 *
 * False, with notes, where the lists of both ends differ, a message is too large or out
 * of order, an element does not arrive exactly once, more bytes move than are missing,
 * or bli_traffic_count() counts anything else.
 */
bool simulate_move(const struct bli_move *move, const char *whole, char **need);

/* What enters nodes of operands that move in stages; bytes. */
struct simulated_nodes {
    int64_t staged;  /* operands */
    int64_t entered; /* nodes from other ones */
    int64_t least;   /* that must: what ranks of a node need, and none of them has */
    int64_t direct;  /* without stages */
};

/*
 * Count what enters nodes of an operand of that `move`, made of `count` moves.  False,
 * with notes, where the second of two leaves a node, or what enters is more than 1.05
 * of the least, of two moves more than that, while all ranks need something and nodes
 * share memory.
 */
bool simulate_nodes(const struct bli_move *move, const struct bli_move *const *moves,
                    int32_t count, struct simulated_nodes *nodes);

#endif
