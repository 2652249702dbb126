/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saving over an existing file: mode, owner, access control list, symbolic and hard
 * links are preserved; a file that may not be written is refused; descriptors are
 * written to.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

static float numbers[] = {0, 1, 2, 3, 4, 5};
static const int64_t extent[] = {2, 3};
static const bl_array rows = {numbers, BL_DTYPE_F32, 2, extent, NULL, 0};

enum { NOBODY = 65534 };

/* Whether the file contains what was saved from `rows`. */
static bool is_saved(const char *path)
{
    bl_tensor *tensor;

    if (bl_npy_load(NULL, path, &tensor) != BL_OK) {
        tap_note("%s", bl_error_message());
        return false;
    }
    const bool same = arrays_equal(bl_tensor_array(tensor), &rows);
    bl_tensor_release(tensor);
    return same;
}

/* Save over `path`; whether it succeeds and adds no other file to the folder. */
static bool saves(const char *path)
{
    const int files = folder_count();
    const bl_status status = bl_npy_save(NULL, path, &rows);

    if (status != BL_OK)
        tap_note("%s", bl_error_message());
    return status == BL_OK && folder_count() == files && is_saved(path);
}

/* Create a file of that mode, whatever the umask is. */
static void file_make(const char *path, mode_t mode)
{
    file_write(path, "old", 3);
    chmod(path, mode);
}

static struct stat about(const char *path)
{
    struct stat now = {0};

    lstat(path, &now);
    return now;
}

static void check_mode(void)
{
    static const mode_t modes[] = {0600, 0640, 0664, 0666, 0755, 0200};

    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        file_make("mode.npy", modes[k]);
        const ino_t old = about("mode.npy").st_ino;
        const bl_status status = bl_npy_save(NULL, "mode.npy", &rows);
        const mode_t mode = about("mode.npy").st_mode & 07777;
        const bool is_new = about("mode.npy").st_ino != old;
        chmod("mode.npy", 0600);
        tap_ok(status == BL_OK && mode == modes[k] && is_saved("mode.npy"),
               "mode %04o is kept", (unsigned)modes[k]);
        tap_ok(is_new, "by a new file, which is complete when it has the name");
    }
}

/* Mode 0444: whether it may be written depends on the user, as open(2) decides. */
static void check_read_only(const char *who)
{
    char text[8];

    file_make("closed.npy", 0444);
    const bool may = open("closed.npy", O_WRONLY) >= 0;
    const int files = folder_count();
    const bl_status status = bl_npy_save(NULL, "closed.npy", &rows);
    const bool is_old = file_read("closed.npy", text, sizeof text) == 3;
    const bool is_right =
        may ? status == BL_OK && is_saved("closed.npy")
            : status == BL_ERR_IO && is_old &&
                  strcmp(bl_error_message(),
                         "closed.npy: cannot be written: Permission denied") == 0;
    tap_ok(is_right && (about("closed.npy").st_mode & 07777) == 0444 &&
               folder_count() == files,
           "a file of mode 0444 is %s %s", may ? "written by" : "refused to", who);
    unlink("closed.npy");
}

/* Checks that need a second user; run only as root. */
static void check_users(void)
{
    check_read_only("this user");
    if (geteuid() != 0 || chmod(".", 0777) != 0 || seteuid(NOBODY) != 0) {
        tap_skip("not root", "files of other users");
        return;
    }
    check_read_only("another user");
    seteuid(0);
    file_make("theirs.npy", 0644);
    const bool is_theirs = chown("theirs.npy", NOBODY, NOBODY) == 0;
    const bool saved = saves("theirs.npy");
    tap_ok(is_theirs && saved && about("theirs.npy").st_uid == NOBODY &&
               about("theirs.npy").st_gid == NOBODY,
           "the owner and the group are kept");
    file_make("shared.npy", 0666);
    seteuid(NOBODY);
    const bool shared = saves("shared.npy");
    seteuid(0);
    tap_ok(shared && about("shared.npy").st_uid == 0,
           "the owner is kept by one who may write but not give away");
    file_make("shared.npy", 0666);
    chmod(".", 0755);
    seteuid(NOBODY);
    const bool fixed = saves("shared.npy");
    seteuid(0);
    tap_ok(fixed, "a file is written where the folder takes no other");
}

/* An access control list in the kernel's form: version 2, then tag, permissions, id. */
static void check_access_list(void)
{
    static const char name[] = "system.posix_acl_access";
    const struct {
        uint32_t version;
        struct {
            uint16_t tag, rights;
            uint32_t number;
        } entry[5];
    } list = {2,
              {{0x01, 6, UINT32_MAX},
               {0x02, 6, NOBODY},
               {0x04, 0, UINT32_MAX},
               {0x10, 6, UINT32_MAX},
               {0x20, 0, UINT32_MAX}}};
    char kept[64];

    file_make("list.npy", 0600);
    if (setxattr("list.npy", name, &list, sizeof list, 0) != 0) {
        tap_skip("no access control lists here", "an access control list is kept");
        return;
    }
    tap_ok(saves("list.npy") &&
               getxattr("list.npy", name, kept, sizeof kept) == sizeof list &&
               memcmp(kept, &list, sizeof list) == 0,
           "an access control list is kept");
}

