/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the system allows this process more threads.  An OpenMP runtime that fails to
 * create a thread ends the process, so it must not be asked for more than it will get:
 * the limits are read, and only where they are near, threads are created as a trial.
 */
#include "config.h"

#include "core/core.h"
#include "machine/discovery.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Limits that leave room for this many times the request are not near. */
#define TIMES 4
/* In addition to the threads: tasks, and bytes that may be mapped meanwhile. */
#define SPARE_TASKS 64
#define SPARE_BYTES (64 << 20)

/*
 * Generous bounds on what an OpenMP runtime allocates for a team and for each thread.
 */
#define TEAM_BYTES   (1 << 20)
#define MEMBER_BYTES (64 << 10)

/*
 * Intel's and Clang's runtimes define this function, and have their own default.  Each
 * thread's stack is 128 bytes larger than the previous one's.
 */
#define KMP_OFFSETS ((size_t)64 << 10)
#if defined(__GNUC__)
size_t kmp_get_stacksize_s(void) __attribute__((weak));
#define KMP_STACK_SIZE (kmp_get_stacksize_s ? kmp_get_stacksize_s() : 0)
#else
#define KMP_STACK_SIZE ((size_t)0)
#endif

/* ---- stacks ---- */

size_t bli_stack_size(const char *text)
{
    static const char units[] = "bkmg";
    const char *unit;
    char *end;
    unsigned long long size;
    int shift = 10;

    while (*text == ' ')
        text++;
    size = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    if (size == 0)
        return 0;
    while (*end == ' ')
        end++;
    unit = *end != '\0' ? strchr(units, *end | ' ') : NULL;
    if (unit) {
        shift = 10 * (int)(unit - units);
        end++;
    }
    while (*end == ' ')
        end++;
    return *end == '\0' && size <= SIZE_MAX >> shift ? (size_t)size << shift : 0;
}

/* Size of a worker's stack that the environment requests; 0: the system's default. */
static size_t asked_stack(void)
{
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};

    for (int k = 0; k < 2; k++) {
        const char *const text = getenv(names[k]);
        const size_t size = text ? bli_stack_size(text) : 0;

        if (size > 0)
            return size;
    }
    return 0;
}

/*
 * Set the largest stack that a worker of either runtime has, so that what a trial has
 * mapped is enough for it, and return its size.
 */
static size_t set_stack(pthread_attr_t *attributes)
{
    const size_t asked = asked_stack();
    const size_t kmp = KMP_STACK_SIZE > 0 ? KMP_STACK_SIZE + KMP_OFFSETS : 0;
    size_t size = 0;

    if (asked > 0)
        (void)pthread_attr_setstacksize(attributes, asked);
    (void)pthread_attr_getstacksize(attributes, &size);
    if (kmp > size && pthread_attr_setstacksize(attributes, kmp) == 0)
        size = kmp;
    return size;
}

/* ---- limits ---- */

/* The soft limit of a resource; INT64_MAX if there is none. */
static int64_t limit_of(int resource)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > INT64_MAX)
        return INT64_MAX;
    return (int64_t)limit.rlim_cur;
}

/*
 * Read a number from a file below `root`: at word `word`, counted from 0, and there
 * behind the character `before` unless that is '\0'.  -1 if unknown.
 */
static int64_t number_in(const char *root, const char *path, int word, char before)
{
    char text[256];
    const char *at = text;

    if (!bli_system_read(root, path, text, sizeof text))
        return -1;
    for (; at && word > 0; word--) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    if (at && before != '\0') {
        at = strchr(at, before);
        at = at ? at + 1 : NULL;
    }
    return at && *at >= '0' && *at <= '9' ? strtoll(at, NULL, 10) : -1;
}

/*
 * Bytes that a resource limit leaves; word `word` of /proc/self/statm is the pages in
 * use.
 */
static int64_t bytes_left(const char *root, int resource, int word)
{
    const int64_t limit = limit_of(resource);

    if (limit == INT64_MAX)
        return limit;
    const int64_t pages = number_in(root, "/proc/self/statm", word, '\0');
    const int64_t used = pages < 0 ? limit : pages * sysconf(_SC_PAGESIZE);

    return used < limit ? limit - used : 0;
}

