/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine that the test runs on: first detection, masks, binding on request, pages
 * and the policy for new ones, and a topology that the application provides.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hwloc.h>

#include <broadloom.h>

#include "harness/child.h"
#include "harness/tap.h"
#include "machine/machine.h"

static void *look(void *barrier)
{
    pthread_barrier_wait(barrier);
    return (void *)bli_machine();
}

/* Many threads detect the topology concurrently, and none becomes bound. */
static void look_at_once(struct bli_text *text)
{
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    pthread_barrier_t barrier;
    cpu_set_t before, after;
    bool same = pthread_barrier_init(&barrier, NULL, THREADS) == 0;

    sched_getaffinity(0, sizeof before, &before);
    errno = ENOTDIR;
    for (int i = 0; i < THREADS; i++)
        same = pthread_create(&thread[i], NULL, look, &barrier) == 0 && same;
    for (int i = 0; i < THREADS; i++) {
        void *machine;

        pthread_join(thread[i], &machine);
        same = same && machine == (const void *)bli_machine();
    }
    sched_getaffinity(0, sizeof after, &after);
    bli_text_add(text, "same %d, unbound %d, errno %d", same,
                 CPU_EQUAL(&before, &after), errno == ENOTDIR);
}

static void look_bound(struct bli_text *text)
{
    bl_topology_info info = {.size = sizeof info};
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0 ||
        bl_topology_query(NULL, &info) != BL_OK)
        return;
    bli_text_add(text, "%" PRId32 " of mask %" PRId32 ", team %" PRId32,
                 info.processors, info.mask, info.team);
}

static void bind_here(struct bli_text *text)
{
    const struct bli_machine *const machine = bli_machine();
    cpu_set_t before, within, after;
    struct bli_mask saved;
    bool right = true;

    for (int32_t n = 0; n < machine->nodes; n++) {
        sched_getaffinity(0, sizeof before, &before);
        bli_bind_to_node(machine, n, &saved);
        sched_getaffinity(0, sizeof within, &within);
        for (int p = 0; machine->node[n].processors > 0 && p < CPU_SETSIZE; p++)
            right = right && (!CPU_ISSET(p, &within) || bl_processor_node(p) == n);
        right = right &&
                (machine->node[n].processors == 0 || bli_machine_here(machine) == n);
        bli_bind_restore(&saved);
        sched_getaffinity(0, sizeof after, &after);
        right = right && CPU_EQUAL(&before, &after);
    }
    bli_text_add(text, "bound and restored %d", right);
}

/* Touched pages are on a node; an untouched one is not. */
static void ask_pages(struct bli_text *text)
{
    enum { PAGES = 1500 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    static const void *address[PAGES];
    static int32_t node[PAGES];
    bl_topology_info info = {.size = sizeof info};
    char *const memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool right = memory != MAP_FAILED && bl_topology_query(NULL, &info) == BL_OK &&
                 madvise(memory, PAGES * page, MADV_NOHUGEPAGE) == 0;

    for (size_t i = 0; right && i < PAGES; i++) {
        address[i] = memory + i * page + i;
        if (i % 3 != 0)
            memory[i * page] = 1;
    }
    const bl_status status = bl_memory_page_nodes(PAGES, address, node);

    for (size_t i = 0; right && i < PAGES; i++)
        right = i % 3 == 0 ? node[i] == -1 : node[i] >= 0 && node[i] < info.nodes;
    bli_text_add(text, status == BL_ERR_UNSUPPORTED ? "unreported" : "pages known %d",
                 right);
}

/*
 * An application's topology is accepted before the first use, and refused after it or
 * once unloaded.
 */
static void use_own(struct bli_text *text)
{
    hwloc_topology_t topology;
    bl_topology_info info = {.size = sizeof info};

    if (hwloc_topology_init(&topology) != 0 ||
        hwloc_topology_set_synthetic(topology, "numa:3 pu:5") != 0)
        return;
    bli_text_add(text, "%d ", bl_topology_import_hwloc(topology) == BL_ERR_ARGUMENT);
    if (hwloc_topology_load(topology) != 0)
        return;
    bli_text_add(text, "%d ", bl_topology_import_hwloc(topology) == BL_OK);
    bli_text_add(text, "%d ", bl_topology_import_hwloc(topology) == BL_ERR_UNSUPPORTED);
    hwloc_topology_destroy(topology);
    if (bl_topology_query(NULL, &info) == BL_OK)
        bli_text_add(text, "%s %" PRId32 " %" PRId32, info.source, info.nodes,
                     info.processors);
}

/* The calling thread's memory policy; -1 if unknown. */
static int policy(void)
{
    int mode = -1;

    return syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) == 0 ? mode : -1;
}

