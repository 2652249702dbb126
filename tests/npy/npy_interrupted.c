/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interrupted saves: a pipe's reader exits, or the thread is cancelled.  Neither ends
 * the process or leaves anything behind.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

enum { MANY = 8 << 20 };
static float numbers[MANY];
static const int64_t extent[] = {MANY};
static const bl_array large = {numbers, BL_DTYPE_F32, 1, extent, NULL, 0};

/* Start a process that reads one byte of the FIFO and exits. */
static pid_t start_reader(void)
{
    const pid_t child = fork();

    if (child == 0) {
        char byte;
        const int file = open("fifo", O_RDONLY);
        _exit(read(file, &byte, 1) == 1 ? 0 : 1);
    }
    return child;
}

/* Save into a FIFO whose reader exits; whether that is reported. */
static bool is_reported(void)
{
    const pid_t reader = start_reader();
    const bl_status status = bl_npy_save(NULL, "fifo", &large);
    int ended;

    return waitpid(reader, &ended, 0) == reader && ended == 0 && status == BL_ERR_IO &&
           strcmp(bl_error_message(), "fifo: cannot be written: Broken pipe") == 0;
}

static void check_pipe(void)
{
    struct sigaction action;
    sigset_t set, pipe_only;

    tap_ok(mkfifo("fifo", 0600) == 0 && is_reported(),
           "a reader that goes is an error");
    sigaction(SIGPIPE, NULL, &action);
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    tap_ok(action.sa_handler == SIG_DFL && !sigismember(&set, SIGPIPE),
           "SIGPIPE is what it was");
    sigpending(&set);
    tap_ok(!sigismember(&set, SIGPIPE), "none is pending");

    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, NULL);
    tap_ok(is_reported() && sigpending(&set) == 0 && !sigismember(&set, SIGPIPE),
           "none becomes pending where it was blocked");
    raise(SIGPIPE);
    tap_ok(is_reported() && sigpending(&set) == 0 && sigismember(&set, SIGPIPE),
           "one that was pending stays");
    signal(SIGPIPE, SIG_IGN); /* removes the signal from the pending ones */
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &pipe_only, NULL);
}

static bl_status result;

static void *save(void *path)
{
    result = BL_ERR_ARGUMENT;
    result = bl_npy_save(NULL, path, &large);
    for (;;)
        pthread_testcancel(); /* until the thread is cancelled */
    return NULL;
}

static int descriptors(void)
{
    int count = 0;

    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

/* Cancel a save in the middle: the file is there, and nothing else. */
static void check_cancelled(void)
{
    const int files = folder_count(), open_before = descriptors();
    pthread_t thread;
    void *value = NULL;

    pthread_create(&thread, NULL, save, "large.npy");
    while (folder_count() == files)
        continue;
    pthread_cancel(thread);
    pthread_join(thread, &value);
    tap_ok(value == PTHREAD_CANCELED && result == BL_OK,
           "a save is done before the end");
    tap_ok(folder_count() == files + 1 && access("large.npy", F_OK) == 0,
           "a thread that is cancelled leaves no temporary file");
    tap_ok(descriptors() == open_before, "and no descriptor");
}

/* Cancel a save that waits for a reader of a pipe, who receives everything. */
static void check_cancelled_in_pipe(void)
{
    static char bytes[65536];
    const int open_before = descriptors();
    struct stat about;
    struct pollfd waiting = {-1, POLLIN, 0};
    pthread_t thread;
    size_t total = 0;
    ssize_t step = 1;

    waiting.fd = open("fifo", O_RDONLY | O_NONBLOCK);
    pthread_create(&thread, NULL, save, "fifo");
    poll(&waiting, 1, -1);
    pthread_cancel(thread);
    fcntl(waiting.fd, F_SETFL, 0);
    while (step > 0) {
        /* A leaked descriptor would keep the pipe open forever. */
        step = poll(&waiting, 1, 5000) > 0 ? read(waiting.fd, bytes, sizeof bytes) : -1;
        total += step > 0 ? (size_t)step : 0;
    }
    pthread_join(thread, NULL);
    close(waiting.fd);
    const bool is_known = stat("large.npy", &about) == 0;
    tap_ok(is_known && step == 0 && total == (size_t)about.st_size && result == BL_OK,
           "one that waits for a reader writes all");
    tap_ok(descriptors() == open_before, "and leaves no descriptor");
}

int main(void)
{
    tap_plan();
    folder_enter();
    check_pipe();
    check_cancelled();
    check_cancelled_in_pipe();
    folder_leave();
    return tap_done();
}
