/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of calls over ranks: raised once a call, on rank 0, with the place of the
 * program's call; a filter of rank 0 refuses on all ranks; one report of all ranks.
 * usage: warnings SEED CASES
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <broadloom/warnings.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

static int32_t raised;
static const void *address;

static void on_warning(void *user, const bl_warning *warning)
{
    (void)user;
    raised++;
    address = warning->address;
}

static bl_mpi_tensor *column, *row;

/* A call that broadcasting changes; each of the two places is a site of its own. */
static bl_status call(bool first)
{
    const bl_mpi_operand in[2] = {{column, NULL}, {row, NULL}};
    bl_mpi_tensor *out = NULL;
    const bl_status status = first
                                 ? bl_mpi_apply_new(NULL, BL_OP_ADD, 2, in, NULL, &out)
                                 : bl_mpi_apply_new(NULL, BL_OP_ADD, 2, in, NULL, &out);

    bl_mpi_tensor_release(out);
    return status;
}

static int64_t count_lines(const char *path, const char *words)
{
    FILE *const file = fopen(path, "r");
    char line[4096];
    int64_t lines = 0;

    while (file && fgets(line, sizeof line, file))
        lines += strstr(line, words) != NULL;
    if (file)
        fclose(file);
    return lines;
}

/* A call of one rank by itself, which it reports. */
static void call_alone(void)
{
    const int64_t four = 4, shape[2] = {4, 1};
    bl_tensor *a, *b, *sum;

    must(bl_tensor_zeros(NULL, BL_DTYPE_F32, 2, shape, &a));
    must(bl_tensor_zeros(NULL, BL_DTYPE_F32, 1, &four, &b));
    must(bl_mul(NULL, bl_tensor_array(a), bl_tensor_array(b), &sum));
    bl_tensor_release(a);
    bl_tensor_release(b);
    bl_tensor_release(sum);
}

static void test_report(bl_mpi_grid *grid, const char *path)
{
    must(bl_mpi_warnings_write(grid, path));
    world_ok(
        world_self > 0 ||
            (count_lines(path, "\"add\"") == 2 &&
             count_lines(path, "\"count\": 3, \"shapes\": \"(8,1) (8) -> (8,8)") == 1 &&
             count_lines(path, "\"mul\"") == world_ranks &&
             count_lines(path, "{") == 2 + world_ranks),
        "%d ranks: one report of all", world_ranks);
    const bl_status status = bl_mpi_warnings_write(grid, "no/such/report");

    world_ok(status == BL_ERR_IO && world_refused_alike(status) &&
                 bl_mpi_warnings_write(grid, NULL) == BL_ERR_ARGUMENT,
             "%d ranks: a report that cannot be written", world_ranks);
}

int main(int count, char **arguments)
{
    const int64_t eight = 8, shape[2] = {8, 1};
    const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const void *first;
    bl_status status;
    bl_mpi_grid *grid;

    world_open(count, arguments, 60);
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_set_handler(on_warning, NULL);
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F32, 2, shape, rows, &column));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F32, 1, &eight, NULL, &row));
    must(call(true));
    first = address;
    must(call(true));
    must(call(true));
    must(call(false));
    world_ok(raised == (world_self == 0 ? 2 : 0) &&
                 bl_warnings_count(BL_CHANGE_NONE) == (world_self == 0 ? 4 : 0),
             "%d ranks: a call warns once, on rank 0", world_ranks);
    world_ok(world_self > 0 || (first && address && first != address),
             "%d ranks: each place of the program is one of its own", world_ranks);
    call_alone();
    test_report(grid, count > 3 ? arguments[3] : "report.json");
    if (world_self == 0)
        must(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_NONE, NULL));
    status = call(true);
    world_ok(status == BL_ERR_RULES && world_refused_alike(status),
             "%d ranks: a filter of rank 0 refuses on all", world_ranks);
    bl_mpi_tensor_release(column);
    bl_mpi_tensor_release(row);
    bl_mpi_grid_release(grid);
    return world_close();
}
