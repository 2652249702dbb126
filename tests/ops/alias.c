/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are also operands.  Exact overlap: every operator in place of each of
 * its inputs, which every policy permits.  Other overlap: typical cases with their
 * expected outcome, and families of random strides compared with brute force.
 */
#include <inttypes.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/sanitizer.h"
#include "reference/ref.h"
#include "harness/tap.h"
#include "harness/views.h"

static struct rng rng;

/* ---- exact overlap ---- */

/* Check each set of inputs of the result's dtype, as bits, that are the result. */
static bool check_exact(bl_op op, bl_dtype dtype)
{
    static const struct {
        int32_t rank;
        int64_t extent[2];
        int64_t stride[2];
        int64_t offset;
        int64_t room;
    } rows[] = {
        {0, {0}, {0}, 0, 1},
        {1, {17}, {1}, 3, 20},
        {1, {64}, {2}, 0, 128},
        {1, {33}, {-1}, 32, 33},
        {2, {5, 37}, {37, 1}, 0, 185},
        {2, {37, 5}, {1, 37}, 0, 185},
        {2, {9, 7}, {-16, 2}, 128, 144},
        {2, {3, 31}, {-1, -3}, 92, 93},
        {1, {70000}, {1}, 1, 70001},
        {2, {300, 301}, {1, 300}, 0, 90300},
    };
    enum { TURNS = IS_SANITIZED ? 25 : 5 }; /* large: one dtype in so many */
    struct views_counts counts = {0, 0};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        for (uint32_t set = 1; set < 1u << ref_inputs(op); set++) {
            const bl_dtype result = ref_result_dtype(op, dtype);
            struct shared shared = {.name = ref_name(op), .op = op};
            const int64_t apart = (rows[r].room + 16) * (int64_t)(ref_size(dtype) + 1);

            shared.inputs = ref_inputs(op);
            shared.out = (struct view){
                .dtype = result, .rank = rows[r].rank, .offset = rows[r].offset};
            memcpy(shared.out.extent, rows[r].extent, sizeof rows[r].extent);
            memcpy(shared.out.stride, rows[r].stride, sizeof rows[r].stride);
            for (int32_t k = 0; k < shared.inputs; k++) {
                const bl_dtype own = ref_input_dtype(op, dtype, k);

                shared.in[k] = shared.out;
                shared.in[k].dtype = own;
                /* Others are next to the result. */
                if (ref_size(own) != ref_size(result) || !(set >> k & 1))
                    shared.in[k].offset += apart * (k + 1) / (int64_t)ref_size(own);
            }
            shared.bytes = (size_t)apart * (1 + VIEW_INPUTS);
            if ((rows[r].room > 1000 && (set > 1 || (dtype + 4 * op) % TURNS)) ||
                (!test_is_thorough(op, dtype) && !rng_one_in(&rng, 4)))
                continue;
            if (!views_check(&shared, 2, &counts) || counts.gave_up > 0)
                return false;
        }
    }
    return true;
}

/* ---- other overlap ---- */

/* fixed + times * n */
struct linear {
    int64_t fixed;
    int64_t times;
};

struct lens {
    bl_dtype dtype;
    int32_t rank;
    struct linear offset;
    struct linear extent[2];
    struct linear stride[2];
};

static struct view view_of(const struct lens *lens, int64_t n)
{
    struct view view = {.dtype = lens->dtype, .rank = lens->rank};

    view.offset = lens->offset.fixed + lens->offset.times * n;
    for (int32_t d = 0; d < lens->rank; d++) {
        view.extent[d] = lens->extent[d].fixed + lens->extent[d].times * n;
        view.stride[d] = lens->stride[d].fixed + lens->stride[d].times * n;
    }
    return view;
}

#define F32 BL_DTYPE_F32
#define N                                                                              \
    {                                                                                  \
        0, 1                                                                           \
    }
#define LESS(k)                                                                        \
    {                                                                                  \
        -(k), 1                                                                        \
    }

