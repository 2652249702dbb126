/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which reducer a plan takes: rows of f32 in the caches are added and multiplied with
 * registers of 256 bits where those of 512 are two passes, all else with the widest.
 */
#include "harness/tap.h"
#include "plan/reduce.h"

static const struct {
    const char *what;
    bl_reduction op;
    enum bli_fold fold;
    bl_dtype dtype;
    int64_t rows, columns;
    bool by_rows;
    bool is_narrow; /* 256 bits, where 512 are two passes */
} cases[] = {
    {"sums of rows of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32, 300,
     1000, true, true},
    {"means of long rows of f32", BL_REDUCTION_MEAN, BLI_REDUCE_OP_SUM, BL_DTYPE_F32, 3,
     100000, true, true},
    {"products of rows of f32", BL_REDUCTION_PROD, BLI_REDUCE_OP_PROD, BL_DTYPE_F32,
     300, 1000, true, true},
    {"largest of rows of f32", BL_REDUCTION_MAX, BLI_REDUCE_OP_MAX, BL_DTYPE_F32, 300,
     1000, true, false},
    {"sums of rows of f64", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F64, 300,
     1000, true, false},
    {"sums of rows of i32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_I32, 300,
     1000, true, false},
    {"sums of columns of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32, 300,
     1000, false, false},
    {"sums of rows of f32 from memory", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM,
     BL_DTYPE_F32, 30000, 1000, true, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void check_case(int i)
{
    const struct bli_isa *const isa = bli_isa_pick(NULL);
    const struct bli_isa *const expected =
        cases[i].is_narrow ? bli_isa_for_memory(isa) : isa;
    const int64_t size = bli_dtypes[cases[i].dtype].size;
    const int64_t extent[] = {cases[i].rows, cases[i].columns};
    const int64_t stride[] = {size * cases[i].columns, size};
    const int64_t out[] = {cases[i].by_rows ? size : 0, cases[i].by_rows ? 0 : size};
    const struct bli_reduce_problem problem = {
        .op = cases[i].op,
        .isa = isa,
        .from = cases[i].dtype,
        .as = cases[i].dtype,
        .to = cases[i].dtype,
        .is_compact = true,
        .folding = {2, cases[i].by_rows ? 2 : 1, extent, stride, out}};
    struct bli_reduce_plan plan;

    tap_ok(bli_reduce_plan_make(&plan, &problem) == BL_OK &&
               plan.by_columns == !cases[i].by_rows &&
               plan.reducer == bli_reducer(bli_isa_reducers(expected), cases[i].fold,
                                           cases[i].dtype),
           "%s", cases[i].what);
}

int main(void)
{
    tap_plan();
    for (int i = 0; i < CASES; i++)
        check_case(i);
    return tap_done();
}
