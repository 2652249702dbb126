/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the ranks of a node share: where there is some and where not, many pieces
 * through it, copies to memory that overlaps, and what plans say of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { ROWS = 97, COLUMNS = 61 };

static const bl_mpi_dim by_rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
static const bl_mpi_dim by_columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
static const int64_t extent[2] = {ROWS, COLUMNS};

/* ---- windows that fail ---- */

static int failing = -1; /* the rank whose next one does */
static int windows, freed;

int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                            void *base, MPI_Win *window)
{
    const int code = PMPI_Win_allocate_shared(bytes, unit, info, comm, base, window);

    windows++;
    return failing == world_self ? MPI_ERR_NO_MEM : code;
}

int MPI_Win_free(MPI_Win *window)
{
    freed++;
    return PMPI_Win_free(window);
}

/* A grid over a communicator of its own, which is freed already. */
static bl_mpi_grid *make_grid(uint32_t flags)
{
    const bl_mpi_grid_options options = {.size = sizeof options, .flags = flags};
    bl_mpi_grid *grid;
    MPI_Comm comm;

    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    must(bl_mpi_grid_create(comm, &options, &grid));
    MPI_Comm_free(&comm);
    return grid;
}

static int shared_ranks(const bl_mpi_grid *grid)
{
    bl_mpi_grid_info info = {.size = sizeof info};

    must(bl_mpi_grid_query(grid, &info));
    return info.shared_ranks;
}

/* ---- tensors ---- */

static void fill(const bl_mpi_tensor *tensor)
{
    const bl_array *const block = bl_mpi_local(tensor);
    int64_t begin[2], end[2];

    must(bl_mpi_box(tensor, world_self, begin, end));
    for (int64_t i = begin[0]; i < end[0]; i++)
        for (int64_t j = begin[1]; j < end[1]; j++) {
            const double value = (double)(i * COLUMNS + j);

            must(bl_array_set(block, (const int64_t[]){i - begin[0], j - begin[1]},
                              &value));
        }
}

static bool is_filled(const bl_mpi_tensor *tensor)
{
    const bl_array *const block = bl_mpi_local(tensor);
    int64_t begin[2], end[2];
    bool is_right = true;

    must(bl_mpi_box(tensor, world_self, begin, end));
    for (int64_t i = begin[0]; i < end[0]; i++)
        for (int64_t j = begin[1]; j < end[1]; j++) {
            double value;

            must(bl_array_get(block, (const int64_t[]){i - begin[0], j - begin[1]},
                              &value));
            is_right = is_right && value == (double)(i * COLUMNS + j);
        }
    return is_right;
}

static bool append(void *user, const char *text, size_t length)
{
    strncat(user, text, length);
    return true;
}

/* Rows to columns; `*info` is what a plan said of it, `*text` how. */
static bool turns(bl_mpi_grid *grid, bl_mpi_plan_info *info, char *text)
{
    bl_mpi_tensor *from, *to;
    bl_mpi_plan *plan;
    bool is_right;

    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, extent, by_rows, &from));
    fill(from);
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, by_columns, &to));
    must(bl_mpi_plan_create(NULL, BL_OP_COPY, to, 1, &(bl_mpi_operand){from, NULL},
                            NULL, &plan));
    *info = (bl_mpi_plan_info){.size = sizeof *info};
    must(bl_mpi_plan_query(plan, world_self, info));
    if (text)
        must(bl_mpi_plan_explain(plan, append, text));
    memset(&world_counts, 0, sizeof world_counts);
    must(bl_mpi_plan_execute(NULL, plan, bl_mpi_local(to)->data,
                             (const void *const[]){bl_mpi_local(from)->data}));
    is_right = is_filled(to) && world_counts.messages == info->messages &&
               world_counts.bytes == info->bytes &&
               world_counts.received == info->received_bytes;
    bl_mpi_plan_destroy(plan);
    bl_mpi_tensor_release(from);
    bl_mpi_tensor_release(to);
    return is_right;
}

/* Bytes that a rank moves to columns: its rows of the others' columns. */
static int64_t moved(bl_mpi_grid *grid)
{
    bl_mpi_tensor *rows, *columns;
    int64_t bytes;

    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, extent, by_rows, &rows));
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, extent, by_columns, &columns));
    bytes = bl_mpi_local(rows)->extent[0] *
            (COLUMNS - bl_mpi_local(columns)->extent[1]) * (int64_t)sizeof(double);
    bl_mpi_tensor_release(rows);
    bl_mpi_tensor_release(columns);
    return bytes;
}

/* ---- tests ---- */