/* clang-format off */
static const struct {
    const char *what;
    bl_op op;
    int32_t inputs;
    enum sharing sharing;
    struct lens out;
    struct lens in[2];
} cases[] = {
    {"x[1:] += x[:-1]", BL_OP_ADD, 2, SHARING_PARTIAL,
     {F32, 1, {1, 0}, {LESS(1)}, {{1, 0}}},
     {{F32, 1, {1, 0}, {LESS(1)}, {{1, 0}}}, {F32, 1, {0, 0}, {LESS(1)}, {{1, 0}}}}},
    {"x[:-1] -= x[1:]", BL_OP_SUB, 2, SHARING_PARTIAL,
     {F32, 1, {0, 0}, {LESS(1)}, {{1, 0}}},
     {{F32, 1, {0, 0}, {LESS(1)}, {{1, 0}}}, {F32, 1, {1, 0}, {LESS(1)}, {{1, 0}}}}},
    {"x.add_(x.T)", BL_OP_ADD, 2, SHARING_PARTIAL,
     {F32, 2, {0, 0}, {N, N}, {N, {1, 0}}},
     {{F32, 2, {0, 0}, {N, N}, {N, {1, 0}}}, {F32, 2, {0, 0}, {N, N}, {{1, 0}, N}}}},
    {"x.mul_(x[:, :1])", BL_OP_MUL, 2, SHARING_PARTIAL,
     {F32, 2, {0, 0}, {N, N}, {N, {1, 0}}},
     {{F32, 2, {0, 0}, {N, N}, {N, {1, 0}}}, {F32, 2, {0, 0}, {N, {1, 0}}, {N, {1, 0}}}}},
    {"x.sub_(x[1, :])", BL_OP_SUB, 2, SHARING_PARTIAL,
     {F32, 2, {0, 0}, {N, N}, {N, {1, 0}}},
     {{F32, 2, {0, 0}, {N, N}, {N, {1, 0}}}, {F32, 1, {0, 1}, {N}, {{1, 0}}}}},
    {"x.sub_(x[1, 1])", BL_OP_SUB, 2, SHARING_PARTIAL,
     {F32, 2, {0, 0}, {N, N}, {N, {1, 0}}},
     {{F32, 2, {0, 0}, {N, N}, {N, {1, 0}}}, {F32, 0, {1, 1}, {{0, 0}}, {{0, 0}}}}},
    {"x = x[::-1] - x", BL_OP_SUB, 2, SHARING_PARTIAL,
     {F32, 1, {0, 0}, {N}, {{1, 0}}},
     {{F32, 1, {-1, 1}, {N}, {{-1, 0}}}, {F32, 1, {0, 0}, {N}, {{1, 0}}}}},
    {"x[::-1] = x[::-1] - y", BL_OP_SUB, 2, SHARING_NONE,
     {F32, 1, {-1, 1}, {N}, {{-1, 0}}},
     {{F32, 1, {-1, 1}, {N}, {{-1, 0}}}, {F32, 1, {0, 2}, {N}, {{1, 0}}}}},
    {"x[::2] += x[1::2]", BL_OP_ADD, 2, SHARING_NONE,
     {F32, 1, {0, 0}, {N}, {{2, 0}}},
     {{F32, 1, {0, 0}, {N}, {{2, 0}}}, {F32, 1, {1, 0}, {N}, {{2, 0}}}}},
    {"left half -= right half of each row", BL_OP_SUB, 2, SHARING_NONE,
     {F32, 2, {0, 0}, {N, N}, {{0, 2}, {1, 0}}},
     {{F32, 2, {0, 0}, {N, N}, {{0, 2}, {1, 0}}}, {F32, 2, {0, 1}, {N, N}, {{0, 2}, {1, 0}}}}},
    {"columns 0, 2, ... += column 1, repeated", BL_OP_ADD, 2, SHARING_NONE,
     {F32, 2, {0, 0}, {N, N}, {{0, 2}, {2, 0}}},
     {{F32, 2, {0, 0}, {N, N}, {{0, 2}, {2, 0}}}, {F32, 2, {1, 0}, {N, {1, 0}}, {{0, 2}, {1, 0}}}}},
    {"both operands are the shifted result", BL_OP_SUB, 2, SHARING_PARTIAL,
     {F32, 1, {1, 0}, {N}, {{1, 0}}},
     {{F32, 1, {0, 0}, {N}, {{1, 0}}}, {F32, 1, {2, 0}, {N}, {{1, 0}}}}},
    {"first operand is the shifted result", BL_OP_DIV, 2, SHARING_PARTIAL,
     {F32, 1, {1, 0}, {N}, {{1, 0}}},
     {{F32, 1, {0, 0}, {N}, {{1, 0}}}, {F32, 1, {1, 0}, {N}, {{1, 0}}}}},
    {"an expanded operand lies in the result", BL_OP_SUB, 2, SHARING_PARTIAL,
     {F32, 2, {0, 0}, {N, N}, {N, {1, 0}}},
     {{F32, 2, {0, 2}, {N, N}, {{0, 0}, {1, 0}}}, {F32, 2, {0, 0}, {N, N}, {N, {1, 0}}}}},
    {"cast to a narrower type in place", BL_OP_COPY, 1, SHARING_PARTIAL,
     {BL_DTYPE_I16, 1, {0, 0}, {N}, {{1, 0}}}, {{F32, 1, {0, 0}, {N}, {{1, 0}}}}},
    {"cast to a wider type in place", BL_OP_COPY, 1, SHARING_PARTIAL,
     {BL_DTYPE_F64, 1, {0, 0}, {N}, {{1, 0}}}, {{BL_DTYPE_U8, 1, {0, 0}, {N}, {{1, 0}}}}},
    {"cast to a type of the same size in place", BL_OP_COPY, 1, SHARING_NONE,
     {BL_DTYPE_I32, 1, {0, 0}, {N}, {{1, 0}}}, {{F32, 1, {0, 0}, {N}, {{1, 0}}}}},
    {"comparison over its narrow operand", BL_OP_LT, 2, SHARING_NONE,
     {BL_DTYPE_BOOL, 1, {0, 0}, {N}, {{1, 0}}},
     {{BL_DTYPE_I8, 1, {0, 0}, {N}, {{1, 0}}}, {BL_DTYPE_I8, 1, {0, 1}, {N}, {{1, 0}}}}},
    {"comparison over its wide operand", BL_OP_LT, 2, SHARING_PARTIAL,
     {BL_DTYPE_BOOL, 1, {0, 0}, {N}, {{4, 0}}},
     {{BL_DTYPE_I32, 1, {0, 0}, {N}, {{1, 0}}}, {BL_DTYPE_I32, 1, {0, 1}, {N}, {{1, 0}}}}},
    {"imaginary parts from real parts", BL_OP_NEG, 1, SHARING_NONE,
     {F32, 1, {1, 0}, {N}, {{2, 0}}}, {{F32, 1, {0, 0}, {N}, {{2, 0}}}}},
    {"a result repeated along a dimension", BL_OP_COPY, 1, SHARING_SELF,
     {F32, 2, {0, 0}, {N, N}, {{0, 0}, {1, 0}}}, {{F32, 2, {0, 2}, {N, N}, {N, {1, 0}}}}},
    {"a result of diagonals, strides (1, 1)", BL_OP_COPY, 1, SHARING_SELF,
     {F32, 2, {0, 0}, {N, N}, {{1, 0}, {1, 0}}}, {{F32, 2, {0, 2}, {N, N}, {N, {1, 0}}}}},
    {"windows that overlap as a result", BL_OP_NEG, 1, SHARING_SELF,
     {F32, 2, {0, 0}, {N, N}, {{-1, 1}, {1, 0}}}, {{F32, 2, {0, 0}, {N, N}, {{-1, 1}, {1, 0}}}}},
};
/* clang-format on */

