/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NPY files of random tensors: what ranks write is byte by byte what one process
 * writes, and what they read is its elements.  Where one rank cannot write, all are
 * refused alike, the old file is as it was, and nothing else is left.
 * usage: npy SEED CASES [FIRST]
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <broadloom/npy.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

enum { DTYPES = 5 };
static const bl_dtype dtypes[DTYPES] = {BL_DTYPE_F64, BL_DTYPE_F32, BL_DTYPE_U8,
                                        BL_DTYPE_C128, BL_DTYPE_I64};

/* Whether two files have the same bytes; asked on rank 0. */
static bool are_equal(const char *a, const char *b)
{
    FILE *const file[2] = {fopen(a, "rb"), fopen(b, "rb")};
    int byte[2] = {0, 0};

    while (file[0] && file[1] && byte[0] == byte[1] && byte[0] != EOF)
        for (int k = 0; k < 2; k++)
            byte[k] = getc(file[k]);
    for (int k = 0; k < 2; k++)
        if (file[k])
            fclose(file[k]);
    return file[0] && file[1] && byte[0] == byte[1];
}

/* Files in this folder whose names begin so. */
static int count_files(const char *begin)
{
    DIR *const folder = opendir(".");
    int count = 0;

    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strncmp(entry->d_name, begin, strlen(begin)) == 0;
    closedir(folder);
    return count;
}

/* A file of the other byte order, of the same elements. */
static void swap_file(const char *path, size_t size)
{
    FILE *const file = fopen(path, "r+b");
    char byte[16];
    long end;

    fseek(file, 0, SEEK_END);
    end = ftell(file);
    fseek(file, 20, SEEK_SET);
    for (int c = getc(file); c != '<'; c = getc(file))
        continue;
    fseek(file, -1, SEEK_CUR);
    putc('>', file);
    fseek(file, 8, SEEK_SET);
    long at = 10 + getc(file);

    at += getc(file) * 256L;
    for (; at < end; at += (long)size) {
        fseek(file, at, SEEK_SET);
        if (fread(byte, size, 1, file) != 1)
            break;
        fseek(file, at, SEEK_SET);
        for (size_t k = size; k > 0; k--)
            putc(byte[k - 1], file);
    }
    fclose(file);
}

static bool is_wrong; /* in any case so far */
static int64_t moved;

static void must_be(bool is_true, const char *what)
{
    if (is_true)
        return;
    is_wrong = true;
    fprintf(stderr, "# rank %d: %s: %s\n", world_self, what, bl_error_message());
}

