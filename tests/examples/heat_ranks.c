/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat.c over the ranks of an MPI program: a plate that is cut into blocks along both
 * dimensions, one for each rank.  The neighbours of a point are views of the plate that
 * are shifted by one; of these, rows and columns at the blocks' borders move between
 * ranks, and nothing else.  The bits are those of one process.
 *
 *     mpicc -O2 -o heat_ranks heat_ranks.c $(pkg-config --cflags --libs broadloom-mpi)
 *     mpiexec -n 4 ./heat_ranks
 */
#include <broadloom.h>
#include <broadloom/mpi.h>
#include <stdio.h>

enum { N = 514, INNER = N - 2 };

static void check(bl_status status)
{
    if (status != BL_OK) { /* on all ranks: errors are agreed on */
        fprintf(stderr, "%s: %s\n", bl_error_where(), bl_error_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

enum { CENTRE, UP, DOWN, LEFT, RIGHT, VIEWS };

/* The inner points of a plate, and their neighbours. */
static void look(const bl_mpi_tensor *plate, bl_mpi_tensor *view[VIEWS])
{
    static const int shift[VIEWS][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    for (int k = 0; k < VIEWS; k++) {
        bl_mpi_tensor *rows;

        check(bl_mpi_narrow(plate, 0, 1 + shift[k][0], INNER, &rows));
        check(bl_mpi_narrow(rows, 1, 1 + shift[k][1], INNER, &view[k]));
        bl_mpi_tensor_release(rows);
    }
}

static void apply(bl_op op, bl_mpi_tensor *out, const bl_mpi_tensor *a,
                  const bl_mpi_tensor *b, double number)
{
    const bl_scalar scalar = bl_scalar_f64(number);
    const bl_array array = bl_scalar_array(&scalar);
    const bl_mpi_operand in[3] = {{a, NULL}, {b, NULL}, {NULL, &array}};

    check(bl_mpi_apply(NULL, op, out, op == BL_OP_ADD ? 2 : 3, in, NULL));
}

/* to = from + rate * (the four neighbours - 4 * from), at the inner points. */
static void step(bl_mpi_tensor **to, bl_mpi_tensor **from, bl_mpi_tensor *sum,
                 double rate)
{
    apply(BL_OP_ADD, sum, from[UP], from[DOWN], 0);
    apply(BL_OP_ADD, sum, sum, from[LEFT], 0);
    apply(BL_OP_ADD, sum, sum, from[RIGHT], 0);
    apply(BL_OP_SUB_SCALED, sum, sum, from[CENTRE], 4);
    apply(BL_OP_ADD_SCALED, to[CENTRE], from[CENTRE], sum, rate);
}

int main(int count, char **arguments)
{
    const int64_t extent[2] = {N, N}, ranks[2] = {0, 0}, middle[2] = {N / 2, N / 2};
    const bl_mpi_grid_options blocks = {
        .size = sizeof blocks, .axes = 2, .extent = ranks};
    const bl_mpi_dim dims[2] = {{0, NULL}, {1, NULL}};
    const double hot = 1000;
    double result[2];
    const bl_array centre = {.data = &result[0], .dtype = BL_DTYPE_F64};
    const bl_array total = {.data = &result[1], .dtype = BL_DTYPE_F64};
    bl_mpi_tensor *plate[2], *sum, *view[2][VIEWS];
    bl_mpi_grid *grid;
    bl_tensor *whole;
    int level, rank;

    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check(bl_mpi_grid_create(MPI_COMM_WORLD, &blocks, &grid));
    check(bl_tensor_zeros(NULL, BL_DTYPE_F64, 2, extent, &whole));
    check(bl_array_set(bl_tensor_array(whole), middle, &hot));
    for (int k = 0; k < 2; k++) {
        check(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, dims, &plate[k]));
        look(plate[k], view[k]);
    }
    check(bl_mpi_scatter(NULL, plate[0], 0, rank == 0 ? bl_tensor_array(whole) : NULL));
    check(bl_mpi_like(NULL, view[0][CENTRE], BL_DTYPE_F64, &sum));
    for (int i = 0; i < 100; i++)
        step(view[(i + 1) % 2], view[i % 2], sum, 0.2);
    bl_tensor_release(whole);
    /* Every rank gets both; the centre is the hottest point. */
    check(bl_mpi_reduce(NULL, BL_REDUCTION_MAX, &centre, plate[0], 0, NULL, false, NULL,
                        NULL));
    check(bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &total, plate[0], 0, NULL, false, NULL,
                        NULL));
    if (rank == 0)
        printf("centre %.10f total %.10f\n", result[0], result[1]);
    MPI_Finalize();
    return 0;
}
