/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storages that map files and shared memory: shared, private, without a name, counted.
 */
#include "files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* What is mapped and open. */
static int resources(void)
{
    FILE *const maps = fopen("/proc/self/maps", "r");
    char line[512];
    int count = 0;

    for (int i = 0; i < 256; i++)
        count += fcntl(i, F_GETFD) != -1;
    while (maps && fgets(line, sizeof line, maps))
        count += strstr(line, "th_files") != NULL;
    if (maps)
        fclose(maps);
    return count - (maps != NULL);
}

/* The file with `count` whole numbers from 1 on. */
static void make_file(int count)
{
    FILE *const stream = fopen(path, "wb");

    for (int i = 1; i <= count; i++)
        fwrite(&i, sizeof i, 1, stream);
    fclose(stream);
}

static long long file_size(void)
{
    struct stat status;

    return stat(path, &status) ? -1 : (long long)status.st_size;
}

static int in_file(int index)
{
    FILE *const stream = fopen(path, "rb");
    int number = -1;

    fseek(stream, index * (long)sizeof number, SEEK_SET);
    if (fread(&number, sizeof number, 1, stream) != 1)
        number = -1;
    fclose(stream);
    return number;
}

/* ---- files ---- */

static void check_shared(void)
{
    const int before = resources();
    THIntStorage *one, *other;
    THIntTensor *a, *b;

    make_file(6);
    one = THIntStorage_newWithMapping(path, 6, TH_ALLOCATOR_MAPPED_SHARED);
    other = THIntStorage_newWithMapping(path, 0, TH_ALLOCATOR_MAPPED_SHARED);
    a = THIntTensor_newWithStorage2d(one, 0, 2, 3, 3, 1);
    b = THIntTensor_newWithStorage1d(other, 0, 6, 1);
    tap_ok(other->size == 6 && THIntTensor_get2d(a, 1, 2) == 6, "all of a file");
    THIntTensor_add(a, a, 10);
    tap_ok(THIntTensor_get1d(b, 0) == 11 && THIntTensor_get1d(b, 5) == 16 &&
               in_file(4) == 15,
           "two tensors share a file, and it changes");
    unlink(path);
    THIntTensor_fill(b, 3);
    tap_ok(THIntTensor_sumall(a) == 18, "after the name is gone too");
    REFUSED(THIntStorage_resize(one, 12), "Trying to resize storage that is not");
    tap_ok(one->size == 6 && THIntStorage_get(one, 5) == 3, "which changes nothing");
    THIntTensor_free(a);
    THIntTensor_free(b);
    THIntStorage_free(one);
    THIntStorage_free(other);
    tap_ok(resources() == before, "nothing stays mapped or open");
}

static void check_private(void)
{
    THIntStorage *storage;
    THShortStorage *halves;

    make_file(3);
    chmod(path, 0400);
    storage = THIntStorage_newWithMapping(path, 2, 0);
    THIntStorage_set(storage, 0, 50);
    tap_ok(storage->size == 2 && THIntStorage_get(storage, 0) == 50 && in_file(0) == 1,
           "what is written to a private map stays there");
    THIntStorage_free(storage);
    halves = THShortStorage_newWithMapping(path, 0, 0);
    tap_ok(halves->size == 6, "elements are counted by their size");
    THShortStorage_free(halves);
    tap_ok(file_size() == 12, "the file is as it was");
    chmod(path, 0600);
    truncate(path, 11);
    storage = THIntStorage_newWithMapping(path, -1, 0);
    tap_ok(storage->size == 2, "a part of an element is left out");
    THIntStorage_free(storage);
}

