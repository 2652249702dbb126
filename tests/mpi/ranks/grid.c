/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids: what they are made of and refuse, copies of communicators, lifetimes beyond
 * the program's communicator and MPI itself, threads of ranks that share processors;
 * limits on what moves; grids that are only described.
 * usage: grid SEED CASES; grid family: of a library that was built with another MPI
 */
#include <broadloom/topology.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { PROCESSORS = 2048 };

/* Layouts of structs never change, and have no padding at their ends. */
_Static_assert(sizeof(bl_mpi_dim) == 16 && offsetof(bl_mpi_dim, border) == 8 &&
                   sizeof(bl_mpi_operand) == 16 && sizeof(bl_mpi_grid_options) == 24 &&
                   offsetof(bl_mpi_grid_options, extent) == 16 &&
                   sizeof(bl_mpi_grid_info) == 88 &&
                   offsetof(bl_mpi_grid_info, threads_text) == 64 &&
                   sizeof(bl_mpi_options) == 56 &&
                   offsetof(bl_mpi_options, dims) == 48 &&
                   sizeof(bl_mpi_plan_info) == 96,
               "the ABI of <broadloom/mpi.h>");

static bool says(bl_status got, bl_status want, const char *words)
{
    const bool is_right =
        got == want && world_refused_alike(got) && strstr(bl_error_message(), words);

    if (!is_right)
        fprintf(stderr, "# status %d: %s\n", (int)got, bl_error_message());
    return is_right;
}

static bl_mpi_grid_info query(const bl_mpi_grid *grid)
{
    bl_mpi_grid_info info = {.size = sizeof info};

    must(bl_mpi_grid_query(grid, &info));
    return info;
}

static bl_status create(MPI_Comm comm, int32_t axes, const int64_t *extent,
                        bl_mpi_grid **grid)
{
    const bl_mpi_grid_options options = {
        .size = sizeof options, .axes = axes, .extent = extent};

    return bl_mpi_grid_create(comm, &options, grid);
}

static void test_create(void)
{
    const int64_t wrong[2] = {world_ranks, 2}, chosen[2] = {0, 1};
    int size[2] = {1, world_ranks}, periods[2] = {0, 0};
    bl_mpi_grid *grid = NULL;
    MPI_Comm cart;

    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    world_ok(query(grid).axes == 1 && query(grid).ranks == world_ranks &&
                 query(grid).self == world_self && query(grid).extent[0] == world_ranks,
             "%d ranks: a grid of one axis", world_ranks);
    bl_mpi_grid_release(grid);
    must(create(MPI_COMM_WORLD, 2, chosen, &grid));
    world_ok(query(grid).axes == 2 && query(grid).extent[0] == world_ranks,
             "%d ranks: an extent of 0 is chosen", world_ranks);
    bl_mpi_grid_release(grid);
    MPI_Cart_create(MPI_COMM_WORLD, 2, size, periods, 0, &cart);
    must(bl_mpi_grid_create(cart, NULL, &grid));
    world_ok(query(grid).axes == 2 && query(grid).extent[1] == world_ranks,
             "%d ranks: the axes of a Cartesian communicator", world_ranks);
    bl_mpi_grid_release(grid);
    MPI_Comm_free(&cart);
    world_ok(says(create(MPI_COMM_WORLD, 2, wrong, &grid), BL_ERR_ARGUMENT, "ranks"),
             "%d ranks: extents that do not give them are refused", world_ranks);
    world_ok(says(create(MPI_COMM_WORLD, 9, NULL, &grid), BL_ERR_ARGUMENT, "axes is 9"),
             "%d ranks: nine axes are refused", world_ranks);
    world_ok(says(create(MPI_COMM_NULL, 1, NULL, &grid), BL_ERR_ARGUMENT, "NULL"),
             "%d ranks: no communicator is refused", world_ranks);
    world_ok(says(create(MPI_COMM_WORLD, world_self == 0 ? 1 : 2, NULL, &grid),
                  world_ranks > 1 ? BL_ERR_ARGUMENT : BL_OK,
                  world_ranks > 1 ? "1 axes" : ""),
             "%d ranks: different options are refused", world_ranks);
    if (world_ranks == 1)
        bl_mpi_grid_release(grid);
}

