/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an execution of a kept plan takes of the process: once the thread has executed
 * it before, no memory but the workspace, and at most 32 KiB of each thread's stack.
 * The functions that allocate are this file's own (--wrap).
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/painted.h"
#include "harness/same.h"
#include "harness/sanitizer.h"

#define STACK_MOST (32 << 10)

/* ---- allocations ---- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file,
                  off_t offset);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file,
                  off_t offset);

static _Atomic int allocations;

void *__wrap_malloc(size_t bytes)
{
    allocations++;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    allocations++;
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    allocations++;
    return __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    allocations++;
    return __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    allocations++;
    return __real_posix_memalign(memory, alignment, bytes);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file,
                  off_t offset)
{
    allocations++;
    return __real_mmap(at, bytes, protection, flags, file, offset);
}

/* ---- inputs ---- */

enum { INPUTS = 10, OUTPUTS = 2 };

static const char *const names[INPUTS] = {"a", "b", "c", "r", "t",
                                          "h", "d", "i", "u", "z"};

/* Arrays of a shape, of its columns, and of its rows; `t` is permuted. */
struct inputs {
    int64_t extent[2], column[2], row[1], turned[2];
    bl_array array[INPUTS];
    const bl_array *given[INPUTS];
    const void *data[INPUTS];
};

/* Small numbers, none of them 0, of each dtype. */
static void fill(const bl_array *array, int64_t count)
{
    const bl_array from = {(void *)(uintptr_t) "\1\2\3\4\5",
                           BL_DTYPE_U8,
                           1,
                           (const int64_t[]){5},
                           NULL,
                           0};
    const int64_t whole = count / 5 * 5, rows[] = {count / 5, 5};
    const bl_array first = {array->data, array->dtype, 2, rows, NULL, 0};
    const int64_t size = bl_dtype_size(array->dtype);

    must(bl_apply(NULL, BL_OP_COPY, &first, 1, (const bl_array *const[]){&from}, NULL));
    memcpy((char *)array->data + whole * size, array->data,
           (size_t)((count - whole) * size));
}

static void make_inputs(struct inputs *in, int64_t rows, int64_t columns)
{
    static const bl_dtype dtypes[INPUTS] = {
        BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32,
        BL_DTYPE_F16, BL_DTYPE_F64, BL_DTYPE_I32, BL_DTYPE_U8,  BL_DTYPE_C64};

    in->extent[0] = in->column[0] = rows;
    in->extent[1] = in->row[0] = columns;
    in->column[1] = in->turned[0] = 1;
    in->turned[1] = rows;
    for (int k = 0; k < INPUTS; k++) {
        const bool is_column = k == 2, is_row = k == 3;
        const size_t bytes = (size_t)(rows * columns + 5) * 16;

        in->array[k] = (bl_array){malloc(bytes),
                                  dtypes[k],
                                  is_row ? 1 : 2,
                                  is_column ? in->column
                                  : is_row  ? in->row
                                            : in->extent,
                                  k == 4 ? in->turned : NULL,
                                  0};
        if (!in->array[k].data)
            abort();
        in->given[k] = &in->array[k];
        in->data[k] = in->array[k].data;
        fill(&in->array[k], rows * columns + 5);
    }
}

static void free_inputs(struct inputs *in)
{
    for (int k = 0; k < INPUTS; k++)
        free(in->array[k].data);
}

/* ---- plans ---- */

static bl_context *ctx;
static bl_expr_plan *plan;
static const void *const *data;
static void *outs[OUTPUTS];

static bl_status execute(void)
{
    return bl_expr_plan_execute(ctx, plan, outs, data);
}

static void make_outputs(void)
{
    bl_array array;

    for (int32_t k = 0; k < OUTPUTS; k++) {
        int64_t count = 1;

        if (bl_expr_plan_output(plan, k, &array) != BL_OK)
            continue;
        for (int32_t d = 0; d < array.rank; d++)
            count *= array.extent[d];
        outs[k] = malloc((size_t)(count * bl_dtype_size(array.dtype)));
        if (!outs[k])
            abort();
    }
}

static void free_outputs(void)
{
    for (int32_t k = 0; k < OUTPUTS; k++) {
        free(outs[k]);
        outs[k] = NULL;
    }
}

/* What a text is to be, and in which shape. */
struct row {
    const char *what;
    int64_t rows, columns;
    const char *text;
    bool is_fused; /* some of it */
};

