/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows to columns of f64[N,N]: a planned copy against MPI_Alltoallw() of subarrays and
 * ScaLAPACK's pdgemr2d, where it is; and the sum of all elements with the bits of one
 * process, and of each of eight columns, against sums of each rank's that MPI_SUM adds;
 * in turns and on the same memory.  Prints each one's best seconds, and the median of
 * its time over ours.
 * usage: speed N ROUNDS [SCALAPACK], the file of the library
 */
#include <broadloom.h>
#include <broadloom/mpi.h>
#include <broadloom/mpi_reduce.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"

enum { PLAN, ALLTOALLW, PDGEMR2D, SUM, PLAIN, FEW, FEW_PLAIN, WAYS };
enum { MOST_ROUNDS = 100, MOST_RANKS = 64 };

static const char *const way_name[WAYS] = {
    "plan",    "MPI_Alltoallw",          "pdgemr2d",          "bl_mpi_reduce",
    "MPI_SUM", "bl_mpi_reduce, columns", "MPI_SUM, 8 columns"};

static int self, ranks;
static int64_t extent;
static const double *rows;
static double *columns;

/* ---- ways ---- */

static bl_mpi_plan *plan;

static void run_plan(void)
{
    const void *const data[1] = {rows};

    must(bl_mpi_plan_execute(NULL, plan, columns, data));
}

static MPI_Datatype sent[MOST_RANKS], received[MOST_RANKS];
static int ones[MOST_RANKS], zeros[MOST_RANKS];

static void open_alltoallw(void)
{
    const int n = (int)extent, part = n / ranks;

    for (int p = 0; p < ranks; p++) {
        const int all[2] = {part, n}, some[2] = {part, part}, at[2] = {0, p * part};
        const int all_there[2] = {n, part}, at_there[2] = {p * part, 0};

        MPI_Type_create_subarray(2, all, some, at, MPI_ORDER_C, MPI_DOUBLE, &sent[p]);
        MPI_Type_create_subarray(2, all_there, some, at_there, MPI_ORDER_C, MPI_DOUBLE,
                                 &received[p]);
        MPI_Type_commit(&sent[p]);
        MPI_Type_commit(&received[p]);
        ones[p] = 1;
    }
}

static void run_alltoallw(void)
{
    MPI_Alltoallw(rows, ones, zeros, sent, columns, ones, zeros, received,
                  MPI_COMM_WORLD);
}

/* BLACS and ScaLAPACK, whose C functions have no header. */
static struct {
    void (*get)(int context, int what, int *value);
    void (*gridinit)(int *context, const char *order, int high, int wide);
    void (*pdgemr2d)(int m, int n, const double *a, int ia, int ja, const int *desc_a,
                     double *b, int ib, int jb, const int *desc_b, int context);
} lapack;
static int rows_desc[9], columns_desc[9], lapack_context;

static void set_pointer(void *function, void *address)
{
    memcpy(function, &address, sizeof address);
}

/* Its order is Fortran's: our rows are its columns. */
static bool open_pdgemr2d(const char *file)
{
    void *const library = file ? dlopen(file, RTLD_NOW | RTLD_GLOBAL) : NULL;
    const int n = (int)extent, part = n / ranks;
    int wide, high;

    if (!library)
        return false;
    set_pointer(&lapack.get, dlsym(library, "Cblacs_get"));
    set_pointer(&lapack.gridinit, dlsym(library, "Cblacs_gridinit"));
    set_pointer(&lapack.pdgemr2d, dlsym(library, "Cpdgemr2d"));
    lapack.get(-1, 0, &wide);
    high = lapack_context = wide;
    lapack.gridinit(&wide, "R", 1, ranks);
    lapack.gridinit(&high, "R", ranks, 1);
    lapack_context = wide;
    memcpy(rows_desc, (const int[]){1, wide, n, n, n, part, 0, 0, n}, sizeof rows_desc);
    memcpy(columns_desc, (const int[]){1, high, n, n, part, n, 0, 0, part},
           sizeof columns_desc);
    return true;
}

static void run_pdgemr2d(void)
{
    lapack.pdgemr2d((int)extent, (int)extent, rows, 1, 1, rows_desc, columns, 1, 1,
                    columns_desc, lapack_context);
}

/* ---- sums ---- */

static bl_mpi_tensor *from;
static double sum;
static const bl_array sum_array = {.data = &sum, .dtype = BL_DTYPE_F64};

static void run_sum(void)
{
    must(bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &sum_array, from, 0, NULL, false, NULL,
                       NULL));
}

static void run_plain(void)
{
    must(bl_reduce(NULL, BL_REDUCTION_SUM, &sum_array, bl_mpi_local(from), 0, NULL,
                   false, NULL));
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* The same elements as eight columns, each of which is summed. */
static bl_mpi_tensor *tall;
static double sums[8];
static const int64_t eight = 8;
static const int32_t down = 0;
static const bl_array sums_array = {
    .data = sums, .dtype = BL_DTYPE_F64, .rank = 1, .extent = &eight};

static void run_few(void)
{
    must(bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &sums_array, tall, 1, &down, false, NULL,
                       NULL));
}

