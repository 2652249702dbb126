/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/ranks/fault_calls.h"

#include <string.h>

#include "harness/same.h"

struct fault_world its;
struct fault_call call;

static const int64_t extent[2] = {ROWS, COLUMNS}, taller[2] = {ROWS + 1, COLUMNS};

static bl_mpi_tensor *new_tensor(bl_dtype dtype, const int64_t *shape,
                                 const bl_mpi_dim *dims)
{
    bl_mpi_tensor *tensor;

    must(bl_mpi_empty(NULL, its.grid, dtype, 2, shape, dims, &tensor));
    return tensor;
}

void faults_fill(const bl_mpi_tensor *tensor, bool poison)
{
    const bl_array *const block = bl_mpi_local(tensor);
    int64_t begin[2], end[2];

    must(bl_mpi_box(tensor, world_self, begin, end));
    for (int64_t i = begin[0]; i < end[0]; i++)
        for (int64_t j = begin[1]; j < end[1]; j++) {
            const int64_t at[2] = {i - begin[0], j - begin[1]};
            const int32_t value = poison ? -77 : (int32_t)(i * COLUMNS + j + 1);

            must(bl_array_set(block, at, &value));
        }
}

bool faults_holds(const bl_mpi_tensor *tensor, int32_t times)
{
    const bl_array *const block = bl_mpi_local(tensor);
    int64_t begin[2], end[2];
    bool is_right = true;

    must(bl_mpi_box(tensor, world_self, begin, end));
    for (int64_t i = begin[0]; i < end[0]; i++)
        for (int64_t j = begin[1]; j < end[1]; j++) {
            const int64_t at[2] = {i - begin[0], j - begin[1]};
            int32_t value;

            must(bl_array_get(block, at, &value));
            is_right = is_right &&
                       value == (times < 0    ? -77
                                 : times == 0 ? 1
                                              : times * (int32_t)(i * COLUMNS + j + 1));
        }
    return is_right;
}

void faults_open(void)
{
    const bl_allocator allocator = world_allocator();
    bl_mpi_tensor *wide;

    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &its.grid));
    must(bl_context_create(&its.ctx));
    must(bl_context_set_allocator(its.ctx, &allocator));
    must(bl_context_set_threads(its.ctx, 1));
    for (int p = 1; p <= world_ranks; p++)
        its.border[p] = ROWS; /* all on rank 0 */
    memcpy(its.rows, (bl_mpi_dim[]){{0, NULL}, {BL_MPI_WHOLE, NULL}}, sizeof its.rows);
    memcpy(its.columns, (bl_mpi_dim[]){{BL_MPI_WHOLE, NULL}, {0, NULL}},
           sizeof its.columns);
    its.a = new_tensor(BL_DTYPE_I32, extent, its.rows);
    its.b = new_tensor(BL_DTYPE_I32, extent, its.columns);
    its.out = new_tensor(BL_DTYPE_I32, extent, its.rows);
    its.larger = new_tensor(BL_DTYPE_I32, taller, its.rows);
    wide = new_tensor(BL_DTYPE_I32, (const int64_t[]){ROWS, COLUMNS + 1}, its.rows);
    must(bl_mpi_narrow(wide, 1, 0, COLUMNS, &its.left));
    must(bl_mpi_narrow(wide, 1, 1, COLUMNS, &its.right));
    bl_mpi_tensor_release(wide);
    must(bl_mpi_zeros(NULL, its.grid, BL_DTYPE_U8, 2, extent, its.rows, &its.narrow));
    faults_fill(its.a, false);
    faults_fill(its.b, false);
    must(bl_mpi_like(NULL, its.a, BL_DTYPE_F64, &its.real));
    must(bl_mpi_apply(NULL, BL_OP_COPY, its.real, 1, &(bl_mpi_operand){its.a, NULL},
                      NULL));
    must(bl_mpi_gather(NULL, its.a, BL_MPI_ALL, &its.whole));
    call.kind = PLAN;
    must(faults_call());
    its.plan = call.plan;
    must(faults_call());
    its.other_plan = call.plan;
    call.plan = NULL;
}

void faults_close(void)
{
    bl_mpi_tensor *const tensor[] = {its.a,    its.b,     its.out,    its.larger,
                                     its.left, its.right, its.narrow, its.real};

    for (size_t i = 0; i < sizeof tensor / sizeof tensor[0]; i++)
        bl_mpi_tensor_release(tensor[i]);
    bl_tensor_release(its.whole);
    bl_mpi_plan_destroy(its.plan);
    bl_mpi_plan_destroy(its.other_plan);
    bl_context_destroy(its.ctx);
    bl_mpi_grid_release(its.grid);
}

/* ---- calls, with the fault of this rank ---- */

static bl_status call_wrap(void)
{
    static int32_t memory[2 * ROWS];
    const int64_t all[2] = {ROWS, call.fault == SHAPE ? 2 : 1};
    const bl_mpi_dim dims[2] = {{call.fault == OPTION ? BL_MPI_WHOLE : 0,
                                 call.fault == BORDER ? its.border : NULL},
                                {BL_MPI_WHOLE, NULL}};
    const bl_array local = {.data = memory,
                            .dtype = call.fault == DTYPE ? BL_DTYPE_F32 : BL_DTYPE_I32,
                            .rank = 2,
                            .extent = all}; /* where its.border says none */

    return bl_mpi_wrap(its.ctx, its.grid, call.fault == NULL_ARGUMENT ? NULL : &local,
                       NULL, NULL, dims, NULL, NULL, &call.made);
}

