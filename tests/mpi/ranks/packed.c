/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members of packed structs, whose elements are not aligned, on all ranks or on some:
 * operators have the results that one process has, whether operands move or not.
 */

#include "harness/same.h"
#include "mpi/ranks/world.h"

enum { ROWS = 9, COLUMNS = 5 };

#pragma pack(push, 1)
struct record {
    char tag;
    double value;
    char end;
};
#pragma pack(pop)

static bl_mpi_grid *grid;
static const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
static const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
static const int64_t extent[2] = {ROWS, COLUMNS};
static struct record records[2][ROWS * COLUMNS];
static double numbers[2][ROWS * COLUMNS];
static bl_mpi_tensor *packed[2], *by_columns; /* of numbers[0] the latter, too */
static bl_tensor *whole[2];

/* This rank's rows of numbers[k]: packed, or on other ranks where it says so aligned.
 */
static bl_mpi_tensor *wrap(int k, bool on_odd_ranks)
{
    const int64_t first = ROWS * world_self / world_ranks;
    const int64_t own[2] = {ROWS * (world_self + 1) / world_ranks - first, COLUMNS};
    const int64_t size = sizeof records[k][0], stride[2] = {COLUMNS * size, size};
    bl_array array = {.data = &numbers[k][first * COLUMNS],
                      .dtype = BL_DTYPE_F64,
                      .rank = 2,
                      .extent = own};
    bl_mpi_tensor *tensor;

    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        numbers[k][i] = (double)(i * i + 1 + 100 * k);
        records[k][i] = (struct record){'a', numbers[k][i], 'z'};
    }
    if (!on_odd_ranks || world_self % 2) {
        array.data = (char *)&records[k][first * COLUMNS] + 1;
        array.stride = stride;
        array.flags = BL_ARRAY_BYTE_STRIDES;
    }
    must(bl_mpi_wrap(NULL, grid, &array, NULL, NULL, rows, NULL, NULL, &tensor));
    return tensor;
}

static void make(bool on_odd_ranks)
{
    for (int k = 0; k < 2; k++) {
        packed[k] = wrap(k, on_odd_ranks);
        must(bl_mpi_gather(NULL, packed[k], BL_MPI_ALL, &whole[k]));
    }
    must(bl_mpi_redistribute(NULL, packed[0], columns, &by_columns));
}

static void release(void)
{
    for (int k = 0; k < 2; k++) {
        bl_mpi_tensor_release(packed[k]);
        bl_tensor_release(whole[k]);
    }
    bl_mpi_tensor_release(by_columns);
}

/* Whether what was between the elements is as it was. */
static bool is_intact(void)
{
    bool intact = true;

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < ROWS * COLUMNS; i++)
            intact = intact && records[k][i].tag == 'a' && records[k][i].end == 'z';
    return intact;
}

/* Whether a tensor is the whole array, which is given back. */
static bool is(const bl_mpi_tensor *tensor, bl_tensor *expected)
{
    bl_tensor *got;
    bool same;

    must(bl_mpi_gather(NULL, tensor, BL_MPI_ALL, &got));
    same = arrays_are_same(bl_tensor_array(got), bl_tensor_array(expected));
    bl_tensor_release(got);
    bl_tensor_release(expected);
    return same && is_intact();
}

static bl_tensor *sum(const bl_tensor *a, const bl_tensor *b)
{
    bl_tensor *out;

    must(bl_add(NULL, bl_tensor_array(a), bl_tensor_array(b), &out));
    return out;
}

static void test_new(const char *where)
{
    const int64_t step = sizeof records[1][0];
    const bl_array row = {.data = (char *)&records[1][0] + 1,
                          .dtype = BL_DTYPE_F64,
                          .rank = 1,
                          .extent = &extent[1],
                          .stride = &step,
                          .flags = BL_ARRAY_BYTE_STRIDES};
    const bl_mpi_operand in[][2] = {{{packed[0], NULL}, {packed[1], NULL}},
                                    {{by_columns, NULL}, {packed[1], NULL}},
                                    {{by_columns, NULL}, {NULL, &row}}};
    const bl_tensor *const expected[] = {whole[1], whole[1], NULL};

    for (int i = 0; i < 3; i++) {
        bl_mpi_tensor *out;
        bl_tensor *want;

        must(bl_mpi_apply_new(NULL, BL_OP_ADD, 2, in[i], NULL, &out));
        if (expected[i])
            want = sum(whole[0], expected[i]);
        else
            must(bl_add(NULL, bl_tensor_array(whole[0]), &row, &want));
        world_ok(is(out, want), "%d ranks: %s, sum %d", world_ranks, where, i);
        bl_mpi_tensor_release(out);
    }
}

static void test_results(const char *where)
{
    const bl_mpi_operand in[2] = {{packed[1], NULL}, {by_columns, NULL}};
    const bl_mpi_operand copy = {by_columns, NULL};
    bl_tensor *distance, *expected;

    must(bl_mpi_dist(NULL, packed[0], packed[1], 2, &distance));
    must(bl_dist(NULL, bl_tensor_array(whole[0]), bl_tensor_array(whole[1]), 2,
                 &expected));
    world_ok(arrays_are_same(bl_tensor_array(distance), bl_tensor_array(expected)),
             "%d ranks: %s, the distance", world_ranks, where);
    bl_tensor_release(distance);
    bl_tensor_release(expected);
    must(bl_mpi_apply(NULL, BL_OP_ADD, packed[1], 2, in, NULL));
    world_ok(is(packed[1], sum(whole[0], whole[1])), "%d ranks: %s, in place",
             world_ranks, where);
    must(bl_mpi_apply(NULL, BL_OP_COPY, packed[1], 1, &copy, NULL));
    world_ok(is(packed[1], bl_tensor_retain(whole[0])), "%d ranks: %s, copied to",
             world_ranks, where);
}

/* One element for all of the result; and results element by element. */
static void test_refused(void)
{
    const int64_t size = sizeof records[0][0], stride[2] = {0, size};
    const bl_array array = {.data = (char *)records[0] + 1,
                            .dtype = BL_DTYPE_F64,
                            .rank = 2,
                            .extent = extent,
                            .stride = stride,
                            .flags = BL_ARRAY_BYTE_STRIDES};
    bl_mpi_tensor *repeated;
    bl_context *ctx;
    bl_status status;

    must(bl_mpi_wrap(NULL, grid, &array, NULL, NULL, NULL, NULL, NULL, &repeated));
    const bl_mpi_operand in = {packed[0], NULL};

    status = bl_mpi_apply(NULL, BL_OP_NEG, repeated, 1, &in, NULL);
    world_ok(status == BL_ERR_ARGUMENT && world_refused_alike(status) && is_intact(),
             "%d ranks: a packed result that repeats elements is refused", world_ranks);
    must(bl_context_create(&ctx));
    must(bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL));
    status = bl_mpi_apply(ctx, BL_OP_NEG, packed[1], 1, &in, NULL);
    world_ok(status == BL_ERR_ARGUMENT && world_refused_alike(status) && is_intact(),
             "%d ranks: packed results in sequence are refused", world_ranks);
    bl_context_destroy(ctx);
    bl_mpi_tensor_release(repeated);
}

int main(int count, char **arguments)
{
    world_open(count, arguments, 20);
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    for (int k = 0; k < 2; k++) {
        const char *const where = k == 0 ? "packed" : "packed on odd ranks";

        make(k == 1);
        test_new(where);
        test_results(where);
        if (k == 0)
            test_refused();
        release();
    }
    bl_mpi_grid_release(grid);
    return world_close();
}