/*
 * Tasks that the user may still start, taking all tasks of the machine as the user's
 * ("RUNNING/ALL" in /proc/loadavg): the system does not report how many of them are.
 */
static int64_t user_tasks_left(const char *root)
{
    const int64_t limit = limit_of(RLIMIT_NPROC);

    if (limit == INT64_MAX)
        return limit;
    const int64_t all = number_in(root, "/proc/loadavg", 3, '/');

    return all >= 0 && all < limit ? limit - all : 0;
}

/* Whether the stacks of `threads` threads are far below the `bytes` that are left. */
static bool stacks_fit(int64_t bytes, int32_t threads)
{
    pthread_attr_t attributes;

    if (bytes == INT64_MAX)
        return true;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    const size_t stack = set_stack(&attributes) + MEMBER_BYTES;

    (void)pthread_attr_destroy(&attributes);
    return stack < SIZE_MAX / 2 &&
           (bytes - SPARE_BYTES) / TIMES / threads >= (int64_t)stack;
}

bool bli_threads_fit(const char *root, int32_t threads)
{
    const int saved = errno;
    const int64_t tasks = TIMES * (int64_t)threads + SPARE_TASKS;
    const int64_t space = bytes_left(root, RLIMIT_AS, 0);
    const int64_t data = bytes_left(root, RLIMIT_DATA, 5);
    const bool fit = user_tasks_left(root) >= tasks && bli_tasks_left(root) >= tasks &&
                     stacks_fit(space < data ? space : data, threads);

    errno = saved;
    return fit;
}

/* ---- trial ---- */

struct member {
    pthread_t thread;
    pid_t task;
    pthread_mutex_t *gate;
};

struct trial {
    pthread_mutex_t gate; /* locked until all have started */
    struct member member[];
};

static void *wait_at_gate(void *argument)
{
    struct member *const member = argument;

    member->task = (pid_t)syscall(SYS_gettid);
    (void)pthread_mutex_lock(member->gate);
    (void)pthread_mutex_unlock(member->gate);
    return NULL;
}

/* Join a thread and wait until the system has released it: until then it counts. */
static void wait_for_end(const struct member *member)
{
    const pid_t process = getpid();

    (void)pthread_join(member->thread, NULL);
    for (int k = 0; k < 10000; k++) {
        if (syscall(SYS_tgkill, process, member->task, 0) != 0)
            return;
        (void)sched_yield();
    }
}

/*
 * Start `threads` threads at the same time, and end them; returns how many there were.
 */
static int32_t run_trial(struct trial *trial, int32_t threads)
{
    pthread_attr_t attributes;
    int32_t there = 0;

    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (void)set_stack(&attributes);
    (void)pthread_mutex_init(&trial->gate, NULL);
    (void)pthread_mutex_lock(&trial->gate);
    for (; there < threads; there++) {
        struct member *const member = &trial->member[there];

        member->gate = &trial->gate;
        if (pthread_create(&member->thread, &attributes, wait_at_gate, member) != 0)
            break;
    }
    (void)pthread_mutex_unlock(&trial->gate);
    for (int32_t k = 0; k < there; k++)
        wait_for_end(&trial->member[k]);
    (void)pthread_mutex_destroy(&trial->gate);
    (void)pthread_attr_destroy(&attributes);
    return there;
}

int32_t bli_tasks_here(void)
{
    const int saved = errno;
    struct stat folder;
    /* The folder has a link for each thread, and two more. */
    const bool is_known = stat("/proc/self/task", &folder) == 0;

    errno = saved;
    return is_known && folder.st_nlink > 2 ? (int32_t)folder.st_nlink - 2 : 0;
}

int32_t bli_threads_try(int32_t threads)
{
    /* Room that the runtime needs in addition, free again afterwards. */
    const size_t bytes = sizeof(struct trial) + TEAM_BYTES +
                         (size_t)threads * (sizeof(struct member) + MEMBER_BYTES);
    const int saved = errno;
    sigset_t all, mask;
    int32_t there = 0;
    void *const block =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (block != MAP_FAILED) {
        /* The application's signals must not be delivered to these threads. */
        (void)sigfillset(&all);
        (void)pthread_sigmask(SIG_SETMASK, &all, &mask);
        there = run_trial(block, threads);
        (void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
        (void)munmap(block, bytes);
    }
    errno = saved;
    return there;
}