static void check_sizes(void)
{
    THDoubleStorage *storage;

    make_file(1);
    storage = THDoubleStorage_newWithMapping(path, 1000, TH_ALLOCATOR_MAPPED_SHARED);
    tap_ok(file_size() == 8000 && in_file(0) == 1 && storage->data[999] == 0,
           "a shared file grows and keeps its content");
    THDoubleStorage_free(storage);
    unlink(path);
    storage = THDoubleStorage_newWithMapping(path, 0, TH_ALLOCATOR_MAPPED_SHARED);
    tap_ok(file_size() == 0 && storage->size == 0 && !storage->data,
           "a new file of nothing");
    THDoubleStorage_free(storage);
    storage = THDoubleStorage_newWithMapping(path, 2, TH_ALLOCATOR_MAPPED_SHARED);
    THDoubleStorage_fill(storage, 2);
    tap_ok(file_size() == 16, "of two elements");
    THDoubleStorage_free(storage);
    storage = THDoubleStorage_newWithMapping(path, (ptrdiff_t)3 << 27,
                                             TH_ALLOCATOR_MAPPED_SHARED);
    storage->data[storage->size - 1] = 7;
    tap_ok(file_size() == (long long)3 << 30 && storage->data[1] == 2, "of 3 GiB");
    THDoubleStorage_free(storage);
    unlink(path);
}

static void check_refusals(void)
{
    const int shared = TH_ALLOCATOR_MAPPED_SHARED;
    const int before = resources();

    unlink(path);
    REFUSED(THIntStorage_newWithMapping(path, 4, 0),
            "unable to open file in read-only mode <%s>, to map 16 bytes: No such",
            path);
    REFUSED(THIntStorage_newWithMapping(path, 0, shared | TH_ALLOCATOR_MAPPED_NOCREATE),
            "unable to open file in read-write mode <%s>, to map all of it: No such",
            path);
    tap_ok(file_size() == -1, "no file is made then");
    make_file(2);
    REFUSED(THIntStorage_newWithMapping(path, 3, 0),
            "the mapping is larger than file <%s>, to map 12 bytes", path);
    REFUSED(
        THIntStorage_newWithMapping(path, 2, shared | TH_ALLOCATOR_MAPPED_EXCLUSIVE),
        "unable to open file in read-write mode <%s>, to map 8 bytes: File exists",
        path);
    REFUSED(THIntStorage_newWithMapping(path, 2, TH_ALLOCATOR_MAPPED_EXCLUSIVE),
            "TH_ALLOCATOR_MAPPED_EXCLUSIVE of <%s> needs", path);
    REFUSED(THIntStorage_newWithMapping(path, PTRDIFF_MAX / 2, shared),
            "unable to map file <%s>", path);
    REFUSED(THIntStorage_newWithMapping(folder, 0, shared),
            "unable to open file in read-write mode <%s>, to map all", folder);
    REFUSED(THIntStorage_newWithMapping(folder, 0, 0),
            "unable to map file <%s>, to map all of it: Is a directory", folder);
    tap_ok(file_size() == 8 && resources() == before, "nothing is changed or left");
}

/* ---- contexts ---- */

static void check_contexts(void)
{
    const int before = resources();
    const int keep = TH_ALLOCATOR_MAPPED_SHARED | TH_ALLOCATOR_MAPPED_KEEPFD;
    THMapAllocatorContext *context;
    THIntStorage *storage;
    int fd;

    make_file(5);
    context = THMapAllocatorContext_new(path, keep | TH_ALLOCATOR_MAPPED_UNLINK);
    tap_ok(strcmp(THMapAllocatorContext_filename(context), path) == 0 &&
               THMapAllocatorContext_fd(context) == -1,
           "a context");
    storage = THIntStorage_newWithAllocator(5, &THMapAllocator, context);
    fd = dup(THMapAllocatorContext_fd(context));
    tap_ok(file_size() == -1 && storage->data[4] == 5 && fd >= 0 &&
               THMapAllocatorContext_size(context) == 20,
           "a name that goes as soon as it is mapped, and a descriptor that stays");
    REFUSED(THIntStorage_resize(storage, 9), "cannot realloc mapped data: <%s>, 20 b",
            path);
    THIntStorage_set(storage, 4, 55);
    THIntStorage_free(storage);
    context = THMapAllocatorContext_newWithFd(
        NULL, fd, TH_ALLOCATOR_MAPPED_SHARED | TH_ALLOCATOR_MAPPED_FROMFD);
    storage = THIntStorage_newWithAllocator(5, &THMapAllocator, context);
    tap_ok(storage->data[4] == 55, "a descriptor is mapped");
    THIntStorage_free(storage);
    tap_ok(resources() == before, "and closed");
    context = THMapAllocatorContext_new(path, 0);
    REFUSED(THMapAllocator.malloc(context, 8), "unable to open file in read-only mode");
    THMapAllocatorContext_free(context);
    fd = open(folder, O_RDONLY);
    context = THMapAllocatorContext_newWithFd(path, fd, TH_ALLOCATOR_MAPPED_FROMFD);
    REFUSED(THMapAllocator.malloc(context, 8), "unable to map file <%s>", path);
    tap_ok(close(fd) == 0, "a descriptor that cannot be mapped stays the caller's");
    THMapAllocatorContext_free(context);
}

