/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of which all ranks of a node need the same: they enter each node once.  What
 * MPI is asked to send between nodes is the least that can be, and what a plan says;
 * bits are those of one process.  Ranks are as of nodes of BROADLOOM_TEST_NODE.
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { ROWS = 41, COLUMNS = 1003 };

static int node; /* ranks on one */

/* A call: all ranks need all of its last operand. */
struct row {
    const char *name;
    bl_op op;
    int32_t count;
    int32_t rank; /* of operand 1 */
    int64_t extent[2];
    bl_mpi_dim dims[2];
    bl_mpi_dim out[2]; /* of the result, f64[ROWS,COLUMNS] */
};

#define ALL BL_MPI_WHOLE

static const struct row rows[] = {
    {"a copy on every rank",
     BL_OP_COPY,
     1,
     2,
     {ROWS, COLUMNS},
     {{0, NULL}, {ALL, NULL}},
     {{ALL, NULL}, {ALL, NULL}}},
    {"columns on every rank",
     BL_OP_COPY,
     1,
     2,
     {ROWS, COLUMNS},
     {{ALL, NULL}, {0, NULL}},
     {{ALL, NULL}, {ALL, NULL}}},
    {"a row for rows",
     BL_OP_ADD,
     2,
     1,
     {COLUMNS},
     {{0, NULL}},
     {{0, NULL}, {ALL, NULL}}},
    {"a column for columns",
     BL_OP_SUB,
     2,
     2,
     {ROWS, 1},
     {{0, NULL}, {ALL, NULL}},
     {{ALL, NULL}, {0, NULL}}},
};

enum { CALLS = sizeof rows / sizeof rows[0] };

/* ---- one call ---- */

struct call {
    const struct row *row;
    bl_mpi_grid *grid;
    bl_tensor *whole[2], *want; /* operand 1 is the first one of a copy */
    bl_mpi_tensor *tensor[2], *out;
    bl_mpi_operand in[2];
    bl_mpi_options options;
};

static bl_tensor *make_whole(int32_t rank, const int64_t *extent, double from)
{
    bl_tensor *line, *whole;
    int64_t numel;

    must(bl_shape_numel(rank, extent, &numel));
    must(bl_tensor_arange(NULL, BL_DTYPE_F64, from, from + (double)numel, 1, &line));
    must(bl_tensor_reshape(NULL, line, rank, extent, &whole));
    bl_tensor_release(line);
    return whole;
}

static bl_mpi_tensor *give(bl_mpi_grid *grid, bl_tensor *whole, const bl_mpi_dim *dims)
{
    const bl_array *const array = bl_tensor_array(whole);
    bl_mpi_tensor *tensor;

    must(bl_mpi_empty(NULL, grid, array->dtype, array->rank, array->extent, dims,
                      &tensor));
    must(bl_mpi_scatter(NULL, tensor, 0, world_self == 0 ? array : NULL));
    return tensor;
}

static void open_call(const struct row *row, bl_mpi_grid *grid, struct call *call)
{
    static const int64_t extent[2] = {ROWS, COLUMNS};
    const bl_array *in[2];
    const int32_t moving = row->count - 1;

    *call = (struct call){.row = row,
                          .grid = grid,
                          .options = {.size = sizeof call->options,
                                      .most_bytes = INT64_MAX,
                                      .most_memory = INT64_MAX}};
    call->whole[0] = make_whole(2, extent, 0.5);
    call->tensor[0] = give(grid, call->whole[0], row->out);
    call->whole[moving] =
        moving == 0 ? call->whole[0] : make_whole(row->rank, row->extent, 7);
    if (moving == 0)
        bl_mpi_tensor_release(call->tensor[0]);
    call->tensor[moving] = give(grid, call->whole[moving], row->dims);
    for (int32_t k = 0; k < row->count; k++) {
        in[k] = bl_tensor_array(call->whole[k]);
        call->in[k] = (bl_mpi_operand){call->tensor[k], NULL};
    }
    must(bl_apply_new(NULL, row->op, row->count, in, NULL, &call->want));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, row->out, &call->out));
}

static void close_call(struct call *call)
{
    for (int32_t k = 0; k < call->row->count; k++) {
        bl_mpi_tensor_release(call->tensor[k]);
        bl_tensor_release(call->whole[k]);
    }
    bl_tensor_release(call->want);
    bl_mpi_tensor_release(call->out);
}

static bl_status apply(const struct call *call)
{
    return bl_mpi_apply(NULL, call->row->op, call->out, call->row->count, call->in,
                        &call->options);
}

/* What MPI is asked to send between all ranks while the call is made; and whether it is
 * what a plan said of each rank, and the result right. */