#define SOFTMAX(x) "e = exp(" x " - max(" x ", 1, keepdim)); e / sum(e, 1, keepdim)"

static const struct row table[] = {
    {"elements", 600, 700, "(a * b + c) * a - r", true},
    {"two outputs", 600, 700, "e = (a - b) / r; e; abs(e) > 3", true},
    {"mixed dtypes", 600, 700, "f32(u) / 255 * d + h * i", true},
    {"halves", 600, 700, "(h * h + h) * r - h", false},
    {"complex numbers", 600, 700, "z * z + a", false},
    {"permuted", 600, 700, "(a + t) * b - t", false},
    {"boxes with kernels", 600, 700, "where(atan2(a, t) > b, pow(a, b), a * b + c)",
     true},
    {"kernels of f32", 600, 700, "gelu(a) * tan(r) + erfc(c) * lgamma(b)", true},
    {"kernels of f64", 600, 700, "fmod(d, r) * pow(d, c) + lgamma(d + t)", true},
    {"kernels of integers", 600, 700, "pow(i, u) * 2 + pow(u, u) - i", true},
    {"divisors", 600, 700, "i // u + i % 7", false},
    {"computed divisors", 600, 700, "(i + i) // (u * 2 + 1) - i", false},
    {"few elements", 5, 11, "(a - c) / r * 2 + b", true},
    {"few, permuted", 5, 11, "(a - c) / t * 2 + h", true},
    {"few reduced", 5, 11, "e = a - mean(a, 1, keepdim); e / sqrt(e * e + 1)", true},
    {"softmax", 600, 700, SOFTMAX("a"), true},
    {"layer norm", 600, 700,
     "e = a - mean(a, 1, keepdim); e / sqrt(mean(e * e, 1, keepdim) + 1e-5) * r + r",
     true},
    {"variance", 600, 700, "(a - b) / sqrt(var(a, 1, keepdim) + 1e-5)", true},
    {"softmax of halves", 600, 700, SOFTMAX("h"), true},
    {"softmax of long rows", 3, 140000, SOFTMAX("a"), true},
    {"blocks", 3, 140000, "e = a - b; sum(e * e, 1)", true},
    {"blocks, all", 600, 700, "e = a - b; sum(e * e); e", true},
    {"blocks of integers", 600, 700, "sum(i * i + u)", true},
    {"columns", 600, 700, "e = a * r + b; mean(e, 0); max(e, 0)", true},
    {"long columns", 40000, 9, "e = a * r + b; mean(e, 0); e", false},
    {"columns of halves", 4000, 70, "sum(h * h, 0)", false},
    {"a variance of columns", 600, 700, "var(a * b, 0)", false},
    {"calls of reductions", 600, 700, "(a - mean(t, 0)) * sum(t)", true},
    {"calls of long reductions", 30, 14000, "mean(t, 1, keepdim) - sum(a, 0)", false},
};

/* Execute a plan twice; returns what the second time allocates. */
static int count_allocations(const struct row *row, int32_t threads)
{
    int before;

    must(execute());
    before = allocations;
    must(painted_call(execute, "%s on %d threads", row->what, (int)threads));
    return allocations - before;
}

static void check_row(const struct row *row)
{
    static const int32_t threads[] = {1, 2, 8};
    bl_expr_plan_info info = {.size = sizeof info};
    struct inputs in;
    bl_expr *expr = NULL;
    int most = 0;

    make_inputs(&in, row->rows, row->columns);
    data = in.data;
    must(bl_expr_parse(NULL, row->text, INPUTS, names, &expr));
    must(bl_expr_plan_create(NULL, expr, NULL, in.given, NULL, &plan));
    must(bl_expr_plan_query(plan, &info));
    make_outputs();
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        int count;

        must(bl_context_create(&ctx));
        must(bl_context_set_threads(ctx, threads[i]));
        painted_team_of(threads[i]);
        count = count_allocations(row, threads[i]);
        most = count > most ? count : most;
        bl_context_destroy(ctx);
    }
    tap_ok(most <= (info.workspace > 0) && (info.fused > 0 || !row->is_fused),
           "%s: %d allocations, workspace of %lld bytes, %d fused", row->what, most,
           (long long)info.workspace, (int)info.fused);
    free_outputs();
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    free_inputs(&in);
}

static void groups(void)
{
    painted_begin("executions");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        check_row(&table[i]);
    painted_end_within(STACK_MOST);
}

int main(int argc, char **argv)
{
    return painted_main(argc, argv, groups);
}
