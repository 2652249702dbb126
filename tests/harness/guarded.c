/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE

#include "harness/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

bool guarded_open(struct guarded *guarded, size_t bytes, bool is_read_only)
{
    const size_t page = page_bytes(), usable = (bytes + page - 1) / page * page;
    const int may_write = PROT_READ | PROT_WRITE;
    const int protection = is_read_only ? PROT_READ : may_write;
    const int memory = memfd_create("guarded", MFD_CLOEXEC);
    char *const all =
        mmap(NULL, usable + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool opened = false;

    if (all != MAP_FAILED && memory >= 0 && ftruncate(memory, (off_t)usable) == 0) {
        guarded->pages =
            mmap(all + page, usable, protection, MAP_SHARED | MAP_FIXED, memory, 0);
        guarded->own = mmap(NULL, usable, may_write, MAP_SHARED, memory, 0);
        guarded->bytes = usable;
        opened = guarded->pages != MAP_FAILED && guarded->own != MAP_FAILED;
    }
    if (memory >= 0)
        close(memory);
    return opened;
}

void guarded_close(const struct guarded *guarded)
{
    munmap(guarded->pages - page_bytes(), guarded->bytes + 2 * page_bytes());
    munmap(guarded->own, guarded->bytes);
}

size_t guarded_place(const struct guarded *guarded, size_t bytes, bool at_end)
{
    return at_end ? guarded->bytes - bytes : 0;
}