/* Check row `i` of the cases for an n x n problem. */
static bool check_case(size_t i, int64_t n, struct views_counts *counts)
{
    struct shared shared = {.name = cases[i].what,
                            .op = cases[i].op,
                            .inputs = cases[i].inputs,
                            .out = view_of(&cases[i].out, n)};

    for (int32_t k = 0; k < shared.inputs; k++)
        shared.in[k] = view_of(&cases[i].in[k], n);
    shared.bytes = (size_t)(4 * n * n + 16 * n + 64) * sizeof(float);
    if (views_sharing(&shared) != cases[i].sharing) {
        tap_note("brute force says %d of this case", (int)views_sharing(&shared));
        return false;
    }
    return views_check(&shared, 2, counts);
}

/* ---- random strides ---- */

enum { ROOM = 512 }; /* bytes */

/* Make a view inside ROOM bytes; false if the random strides leave it. */
static bool random_view(struct view *view, bl_dtype dtype, int32_t rank,
                        const int64_t *extent)
{
    const int64_t size = (int64_t)ref_size(dtype);
    const int64_t unit = rng_one_in(&rng, 3) ? size : 1, room = ROOM / size * unit;
    int64_t low = 0, high = 0;

    *view = (struct view){.dtype = dtype, .rank = rank, .counts_bytes = unit > 1};
    for (int32_t d = 0; d < rank; d++) {
        static const int64_t strides[] = {1, 1, 2,  3,  4,  5,  6,
                                          7, 8, 12, 15, 16, 24, 30};
        const int64_t stride =
            unit * strides[rng_below(&rng, sizeof strides / sizeof strides[0])];

        view->extent[d] = extent[d];
        view->stride[d] = rng_one_in(&rng, 3) ? -stride : stride;
        *(view->stride[d] < 0 ? &low : &high) += view->stride[d] * (extent[d] - 1);
    }
    if (high - low >= room)
        return false;
    view->offset = rng_below(&rng, (room - (high - low)) / unit) * unit - low;
    return true;
}

