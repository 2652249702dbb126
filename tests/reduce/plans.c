/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which reducer a plan takes: where registers of 512 bits are two passes, of 256 bits
 * for f32 that is widened, in the caches, by rows and by columns of few elements, real
 * numbers that are not, from memory, and largest elements and sums of integers of long
 * rows in the caches; of 256 bits for few rows side by side, and where the machine adds
 * beside conversions, for sums of f32 by rows and for narrow columns; all else the
 * widest.  Which rows side by side are reduced in registers, and what is divided among
 * threads.
 */
#include "harness/tap.h"
#include "plan/reduce.h"

/* 256 bits on machines that add beside conversions, and where 512 are two passes. */
static const struct bli_isa *of_adders(const struct bli_isa *isa)
{
    return bli_machine_is_amd() ? isa : bli_isa_of_256_bits(isa);
}

static const struct bli_isa *of_sums(const struct bli_isa *isa)
{
    return bli_isa_for_memory(of_adders(isa));
}

static const struct {
    const char *what;
    bl_reduction op;
    enum bli_fold fold;
    bl_dtype dtype;
    int64_t rows, columns;
    bool by_rows;
    /* The instruction set in place of the machine's; NULL: that. */
    const struct bli_isa *(*of)(const struct bli_isa *isa);
} cases[] = {
    {"sums of rows of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32, 300,
     1000, true, of_sums},
    {"sums of short rows of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32,
     300, 99, true, bli_isa_for_memory},
    {"means of long rows of f32", BL_REDUCTION_MEAN, BLI_REDUCE_OP_SUM, BL_DTYPE_F32, 3,
     100000, true, of_sums},
    {"products of rows of f32", BL_REDUCTION_PROD, BLI_REDUCE_OP_PROD, BL_DTYPE_F32,
     300, 1000, true, bli_isa_for_memory},
    {"largest of short rows of f32", BL_REDUCTION_MAX, BLI_REDUCE_OP_MAX, BL_DTYPE_F32,
     300, 700, true, NULL},
    {"largest of few long rows of f32", BL_REDUCTION_MAX, BLI_REDUCE_OP_MAX,
     BL_DTYPE_F32, 10, 1500, true, NULL},
    {"largest of long rows of f32", BL_REDUCTION_MAX, BLI_REDUCE_OP_MAX, BL_DTYPE_F32,
     300, 1500, true, bli_isa_for_memory},
    {"sums of long rows of i64", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_I64, 300,
     1500, true, bli_isa_for_memory},
    {"products of long rows of i64", BL_REDUCTION_PROD, BLI_REDUCE_OP_PROD,
     BL_DTYPE_I64, 300, 1500, true, NULL},
    {"sums of rows of f64", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F64, 300,
     1000, true, NULL},
    {"sums of rows of f64 from memory", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM,
     BL_DTYPE_F64, 30000, 1000, true, bli_isa_for_memory},
    {"largest of rows of f32 from memory", BL_REDUCTION_MAX, BLI_REDUCE_OP_MAX,
     BL_DTYPE_F32, 30000, 1000, true, bli_isa_for_memory},
    {"sums of rows of i32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_I32, 300,
     1000, true, NULL},
    {"sums of columns of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32, 300,
     1000, false, NULL},
    {"sums of few columns' elements of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM,
     BL_DTYPE_F32, 20, 1000, false, bli_isa_for_memory},
    {"the same in few places of L1", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32,
     20, 1024, false, NULL},
    {"sums of narrow columns of f32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F32,
     300, 4, false, of_sums},
    {"sums of narrow columns of f64", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F64,
     300, 4, false, of_adders},
    {"sums of narrow columns of f64, of several blocks", BL_REDUCTION_SUM,
     BLI_REDUCE_OP_SUM, BL_DTYPE_F64, 3000, 4, false, NULL},
    {"sums of narrow columns of i32", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_I32,
     300, 4, false, NULL},
    {"products of narrow columns of f64", BL_REDUCTION_PROD, BLI_REDUCE_OP_PROD,
     BL_DTYPE_F64, 300, 4, false, NULL},
    {"sums of few elements of f64", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM, BL_DTYPE_F64,
     20, 1000, false, NULL},
    {"sums of rows of f32 from memory", BL_REDUCTION_SUM, BLI_REDUCE_OP_SUM,
     BL_DTYPE_F32, 30000, 1000, true, NULL},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void check_case(int i)
{
    const struct bli_isa *const isa = bli_isa_pick(NULL);
    const struct bli_isa *const expected = cases[i].of ? cases[i].of(isa) : isa;
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

/* Sums of rows side by side in memory, `run` elements each. */
static const struct {
    const char *what;
    bl_dtype dtype;
    int64_t rows, run;
    bool is_beside, is_ahead;
    bool is_narrow; /* 256 bits */
    int64_t places;
} beside[] = {
    {"8 rows", BL_DTYPE_F32, 8, 200000, true, false, true, 196},
    {"12 rows of f64", BL_DTYPE_F64, 12, 200000, true, false, true, 196},
    {"40 rows", BL_DTYPE_F32, 40, 50000, true, false, false, 0},
    {"40 rows of whole blocks", BL_DTYPE_F32, 40, 1 << 16, true, false, false, 64},
    {"40 rows from memory", BL_DTYPE_F32, 40, 500000, true, true, false, 489},
    {"3000 rows from memory", BL_DTYPE_F32, 3000, 3000, true, true, false, 0},
    {"rows of even lengths from memory", BL_DTYPE_F32, 3000, 3200, false, false, false,
     0},
    {"long rows of even lengths from memory", BL_DTYPE_F32, 500, 80000, true, true,
     false, 79},
    {"rows of whole blocks from memory", BL_DTYPE_F32, 4000, 4096, false, false, false,
     0},
    {"rows in few places of L1", BL_DTYPE_F32, 4096, 3000, false, false, false, 0},
    {"bf16 of 18 MB", BL_DTYPE_BF16, 3001, 3000, true, true, false, 0},
    {"f32 of 14 MB", BL_DTYPE_F32, 1201, 3000, true, false, false, 0},
};
enum { BESIDE = sizeof beside / sizeof beside[0] };

static void check_beside(int i, const struct bli_isa *isa)
{
    const struct bli_isa *const narrow =
        beside[i].is_narrow ? bli_isa_of_256_bits(isa) : isa;
    const int64_t size = bli_dtypes[beside[i].dtype].size;
    const int64_t extent[] = {beside[i].rows, beside[i].run}, out[] = {0, 0};
    const int64_t stride[] = {size, beside[i].rows * size};
    const struct bli_reduce_problem problem = {.op = BL_REDUCTION_SUM,
                                               .isa = isa,
                                               .from = beside[i].dtype,
                                               .as = beside[i].dtype,
                                               .to = beside[i].dtype,
                                               .is_compact = true,
                                               .folding = {2, 3, extent, stride, out}};
    struct bli_reduce_plan plan;
    int64_t most;
    const struct bli_reducer *const expected =
        bli_reducer(bli_isa_reducers(narrow), BLI_REDUCE_OP_SUM, beside[i].dtype);

    if (!expected) {
        tap_skip("halves are converted", "%s, %s", beside[i].what, isa->name);
        return;
    }
    most = beside[i].places > 0 ? beside[i].places / 8
                                : beside[i].rows / expected->abreast;
    tap_ok(bli_reduce_plan_make(&plan, &problem) == BL_OK &&
               plan.is_beside == beside[i].is_beside &&
               plan.is_ahead == beside[i].is_ahead &&
               (!plan.is_beside || plan.reducer == expected) &&
               plan.places == beside[i].places &&
               (!plan.is_beside || plan.threads <= most),
           "%s, %s", beside[i].what, isa->name);
}

/* Reductions of axes of one element: of columns, however far these are apart. */
static void check_one(int64_t apart)
{
    const int64_t extent[] = {1, 1000}, out[] = {0, 4};
    const int64_t stride[] = {4, apart};
    const struct bli_reduce_problem problem = {.op = BL_REDUCTION_SUM,
                                               .isa = bli_isa_pick(NULL),
                                               .from = BL_DTYPE_F32,
                                               .as = BL_DTYPE_F32,
                                               .to = BL_DTYPE_F32,
                                               .is_compact = true,
                                               .folding = {2, 1, extent, stride, out}};
    struct bli_reduce_plan plan;

    tap_ok(bli_reduce_plan_make(&plan, &problem) == BL_OK && plan.by_columns &&
               plan.is_staged == (apart != 4) && plan.stores_columns,
           "an axis of one element, %d bytes apart", (int)apart);
}

int main(void)
{
    tap_plan();
    check_one(4);
    check_one(8);
    check_one(400);
    for (int i = 0; i < CASES; i++)
        check_case(i);
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
        for (int i = 0; i < BESIDE; i++)
            check_beside(i, bli_isa_all[k]);
    return tap_done();
}