static bool try(struct rng *rng, int64_t number)
{
    const bool is_swapped = number % 8 == 7;
    const bl_dtype dtype = is_swapped ? BL_DTYPE_F32 : dtypes[rng_below(rng, DTYPES)];
    const int32_t rank = (int32_t)rng_below(rng, 5);
    bl_mpi_grid *const grid = world_grid(rng);
    int64_t extent[5], numel = 1;
    bl_mpi_tensor *tensor, *read = NULL;
    bl_tensor *whole;

    for (int32_t d = 0; d < rank; d++) {
        extent[d] = numel > 3000 ? 1 : rng_below(rng, rng_one_in(rng, 8) ? 900 : 13);
        numel *= extent[d] > 0 ? extent[d] : 1;
    }
    whole = world_whole(rng, BL_OP_ADD, 0, dtype, rank, extent);
    tensor = world_spread(rng, grid, bl_tensor_array(whole));
    memset(&world_counts, 0, sizeof world_counts);
    must_be(bl_mpi_npy_save(NULL, "ranks.npy", tensor) == BL_OK, "save");
    moved += world_counts.bytes;
    if (world_self == 0) {
        must_be(bl_npy_save(NULL, "whole.npy", bl_tensor_array(whole)) == BL_OK, "one");
        must_be(are_equal("ranks.npy", "whole.npy"), "other bytes than one process's");
        if (is_swapped)
            swap_file("ranks.npy", bl_dtype_size(dtype));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    must_be(bl_mpi_npy_load(NULL, grid, "ranks.npy",
                            world_dims(rng, grid, rank, extent), &read) == BL_OK &&
                world_is_part(read, bl_tensor_array(whole)),
            "load");
    MPI_Barrier(MPI_COMM_WORLD);
    bl_mpi_tensor_release(read);
    bl_mpi_tensor_release(tensor);
    bl_tensor_release(whole);
    return !is_wrong;
}

static bool is_refused(bl_status got, bl_status want, const char *words)
{
    const bool is_right =
        got == want && world_refused_alike(got) && strstr(bl_error_message(), words);

    if (!is_right)
        fprintf(stderr, "# rank %d: status %d: %s\n", world_self, (int)got,
                bl_error_message());
    return is_right;
}

/* Save where the last rank may write no more than so many bytes to a file. */
static bl_status save_limited(const bl_mpi_tensor *tensor, rlim_t bytes)
{
    struct rlimit old, limit;
    bl_status status;

    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = bytes;
    if (world_self == world_ranks - 1)
        setrlimit(RLIMIT_FSIZE, &limit);
    status = bl_mpi_npy_save(NULL, "ranks.npy", tensor);
    setrlimit(RLIMIT_FSIZE, &old);
    return status;
}

/* Allocations of the last rank that fail, one after the other. */
static void test_memory(void)
{
    const bl_allocator allocator = world_allocator();
    const int64_t extent[2] = {40, 30};
    const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    bl_mpi_tensor *tensor, *read;
    int64_t refused = 0;
    bool pass = true;
    bl_context *ctx;
    bl_mpi_grid *grid;

    must(bl_context_create(&ctx));
    must(bl_context_set_allocator(ctx, &allocator));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, columns, &tensor));
    for (int64_t number = 1; number <= 24; number++) {
        const bool saves = number % 2 == 0;

        read = NULL;
        world_fail_allocation(world_self == world_ranks - 1 ? number / 2 + 1 : 0);
        const bl_status status =
            saves ? bl_mpi_npy_save(ctx, "memory.npy", tensor)
                  : bl_mpi_npy_load(ctx, grid, "whole.npy", NULL, &read);
        const bool failed = !world_all(!world_fail_allocation(0));

        const bool is_alike = world_refused_alike(status);

        pass = pass && is_alike && (status != BL_OK) == failed &&
               (!failed || status == BL_ERR_MEMORY) &&
               (world_self > 0 || count_files(".broadloom.") == 0);
        refused += status != BL_OK;
        bl_mpi_tensor_release(read);
    }
    world_ok(pass && refused > 4, "%d ranks: no memory on one rank, %d times",
             world_ranks, (int)refused);
    bl_mpi_tensor_release(tensor);
    bl_mpi_grid_release(grid);
    bl_context_destroy(ctx);
}

