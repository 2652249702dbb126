/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split over nodes and threads as a pure function: on machines of many kinds, for
 * teams bound evenly, unevenly and not at all, each iteration is assigned exactly once,
 * nodes and threads are balanced, split points are aligned, and the result is
 * deterministic.
 */
#include <inttypes.h>
#include <string.h>

#include "reference/split_check.h"
#include "harness/limits.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

/* Processors of each node. */
static const struct machine {
    const char *what;
    int32_t nodes;
    int32_t weight[16];
} machines[] = {
    {"one processor", 1, {1}},
    {"one node", 1, {48}},
    {"two nodes", 2, {4, 4}},
    {"four nodes", 4, {2, 2, 2, 2}},
    {"eight nodes", 8, {16, 16, 16, 16, 16, 16, 16, 16}},
    {"sixteen nodes", 16, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"four nodes of 12", 4, {12, 12, 12, 12}},
    {"1 and 3 processors", 2, {1, 3}},
    {"5 and 2 processors", 2, {5, 2}},
    {"6, 2 and 2 processors", 3, {6, 2, 2}},
    {"three nodes", 3, {3, 3, 3}},
    {"a node without processors last", 3, {2, 2, 0}},
    {"a node without processors first", 2, {0, 4}},
    {"a node without processors between", 3, {2, 0, 2}},
    {"one usable processor of a large machine", 8, {0, 0, 0, 0, 0, 1, 0, 0}},
    {"no usable processor", 2, {0, 0}},
    {"seven nodes, all different", 7, {1, 2, 3, 4, 5, 6, 7}},
    {"more nodes than ranges", MOST_NODES, {1}}, /* 1 on each */
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static const int64_t counts[] = {
    0,
    1,
    63,
    64,
    65,
    1009,
    4096,
    1048573,
    1 << 20,
    3 * 5 * 7919,
    16777216,
    16777259,
    1 << 25,
    1 << 28,
    (1 << 28) + 1,
    2147483659,
    4294967311,
    INT64_C(1) << 40,
    INT64_MAX / 16,
    INT64_MAX, /* of single bytes */
};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static const int64_t sizes[] = {1, 2, 4, 8, 16};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Numbers of threads for each: four, and any.  Arithmetic alone needs no sanitizer. */
enum { TURNS = IS_SANITIZED ? 1 : 12 };

/* The distribution of a team's threads over the nodes. */
enum team_kind { TEAM_EVEN, TEAM_ONE_NODE, TEAM_RANDOM, TEAM_KINDS };
static const char *const crew_names[] = {"evenly", "all on one node", "anywhere"};

static struct subject subject_of(const struct machine *machine)
{
    struct subject subject = {.nodes = machine->nodes};

    for (int32_t n = 0; n < machine->nodes; n++) {
        subject.weight[n] = machine->nodes > 16 ? 1 : machine->weight[n];
        subject.total += subject.weight[n];
    }
    return subject;
}

/* xorshift: the same numbers on every machine. */
static uint64_t state = 88172645463325252u;

static int32_t random_below(int32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int32_t)(state % (uint64_t)limit);
}

static void place_crew(enum team_kind kind, const struct subject *s, int32_t parts,
                       int16_t *node)
{
    const int32_t one = random_below(s->nodes);

    for (int32_t p = 0; p < parts; p++)
        node[p] =
            (int16_t)(kind == TEAM_EVEN ? bli_assign_node(p, parts, s->nodes, s->weight)
                      : kind == TEAM_ONE_NODE ? one
                                              : random_below(s->nodes));
}

/*
 * Whether evenly distributed threads have equal work: as many on a node as its weight,
 * or equal weights and thread counts on all nodes.
 */
static bool is_even(const struct subject *s, int32_t parts)
{
    if (s->total == 0 || s->nodes > BLI_MAX_NODE_RANGES)
        return false;
    for (int32_t n = 0; n < s->nodes; n++)
        if ((int64_t)parts * s->weight[n] % s->total != 0)
            return false;
    return true;
}

/* Check one team on one problem, computed twice. */
static const char *fault_of_team(const struct bli_node_ranges *node_ranges,
                                 int64_t count, int64_t size, const struct subject *s,
                                 enum team_kind kind, int32_t parts)
{
    static struct ranges ranges, again;
    int16_t node[MOST_PARTS];
    const struct bli_team_map crew = {parts, s->nodes, node};
    const char *fault;

    place_crew(kind, s, parts, node);
    collect_ranges(&ranges, node_ranges, &crew, 64 / size);
    collect_ranges(&again, node_ranges, &crew, 64 / size);
    if (memcmp(&ranges, &again, sizeof ranges) != 0)
        return "the same question has two answers";
    fault = fault_of_ranges(&ranges, count, size);
    if (!fault && kind == TEAM_EVEN && is_even(s, parts) && count * size >= 64 * MIB &&
        (double)ranges.largest > 1.02 * (double)count / parts)
        return "a thread has 2 % more than its share";
    return fault;
}

