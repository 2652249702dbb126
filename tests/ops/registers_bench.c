/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Register programs against the loops that the compiler makes of whole expressions,
 * with the flags that this file was compiled with: the table of lib/kernels/README.md.
 *
 *     make tests/ops/registers_bench CFLAGS="-O3 -march=native -ffp-contract=off"
 *     tests/ops/registers_bench avx512
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "segments.h"

enum { STREAMS = 4, NUMBERS = 8, MOST_BYTES = 64 << 20, ROUNDS = 9, APART = 11 * 64 };

/* The expressions, as loops over streams p[0], ..., p[3] and numbers k, into r. */
#define LOOP(name, type, expression)                                                   \
    __attribute__((noinline)) static void name##_##type(                               \
        type *restrict r, type *const *p, const type *k, int64_t count)                \
    {                                                                                  \
        const type *const a = p[0], *const b = p[1], *const c = p[2], *const d = p[3]; \
                                                                                       \
        for (int64_t i = 0; i < count; i++)                                            \
            r[i] = (expression);                                                       \
        (void)a, (void)b, (void)c, (void)d, (void)k;                                   \
    }
#define LOOPS(name, expression)                                                        \
    LOOP(name, float, expression) LOOP(name, double, expression)
#define STEP(y, number) ((y)*a[i] + k[number])

LOOPS(mix, (a[i] * b[i] + c[i]) * d[i] - b[i])
LOOPS(norm, (a[i] - k[0]) / k[1] * b[i] + c[i])
LOOPS(tree, (a[i] * b[i] + c[i] * d[i]) / (a[i] * c[i] + b[i] * d[i]))
LOOPS(poly7, STEP(STEP(STEP(STEP(STEP(STEP(STEP(k[7], 6), 5), 4), 3), 2), 1), 0))

typedef void loop_float(float *restrict, float *const *, const float *, int64_t);
typedef void loop_double(double *restrict, double *const *, const double *, int64_t);
static const struct {
    const char *name;
    loop_float *of_float;
    loop_double *of_double;
    const char *steps; /* in reverse Polish notation: streams, numbers, operators */
} expressions[] = {
    {"mix", mix_float, mix_double, "ab*c+d*b-"},
    {"norm", norm_float, norm_double, "a0-1/b*c+"},
    {"tree", tree_float, tree_double, "ab*cd*+ac*bd*+/"},
    {"poly7", poly7_float, poly7_double, "7a*6+a*5+a*4+a*3+a*2+a*1+a*0+"},
};
enum { EXPRESSIONS = sizeof expressions / sizeof expressions[0] };

/* Streams are operands 0 to 3, numbers those after them, then the output. */
static void read_steps(struct bli_segment *segment, bl_dtype dtype, const char *steps)
{
    static const bl_op op[128] = {
        ['+'] = BL_OP_ADD, ['-'] = BL_OP_SUB, ['*'] = BL_OP_MUL, ['/'] = BL_OP_DIV};
    int16_t stack[8];
    int32_t depth = 0;

    segment_begin(segment, dtype);
    for (int32_t k = 0; k < STREAMS + NUMBERS; k++)
        segment_operand(segment, k < STREAMS ? BLI_VALUE_STREAM : BLI_VALUE_STILL,
                        dtype);
    for (; *steps != '\0'; steps++) {
        if (op[(int)*steps] == 0) {
            stack[depth++] =
                (int16_t)(*steps >= 'a' ? *steps - 'a' : *steps - '0' + STREAMS);
        } else {
            depth--;
            stack[depth - 1] = segment_op(segment, op[(int)*steps], dtype,
                                          stack[depth - 1], stack[depth], -1, -1);
        }
    }
    segment_output(segment, stack[0]);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds per element of the loop and of the program, the least of some rounds. */
static void measure(const struct bli_isa *isa, int32_t e, bl_dtype dtype, int64_t count,
                    char *const *memory, char *numbers)
{
    const bool is_f32 = dtype == BL_DTYPE_F32;
    const int64_t repeats = 1 + (1 << 22) / count;
    char *data[BLI_PROGRAM_OPERANDS];
    struct bli_segment segment;
    struct bli_program program;
    double best[2] = {1e30, 1e30};
    const uint32_t streams =
        count * bli_dtypes[dtype].size >= MOST_BYTES ? 1u << (STREAMS + NUMBERS) : 0;

    read_steps(&segment, dtype, expressions[e].steps);
    if (!bli_program_make(&program, &segment))
        exit(1);
    isa->prepare_program(&program);
    for (int32_t k = 0; k < STREAMS + NUMBERS; k++)
        data[k] =
            k < STREAMS ? memory[k] : numbers + (k - STREAMS) * bli_dtypes[dtype].size;
    data[STREAMS + NUMBERS] = memory[STREAMS];
    for (int32_t round = 0; round < ROUNDS; round++) {
        const double begin = now();

        for (int64_t k = 0; k < repeats; k++)
            if (is_f32)
                expressions[e].of_float((float *)(void *)memory[STREAMS],
                                        (float *const *)(const void *)memory,
                                        (const float *)(void *)numbers, count);
            else
                expressions[e].of_double((double *)(void *)memory[STREAMS],
                                         (double *const *)(const void *)memory,
                                         (const double *)(void *)numbers, count);
        const double middle = now();

        for (int64_t k = 0; k < repeats; k++)
            isa->run_program(&program, data, count, 1, NULL, streams);
        const double end = now();

        best[0] = middle - begin < best[0] ? middle - begin : best[0];
        best[1] = end - middle < best[1] ? end - middle : best[1];
    }
    printf(" %6.3f %4.2f", best[1] / (double)(repeats * count), best[1] / best[0]);
}

int main(int argc, char **argv)
{
    const struct bli_isa *const isa = bli_isa_find(argc > 1 ? argv[1] : "base");
    char *memory[STREAMS + 1];
    double f64[NUMBERS];
    float f32[NUMBERS];

    if (isa == NULL || bli_isa_pick(isa) != isa)
        return 1;
    for (int32_t k = 0; k <= STREAMS; k++) {
        memory[k] = aligned_alloc(4096, MOST_BYTES + 4096 * 16);
        if (memory[k] == NULL)
            return 1;
        memory[k] += k * APART;
    }
    for (int32_t k = 0; k < NUMBERS; k++)
        f32[k] = (float)(f64[k] = 1 + k / 8.0);
    puts("nanoseconds per element, and times the loop, from 4K, 64K, 1M, 64 MiB");
    for (int32_t e = 0; e < 2 * EXPRESSIONS; e++) {
        const bl_dtype dtype = e < EXPRESSIONS ? BL_DTYPE_F32 : BL_DTYPE_F64;
        const int64_t size = bli_dtypes[dtype].size;

        for (int32_t k = 0; k < STREAMS; k++)
            for (int64_t j = 0; j < MOST_BYTES / size; j++)
                if (dtype == BL_DTYPE_F32)
                    ((float *)(void *)memory[k])[j] = 1 + (float)(j % 7) / 8;
                else
                    ((double *)(void *)memory[k])[j] = 1 + (double)(j % 7) / 8;
        printf("%-6s %s", expressions[e % EXPRESSIONS].name, bli_dtypes[dtype].name);
        for (int32_t k = 0; k < 4; k++)
            measure(isa, e % EXPRESSIONS, dtype,
                    k < 3 ? (int64_t)4096 << 4 * k : MOST_BYTES / size, memory,
                    size == 4 ? (char *)f32 : (char *)f64);
        puts("");
    }
    return 0;
}
