/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files, comparison and a counting allocator for the tests of NPY.
 */
#define _POSIX_C_SOURCE 200809L

#include "npy_tools.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "npy.XXXXXX";

static void must(bool done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(99); /* Automake: hard error */
}

void folder_enter(void)
{
    must(mkdtemp(folder) != NULL, "mkdtemp");
    must(chdir(folder) == 0, folder);
}

/* Count the files in the folder, and remove them if asked to. */
static int each_file(bool removing)
{
    DIR *const here = opendir(".");
    const struct dirent *entry;
    int count = 0;

    must(here != NULL, "opendir");
    while ((entry = readdir(here))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (removing)
            remove(entry->d_name);
    }
    closedir(here);
    return count;
}

int folder_count(void)
{
    return each_file(false);
}

void folder_leave(void)
{
    each_file(true);
    must(chdir("..") == 0, "..");
    rmdir(folder);
}

long file_read(const char *path, void *bytes, size_t room)
{
    FILE *const file = fopen(path, "rb");

    if (!file)
        return -1;
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return (long)size;
}

void file_write(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");

    must(file != NULL, path);
    must(fwrite(bytes, 1, size, file) == size, path);
    must(fclose(file) == 0, path);
}

size_t npy_header_make(unsigned char *bytes, int version, const char *text)
{
    const size_t prefix = version == 1 ? 10 : 12;
    const size_t used = prefix + strlen(text) + 1;
    const size_t total = (used + 63) / 64 * 64;
    size_t length = total - prefix;

    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[7] = 0;
    for (size_t k = 8; k < prefix; k++, length >>= 8)
        bytes[k] = (unsigned char)(length & 0xff);
    memcpy(bytes + prefix, text, strlen(text));
    memset(bytes + used - 1, ' ', total - used);
    bytes[total - 1] = '\n';
    return total;
}

static const char *element(const bl_array *array, const int64_t *index)
{
    int64_t offset = 0;
    int64_t compact = 1;

    for (int32_t d = array->rank - 1; d >= 0; d--) {
        offset += index[d] * (array->stride ? array->stride[d] : compact);
        compact *= array->extent[d];
    }
    return (const char *)array->data + offset * (int64_t)bl_dtype_size(array->dtype);
}

bool arrays_equal(const bl_array *a, const bl_array *b)
{
    int64_t index[BL_MAX_RANK] = {0};
    int32_t d;

    if (a->dtype != b->dtype || a->rank != b->rank)
        return false;
    for (d = 0; d < a->rank; d++)
        if (a->extent[d] != b->extent[d])
            return false;
    for (d = 0; d < a->rank; d++)
        if (a->extent[d] == 0)
            return true;
    do {
        if (memcmp(element(a, index), element(b, index), bl_dtype_size(a->dtype)) != 0)
            return false;
        for (d = a->rank - 1; d >= 0 && ++index[d] == a->extent[d]; d--)
            index[d] = 0;
    } while (d >= 0);
    return true;
}

static void *meter_allocate(void *user, size_t bytes, size_t alignment)
{
    struct meter *const meter = user;
    void *memory;

    if (bytes > meter->largest)
        meter->largest = bytes;
    if (meter->requests++ == meter->fail_at || bytes > METER_MOST)
        return NULL;
    if (posix_memalign(&memory, alignment, bytes) != 0)
        return NULL;
    meter->held++;
    return memory;
}

static void meter_release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)alignment;
    (void)bytes;
    ((struct meter *)user)->held--;
    free(memory);
}

bl_context *meter_context(struct meter *meter)
{
    const bl_allocator allocator = {meter_allocate, meter_release, meter};
    bl_context *ctx;

    *meter = (struct meter){.fail_at = -1};
    must(bl_context_create(&ctx) == BL_OK, "bl_context_create");
    BL_IGNORE(bl_context_set_allocator(ctx, &allocator));
    return ctx;
}
