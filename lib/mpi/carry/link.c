/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of the program's communicators.  A copy is an attribute of the communicator it
 * was made of, and freed with it, so that a second grid over one costs no second copy.
 */
#include "mpi/carry/carry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(OPEN_MPI)
#define BUILT_WITH "Open MPI"
#else
#define BUILT_WITH "MPICH" /* or what has its binary interface */
#endif

/* Room for the text of any MPI: Open MPI's has up to 256 bytes, MPICH's 8192. */
enum { VERSION = 16384 };

/*
 * `lock` is of the links, and held in no call of MPI that others must join: their ranks
 * may wait for this thread's lock.  `key_lock` is of the keys, which MPI's calls back
 * do not take.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t key_lock = PTHREAD_MUTEX_INITIALIZER;
static struct bli_link *links; /* all that there are, in the order of their places */
static int link_key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;

static void free_comm(struct bli_link *link)
{
    bli_shared_close(&link->shared);
    MPI_Comm_free(&link->comm);
}

static void insert(struct bli_link *link)
{
    struct bli_link **at = &links;

    pthread_mutex_lock(&lock);
    while (*at && (*at)->place < link->place)
        at = &(*at)->next;
    link->next = *at;
    *at = link;
    pthread_mutex_unlock(&lock);
}

/*
 * A grid, or else the program's communicator, refers to a link no more: free it where
 * neither does.
 */
static void leave(struct bli_link *link, bool is_grid)
{
    struct bli_link **at = &links;
    int is_finalised;

    pthread_mutex_lock(&lock);
    link->grids -= is_grid;
    link->is_attribute = link->is_attribute && is_grid;
    const bool is_last = link->grids == 0 && !link->is_attribute;

    while (is_last && *at != link)
        at = &(*at)->next;
    if (is_last)
        *at = link->next;
    pthread_mutex_unlock(&lock);
    if (!is_last)
        return;
    MPI_Finalized(&is_finalised);
    if (link->comm != MPI_COMM_NULL && !is_finalised)
        free_comm(link);
    free(link);
}

/* A communicator of the program's is freed. */
static int on_free(MPI_Comm comm, int key, void *link, void *extra)
{
    (void)comm, (void)key, (void)extra;
    leave(link, false);
    return MPI_SUCCESS;
}

/* Move what is to be freed of a link to `taken`; false: nothing is left. */
static bool take_comm(struct bli_link *taken)
{
    struct bli_link *link;

    pthread_mutex_lock(&lock);
    for (link = links; link && link->comm == MPI_COMM_NULL;)
        link = link->next;
    if (link) {
        *taken = *link;
        link->comm = MPI_COMM_NULL;
        link->shared.ranks = 0;
    }
    pthread_mutex_unlock(&lock);
    return link != NULL;
}

static void free_key(int *key)
{
    if (*key != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(key);
}

/* MPI ends: it deletes the attributes of MPI_COMM_SELF first. */
static int on_end(MPI_Comm comm, int key, void *value, void *extra)
{
    struct bli_link taken;

    (void)comm, (void)key, (void)value, (void)extra;
    while (take_comm(&taken))
        free_comm(&taken);
    free_key(&link_key);
    free_key(&end_key);
    return MPI_SUCCESS;
}

/* Make both keys, once; local. */
static int make_keys(void)
{
    int code = MPI_SUCCESS;

    pthread_mutex_lock(&key_lock);
    if (link_key == MPI_KEYVAL_INVALID)
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &link_key, NULL);
    if (code == MPI_SUCCESS && end_key == MPI_KEYVAL_INVALID) {
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &end_key, NULL);
        if (code == MPI_SUCCESS)
            code = MPI_Comm_set_attr(MPI_COMM_SELF, end_key, NULL);
    }
    pthread_mutex_unlock(&key_lock);
    return code;
}

/*
 * A number from rank 0 that no other link of these ranks has, unless they are of
 * several MPI_COMM_WORLDs, so that all ranks end their links in one order, whichever
 * threads made them.
 */