/* Number of communicators that are made: by MPI_Comm_dup. */
static int copies;
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    copies++;
    return PMPI_Comm_dup(comm, copy);
}

static void test_copies(void)
{
    bl_mpi_grid *first, *second;
    bl_mpi_tensor *tensor, *other;
    MPI_Comm comm;

    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copies = 0;
    must(bl_mpi_grid_create(comm, NULL, &first));
    must(bl_mpi_grid_create(comm, NULL, &second));
    world_ok(copies == 1, "%d ranks: two grids of one communicator, one copy",
             world_ranks);
    bl_mpi_grid_release(second);
    must(bl_mpi_zeros(NULL, first, BL_DTYPE_F32, 0, NULL, NULL, &tensor));
    bl_mpi_grid_release(first);
    MPI_Comm_free(&comm);
    must(bl_mpi_like(NULL, tensor, BL_DTYPE_F64, &other));
    world_ok(bl_mpi_tensor_dtype(other) == BL_DTYPE_F64,
             "%d ranks: a grid outlives the program's communicator", world_ranks);
    bl_mpi_tensor_release(tensor);
    bl_mpi_tensor_release(other);
}

/* All ranks are on one node here. */
static void test_threads(const bl_mpi_grid *grid)
{
    const bl_mpi_grid_info info = query(grid);
    int32_t all = info.threads;
    int usable[PROCESSORS], processors = 0;

    for (int32_t p = 0; p < PROCESSORS; p++)
        usable[p] = bl_processor_is_usable(p);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, usable, PROCESSORS, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int32_t p = 0; p < PROCESSORS; p++)
        processors += usable[p];
    world_ok(info.nodes == 1 && info.node_ranks == world_ranks && info.threads >= 1 &&
                 (all <= processors || all == world_ranks),
             "%d ranks: %d threads on %d processors, %s", world_ranks, all, processors,
             info.threads_text);
    world_ok(info.thread_level == MPI_THREAD_FUNNELED || info.thread_level > 0,
             "%d ranks: MPI's thread level", world_ranks);
}

struct elsewhere {
    bl_mpi_grid *grid;
    bl_status status;
};

static void *make_elsewhere(void *user)
{
    struct elsewhere *const its = user;
    bl_mpi_tensor *tensor;

    its->status = bl_mpi_zeros(NULL, its->grid, BL_DTYPE_F32, 0, NULL, NULL, &tensor);
    return NULL;
}

static void test_other_thread(bl_mpi_grid *grid)
{
    struct elsewhere argument = {grid, BL_OK};
    pthread_t thread;

    if (query(grid).thread_level != MPI_THREAD_FUNNELED)
        return;
    pthread_create(&thread, NULL, make_elsewhere, &argument);
    pthread_join(thread, NULL);
    world_ok(argument.status == BL_ERR_UNSUPPORTED,
             "%d ranks: another thread than the main one is refused", world_ranks);
}

static bl_status add(const bl_mpi_tensor *a, const bl_mpi_tensor *b, int32_t move,
                     int64_t most_bytes, int64_t most_memory)
{
    const bl_mpi_options options = {.size = sizeof options,
                                    .move = move,
                                    .small_bytes = 1000,
                                    .most_bytes = most_bytes,
                                    .most_memory = most_memory};
    const bl_mpi_operand in[2] = {{a, NULL}, {b, NULL}};

    return bl_mpi_apply(NULL, BL_OP_ADD, a, 2, in, &options);
}