static bool check_random(struct views_counts *counts)
{
    static const struct {
        bl_op op;
        bl_dtype to;
        bl_dtype from;
    } kinds[] = {
        {BL_OP_SUB, BL_DTYPE_U8, BL_DTYPE_U8},
        {BL_OP_SUB, BL_DTYPE_I16, BL_DTYPE_I16},
        {BL_OP_SUB, BL_DTYPE_F32, BL_DTYPE_F32},
        {BL_OP_COPY, BL_DTYPE_U8, BL_DTYPE_I32},
        {BL_OP_COPY, BL_DTYPE_I64, BL_DTYPE_I16},
        {BL_OP_GT, BL_DTYPE_BOOL, BL_DTYPE_F32},
    };
    const size_t kind = (size_t)rng_below(&rng, sizeof kinds / sizeof kinds[0]);
    struct shared shared = {
        .name = "random views", .op = kinds[kind].op, .bytes = ROOM};
    const int32_t rank = (int32_t)rng_below(&rng, 4);
    int64_t extent[VIEW_RANK];

    for (int32_t d = 0; d < rank; d++)
        extent[d] = 1 + rng_below(&rng, 5);
    shared.inputs = ref_inputs(shared.op);
    if (!random_view(&shared.out, kinds[kind].to, rank, extent))
        return true;
    for (int32_t k = 0; k < shared.inputs; k++) {
        if (kinds[kind].from == kinds[kind].to && rng_one_in(&rng, 5)) {
            shared.in[k] = shared.out;
            continue;
        }
        for (int32_t d = 0; d < rank; d++)
            extent[d] = shared.op != BL_OP_COPY && k > 0 && rng_one_in(&rng, 5)
                            ? 1
                            : shared.out.extent[d];
        if (!random_view(&shared.in[k], kinds[kind].from, rank, extent))
            return true;
    }
    return views_check(&shared, 1, counts);
}

int main(void)
{
    const int64_t sizes[] = {3, 4, 33, 260};
    const int32_t times = IS_SANITIZED ? 3000 : test_times(30000, 2000000);
    struct views_counts counts = {0, 0};
    bool pass = true;

    tap_plan();
    rng = rng_new();
    for (int32_t op = REF_OPS_BEGIN; op < ref_ops_end(); op++)
        for (int32_t dtype = REF_DTYPES_BEGIN; dtype < REF_DTYPES_END; dtype++)
            if (ref_takes((bl_op)op, (bl_dtype)dtype))
                tap_ok(check_exact((bl_op)op, (bl_dtype)dtype), "%s %s in place",
                       ref_name((bl_op)op), ref_dtype_name((bl_dtype)dtype));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            tap_ok(check_case(i, sizes[s], &counts) && counts.gave_up == 0,
                   "%s, n = %" PRId64, cases[i].what, sizes[s]);
    counts = (struct views_counts){0, 0};
    for (int32_t i = 0; pass && i < times; i++)
        pass = check_random(&counts);
    tap_ok(pass, "random views of one block");
    tap_note("the library could not decide %" PRId64 " of %" PRId64 " times",
             counts.gave_up, counts.runs);
    tap_ok(counts.gave_up * 100 <= counts.runs, "few views are left undecided");
    return tap_done();
}
