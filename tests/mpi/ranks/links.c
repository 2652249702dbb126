/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of communicators that two threads of each rank make and free, in another order
 * on each second rank (MPI_THREAD_MULTIPLE).
 */
#include <pthread.h>
#include <unistd.h>

#include "harness/same.h"
#include "mpi/ranks/world.h"

enum { WAIT = 50000 }; /* microseconds by which what a rank does last is late */

/* What a thread works on: communicator 0 is the first one of even ranks. */
struct part {
    int number;
    MPI_Comm comm;
    bl_mpi_grid *grid;
};

static struct part parts[2] = {{.number = 0}, {.number = 1}};
static int keys;

int MPI_Init_thread(int *count, char ***arguments, int level, int *provided)
{
    (void)level;
    return PMPI_Init_thread(count, arguments, MPI_THREAD_MULTIPLE, provided);
}

/* Wait, on the thread that this rank has last. */
static void take_turn(int number)
{
    if (number != world_self % 2)
        usleep(WAIT);
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                           MPI_Comm_delete_attr_function *delete, int *key, void *extra)
{
    __sync_fetch_and_add(&keys, 1);
    usleep(WAIT);
    return PMPI_Comm_create_keyval(copy, delete, key, extra);
}

int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value)
{
    for (int i = 0; i < 2; i++)
        if (comm == parts[i].comm)
            take_turn(i);
    return PMPI_Comm_set_attr(comm, key, value);
}

static void *make_grid(void *user)
{
    struct part *const part = user;

    must(bl_mpi_grid_create(part->comm, NULL, &part->grid));
    return NULL;
}

static void *release_grid(void *user)
{
    struct part *const part = user;

    take_turn(part->number);
    bl_mpi_grid_release(part->grid);
    return NULL;
}

static void *free_comm(void *user)
{
    struct part *const part = user;

    take_turn(part->number);
    MPI_Comm_free(&part->comm);
    return NULL;
}

/* Do it on two threads at once. */
static void both(void *(*work)(void *))
{
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, &parts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static void make_both(void)
{
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &parts[i].comm);
    both(make_grid);
}

int main(int count, char **arguments)
{
    int level;

    world_open(count, arguments, 20);
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE) {
        world_ok(true, "%d ranks: MPI has no MPI_THREAD_MULTIPLE", world_ranks);
        return world_close();
    }
    make_both();
    world_ok(keys == 2, "%d ranks: two first grids at once make the keys once",
             world_ranks);
    both(release_grid);
    both(free_comm);
    world_ok(true, "%d ranks: threads free communicators in any order", world_ranks);
    make_both();
    both(free_comm);
    both(release_grid);
    world_ok(true, "%d ranks: threads release last grids in any order", world_ranks);
    make_both();
    return world_close(); /* which ends what was made in another order on each rank */
}