static bool measure(const struct call *call, int64_t *sent, bl_mpi_plan_info *info)
{
    bl_mpi_plan *plan;
    bool is_right;

    *info = (bl_mpi_plan_info){.size = sizeof *info};
    must(bl_mpi_plan_create(NULL, call->row->op, call->out, call->row->count, call->in,
                            &call->options, &plan));
    must(bl_mpi_plan_query(plan, world_self, info));
    bl_mpi_plan_destroy(plan);
    memset(&world_counts, 0, sizeof world_counts);
    must(apply(call));
    *sent = world_counts.bytes;
    is_right = world_counts.messages == info->messages &&
               world_counts.bytes == info->bytes &&
               world_counts.received == info->received_bytes &&
               world_is_part(call->out, bl_tensor_array(call->want));
    PMPI_Allreduce(MPI_IN_PLACE, sent, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return is_right;
}

/* Bytes that all nodes must receive: what none of a node's ranks has. */
static int64_t least(const struct call *call)
{
    const bl_mpi_tensor *const moving = call->tensor[call->row->count - 1];
    const int32_t rank = bl_mpi_tensor_rank(moving);
    int64_t begin[2], end[2], all = 1, held = 0;

    for (int32_t d = 0; d < rank; d++)
        all *= bl_mpi_tensor_extent(moving, d);
    for (int32_t r = 0; r < world_ranks; r++) {
        int64_t count = 1;

        must(bl_mpi_box(moving, r, begin, end));
        for (int32_t d = 0; d < rank; d++)
            count *= end[d] - begin[d];
        held += count;
    }
    /* Each rank's part is on its own node alone. */
    return (world_ranks / node * all - held) * (int64_t)sizeof(double);
}

/* ---- tests ---- */

static void test_bytes(bl_mpi_grid *grid, bl_mpi_grid *messages, const struct row *row)
{
    bl_mpi_plan_info info;
    int64_t sent, direct, most, must_enter;
    struct call call;
    bool is_right;

    open_call(row, messages, &call);
    is_right = measure(&call, &direct, &info);
    world_ok(is_right && direct == info.least_bytes, "%d ranks: %s by messages alone",
             world_ranks, row->name);
    most = info.received_bytes;
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    close_call(&call);

    open_call(row, grid, &call);
    must_enter = least(&call);
    is_right = measure(&call, &sent, &info);
    world_ok(is_right && sent == must_enter && sent < direct,
             "%d ranks, %d on a node: %s enters each node once", world_ranks, node,
             row->name);
    if (world_self == 0)
        tap_note("%ld bytes between nodes, at least %ld; ranks lack %ld", (long)sent,
                 (long)must_enter, (long)direct);
    /* Stages that would pass a limit are left out. */
    call.options.most_bytes = most;
    is_right = measure(&call, &sent, &info);
    world_ok(is_right, "%d ranks, %d on a node: %s within its limit", world_ranks, node,
             row->name);
    close_call(&call);
}

/* Allocation after allocation of a rank fails: the same error on all, nothing is
 * written. */
static bool fails(const struct call *call, const bl_array *zeros, int32_t victim)
{
    bool is_right = true, has_failed = true;

    for (int64_t n = 1; has_failed && is_right; n++) {
        world_fail_allocation(world_self == victim ? n : 0);
        const bl_status status = apply(call);

        has_failed = !world_all(!world_fail_allocation(0));
        is_right = status == BL_OK ? !has_failed
                                   : has_failed && status == BL_ERR_MEMORY &&
                                         world_is_part(call->out, zeros);
        is_right = world_all(world_refused_alike(status) && is_right);
    }
    return is_right && world_is_part(call->out, bl_tensor_array(call->want));
}

static void test_faults(bl_mpi_grid *grid, const struct row *row)
{
    for (int32_t victim = 0; victim < world_ranks; victim += world_ranks - 1) {
        bl_tensor *zeros;
        struct call call;

        open_call(row, grid, &call);
        const bl_array *const want = bl_tensor_array(call.want);

        must(bl_tensor_zeros(NULL, want->dtype, want->rank, want->extent, &zeros));
        world_ok(fails(&call, bl_tensor_array(zeros), victim),
                 "%d ranks, %d on a node: %s, rank %d without memory", world_ranks,
                 node, row->name, (int)victim);
        bl_tensor_release(zeros);
        close_call(&call);
    }
}

int main(int count, char **arguments)
{
    const bl_mpi_grid_options alone = {.size = sizeof alone, .flags = BL_MPI_MESSAGES};
    bl_mpi_grid_info info = {.size = sizeof info};
    bl_mpi_grid *grid, *messages;

    world_open(count, arguments, 60);
    must(bl_context_set_threads(NULL, 1));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, &alone, &messages));
    must(bl_mpi_grid_query(grid, &info));
    node = info.shared_ranks;
    world_ok(info.nodes == world_ranks / node && node > 1 && info.nodes > 1,
             "%d ranks are on %d nodes", world_ranks, info.nodes);
    for (int32_t i = 0; i < CALLS; i++) {
        test_bytes(grid, messages, &rows[i]);
        test_faults(grid, &rows[i]);
    }
    bl_mpi_grid_release(grid);
    bl_mpi_grid_release(messages);
    return world_close();
}
