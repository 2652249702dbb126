/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of one rank that libbroadloom refuses, too: arrays without extents or data,
 * sizes of structs that are none.  All ranks have the same error, and the next call is
 * right.
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "mpi/ranks/world.h"

enum { ROWS = 8, COLUMNS = 6, NUMEL = ROWS * COLUMNS };

static const int64_t extent[2] = {ROWS, COLUMNS};
static const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
static const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};

static bl_mpi_grid *grid;
static bl_mpi_tensor *a, *b; /* by rows and by columns */
static bl_mpi_plan *plan;    /* of a += b */
static double numbers[NUMEL];

/* ---- calls, wrong on this rank where `is_bad` ---- */

static bl_status add_array(const bl_array *array, const bl_mpi_options *options)
{
    const bl_mpi_operand in[2] = {{a, NULL}, {NULL, array}};
    bl_mpi_tensor *sum = NULL;
    const bl_status status = bl_mpi_apply_new(NULL, BL_OP_ADD, 2, in, options, &sum);

    bl_mpi_tensor_release(sum);
    return status;
}

static bl_array whole(void)
{
    return (bl_array){
        .data = numbers, .dtype = BL_DTYPE_F64, .rank = 2, .extent = extent};
}

static bl_status array_extent(bool is_bad)
{
    bl_array array = whole();

    array.extent = is_bad ? NULL : extent;
    return add_array(&array, NULL);
}

static bl_status array_rank(bool is_bad)
{
    bl_array array = whole();

    array.rank = is_bad ? 1000000 : 2;
    return add_array(&array, NULL);
}

static bl_status scatter_extent(bool is_bad)
{
    bl_array array = whole();

    array.extent = is_bad ? NULL : extent;
    return bl_mpi_scatter(NULL, a, world_ranks - 1, &array);
}

static bl_status scatter_data(bool is_bad)
{
    bl_array array = whole();

    array.data = is_bad ? NULL : numbers;
    return bl_mpi_scatter(NULL, a, world_ranks - 1, &array);
}

static bl_status execute_data(bool is_bad)
{
    const void *const data[2] = {bl_mpi_local(a)->data,
                                 is_bad ? NULL : bl_mpi_local(b)->data};

    return bl_mpi_plan_execute(NULL, plan, bl_mpi_local(a)->data, data);
}

static bl_status reduce_data(bool is_bad)
{
    double sum;
    const bl_array out = {.data = is_bad ? NULL : &sum, .dtype = BL_DTYPE_F64};

    return bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &out, a, 0, NULL, false, NULL, NULL);
}

static bl_status options_size(bool is_bad)
{
    const bl_array array = whole();
    const bl_mpi_options options = {.size = is_bad ? (size_t)1 << 40 : sizeof options};

    return add_array(&array, &options);
}

static bl_status call_size(bool is_bad)
{
    const bl_array array = whole();
    bl_options call = BL_OPTIONS_DEFAULT;
    const bl_mpi_options options = {.size = sizeof options, .call = &call};

    if (is_bad)
        memset(&call, 1, sizeof call);
    return add_array(&array, &options);
}

static bl_status info_size(bool is_bad)
{
    bl_mpi_grid_info info = {.size = is_bad ? (size_t)1 << 40 : sizeof info};

    return bl_mpi_grid_query(grid, &info);
}

static const struct {
    const char *name, *says;
    bl_status (*make)(bool is_bad);
    bool is_local; /* others than the last rank succeed */
} calls[] = {
    {"an operand without extents", "extent is null", array_extent, false},
    {"an operand of rank 1000000", "rank 1000000", array_rank, false},
    {"an array without extents is scattered", "extent is null", scatter_extent, false},
    {"an array without data is scattered", "from->data is null", scatter_data, false},
    {"a plan's operand that moves without data", "is null", execute_data, false},
    {"a reduction's result without data", "out->data is null", reduce_data, false},
    {"options of 2^40 bytes", "size is 1099511627776", options_size, false},
    {"options of the call that are garbage", "size", call_size, false},
    {"an info of 2^40 bytes", "size is 1099511627776", info_size, true},
};

static void test_calls(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const bool is_last = world_self == world_ranks - 1;
        const bl_status status = calls[i].make(is_last);
        bool is_right =
            status == (calls[i].is_local && !is_last ? BL_OK : BL_ERR_ARGUMENT);

        if (status != BL_OK)
            is_right = is_right && strstr(bl_error_message(), calls[i].says);
        if (!is_right)
            fprintf(stderr, "# status %d: %s\n", (int)status, bl_error_message());
        is_right = (calls[i].is_local || world_refused_alike(status)) && is_right;
        world_ok(calls[i].make(false) == BL_OK && is_right, "%d ranks: %s", world_ranks,
                 calls[i].name);
    }
}

int main(int count, char **arguments)
{
    world_open(count, arguments, 20);
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, rows, &a));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, columns, &b));
    const bl_mpi_operand in[2] = {{a, NULL}, {b, NULL}};

    must(bl_mpi_plan_create(NULL, BL_OP_ADD, a, 2, in, NULL, &plan));
    test_calls();
    bl_mpi_plan_destroy(plan);
    bl_mpi_tensor_release(a);
    bl_mpi_tensor_release(b);
    bl_mpi_grid_release(grid);
    return world_close();
}