static void test_refusals(void)
{
    const int64_t extent[2] = {300, 40};
    const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    const char *const other = world_self == 0 ? "ranks.npy" : "whole.npy";
    bl_mpi_tensor *tensor[2], *made = NULL;
    bl_mpi_grid *grid;

    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, rows, &tensor[0]));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, columns, &tensor[1]));
    for (int k = 0; k < 2; k++) {
        must(bl_mpi_npy_save(NULL, "ranks.npy", tensor[k]));
        must(bl_mpi_npy_save(NULL, "whole.npy", tensor[k]));
        MPI_Barrier(MPI_COMM_WORLD);
        world_ok(is_refused(save_limited(tensor[k], 50), BL_ERR_IO, "File too large") &&
                     (world_self > 0 || (are_equal("ranks.npy", "whole.npy") &&
                                         count_files(".broadloom.") == 0)),
                 "%d ranks: a full disk of one, the file as it was, %s", world_ranks,
                 k == 0 ? "rows" : "columns");
    }
    world_ok(is_refused(bl_mpi_npy_save(NULL, "no/such/file", tensor[0]), BL_ERR_IO,
                        "no/such/file: cannot be written: No such") &&
                 is_refused(bl_mpi_npy_load(NULL, grid, "no/such", NULL, &made),
                            BL_ERR_IO, "cannot be opened") &&
                 is_refused(bl_mpi_npy_load(NULL, grid, "/dev/null", NULL, &made),
                            BL_ERR_UNSUPPORTED, "regular") &&
                 is_refused(bl_mpi_npy_load(NULL, grid, NULL, NULL, &made),
                            BL_ERR_ARGUMENT, "path") &&
                 is_refused(bl_mpi_npy_save(NULL, ".", tensor[0]), BL_ERR_UNSUPPORTED,
                            "regular"),
             "%d ranks: paths that are none", world_ranks);
    world_ok(world_ranks == 1 ||
                 (is_refused(bl_mpi_npy_save(NULL, other, tensor[0]), BL_ERR_ARGUMENT,
                             "ranks make different calls") &&
                  is_refused(bl_mpi_npy_load(NULL, grid, other, rows, &made),
                             BL_ERR_ARGUMENT, "whole.npy") &&
                  (world_self > 0 || count_files(".broadloom.") == 0)),
             "%d ranks: another file on one", world_ranks);
    for (int k = 0; k < 2; k++)
        bl_mpi_tensor_release(tensor[k]);
    bl_mpi_grid_release(grid);
}

/* What a file that is replaced keeps: its mode, and links to it. */
static void test_replaced(void)
{
    const int64_t extent = 5;
    struct stat about = {.st_mode = 0}, link = {.st_mode = 0};
    bl_mpi_tensor *tensor;
    bl_mpi_grid *grid;

    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 1, &extent, NULL, &tensor));
    if (world_self == 0) {
        chmod("ranks.npy", 0640);
        unlink("link.npy");
        must_be(symlink("ranks.npy", "link.npy") == 0, "symlink");
    }
    must(bl_mpi_npy_save(NULL, "link.npy", tensor));
    stat("ranks.npy", &about);
    lstat("link.npy", &link);
    world_ok((about.st_mode & 0777) == 0640 && about.st_size == 128 + 40 &&
                 S_ISLNK(link.st_mode),
             "%d ranks: a file that is replaced keeps its mode and links to it",
             world_ranks);
    if (world_self == 0)
        unlink("ranks.npy");
    must(bl_mpi_npy_save(NULL, "link.npy", tensor));
    lstat("link.npy", &link);
    world_ok(stat("ranks.npy", &about) == 0 && S_ISLNK(link.st_mode),
             "%d ranks: a link that leads to no file stays", world_ranks);
    bl_mpi_tensor_release(tensor);
    bl_mpi_grid_release(grid);
}

int main(int count, char **arguments)
{
    char folder[64] = "";
    const struct world_cases cases = world_open(count, arguments, 60);

    world_make_grids(cases.seed);
    snprintf(folder, sizeof folder, "npy.%ld", (long)getpid());
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (world_self == 0)
        mkdir(folder, 0777);
    MPI_Barrier(MPI_COMM_WORLD);
    if (chdir(folder) != 0)
        perror(folder);
    world_ok(world_try(&cases, "npy", try), "%d ranks: files are those of one process",
             world_ranks);
    moved = !world_all(moved == 0); /* about half of the grids send messages */
    world_ok(moved || world_ranks == 1 || cases.end - cases.first < 40,
             "%d ranks: elements of short rows are collected", world_ranks);
    test_refusals();
    test_memory();
    test_replaced();
    for (int k = 0; world_self == 0 && k < 4; k++)
        unlink(
            ((const char *[]){"ranks.npy", "whole.npy", "link.npy", "memory.npy"})[k]);
    return world_close();
}
