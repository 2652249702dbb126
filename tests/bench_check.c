/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many additions of four elements, each a call of its own, for small.t.sh to count.
 *
 * usage: small planned|one-shot TIMES [sealed]
 *
 * `sealed` gives up all system calls but reading, writing and ending the thread before
 * the calls: the kernel ends the process at any other.
 */
#define _GNU_SOURCE

#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <broadloom.h>

static const int64_t extent[1] = {4};
static float x[4] = {1, 2, 3, 4};
static float y[4] = {10, 20, 30, 40};
static float sum[4];

static const bl_array a = {x, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array b = {y, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array out = {sum, BL_DTYPE_F32, 1, extent, NULL, 0};
static bl_plan *plan;

static bool planned(long times)
{
    const void *const data[] = {x, y};
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = bl_plan_run(plan, NULL, sum, data) == BL_OK && pass;
    return pass;
}

static bool one_shot(long times)
{
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = bl_add_to(NULL, &out, &a, &b) == BL_OK && pass;
    return pass;
}

/* Called through a table, so that each stays a function that a profiler sees. */
static const struct {
    const char *name;
    bool (*run)(long times);
} ways[] = {{"planned", planned}, {"one-shot", one_shot}};

int main(int argc, char **argv)
{
    const bl_array *const in[] = {&a, &b};
    const long times = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const bool sealed = argc > 3 && strcmp(argv[3], "sealed") == 0;
    const size_t way = argc > 1 && strcmp(argv[1], ways[1].name) == 0 ? 1 : 0;

    if (bl_plan_create(NULL, BL_OP_ADD, 2, in, NULL, NULL, &plan) != BL_OK ||
        !planned(1) || !one_shot(1))
        return 1;
    memset(sum, 0, sizeof sum);
    if (sealed && prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        return 77;

    const bool pass = ways[way].run(times) && sum[0] == 11 && sum[3] == 44;

    if (sealed)
        syscall(SYS_exit, pass ? 0 : 1);
    bl_plan_destroy(plan);
    return pass ? 0 : 1;
}
