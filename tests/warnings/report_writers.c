/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads write reports to one path, through links: who reads it meanwhile finds it
 * whole, and what has had the name is never written to again.
 */
#define _DEFAULT_SOURCE

#include <broadloom/warnings.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"
#include "warnings/reported.h"

/*
 * Links take a writer long enough to follow for others to replace the file between its
 * opening and its finding out.  Linux follows 40 in one open(2), and counts those of
 * each attempt where a concurrent rename(2) makes it begin again, up to three times.
 */
enum { THREADS = 4, READINGS = 1000, LINKS = 12 };

static const char target[] = "target";
static char path[20] = "target";
static _Atomic int32_t failures;
static atomic_bool is_done;

/* Let `path` be a link to a link to ... the target. */
static bool leads_to_target(void)
{
    char longer[20];

    for (int k = 0; k < LINKS; k++) {
        snprintf(longer, sizeof longer, "link%d", k);
        if (symlink(path, longer) != 0)
            return false;
        memcpy(path, longer, sizeof path);
    }
    return true;
}

static void *write_often(void *unused)
{
    (void)unused;
    while (!is_done)
        failures += bl_warnings_write(path) != BL_OK;
    return NULL;
}

/* Number of writes to files that are watched. */
static int writes_seen(int watch)
{
    _Alignas(struct inotify_event) char events[4096];
    int writes = 0;

    for (;;) {
        const ssize_t size = read(watch, events, sizeof events);
        if (size <= 0)
            return writes;
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *const event = (const void *)(events + at);

            writes += (event->mask & IN_MODIFY) != 0;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
}

static void read_often(int watch)
{
    int torn = 0, written = 0;

    for (int k = 0; k < READINGS; k++) {
        FILE *const file = fopen(target, "r");

        inotify_add_watch(watch, target, IN_MODIFY);
        usleep(300); /* it is replaced meanwhile */
        torn += count_in(file) != 2;
        written += writes_seen(watch);
    }
    tap_ok(torn == 0, "who reads it meanwhile finds it whole");
    if (watch >= 0)
        tap_ok(written == 0, "what has had the name is not written to: %d", written);
    else
        tap_skip("inotify is not available", "what has had the name is not written to");
}

int main(void)
{
    pthread_t thread[THREADS];
    const int watch = inotify_init1(IN_NONBLOCK);

    tap_plan();
    folder_enter();
    bl_backcompat_broadcast_warning_set_enabled(true);
    tap_ok(call_from(10) && call_from(20) && writes(target) && leads_to_target() &&
               writes(path) && calls_of(target) == 2,
           "a report, through %d links", LINKS);
    for (int t = 0; t < THREADS; t++)
        failures += pthread_create(&thread[t], NULL, write_often, NULL) != 0;
    read_often(watch);
    is_done = true;
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    tap_ok(failures == 0, "%d threads write one path", THREADS);
    tap_ok(calls_of(target) == 2, "which has the last report in the end");
    close(watch);
    folder_leave();
    return tap_done();
}
