/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of one rank that libbroadloom refuses, too: arrays without extents or data,
 * sizes of structs that are none.  All ranks have the same error, and the next call is
 * right.  Arrays that are scattered over themselves, and to elements in one place.
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

/* Another factor on the last rank. */
static void test_alpha(void)
{
    const bl_scalar alpha = bl_scalar_f64(world_self == world_ranks - 1 ? 3 : 2);
    bl_options call = BL_OPTIONS_DEFAULT;
    const bl_mpi_options options = {.size = sizeof options, .call = &call};
    const bl_array array = whole();
    bl_status status;

    call.alpha = &alpha;
    status = add_array(&array, &options);
    world_ok(status == (world_ranks > 1 ? BL_ERR_ARGUMENT : BL_OK) &&
                 world_refused_alike(status),
             "%d ranks: another alpha on one", world_ranks);
}

/* ---- scattering ---- */

static void test_scattered_over_itself(void)
{
    const int64_t numel = NUMEL, back = -1;
    bl_mpi_tensor *tensor;
    bool is_right = true;

    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 1, &numel, NULL, &tensor));
    double *const own = bl_mpi_local(tensor)->data;
    const bl_array reversed = {.data = own + NUMEL - 1,
                               .dtype = BL_DTYPE_F64,
                               .rank = 1,
                               .extent = &numel,
                               .stride = &back};

    for (int i = 0; i < NUMEL; i++)
        own[i] = i + 100 * world_self;
    must(bl_mpi_scatter(NULL, tensor, 0, world_self == 0 ? &reversed : NULL));
    for (int i = 0; i < NUMEL; i++)
        is_right = is_right && own[i] == NUMEL - 1 - i;
    world_ok(is_right, "%d ranks: the root's memory is scattered in reverse",
             world_ranks);
    bl_mpi_tensor_release(tensor);
}

static void test_scattered_to_one_place(void)
{
    const bl_array array = whole();
    bl_mpi_tensor *number, *repeated;
    bl_status status;

    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 0, NULL, NULL, &number));
    must(bl_mpi_expand(number, 2, extent, &repeated));
    numbers[0] = numbers[NUMEL - 1] = 7;
    status = bl_mpi_scatter(NULL, repeated, 0, world_self == 0 ? &array : NULL);
    world_ok(status == BL_ERR_ARGUMENT && world_refused_alike(status) &&
                 *(double *)bl_mpi_local(number)->data == 0,
             "%d ranks: a result that repeats elements is refused", world_ranks);
    bl_mpi_tensor_release(repeated);
    bl_mpi_tensor_release(number);
}

/* Elements of packed structs, each second one: their bytes are written. */
static void test_scattered_to_packed(void)
{
    enum { BYTES = 1 + (int)sizeof(double) };
    static char memory[2 * NUMEL * BYTES + BYTES];
    const int64_t numel = NUMEL, step = 2 * BYTES;
    const bl_array local = {.data = memory + 1,
                            .dtype = BL_DTYPE_F64,
                            .rank = 1,
                            .extent = &numel,
                            .stride = &step,
                            .flags = BL_ARRAY_BYTE_STRIDES};
    const bl_array from = {
        .data = numbers, .dtype = BL_DTYPE_F64, .rank = 1, .extent = &numel};
    bl_mpi_tensor *tensor;
    bool is_right = true;

    for (int i = 0; i < NUMEL; i++)
        numbers[i] = i;
    must(bl_mpi_wrap(NULL, grid, &local, NULL, NULL, NULL, NULL, NULL, &tensor));
    must(bl_mpi_scatter(NULL, tensor, 0, world_self == 0 ? &from : NULL));
    for (int i = 0; i < NUMEL; i++)
        is_right = is_right &&
                   memcmp(memory + 1 + i * step, &(double){i}, sizeof(double)) == 0;
    world_ok(is_right, "%d ranks: an array is scattered to packed structs",
             world_ranks);
    bl_mpi_tensor_release(tensor);
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
    test_alpha();
    test_scattered_over_itself();
    test_scattered_to_one_place();
    test_scattered_to_packed();
    bl_mpi_plan_destroy(plan);
    bl_mpi_tensor_release(a);
    bl_mpi_tensor_release(b);
    bl_mpi_grid_release(grid);
    return world_close();
}
