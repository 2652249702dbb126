/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files on disk, pipes and files in memory: positions, storages, errors.
 */
#include "files.h"

#include <fcntl.h>

/* ---- positions ---- */

static void check_positions(void)
{
    const size_t far = (size_t)3 << 30;

    for (int is_memory = 1; is_memory >= 0; is_memory--) {
        THFile *file;
        int pair[2] = {0, 0};

        unlink(path);
        file = is_memory ? THMemoryFile_new("rw") : THDiskFile_new(path, "rw", 0);
        THFile_binary(file);
        THFile_writeIntRaw(file, (int[]){1, 2, 3, 4}, 4);
        THFile_seek(file, 4);
        tap_ok(THFile_readIntScalar(file) == 2, "from a position");
        THFile_writeIntScalar(file, 30);
        tap_ok(THFile_readIntScalar(file) == 4 && THFile_position(file) == 16,
               "written and read in turn");
        THFile_seekEnd(file);
        THFile_writeByteScalar(file, 9);
        THFile_synchronize(file);
        THFile_seek(file, 12);
        THFile_quiet(file);
        tap_ok(THFile_readIntRaw(file, pair, 2) == 1 && pair[0] == 4,
               "whole elements are read");
        THFile_seek(file, 8);
        tap_ok(THFile_readIntScalar(file) == 30, "the one written between");
        THFile_free(file);
    }
    {
        THFile *const file = THDiskFile_new(path, "rw", 0);

        THFile_seek(file, 8);
        tap_ok(THFile_isReadable(file) && THFile_isWritable(file) &&
                   !THFile_isBinary(file) && THFile_isAutoSpacing(file),
               "what a new file is");
        THFile_binary(file);
        tap_ok(THFile_readIntScalar(file) == 30, "rw keeps what is there");
        THFile_seek(file, far);
        THFile_writeDoubleScalar(file, 0.5);
        tap_ok(THFile_position(file) == far + 8, "beyond 2 GiB");
        THFile_seek(file, far);
        tap_ok(THFile_readDoubleScalar(file) == 0.5, "and back");
        THFile_free(file);
        unlink(path);
    }
}

/* ---- kinds ---- */

static void check_pipes(void)
{
    char command[128];
    THFile *pipe, *file;
    int numbers[3];

    snprintf(command, sizeof command, "tr 1 2 > %s", path);
    pipe = THPipeFile_new(command, "w", 0);
    tap_ok(strcmp(THDiskFile_name(pipe), command) == 0, "the name of a pipe");
    THFile_writeIntRaw(pipe, (int[]){11, 5}, 2);
    THFile_close(pipe);
    THFile_free(pipe);
    file = THDiskFile_new(path, "r", 0);
    tap_ok(rest_is(file, "22 5\n"), "written to a command, which close waits for");
    THFile_free(file);
    pipe = THPipeFile_new("echo 4 5 6; echo rest", "r", 0);
    tap_ok(THFile_readIntRaw(pipe, numbers, 3) == 3 && numbers[2] == 6 &&
               rest_is(pipe, "rest\n"),
           "read from a command");
    REFUSED(THFile_seek(pipe, 0), "unable to seek to position 0 in <echo 4 5 6");
    REFUSED(THFile_position(pipe), "unable to obtain the position in <echo");
    THFile_free(pipe);
    REFUSED(THPipeFile_new("true", "rw", 0), "file mode should be 'r','w'");
}

static void check_memory(void)
{
    THCharStorage *const storage = THCharStorage_newWithSize(4);
    THCharStorage *const fixed = THCharStorage_newWithSize(9);
    THFile *file;

    memcpy(storage->data, "1 2", 4);
    file = THMemoryFile_newWithStorage(storage, "rw");
    tap_ok(THFile_readIntScalar(file) == 1 && storage->refcount == 2, "a storage read");
    THFile_writeIntRaw(file, (int[]){300, 400, 500}, 3);
    tap_ok(THMemoryFile_storage(file) == storage && storage->size == 14 &&
               memcmp(storage->data, "1300 400 500\n", 14) == 0,
           "and written, where it grows");
    THFile_seek(file, 1);
    THFile_noAutoSpacing(file);
    THFile_writeIntScalar(file, 7);
    tap_ok(memcmp(storage->data, "1700 400 500\n", 14) == 0,
           "a number written over others leaves what follows");
    THCharStorage_resize(storage, 3);
    storage->data[2] = '\0';
    THFile_seekEnd(file);
    tap_ok(THFile_position(file) == 2, "a storage that the program made smaller");
    THCharStorage_free(storage);
    THFile_seek(file, 0);
    tap_ok(rest_is(file, "17"), "lives as long as the file");
    THFile_quiet(file);
    THFile_seek(file, 3);
    tap_ok(THFile_hasError(file) && THFile_position(file) == 2, "no seek beyond it");
    THFile_free(file);
    memcpy(fixed->data, "12345678", 9);
    THCharStorage_clearFlag(fixed, TH_STORAGE_RESIZABLE);
    file = THMemoryFile_newWithStorage(fixed, "w");
    THFile_writeByteRaw(file, (unsigned char[]){'a'}, 1);
    REFUSED(THFile_writeStringRaw(file, "1234567", 7),
            "write error: wrote 0 blocks instead of 7 in <memory>: ");
    tap_ok(memcmp(fixed->data, "a\n345678", 9) == 0, "a storage of a fixed size");
    fixed->data[8] = 'x';
    REFUSED(THMemoryFile_newWithStorage(fixed, "r"), "provided CharStorage must be");
    REFUSED(THDiskFile_longSize(file, 4), "<memory> is not a file on disk");
    REFUSED(THDiskFile_bigEndianEncoding(file), "<memory> is not a file on disk");
    THFile_free(file);
    THCharStorage_free(fixed);
}