static void check_symbolic_links(void)
{
    struct stat now;

    mkdir("folder", 0777);
    file_make("folder/target.npy", 0600);
    tap_ok(symlink("folder/target.npy", "near.npy") == 0 &&
               symlink("../near.npy", "folder/far.npy") == 0 &&
               saves("folder/far.npy") && is_saved("folder/target.npy") &&
               S_ISLNK(about("near.npy").st_mode) &&
               S_ISLNK(about("folder/far.npy").st_mode) &&
               (about("folder/target.npy").st_mode & 07777) == 0600,
           "symbolic links are written through");
    tap_ok(symlink("folder/new.npy", "to_new.npy") == 0 && saves("to_new.npy") &&
               S_ISLNK(about("to_new.npy").st_mode) && is_saved("folder/new.npy"),
           "one that leads to nothing makes the file");
    tap_ok(symlink("none/new.npy", "to_none.npy") == 0 &&
               bl_npy_save(NULL, "to_none.npy", &rows) == BL_ERR_IO &&
               S_ISLNK(about("to_none.npy").st_mode),
           "one into no folder is refused");
    tap_ok(symlink("loop.npy", "loop.npy") == 0 &&
               bl_npy_save(NULL, "loop.npy", &rows) == BL_ERR_IO &&
               stat("loop.npy", &now) != 0 && errno == ELOOP,
           "one that leads to itself is refused");
    remove("folder/target.npy");
    remove("folder/new.npy");
    remove("folder/far.npy");
}

static void check_hard_links(void)
{
    const int64_t across[] = {3, 2};
    const bl_array turned = {numbers, BL_DTYPE_F32, 2, across, NULL, 0};
    bl_tensor *tensor, *view = NULL, *again = NULL;

    file_make("one.npy", 0600);
    tap_ok(link("one.npy", "two.npy") == 0 && saves("one.npy") && is_saved("two.npy") &&
               about("one.npy").st_nlink == 2,
           "hard links stay together");
    const bool is_mapped = bl_npy_map(NULL, "one.npy", &tensor) == BL_OK &&
                           bl_tensor_transpose(tensor, 0, 1, &view) == BL_OK;
    if (!tap_ok(is_mapped, "a mapping of a file with two links"))
        return;
    const bool saved = bl_npy_save(NULL, "two.npy", bl_tensor_array(view)) == BL_OK;
    bl_tensor_release(view);
    bl_tensor_release(tensor);
    bool is_right = saved && bl_npy_load(NULL, "one.npy", &tensor) == BL_OK;
    is_right = is_right && bl_tensor_transpose(tensor, 0, 1, &again) == BL_OK &&
               bl_tensor_array(again)->extent[0] == 2 &&
               arrays_equal(bl_tensor_array(again), &rows) &&
               !arrays_equal(bl_tensor_array(tensor), &turned);
    tap_ok(is_right && about("one.npy").st_nlink == 2,
           "it is saved over the file that it maps");
    bl_tensor_release(again);
    if (saved)
        bl_tensor_release(tensor);
}

/*
 * /dev/fd/N of a file is written at its end, and the file that others have open
 * remains.
 */
static void check_descriptor(void)
{
    char path[32], bytes[1024], plain[1024];
    const int file = open("log", O_RDWR | O_CREAT | O_TRUNC, 0600);

    snprintf(path, sizeof path, "/dev/fd/%d", file);
    if (file < 0 || access(path, W_OK) != 0) {
        tap_skip("no /dev/fd here", "a descriptor");
        return;
    }
    const struct stat before = about("log");
    const bool is_begun = write(file, "begun", 5) == 5;
    const bool saved = bl_npy_save(NULL, "plain.npy", &rows) == BL_OK;
    const bool written = bl_npy_save(NULL, path, &rows) == BL_OK;
    const long size = file_read("log", bytes, sizeof bytes);
    const long want = file_read("plain.npy", plain, sizeof plain);
    tap_ok(is_begun && saved && written && about("log").st_ino == before.st_ino &&
               size == 5 + want && memcmp(bytes, "begun", 5) == 0 &&
               memcmp(bytes + 5, plain, (size_t)want) == 0,
           "a descriptor's file is written at its end");
    close(file);
}

/* Temporary names that a killed process with this number left behind are skipped. */
static void check_left_over(void)
{
    char name[64];
    struct stat now;

    for (int k = 0; k < 100; k++) {
        snprintf(name, sizeof name, ".broadloom.%ld.%d", (long)getpid(), k);
        file_make(name, 0600);
    }
    file_make("left.npy", 0600);
    tap_ok(saves("left.npy") && stat(name, &now) == 0 && now.st_size == 3,
           "temporary names that are left over are passed");
}

int main(void)
{
    tap_plan();
    folder_enter();
    umask(022);
    check_mode();
    check_users();
    check_access_list();
    check_symbolic_links();
    check_hard_links();
    check_descriptor();
    check_left_over();
    folder_leave();
    return tap_done();
}
