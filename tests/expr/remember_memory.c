/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans that runs of expressions remember: they are made once, by each thread, and
 * freed when it ends.  aligned_alloc and free are this file's own (--wrap).
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/tap.h"
#include "remember.h"

/* ---- blocks of memory ---- */

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void __wrap_free(void *memory);

enum { BLOCKS = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block {
    void *memory;
    size_t bytes;
} block[BLOCKS];
static int64_t allocations;
static size_t live; /* bytes */

/* Replace an entry of the list of blocks by another. */
static void note(const void *old, struct block new)
{
    pthread_mutex_lock(&lock);
    for (int k = 0; k < BLOCKS; k++)
        if (block[k].memory == old) {
            live += new.bytes - block[k].bytes;
            block[k] = new;
            break;
        }
    pthread_mutex_unlock(&lock);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *const memory = __real_aligned_alloc(alignment, bytes);

    pthread_mutex_lock(&lock);
    allocations++;
    pthread_mutex_unlock(&lock);
    note(NULL, (struct block){memory, bytes});
    return memory;
}

void __wrap_free(void *memory)
{
    if (memory)
        note(memory, (struct block){NULL, 0});
    __real_free(memory);
}

/* ---- runs ---- */

static void check_again(void)
{
    const bl_array x = view(a, 2, square, NULL), y = view(b, 2, square, NULL);
    const bl_array *const inputs[] = {&x, &y};
    bl_expr *const expr = parse("a + b");
    const bool first = adds(NULL, expr);
    const int64_t before = allocations;
    bl_tensor *sum = NULL;

    tap_ok(first && adds(NULL, expr) && allocations == before,
           "a run that is made again allocates nothing");

    bool pass = bl_expr_run_new(NULL, expr, inputs, NULL, &sum) == BL_OK;
    const int64_t planned = allocations;

    bl_tensor_release(sum);
    sum = NULL;
    pass = pass && bl_expr_run_new(NULL, expr, inputs, NULL, &sum) == BL_OK &&
           is_sum(bl_tensor_data(sum));
    tap_ok(pass && allocations - planned <= 2, "one into new tensors, only these");
    bl_tensor_release(sum);
    bl_expr_destroy(expr);
}

/* ---- an allocator of the program ---- */

static int64_t lent;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    lent++;
    return __real_aligned_alloc(alignment,
                                (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    lent--;
    __real_free(memory);
}

static void check_allocator(void)
{
    const bl_allocator own = {allocate, release, NULL};
    bl_context *ctx = NULL;
    bl_expr *expr = parse("a + b");
    bool pass = bl_context_create(&ctx) == BL_OK &&
                bl_context_set_allocator(ctx, &own) == BL_OK && adds(ctx, expr);

    bl_expr_destroy(expr);
    bl_context_destroy(ctx);
    tap_ok(pass && lent == 0, "nothing is left in an allocator of the program");
}

/* ---- threads and processes ---- */

static bl_expr *shared;

static void *add_often(void *failed)
{
    for (int k = 0; k < 500; k++)
        if (!adds(NULL, shared))
            *(bool *)failed = true;
    return NULL;
}

static void check_threads(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    bool failed[THREADS] = {false};
    bool pass = true;
    size_t before;

    shared = parse("a + b");
    pass = pthread_create(&thread[0], NULL, add_often, &failed[0]) == 0 &&
           pthread_join(thread[0], NULL) == 0;
    before = live;
    for (int k = 0; k < THREADS; k++)
        pass = pass && pthread_create(&thread[k], NULL, add_often, &failed[k]) == 0;
    for (int k = 0; k < THREADS; k++)
        pass = pthread_join(thread[k], NULL) == 0 && pass && !failed[k];
    tap_ok(pass, "threads run one expression at once");
    tap_ok(live == before, "and free what they remember when they end");
    bl_expr_destroy(shared);
}

static void check_child(void)
{
    bl_expr *const expr = parse("a + b");
    const bool pass = adds(NULL, expr);
    const pid_t child = fork();
    int end = 0;

    if (child == 0) {
        bl_expr *const other = parse("b + a");
        const bool is_right = adds(NULL, expr) && adds(NULL, other);

        bl_expr_destroy(other);
        bl_expr_destroy(expr);
        _exit(is_right ? 0 : 1);
    }
    tap_ok(pass && child > 0 && waitpid(child, &end, 0) == child && end == 0 &&
               adds(NULL, expr),
           "a forked child uses what its parent remembers");
    bl_expr_destroy(expr);
}

/* ---- a run within a run ---- */

static bl_expr *inner[6];
static bool is_inner_right;

static void trace(void *user, const bl_trace *event)
{
    (void)user;
    for (int k = 0; event->kind == BL_TRACE_REGION && k < 6; k++)
        is_inner_right = is_inner_right && adds(NULL, inner[k]);
}

static void check_nested(void)
{
    bl_expr *const expr = parse("a + b");
    bl_context *ctx = NULL;
    bool pass = bl_context_create(&ctx) == BL_OK && adds(ctx, expr);

    for (int k = 0; k < 6; k++)
        inner[k] = parse("b + a");
    is_inner_right = true;
    bl_context_set_tracer(ctx, trace, NULL);
    pass = pass && adds(ctx, expr) && adds(ctx, expr);
    tap_ok(pass && is_inner_right, "runs within a run leave its plan alone");
    for (int k = 0; k < 6; k++)
        bl_expr_destroy(inner[k]);
    bl_context_destroy(ctx);
    bl_expr_destroy(expr);
}

int main(void)
{
    tap_plan();
    check_again();
    check_allocator();
    check_nested();
    check_child();
    check_threads();
    return tap_done();
}
