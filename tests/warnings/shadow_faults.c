/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs of programs without memory, of several threads, and that fork.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sanitizer.h"
#include "harness/tap.h"
#include "shadow.h"

/* ---- memory ---- */

static int allocations_left;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    return allocations_left-- > 0 ? aligned_alloc(alignment, (bytes + 63) / 64 * 64)
                                  : NULL;
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user;
    (void)bytes;
    (void)alignment;
    free(memory);
}

static void check_memory(void)
{
    const bl_allocator allocator = {allocate, release, NULL};
    bl_context *ctx;
    float out[16];
    bool is_done = begin(1);
    struct sum sum;

    allocations_left = 1000;
    is_done = is_done && bl_context_create(&ctx) == BL_OK &&
              bl_context_set_allocator(ctx, &allocator) == BL_OK;
    for (int left_over = 0; left_over < 3; left_over++) {
        memset(out, 0, sizeof out);
        allocations_left = left_over;
        is_done = is_done && subtract(ctx, "none.c", 1, out) && out[1] == -10;
    }
    sum = found();
    /* A result of so few elements is one allocation; two with AddressSanitizer. */
    tap_ok(is_done && sum.count == 3 &&
               sum.compared == (HAS_ADDRESS_SANITIZER ? 1 : 2) &&
               sum.differ == 12 * sum.compared,
           "without memory a call goes on, and is not compared");
    allocations_left = 1000;
    bl_context_destroy(ctx);
}

/* ---- threads and children ---- */

enum { THREADS = 4, CALLS = 300 };
static _Atomic int failures;

static void *call_in_thread(void *argument)
{
    float out[16];

    for (int i = 0; i < CALLS; i++)
        failures +=
            !subtract(NULL, i % 2 ? "shared.c" : argument, 1, out) || out[1] != -10;
    return NULL;
}

static void check_threads(void)
{
    static char own[THREADS][8] = {"0.c", "1.c", "2.c", "3.c"};
    pthread_t thread[THREADS];
    struct sum sum;

    begin(1);
    for (int t = 0; t < THREADS; t++)
        failures += pthread_create(&thread[t], NULL, call_in_thread, own[t]) != 0;
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    sum = found();
    tap_ok(failures == 0 && sum.places == THREADS + 1 &&
               sum.compared == THREADS * CALLS && sum.differ == 12 * THREADS * CALLS,
           "threads compare each of their calls");
}

static void check_fork(void)
{
    float out[16];
    int status = 1;
    pid_t child;

    begin(1);
    failures += !subtract(NULL, "fork.c", 1, out);
    child = fork();
    if (child == 0) {
        float own[16];

        failures += found().compared != 0 || !subtract(NULL, "fork.c", 1, own);
        _exit(failures == 0 && found().compared == 1 && found().differ == 12 ? 0 : 1);
    }
    tap_ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
           "a child compares its own calls");
    tap_ok(failures == 0 && found().compared == 1, "and its parent those that it made");
}

int main(void)
{
    tap_plan();
    check_memory();
    check_threads();
    check_fork();
    return tap_done();
}
