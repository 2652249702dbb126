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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bli_link *links; /* all that there are */
static int link_key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;

static void free_comm(struct bli_link *link)
{
    bli_shared_close(&link->shared);
    MPI_Comm_free(&link->comm);
}

/* Free a link that neither a grid nor a communicator refers to; `lock` is held. */
static void free_link(struct bli_link *link)
{
    struct bli_link **at = &links;
    int is_finalised;

    if (link->grids > 0 || link->is_attribute)
        return;
    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    MPI_Finalized(&is_finalised);
    if (link->comm != MPI_COMM_NULL && !is_finalised)
        free_comm(link);
    free(link);
}

/* A communicator of the program's is freed. */
static int on_free(MPI_Comm comm, int key, void *link, void *extra)
{
    (void)comm, (void)key, (void)extra;
    pthread_mutex_lock(&lock);
    ((struct bli_link *)link)->is_attribute = false;
    free_link(link);
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}

/* MPI ends: it deletes the attributes of MPI_COMM_SELF first. */
static int on_end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    pthread_mutex_lock(&lock);
    for (struct bli_link *link = links; link; link = link->next)
        if (link->comm != MPI_COMM_NULL)
            free_comm(link);
    pthread_mutex_unlock(&lock);
    MPI_Comm_free_keyval(&link_key);
    MPI_Comm_free_keyval(&end_key);
    return MPI_SUCCESS;
}

static int make_keys(void)
{
    if (link_key != MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &link_key, NULL);

    if (code == MPI_SUCCESS)
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &end_key, NULL);
    return code != MPI_SUCCESS ? code : MPI_Comm_set_attr(MPI_COMM_SELF, end_key, NULL);
}

/* Fill in a new link; each rank then knows whether all have memory for theirs. */
static int copy(MPI_Comm comm, bool keep_errors, struct bli_link *link, int *has_memory)
{
    int code = MPI_Comm_dup(comm, &link->comm);

    if (code == MPI_SUCCESS && !keep_errors)
        code = MPI_Comm_set_errhandler(link->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_name(link->comm, "broadloom");
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(link->comm, &link->ranks);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(link->comm, &link->self);
    if (code == MPI_SUCCESS)
        code = MPI_Allreduce(MPI_IN_PLACE, has_memory, 1, MPI_INT, MPI_MIN, link->comm);
    return code;
}

static bl_status make_link(MPI_Comm comm, bool keep_errors, struct bli_link **out)
{
    struct bli_link made = {.comm = MPI_COMM_NULL, .shared = {.window = MPI_WIN_NULL}};
    struct bli_link *const link = malloc(sizeof *link);
    int has_memory = link != NULL;
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
    pthread_mutex_lock(&lock);
    link->next = links;
    links = link;
    pthread_mutex_unlock(&lock);
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
    if (!link)
        return;
    pthread_mutex_lock(&lock);
    link->grids--;
    free_link(link);
    pthread_mutex_unlock(&lock);
}