/* ---- errors ---- */

static int descriptors(void)
{
    int count = 0;

    for (int i = 0; i < 256; i++)
        count += fcntl(i, F_GETFD) != -1;
    return count;
}

static void check_modes(void)
{
    unlink(path);
    REFUSED(THDiskFile_new(path, "r", 0),
            "cannot open <%s> in mode r: No such file or directory", path);
    tap_ok(!THDiskFile_new(path, "r", 1), "quietly: NULL");
    tap_ok(!THDiskFile_new(folder, "rw", 1), "a folder is not written");
    REFUSED(THDiskFile_new(path, "a", 1), "file mode should be 'r','w' or 'rw', but");
    REFUSED(THDiskFile_new(path, "wr", 0), "file mode should be 'r','w' or 'rw', but");
    REFUSED(THMemoryFile_new("rr"), "file mode should be 'r','w' or 'rw', but");
    tap_ok(access(path, F_OK) != 0, "no file is made then");
}

/* What a file refuses that is written, and then closed. */
static void refuse_written(THFile *const file)
{
    REFUSED(THFile_readIntScalar(file), "attempt to read in a write-only file <%s>",
            path);
    REFUSED(THMemoryFile_longSize(file, 4), "<%s> is not a file in memory", path);
    REFUSED(THMemoryFile_storage(file), "<%s> is not a file in memory", path);
    REFUSED(THDiskFile_longSize(file, 2), "Invalid long size specified: 2");
    THFile_writeIntScalar(file, 5);
    THFile_close(file);
    REFUSED(THFile_writeIntScalar(file, 5), "attempt to use a closed file <%s>", path);
    REFUSED(THFile_close(file), "attempt to use a closed file <%s>", path);
    THFile_free(file);
}

/* What a file refuses that is read, and holds one number. */
static void refuse_read(THFile *const file)
{
    int numbers[3];
    char *text;

    REFUSED(THFile_writeStringRaw(file, "", 0),
            "attempt to write in a read-only file <%s>", path);
    REFUSED(THFile_readIntRaw(file, numbers, 3),
            "read error: read 1 blocks instead of 3 in <%s>: end of file", path);
    tap_ok(numbers[0] == 5 && THFile_hasError(file), "what was there is read");
    REFUSED(THFile_readStringRaw(file, "*a", &text),
            "read error: read 0 blocks instead of 1 in <%s>: end of file", path);
    REFUSED(THFile_readStringRaw(file, "*n", &text), "format must be '*a' or '*l'");
    THFile_quiet(file);
    tap_ok(THFile_isQuiet(file) && THFile_readIntScalar(file) == 0, "quiet");
    THFile_pedantic(file);
    REFUSED(THFile_readIntScalar(file), "read error: read 0 blocks instead of 1");
    THFile_free(file);
}

static void refuse_folder(THFile *const file)
{
    REFUSED(THFile_readByteScalar(file),
            "read error: read 0 blocks instead of 1 in <%s>: Is a directory", folder);
    THFile_free(file);
}

static void check_errors(void)
{
    const int before = descriptors();

    refuse_written(THDiskFile_new(path, "w", 0));
    refuse_read(THDiskFile_new(path, "r", 0));
    refuse_folder(THDiskFile_new(folder, "r", 0));
    tap_ok(descriptors() == before, "no descriptor is left");
}

/* A device that takes nothing. */
static void check_full(void)
{
    THFile *file;

    if (access("/dev/full", W_OK) != 0) {
        tap_skip("there is no /dev/full", "a full disk");
        return;
    }
    file = THDiskFile_new("/dev/full", "w", 0);
    THFile_writeIntScalar(file, 1);
    REFUSED(THFile_synchronize(file), "unable to write </dev/full>: No space left");
    THFile_writeIntScalar(file, 1);
    REFUSED(THFile_free(file), "unable to write </dev/full>: No space left");
    file = THDiskFile_new("/dev/full", "w", 1);
    THDiskFile_noBuffer(file);
    tap_ok(THFile_writeStringRaw(file, "abc", 3) == 0 && THFile_hasError(file),
           "a write that is short");
    THFile_free(file);
}

int main(void)
{
    if (!begin())
        return 1;
    check_positions();
    check_pipes();
    check_memory();
    check_modes();
    check_errors();
    check_full();
    return end();
}