static void test_switches(void)
{
    bl_mpi_plan_info info;
    char text[1000] = "";
    bl_mpi_grid *const messages = make_grid(BL_MPI_MESSAGES);
    bl_mpi_grid *grid;

    windows = freed = 0;
    world_ok(shared_ranks(messages) == 1 && turns(messages, &info, text) &&
                 info.shared_bytes == 0 && info.bytes == moved(messages) &&
                 !strstr(text, "shared") && windows == 0,
             "%d ranks: a grid of messages alone", world_ranks);
    bl_mpi_grid_release(messages);
    grid = make_grid(0);
    text[0] = '\0';
    world_ok(shared_ranks(grid) == world_ranks && windows == (world_ranks > 1) &&
                 turns(grid, &info, text) && info.messages == 0 && info.bytes == 0 &&
                 info.shared_bytes == moved(grid) &&
                 info.total_bytes == info.least_bytes &&
                 (world_ranks == 1 || strstr(text, "through shared memory")),
             "%d ranks: a grid that shares memory sends no messages", world_ranks);
    world_ok(info.workspace == 0, "%d ranks: nor does it need other memory",
             world_ranks);
    bl_mpi_grid_release(grid);
    world_ok(freed == windows, "%d ranks: its window is freed with it", world_ranks);
}

static void test_failures(void)
{
    bl_mpi_plan_info info;

    for (int i = 0; i < 2; i++) {
        failing = i * (world_ranks - 1);
        bl_mpi_grid *const grid = make_grid(0);

        world_ok(shared_ranks(grid) == 1 && turns(grid, &info, NULL) &&
                     info.bytes == moved(grid) && info.shared_bytes == 0,
                 "%d ranks: messages where rank %d has no window", world_ranks,
                 failing);
        bl_mpi_grid_release(grid);
    }
    failing = -1;
}

/* Columns that lie in the same memory as the rows they come from. */
static void test_overlap(uint32_t flags)
{
    static double memory[2 * ROWS * COLUMNS];
    bl_mpi_grid *const grid = make_grid(flags);
    bl_mpi_tensor *like[2], *from, *to;
    bl_array array[2];

    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, extent, by_rows, &like[0]));
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, extent, by_columns, &like[1]));
    for (int i = 0; i < 2; i++) {
        array[i] = *bl_mpi_local(like[i]);
        array[i].data = memory + 5 * i;
    }
    must(bl_mpi_wrap(NULL, grid, &array[0], NULL, NULL, by_rows, NULL, NULL, &from));
    must(bl_mpi_wrap(NULL, grid, &array[1], NULL, NULL, by_columns, NULL, NULL, &to));
    fill(from);
    must(bl_mpi_apply(NULL, BL_OP_COPY, to, 1, &(bl_mpi_operand){from, NULL}, NULL));
    world_ok(is_filled(to), "%d ranks: a copy over the memory of its operand",
             world_ranks);
    for (int i = 0; i < 2; i++)
        bl_mpi_tensor_release(like[i]);
    bl_mpi_tensor_release(from);
    bl_mpi_tensor_release(to);
    bl_mpi_grid_release(grid);
}

/*
 * A rank votes while others still wait for what the program sends from it, which is
 * more than MPI sends at once.
 */
static void test_progress(void)
{
    enum { COUNT = 1 << 20 };
    static double memory[COUNT];
    bl_mpi_grid *const grid = make_grid(0);
    MPI_Request request[16];
    bl_mpi_tensor *made;

    for (int to = 1; world_self == 0 && to < world_ranks; to++)
        PMPI_Isend(memory, COUNT, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &request[to]);
    if (world_self > 0)
        PMPI_Recv(memory, COUNT, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, extent, by_rows, &made));
    for (int to = 1; world_self == 0 && to < world_ranks; to++)
        PMPI_Wait(&request[to], MPI_STATUS_IGNORE);
    world_ok(true, "%d ranks: the program's messages go on during a vote", world_ranks);
    bl_mpi_tensor_release(made);
    bl_mpi_grid_release(grid);
}

/* Of one rank alone. */
static void test_environment(void)
{
    bl_mpi_grid *grid;

    windows = 0;
    if (world_self == world_ranks - 1)
        setenv("BROADLOOM_MPI_SHARED", "0", 1);
    grid = make_grid(0);
    world_ok(shared_ranks(grid) == 1 && windows == 0,
             "%d ranks: the environment of one turns windows off", world_ranks);
    bl_mpi_grid_release(grid);
    unsetenv("BROADLOOM_MPI_SHARED");
}

int main(int count, char **arguments)
{
    world_open(count, arguments, 60);
    must(bl_context_set_threads(NULL, 1));
    test_switches();
    if (world_ranks > 1)
        test_failures();
    test_environment();
    test_progress();
    test_overlap(0);
    test_overlap(BL_MPI_MESSAGES);
    return world_close();
}