/* Pages are temporarily put on another node, unless a policy was set. */
static void touch_elsewhere(struct bli_text *text)
{
    const unsigned long first[16] = {1ul << bli_machine()->node[0].os_index % 64};
    struct bli_page_policy touch = {.is_saved = false};

    if (syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, first, 1025) != 0) {
        bli_text_add(text, "unreported");
        return;
    }
    errno = ENOTDIR;
    bli_page_policy_prefer(bli_machine(), 0, &touch);
    bli_text_add(text, "kept %d ", policy() == MPOL_INTERLEAVE);
    bli_page_policy_restore(&touch);
    bli_text_add(text, "%d, ", policy() == MPOL_INTERLEAVE);
    (void)syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0);
    errno = ENOTDIR;
    for (int turn = 0; turn < 2; turn++)
        bli_page_policy_prefer(bli_machine(), 0, &touch);
    bli_text_add(text, "set %d, ", policy() == MPOL_PREFERRED);
    bli_page_policy_restore(&touch);
    bli_text_add(text, "restored %d, errno %d", policy() == MPOL_DEFAULT,
                 errno == ENOTDIR);
}

static void test_refusals(void)
{
    bl_node_info node = {.size = sizeof node};
    bl_topology_info unset = {0};

    tap_ok(bl_node_query(-1, &node) == BL_ERR_ARGUMENT, "%s", bl_error_message());
    tap_ok(bl_node_query(0, NULL) == BL_ERR_ARGUMENT, "%s", bl_error_message());
    tap_ok(bl_topology_query(NULL, &unset) == BL_ERR_ARGUMENT, "%s",
           bl_error_message());
    tap_ok(bl_topology_import_hwloc(NULL) == BL_ERR_ARGUMENT, "%s", bl_error_message());
    tap_ok(bl_topology_import_hwloc(&node) == BL_ERR_UNSUPPORTED, "%s",
           bl_error_message());
    tap_ok(bl_memory_page_nodes(-1, NULL, NULL) == BL_ERR_ARGUMENT, "%s",
           bl_error_message());
    tap_ok(bl_processor_node(-1) == -1 && bl_processor_node(INT32_MAX) == -1 &&
               !bl_processor_is_usable(-1) && bl_topology_distance(0, 9999) == 0,
           "what does not exist is unknown");
}

int main(void)
{
    const char *text;

    tap_plan();
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_XMLFILE");
    child_expect("threads that look at once", child_run(NULL, NULL, look_at_once),
                 "same 1, unbound 1, errno 1");
    child_expect("a process on one processor", child_run(NULL, NULL, look_bound),
                 "1 of mask 1, team 1");
    child_expect("nodes of this machine", child_run(NULL, NULL, bind_here),
                 "bound and restored 1");
    child_expect("a topology of the application", child_run(NULL, NULL, use_own),
                 "1 1 1 description 3 15");
    text = child_run(NULL, NULL, ask_pages);
    if (strcmp(text, "unreported") == 0)
        tap_skip("the system does not report", "where pages lie");
    else
        child_expect("where pages lie", text, "pages known 1");
    text = child_run(NULL, NULL, touch_elsewhere);
    if (strcmp(text, "unreported") == 0)
        tap_skip("the system has no policies", "where new pages go");
    else
        child_expect("where new pages go", text,
                     "kept 1 1, set 1, restored 1, errno 1");
    test_refusals();
    return tap_done();
}
