/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of a cell: their dtypes, shapes, memory and values.
 *
 * All operands are in one block, which both libraries work on: what its addresses cost,
 * they cost both.
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "operation.h"

/* Values repeat after so many. */
enum {
    VALUES = 1 << 16,
    BLOCK_BYTES = LARGE_BYTES + (8 << 20),
    LINE = 64,
    PAGE = 4096
};

/* The first input that is no mask. */
static int32_t first_input(const struct pair *pair)
{
    return strcmp(pair->op, "where") == 0;
}

static int32_t input_count(const struct library *library, const struct pair *pair)
{
    bl_op_info info = {.size = sizeof info};

    return library->op_query(library->op_find(pair->op), &info) == BL_OK ? info.inputs
                                                                         : 0;
}

/* Dtypes of the inputs and, last, of the result. */
static bool find_dtypes(const struct pair *pair, struct operation *operation)
{
    const struct library *const library = operation->library;
    const char *const target = strchr(pair->dtype, '-');
    char source[8] = "";
    bl_array *const result = &operation->operand[operation->inputs];

    snprintf(source, sizeof source, "%.*s", (int)strcspn(pair->dtype, "-"),
             pair->dtype);

    const bl_dtype dtype = library->dtype_find(source);

    for (int32_t k = 0; k < operation->inputs; k++)
        operation->operand[k].dtype = k < first_input(pair) ? BL_DTYPE_BOOL : dtype;
    if (target != NULL) {
        result->dtype = library->dtype_find(target + 1);
        return dtype != BL_DTYPE_NONE && result->dtype != BL_DTYPE_NONE;
    }
    return library->op_result_dtype(operation->op, dtype, &result->dtype) == BL_OK;
}

/* The length of rows of a large cell, by the bytes of an element of all its arrays. */
static int64_t large_length(const struct operation *operation, int32_t arrays)
{
    const struct library *const library = operation->library;
    size_t bytes = library->dtype_size(operation->operand[operation->inputs].dtype);

    for (int32_t k = 0; k < arrays; k++)
        bytes += library->dtype_size(operation->operand[k].dtype);
    return LARGE_BYTES / (int64_t)bytes;
}

/* Extents and strides of operand `k`; the last operand is the result. */
static void shape_operand(const struct pair *pair, const struct shape *shape,
                          int64_t length, struct operation *operation, int32_t k)
{
    const bool is_result = k == operation->inputs;
    const bool is_first = k == first_input(pair), is_last = k == pair->arrays - 1;
    int64_t *const extent = operation->extent[k], *const stride = operation->stride[k];
    bl_array *const array = &operation->operand[k];

    array->extent = extent;
    array->stride = stride;
    array->rank = shape->rows > 1 ? 2 : 1;
    extent[0] = shape->rows;
    stride[0] = length + PITCH;
    extent[array->rank - 1] = length;
    stride[array->rank - 1] = shape->kind == SHAPE_STRIDE && is_first ? 2 : 1;
    if (is_result)
        return;
    if (k >= pair->arrays || (shape->kind == SHAPE_LAST && is_last) ||
        (shape->kind == SHAPE_FIRST && is_first))
        array->rank = 0;
    if (shape->kind == SHAPE_COLUMN && is_last) {
        extent[1] = 1;
        stride[0] = 1;
    }
}

/* Elements of memory from an array's first to its last. */
static int64_t span(const bl_array *array)
{
    int64_t elements = 1;

    for (int32_t d = 0; d < array->rank; d++)
        elements += (array->extent[d] - 1) * array->stride[d];
    return elements;
}

/* Uniform in [0, 1). */
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return (double)(*state >> 11) * 0x1p-53;
}

static bool is_positive(const char *op)
{
    static const char *const positive[] = {"left_shift", "right_shift", "pow", "sqrt",
                                           "rsqrt"};

    for (size_t k = 0; k < sizeof positive / sizeof positive[0]; k++)
        if (strcmp(op, positive[k]) == 0)
            return true;
    return false;
}

/*
 * Fill `count` elements with numbers whose absolute values are uniform in [1, 4),
 * converted, of random sign unless the operator is one of positive numbers; booleans
 * with random ones.
 */