static void test_machine(const struct machine *machine)
{
    const struct subject s = subject_of(machine);
    int32_t cases = 0;

    for (int32_t k = 0; k < COUNTS * SIZES; k++) {
        const int64_t count = counts[k / SIZES], size = sizes[k % SIZES];
        struct bli_node_ranges node_ranges;
        const char *fault;

        if (count > INT64_MAX / size)
            continue;
        bli_node_ranges_even(&node_ranges, count, size, s.nodes, s.weight);
        fault = fault_of_node_ranges(&node_ranges, count, size, &s);
        fault = fault ? fault : fault_of_split_points(&node_ranges, count, size, &s);
        if (fault) {
            tap_ok(false, "%s: %" PRId64 " elements of %" PRId64 " bytes: %s",
                   machine->what, count, size, fault);
            return;
        }
        for (int32_t turn = 0; turn < TEAM_KINDS * TURNS; turn++) {
            const enum team_kind kind = (enum team_kind)(turn % TEAM_KINDS);
            /* 1, 2, as many as processors, twice as many, and any. */
            const int32_t some[] = {1, 2, (int32_t)s.total, 2 * (int32_t)s.total};
            const int32_t wish =
                turn / TEAM_KINDS < 4 ? some[turn / TEAM_KINDS] : 1 + random_below(64);
            const int32_t parts = wish < 1 || wish > MOST_PARTS ? MOST_PARTS : wish;

            fault = fault_of_team(&node_ranges, count, size, &s, kind, parts);
            if (fault) {
                tap_ok(false,
                       "%s: %" PRId64 " elements of %" PRId64
                       " bytes, %d threads %s: %s",
                       machine->what, count, size, (int)parts, crew_names[kind], fault);
                return;
            }
            cases++;
        }
    }
    tap_ok(true, "%s: %d splits", machine->what, (int)cases);
}

/* Node ranges from memory: blocks of nodes in any order, with repetition. */
static void test_scattered_ranges(void)
{
    /* No total: balance is not checked. */
    const struct subject s = {4, {2, 2, 2, 2}, 0};
    const char *fault = NULL;

    for (int32_t turn = 0; !fault && turn < 500; turn++) {
        const int32_t blocks = 1 + random_below(BLI_MAX_NODE_RANGES);
        struct bli_node_ranges node_ranges = {.count = blocks};
        int64_t at = 0;

        for (int32_t i = 0; i < blocks; i++) {
            const int64_t length = 64 * (1 + random_below(1 << 16));

            node_ranges.node_range[i] =
                (struct bli_node_range){{at, at + length}, random_below(s.nodes)};
            at += length;
        }
        node_ranges.node_range[blocks - 1].range.end += 7;
        fault =
            fault_of_team(&node_ranges, at + 7, 4, &s,
                          (enum team_kind)(turn % TEAM_KINDS), 1 + random_below(16));
    }
    tap_ok(!fault, "node ranges in any order: %s", fault ? fault : "done once each");
}

/* The same bytes have the same node ranges, whatever the element size is. */
static void test_same_bytes(void)
{
    int32_t differ = 0;

    for (int32_t m = 0; m < MACHINES; m++) {
        const struct subject s = subject_of(&machines[m]);

        for (int64_t bytes = 1 << 12; bytes < INT64_C(1) << 36; bytes *= 2) {
            struct bli_node_ranges one, other;

            bli_node_ranges_even(&one, bytes, 1, s.nodes, s.weight);
            for (int32_t k = 1; k < SIZES; k++) {
                bli_node_ranges_even(&other, bytes / sizes[k], sizes[k], s.nodes,
                                     s.weight);
                for (int32_t i = 0; i < one.count && i < other.count; i++)
                    differ += one.node_range[i].range.end !=
                              other.node_range[i].range.end * sizes[k];
                differ += one.count != other.count;
            }
        }
    }
    tap_ok(differ == 0, "the same bytes are cut in the same places for every dtype");
}

/* Threads distributed by weight: as many on a node as it has processors. */
static void test_spread(void)
{
    for (int32_t m = 0; m < MACHINES; m++) {
        const struct subject s = subject_of(&machines[m]);
        int32_t met[MOST_NODES] = {0}, faults = 0, before = 0;
        const int32_t parts = s.total ? (int32_t)s.total : 4;

        for (int32_t p = 0; p < parts; p++) {
            const int32_t node = bli_assign_node(p, parts, s.nodes, s.weight);

            faults += node < before || node >= s.nodes;
            before = node;
            met[node]++;
        }
        for (int32_t n = 0; s.total > 0 && n < s.nodes; n++)
            faults += met[n] != s.weight[n];
        tap_ok(faults == 0, "%s: a thread for each processor", machines[m].what);
    }
}

int main(void)
{
    tap_plan();
    for (int32_t m = 0; m < MACHINES; m++)
        test_machine(&machines[m]);
    test_scattered_ranges();
    test_same_bytes();
    test_spread();
    limits_one_thread();
    return tap_done();
}
