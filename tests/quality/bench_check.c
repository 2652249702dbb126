/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many equal calls of few elements, for bench_check.t.sh to count.
 *
 * usage: bench_check NAME TIMES [sealed]
 *
 * `sealed` gives up all system calls but reading, writing and ending the thread before
 * the calls: the kernel ends the process at any other.
 */
#define _GNU_SOURCE

#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench_check.h"

enum { MOST_BYTES = 1 << 16 };

/* Result and inputs. */
static _Alignas(64) char memory[4][MOST_BYTES];

/*
 * The function that a profiler counts; called through a pointer, so that it is not
 * inlined.
 */
static bool measured(const struct call *call, long times)
{
    return call->run(call, times);
}

static bool (*volatile const measure)(const struct call *, long) = measured;

/* Fill with numbers from 1 to 2, booleans alternately. */
static void fill(bl_dtype dtype, char *to)
{
    for (int i = 0; i < 8192; i++) {
        const float real = 1 + 0.125F * (float)(i % 8);
        const int32_t integer = 1 + i % 2;
        const int64_t wide = 1 + i % 2;
        const uint16_t bits = (uint16_t)(0x3c00 + i % 8 * 0x80);

        if (dtype == BL_DTYPE_F32)
            memcpy(to + i * sizeof real, &real, sizeof real);
        else if (dtype == BL_DTYPE_F16)
            memcpy(to + i * sizeof bits, &bits, sizeof bits);
        else if (dtype == BL_DTYPE_I32)
            memcpy(to + i * sizeof integer, &integer, sizeof integer);
        else if (dtype == BL_DTYPE_I64)
            memcpy(to + i * sizeof wide, &wide, sizeof wide);
        else
            to[i] = (char)(i % 2);
    }
}

static bool prepare(const struct call *call)
{
    const struct operand *const result = &call->out;

    bench_out = (bl_array){memory[3],      result->dtype,  result->rank,
                           result->extent, result->stride, 0};
    for (int32_t k = 0; k < call->inputs; k++) {
        const struct operand *const operand = &call->in[k];

        fill(operand->dtype, memory[k]);
        bench_array[k] = (bl_array){memory[k],       operand->dtype,  operand->rank,
                                    operand->extent, operand->stride, 0};
        if (operand->rank == NUMBER)
            bench_array[k] = bl_scalar_array(&bench_half);
        bench_in[k] = operand->dtype == BL_DTYPE_NONE ? &bench_out : &bench_array[k];
    }
    if (bench_is_planned(call) &&
        bl_plan_create(NULL, (bl_op)call->op, NULL, call->inputs, bench_in, NULL,
                       &bench_plan) != BL_OK)
        return false;
    fill(bench_out.dtype, bench_out.data);
    return call->run(call, 4) && call->run(call, 1); /* as many as are in turn */
}

int main(int argc, char **argv)
{
    const long times = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const bool sealed = argc > 3 && strcmp(argv[3], "sealed") == 0;
    size_t k = 0;

    while (k < (size_t)bench_calls_count &&
           (argc < 2 || strcmp(bench_calls[k].name, argv[1]) != 0))
        k++;
    if (k == (size_t)bench_calls_count || !prepare(&bench_calls[k])) {
        fprintf(stderr, "bench_check: %s: %s\n", argc > 1 ? argv[1] : "no name",
                bl_error_message());
        return 1;
    }
    if (sealed && prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        return 77;

    const bool pass = measure(&bench_calls[k], times);

    if (sealed)
        syscall(SYS_exit, pass ? 0 : 1);
    bl_plan_destroy(bench_plan);
    return pass ? 0 : 1;
}