static bool fill(const struct library *library, const struct pair *pair, bl_array array,
                 int64_t count, uint64_t seed)
{
    static double values[VALUES];
    const bool is_complex = array.dtype == BL_DTYPE_C64 || array.dtype == BL_DTYPE_C128;
    const bool is_bool = array.dtype == BL_DTYPE_BOOL;
    const int64_t parts = is_complex ? 2 * count : count;
    const int64_t some = parts < VALUES ? parts : VALUES, one = 1;
    const bl_array from = {values, BL_DTYPE_F64, 1, &some, &one, 0};
    const bl_array *const in = &from;
    char *const bytes = array.data;

    for (int k = 0; k < VALUES; k++) {
        const double value = 1 + 3 * next_random(&seed), sign = next_random(&seed);

        values[k] = is_bool ? sign < 0.5
                            : (sign < 0.5 && !is_positive(pair->op) ? -value : value);
    }
    if (is_complex)
        array.dtype = array.dtype == BL_DTYPE_C64 ? BL_DTYPE_F32 : BL_DTYPE_F64;
    array.rank = 1;
    array.extent = &some;
    array.stride = &one;
    if (library->apply(library->one, BL_OP_COPY, &array, 1, &in, NULL) != BL_OK)
        return false;

    const size_t size = library->dtype_size(array.dtype), total = (size_t)parts * size;

    for (size_t done = (size_t)some * size; done < total;) {
        const size_t next = done < total - done ? done : total - done;

        memcpy(bytes + done, bytes, next);
        done += next;
    }
    return true;
}

/* The block for operands, in huge pages where the system has some; NULL: no memory. */
static char *operand_block(void)
{
    static char *block;

    if (block == NULL) {
        block = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            return block = NULL;
        madvise(block, BLOCK_BYTES, MADV_HUGEPAGE);
    }
    return block;
}

/* Operands begin at different offsets in their pages, each at that of a cache line. */
static bool place_operands(const struct pair *pair, struct operation *operation)
{
    char *const block = operand_block();
    size_t at = 0;

    for (int32_t k = 0; k <= operation->inputs && block != NULL; k++) {
        bl_array *const array = &operation->operand[k];
        const int64_t count = span(array);
        const size_t bytes =
            (size_t)count * operation->library->dtype_size(array->dtype);

        array->data = block + at;
        at = (at + bytes + PAGE - 1) / PAGE * PAGE + (size_t)(5 * (k + 1) * LINE);
        if (!fill(operation->library, pair, *array, count, 1 + (uint64_t)k))
            return false;
        if (k < operation->inputs)
            operation->data[k] = array->data;
        else
            operation->out = array->data;
    }
    return block != NULL;
}

static bool plan_with(const struct library *library, struct operation *operation,
                      bl_plan **plan)
{
    const bl_array *in[BL_MAX_INPUTS];

    for (int32_t k = 0; k < operation->inputs; k++)
        in[k] = &operation->operand[k];
    return library->plan_create(operation->is_large ? library->many : library->one,
                                operation->op, &operation->operand[operation->inputs],
                                operation->inputs, in, NULL, plan) == BL_OK;
}

bool operation_begin(const struct library *library, int first, const struct pair *pair,
                     const struct shape *shape, struct operation *operation)
{
    const struct library *culprit = library;

    *operation = (struct operation){.library = library,
                                    .op = library->op_find(pair->op),
                                    .inputs = input_count(library, pair),
                                    .is_large = shape->kind == SHAPE_LARGE};

    bool pass = operation->inputs > 0 && find_dtypes(pair, operation);

    if (pass) {
        const int64_t length =
            operation->is_large ? large_length(operation, pair->arrays) : shape->length;

        operation->elements = length * shape->rows;
        for (int32_t k = 0; k <= operation->inputs; k++)
            shape_operand(pair, shape, length, operation, k);
        pass = place_operands(pair, operation);
    }
    for (int k = 0; k < LIBRARIES && pass; k++) {
        const int which = (first + k) % LIBRARIES;

        culprit = &library[which];
        pass = plan_with(culprit, operation, &operation->plan[which]) &&
               operation_run(operation, which, 1);
    }
    if (!pass) {
        fprintf(stderr, "bench_pair: %s %s %s: %s\n", pair->op, pair->dtype,
                shape->name, culprit->error_message());
        operation_end(operation);
    }
    return pass;
}

void operation_end(struct operation *operation)
{
    for (int which = 0; which < LIBRARIES; which++)
        operation->library[which].plan_destroy(operation->plan[which]);
}

bool operation_run(const struct operation *operation, int which, long times)
{
    const struct library *const library = &operation->library[which];
    bl_context *const ctx = operation->is_large ? library->many : library->one;
    bool pass = true;

    for (long k = 0; k < times; k++)
        pass = library->plan_execute(ctx, operation->plan[which], operation->out,
                                     operation->data) == BL_OK &&
               pass;
    return pass;
}