static void run_few_plain(void)
{
    must(bl_reduce(NULL, BL_REDUCTION_SUM, &sums_array, bl_mpi_local(tall), 1, &down,
                   false, NULL));
    MPI_Allreduce(MPI_IN_PLACE, sums, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void (*const run[WAYS])(void) = {run_plan,  run_alltoallw, run_pdgemr2d, run_sum,
                                        run_plain, run_few,       run_few_plain};

/* ---- measurement ---- */

static double measure(int way)
{
    double seconds, longest;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = -MPI_Wtime();
    run[way]();
    seconds += MPI_Wtime();
    MPI_Allreduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

/* Whether columns have arrived, which are written over; a sum is that of 0, 1, ... */
static bool is_right(int way)
{
    const int64_t part = extent / ranks;
    const double all = (double)extent * (double)extent;

    if (way >= FEW) {
        const double rows_of = all / 8;

        for (int j = 0; j < 8; j++)
            if (fabs(sums[j] / (4 * rows_of * (rows_of - 1) + j * rows_of) - 1) > 1e-9)
                return false;
        return true;
    }
    if (way >= SUM)
        return fabs(sum / (all * (all - 1) / 2) - 1) < 1e-9;
    for (int64_t i = 0; i < extent; i++)
        for (int64_t j = 0; j < part; j++)
            if (columns[i * part + j] != (double)(i * extent + self * part + j))
                return false;
    memset(columns, 0, (size_t)(extent * part) * sizeof *columns);
    return true;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Ways `first` to `end` - 1, against the first of them. */
static void compare(int first, int end, int rounds)
{
    static double seconds[WAYS][MOST_ROUNDS], ratio[MOST_ROUNDS];

    for (int way = first; way < end; way++) {
        measure(way);
        if (!is_right(way))
            printf("%s is wrong\n", way_name[way]);
    }
    for (int i = 0; i < rounds; i++)
        for (int way = first; way < end; way++)
            seconds[way][i] = measure(way);
    for (int way = first; way < end && self == 0; way++) {
        double best = seconds[way][0];

        for (int i = 0; i < rounds; i++) {
            best = seconds[way][i] < best ? seconds[way][i] : best;
            ratio[i] = seconds[way][i] / seconds[first][i];
        }
        qsort(ratio, (size_t)rounds, sizeof *ratio, by_value);
        printf("%s\t%.6f\t%.3f\n", way_name[way], best, ratio[rounds / 2]);
    }
}

int main(int count, char **arguments)
{
    const int given = count > 2 ? atoi(arguments[2]) : 9;
    const int rounds = given < MOST_ROUNDS ? given : MOST_ROUNDS;
    const bl_mpi_dim by_rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim by_columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    const bl_mpi_options options = {
        .size = sizeof options, .most_bytes = INT64_MAX, .most_memory = INT64_MAX};
    bl_mpi_tensor *to;
    bl_mpi_grid *grid;
    int level;

    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    extent = (count > 1 ? atoll(arguments[1]) : 1024) / ranks * ranks;
    const int64_t shape[2] = {extent, extent};

    must(bl_context_set_threads(NULL, 1));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, shape, by_rows, &from));
    must(bl_mpi_empty(NULL, grid, BL_DTYPE_F64, 2, shape, by_columns, &to));
    rows = bl_mpi_local(from)->data;
    columns = bl_mpi_local(to)->data;
    for (int64_t i = 0; i < extent / ranks * extent; i++)
        ((double *)bl_mpi_local(from)->data)[i] =
            (double)(self * (extent / ranks) * extent + i);
    must(bl_mpi_wrap(NULL, grid,
                     &(bl_array){bl_mpi_local(from)->data, BL_DTYPE_F64, 2,
                                 (const int64_t[]){extent / ranks * extent / 8, 8},
                                 NULL, 0},
                     NULL, NULL, by_rows, NULL, NULL, &tall));
    must(bl_mpi_plan_create(NULL, BL_OP_COPY, to, 1, &(bl_mpi_operand){.tensor = from},
                            &options, &plan));
    open_alltoallw();
    compare(PLAN, open_pdgemr2d(count > 3 ? arguments[3] : NULL) ? SUM : PDGEMR2D,
            rounds);
    compare(SUM, FEW, rounds);
    compare(FEW, WAYS, rounds);
    bl_mpi_tensor_release(tall);
    bl_mpi_plan_destroy(plan);
    bl_mpi_tensor_release(from);
    bl_mpi_tensor_release(to);
    bl_mpi_grid_release(grid);
    MPI_Finalize();
    return 0;
}