/* out = a + b, or a new tensor, or a plan of it; for a zero, a // b; left = a + right,
 * which overlap. */
static bl_status call_operator(void)
{
    const bl_op op = call.kind == DIVIDE ? BL_OP_FLOOR_DIVIDE : BL_OP_ADD;
    const bl_mpi_tensor *const a = call.fault == SHAPE   ? its.larger
                                   : call.fault == DTYPE ? its.narrow
                                                         : its.a;
    const bl_mpi_operand in[2] = {{call.fault == NULL_ARGUMENT ? NULL : a, NULL},
                                  {call.kind == OVERLAP ? its.right : its.b, NULL}};
    const bl_mpi_options options = {.size = sizeof options,
                                    .most_bytes = call.fault == OPTION ? 100000 : 0,
                                    .dims =
                                        call.fault == BORDER ? its.columns : its.rows};

    if (call.kind == PLAN)
        return bl_mpi_plan_create(its.ctx, op, its.out, 2, in, &options, &call.plan);
    if (call.kind == APPLY_NEW)
        return bl_mpi_apply_new(its.ctx, op, 2, in, &options, &call.made);
    return bl_mpi_apply(its.ctx, op, call.kind == OVERLAP ? its.left : its.out, 2, in,
                        &options);
}

static bl_status call_execute(void)
{
    const void *const data[2] = {bl_mpi_local(its.a)->data, bl_mpi_local(its.b)->data};

    return bl_mpi_plan_execute(
        its.ctx, call.fault == OPTION ? its.other_plan : its.plan,
        bl_mpi_local(its.out)->data, call.fault == NULL_ARGUMENT ? NULL : data);
}

/* Sums over rows, which are cut; the standard deviation of all; random numbers. */
static bl_status call_new(bl_mpi_tensor **out)
{
    const int32_t axis = 0;
    const bl_reduce_options sample = BL_REDUCE_OPTIONS_DEFAULT;
    const bl_reduce_options all = {.size = sizeof all, .correction = 0.0};
    const bool is_other = call.fault == SHAPE || call.fault == DTYPE;

    if (call.kind == RANDOM)
        return bl_mpi_rand(
            its.ctx, its.grid, call.fault == DTYPE ? BL_DTYPE_F64 : BL_DTYPE_F32, 2,
            call.fault == SHAPE ? taller : extent,
            call.fault == BORDER ? its.rows : its.columns, call.fault == OPTION, out);
    if (call.kind == VARIANCE)
        return bl_mpi_reduce_new(its.ctx, BL_REDUCTION_STD, its.real, 0, NULL,
                                 call.fault == OPTION, is_other ? &all : &sample, NULL,
                                 out);
    return bl_mpi_reduce_new(its.ctx, BL_REDUCTION_SUM,
                             call.fault == SHAPE   ? its.larger
                             : call.fault == DTYPE ? its.narrow
                                                   : its.a,
                             1, &axis, call.fault == OPTION, NULL, NULL, out);
}

bool faults_sums(const bl_mpi_tensor *sums)
{
    const bl_array *const block = bl_mpi_local(sums);
    bool is_right = block->rank == 1 && block->extent[0] == COLUMNS;

    for (int64_t j = 0; is_right && j < COLUMNS; j++) {
        int64_t value;

        must(bl_array_get(block, &j, &value));
        is_right = value == ROWS * (j + 1) + COLUMNS * ROWS * (ROWS - 1) / 2;
    }
    return is_right;
}

bl_status faults_call(void)
{
    const bl_mpi_tensor *const a = call.fault == SHAPE   ? its.larger
                                   : call.fault == DTYPE ? its.narrow
                                                         : its.a;
    const bl_mpi_dim *const dims = call.fault == BORDER ? its.rows : its.columns;
    const int32_t root = call.fault == OPTION ? 0 : world_ranks - 1;
    const bl_array *const whole = bl_tensor_array(its.whole);
    const bool is_null = call.fault == NULL_ARGUMENT;

    switch (call.kind) {
    case EMPTY:
        return bl_mpi_empty(
            its.ctx, its.grid, call.fault == DTYPE ? BL_DTYPE_F64 : BL_DTYPE_I32, 2,
            call.fault == SHAPE ? taller : extent, dims, is_null ? NULL : &call.made);
    case WRAP:
        return call_wrap();
    case EXECUTE:
        return call_execute();
    case MOVE:
        return bl_mpi_redistribute(its.ctx, a, dims, is_null ? NULL : &call.made);
    case GATHER:
        return bl_mpi_gather(its.ctx, a, root, is_null ? NULL : &call.gathered);
    case REDUCE:
    case VARIANCE:
    case RANDOM:
        return call_new(is_null ? NULL : &call.made);
    case SCATTER:
        return bl_mpi_scatter(its.ctx, call.fault == SHAPE ? its.larger : its.out, root,
                              is_null ? NULL : whole);
    default:
        return call_operator();
    }
}