static void test_limits(bl_mpi_grid *grid)
{
    const int64_t extent[2] = {64, 64};
    const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    bl_mpi_tensor *a, *b;
    bl_status refused = world_ranks > 1 ? BL_ERR_RULES : BL_OK;
    const char *const text = world_ranks > 1 ? "b f64[64,64]" : "";

    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, rows, &a));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, columns, &b));
    memset(&world_counts, 0, sizeof world_counts);
    world_ok(says(add(a, b, BL_MPI_MOVE_NONE, 0, 0), refused, text) &&
                 says(add(a, b, BL_MPI_MOVE_SMALL, 0, 0), refused, text) &&
                 says(add(a, b, BL_MPI_MOVE_AUTO, 100, 0), refused, text) &&
                 says(add(a, b, BL_MPI_MOVE_AUTO, 0, 100), refused, text) &&
                 world_counts.messages == 0,
             "%d ranks: limits on what moves, which is named", world_ranks);
    world_ok(add(a, b, BL_MPI_MOVE_AUTO, 0, 0) == BL_OK &&
                 add(a, a, BL_MPI_MOVE_NONE, 0, 0) == BL_OK &&
                 add(a, a, 7, 0, 0) == BL_ERR_ARGUMENT,
             "%d ranks: within limits it moves, and what lies alike never does",
             world_ranks);
    bl_mpi_tensor_release(a);
    bl_mpi_tensor_release(b);
}

static bool append(void *user, const char *text, size_t length)
{
    strncat(user, text, length);
    return true;
}

static void test_described(void)
{
    const int64_t size[2] = {64, 64}, extent[2] = {65536, 65536};
    const bl_mpi_dim both[2] = {{0, NULL}, {1, NULL}}, first = {0, NULL};
    const bl_mpi_options options = {.size = sizeof options, .dims = both};
    bl_mpi_plan_info info = {.size = sizeof info};
    char text[2000] = "";
    bl_mpi_grid *grid;
    bl_mpi_tensor *a, *b, *sum;
    bl_mpi_plan *plan;

    must(bl_mpi_grid_describe(2, size, 64, &grid));
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F32, 2, extent, both, &a));
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F32, 1, extent, &first, &b));
    const bl_mpi_operand in[2] = {{a, NULL}, {b, NULL}};

    must(bl_mpi_plan_create(NULL, BL_OP_ADD, NULL, 2, in, &options, &plan));
    must(bl_mpi_plan_query(plan, 2081, &info));
    must(bl_mpi_plan_explain(plan, append, text));
    world_ok(query(grid).self == -1 && query(grid).nodes == 64 && !bl_mpi_local(a) &&
                 info.local_count == 1024 * 1024 && info.received_bytes == 4096 &&
                 info.total_bytes == info.least_bytes,
             "%d ranks: a described grid of 4096 says what rank 2081 does",
             world_ranks);
    world_ok(strstr(text, "add over 64x64 ranks") &&
                 strstr(text, "f32[65536,65536]@0,1  stays") &&
                 strstr(text, "f32[65536]@0  moves: a rank receives up to 4096 bytes"),
             "%d ranks: and explains it", world_ranks);
    world_ok(bl_mpi_apply_new(NULL, BL_OP_ADD, 2, in, NULL, &sum) == BL_ERR_UNSUPPORTED,
             "%d ranks: but computes nothing", world_ranks);
    bl_mpi_plan_destroy(plan);
    bl_mpi_tensor_release(a);
    bl_mpi_tensor_release(b);
    bl_mpi_grid_release(grid);
}

int main(int count, char **arguments)
{
    const bool is_foreign = count > 1 && strcmp(arguments[1], "family") == 0;
    bl_mpi_grid *grid = NULL;

    const bool was_refused =
        !is_foreign &&
        bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid) == BL_ERR_UNSUPPORTED;

    world_open(count, arguments, 60);
    if (is_foreign) {
        world_ok(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid) ==
                         BL_ERR_UNSUPPORTED &&
                     strstr(bl_error_message(), "built with"),
                 "a library that was built with another MPI says so");
        return world_close();
    }
    world_ok(was_refused, "%d ranks: no grid before MPI_Init", world_ranks);
    test_create();
    test_copies();
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    test_threads(grid);
    test_other_thread(grid);
    test_limits(grid);
    test_described();

    bl_mpi_tensor *tensor, *late;

    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 0, NULL, NULL, &tensor));
    const int status = world_close();
    const bool is_over =
        bl_mpi_like(NULL, tensor, BL_DTYPE_F64, &late) == BL_ERR_UNSUPPORTED;

    bl_mpi_tensor_release(tensor);
    bl_mpi_grid_release(grid);
    return status != 0 ? status : !is_over;
}