/* ---- shared memory ---- */

static int object_exists(const char *name)
{
    const int fd = shm_open(name, O_RDONLY, 0);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static THLongStorage *counted(const char *name, int flags)
{
    return THLongStorage_newWithAllocator(
        3, &THRefcountedMapAllocator,
        THMapAllocatorContext_new(name, flags | TH_ALLOCATOR_MAPPED_SHAREDMEM));
}

/* Another process that writes to the object; whether it saw `want` there. */
static int write_elsewhere(const char *name, long want)
{
    const pid_t child = fork();
    int status = 1;

    if (child == 0) {
        THLongStorage *const storage = counted(name, TH_ALLOCATOR_MAPPED_NOCREATE);
        const long seen = storage->data[0];

        storage->data[2] = 77;
        THLongStorage_free(storage);
        _exit(seen != want);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

static void check_objects(void)
{
    char name[64];
    THLongStorage *one, *other;
    THMapAllocatorContext *context;
    int fd;

    snprintf(name, sizeof name, "/th_maps_%ld", (long)getpid());
    fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0) {
        tap_skip("there is no shared memory", "objects of shared memory");
        return;
    }
    close(fd);
    shm_unlink(name);
    one = THLongStorage_newWithMapping(name, 3, TH_ALLOCATOR_MAPPED_SHAREDMEM);
    other = THLongStorage_newWithMapping(name, 3, TH_ALLOCATOR_MAPPED_SHAREDMEM);
    one->data[1] = 8;
    tap_ok(other->data[1] == 8 && object_exists(name), "an object is shared");
    THLongStorage_free(one);
    tap_ok(!object_exists(name) && other->data[1] == 8, "its name goes with the first");
    THLongStorage_free(other);
    one = counted(name, TH_ALLOCATOR_MAPPED_EXCLUSIVE);
    one->data[0] = 4;
    other = counted(name, 0);
    tap_ok(other->data[0] == 4 && (uintptr_t)other->data % 64 == 0, "one that counts");
    THLongStorage_free(one);
    tap_ok(object_exists(name) && write_elsewhere(name, 4) && other->data[2] == 77,
           "stays for the other, and for another process");
    context = other->allocatorContext;
    THRefcountedMapAllocator_incref(context, other->data);
    tap_ok(!THRefcountedMapAllocator_decref(context, other->data), "counted by hand");
    THLongStorage_free(other);
    tap_ok(!object_exists(name), "and goes with the last");
    context = THMapAllocatorContext_new(path, TH_ALLOCATOR_MAPPED_SHARED);
    REFUSED(THRefcountedMapAllocator.malloc(context, 8),
            "THRefcountedMapAllocator needs TH_ALLOCATOR_MAPPED_SHAREDMEM");
    THMapAllocatorContext_free(context);
}

int main(void)
{
    if (!begin())
        return 1;
    check_shared();
    check_private();
    check_sizes();
    check_refusals();
    check_contexts();
    check_objects();
    return end();
}