static int64_t new_place(const struct bli_link *link)
{
    static atomic_int made;
    int self;

    if (link->self != 0)
        return INT64_MAX;
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    return (int64_t)self << 32 | (uint32_t)atomic_fetch_add(&made, 1);
}

/* Fill in a new link; each rank then knows whether all have memory for theirs. */
static int copy(MPI_Comm comm, bool keep_errors, struct bli_link *link,
                bool *has_memory)
{
    int code = MPI_Comm_dup(comm, &link->comm);
    int64_t least[2] = {*has_memory};

    if (code == MPI_SUCCESS && !keep_errors)
        code = MPI_Comm_set_errhandler(link->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_name(link->comm, "broadloom");
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(link->comm, &link->ranks);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(link->comm, &link->self);
    if (code == MPI_SUCCESS) {
        least[1] = new_place(link);
        code = MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT64_T, MPI_MIN, link->comm);
    }
    *has_memory = least[0] != 0;
    link->place = least[1];
    return code;
}

static bl_status make_link(MPI_Comm comm, bool keep_errors, struct bli_link **out)
{
    struct bli_link made = {.comm = MPI_COMM_NULL, .shared = {.window = MPI_WIN_NULL}};
    struct bli_link *const link = malloc(sizeof *link);
    bool has_memory = link != NULL;
    int code = copy(comm, keep_errors, &made, &has_memory);

    if (code == MPI_SUCCESS && has_memory) {
        *link = made;
        code = MPI_Comm_set_attr(comm, link_key, link);
    }
    if (code != MPI_SUCCESS || !has_memory) {
        if (made.comm != MPI_COMM_NULL)
            MPI_Comm_free(&made.comm);
        free(link);
        return code != MPI_SUCCESS
                   ? bli_link_fail(NULL, "MPI_Comm_dup", code)
                   : bl_error_set(BL_ERR_MEMORY, "a rank has no memory for a grid");
    }
    link->is_attribute = true;
    insert(link);
    *out = link;
    return BL_OK;
}

/* Refuse another family of MPI than the headers are of: handles differ. */
static bl_status check_family(void)
{
    char version[VERSION] = "";
    int length;

    MPI_Get_library_version(version, &length);
    const bool is_open = strstr(version, "Open MPI") != NULL;

    if (is_open == (strcmp(BUILT_WITH, "Open MPI") == 0))
        return BL_OK;
    return bl_error_set(BL_ERR_UNSUPPORTED,
                        "this libbroadloom-mpi was built with %s, and the program runs "
                        "with %.60s",
                        BUILT_WITH, version);
}

bl_status bli_link_open(MPI_Comm comm, bool keep_errors, struct bli_link **out)
{
    struct bli_link *link;
    int is_there = 0;

    BL_TRY(check_family());
    BL_TRY(bli_link_enter(NULL));
    if (comm == MPI_COMM_NULL)
        return bl_error_set(BL_ERR_ARGUMENT, "comm is MPI_COMM_NULL");
    int code = make_keys();

    if (code == MPI_SUCCESS)
        code = MPI_Comm_test_inter(comm, &is_there);
    if (code == MPI_SUCCESS && is_there)
        return bl_error_set(BL_ERR_ARGUMENT, "comm is an intercommunicator");
    if (code == MPI_SUCCESS)
        code = MPI_Comm_get_attr(comm, link_key, &link, &is_there);
    if (code != MPI_SUCCESS)
        return bli_link_fail(NULL, "MPI_Comm_get_attr", code);
    if (!is_there)
        BL_TRY(make_link(comm, keep_errors, &link));
    BL_TRY(bli_link_enter(link));
    pthread_mutex_lock(&lock);
    link->grids++;
    pthread_mutex_unlock(&lock);
    *out = link;
    return BL_OK;
}

void bli_link_close(struct bli_link *link)
{
    if (link)
        leave(link, true);
}
