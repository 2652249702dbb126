/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's results do not depend on the number of threads: large tensors of various shapes
 * and layouts, with operators of the library and with TH's own loops.
 */
#define _POSIX_C_SOURCE 200809L

#include <TH/TH.h>

#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sanitizer.h"
#include "harness/tap.h"

enum { ROWS = 301, COLUMNS = 503 };

static THFloatTensor *a, *b, *r;
static THByteTensor *mask;
static THLongTensor *where;
static double number;

static void add(void)
{
    THFloatTensor_cadd(r, a, 2, b);
}

static void larger(void)
{
    THFloatTensor_cmax(r, a, b);
}

static void interpolate(void)
{
    THFloatTensor_lerp(r, b, a, 0.3f);
}

static void compare(void)
{
    THFloatTensor_gtTensor(mask, a, b);
    THFloatTensor_resizeAs(r, a);
    THFloatTensor_copyByte(r, mask);
}

static void choose(void)
{
    THFloatTensor_gtTensor(mask, b, a);
    THFloatTensor_maskedSelect(r, a, mask);
}

static void along(void)
{
    THFloatTensor_max(r, where, a, 0, 0);
    THFloatTensor_norm(r, a, 3, 1, 1);
}

static void so_far(void)
{
    THFloatTensor_cumsum(r, a, 1);
}

static void of_all(void)
{
    number = THFloatTensor_dot(a, b) + THFloatTensor_sumall(a) +
             THFloatTensor_varall(b, 0) + THFloatTensor_dist(a, b, 1.5f);
    THFloatTensor_resize1d(r, 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"cadd", add},
    {"cmax", larger},
    {"lerp", interpolate},
    {"gtTensor", compare},
    {"maskedSelect", choose},
    {"max and norm", along},
    {"cumsum", so_far},
    {"dot, sumall, varall, dist", of_all},
};

/* Whether everything works where the system grants no thread. */
static int run_alone(void)
{
    FILE *const file = fopen("/proc/self/statm", "r");
    struct rlimit limit = {0, 0};
    long pages = 0;

    if (!file || fscanf(file, "%ld", &pages) != 1 || getrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    fclose(file);
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (7 << 20);
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    THSetNumThreads(8);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        cases[c].run();
    return 0;
}

static int try_alone(void)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        execl("/proc/self/exe", "threads.t", "alone", (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    static const int threads[] = {2, 3, 8};
    THFloatTensor *const expected = THFloatTensor_new();
    THGenerator *const generator = THGenerator_new();

    (void)argv;
    omp_set_num_threads(8);
    if (argc == 1)
        tap_plan();
    a = THFloatTensor_newWithSize2d(COLUMNS, ROWS);
    b = THFloatTensor_newWithSize1d(ROWS * COLUMNS);
    r = THFloatTensor_new();
    mask = THByteTensor_new();
    where = THLongTensor_new();
    THRandom_manualSeed(generator, 1);
    THFloatTensor_normal(a, generator, 0, 1);
    THFloatTensor_normal(b, generator, 0, 1);
    THFloatTensor_transpose(a, NULL, 0, 1);
    if (argc > 1)
        return run_alone();
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        int same = 1;
        double first;

        THSetNumThreads(1);
        cases[c].run();
        THFloatTensor_resizeAs(expected, r);
        THFloatTensor_copy(expected, r);
        first = number;
        for (int t = 0; t < 3; t++) {
            THSetNumThreads(threads[t]);
            THFloatTensor_resize1d(r, 0);
            cases[c].run();
            same = same && THFloatTensor_equal(r, expected) && number == first;
        }
        tap_ok(same, "%s on 1, 2, 3 and 8 threads", cases[c].name);
    }
    if (IS_SANITIZED)
        tap_skip("a sanitizer needs memory", "all of them without a thread");
    else
        tap_ok(try_alone(), "all of them where the system grants no thread");
    THFloatTensor_free(a);
    THFloatTensor_free(b);
    THFloatTensor_free(r);
    THFloatTensor_free(expected);
    THByteTensor_free(mask);
    THLongTensor_free(where);
    THGenerator_free(generator);
    return tap_done();
}
