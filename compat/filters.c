/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which warnings are told: filters, and a set of what was told before.
 */
#include "warnings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct filter {
    struct filter *next; /* added before */
    bl_warning_action action;
    bl_difference difference; /* BL_DIFFERENCE_NONE: all */
    char file[];              /* "": all */
};

/* Guards all below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct filter *filters;
static _Atomic bool exists; /* whether there are any; written under the lock */

/* Keys of what was told, in open addressing; 0 is an empty place. */
static uint64_t *told;
static size_t told_room; /* 0 or a power of 2, at most half of it full */
static size_t told_count;

bl_status bl_warnings_filter(bl_warning_action action, bl_difference difference,
                             const char *file)
{
    const size_t length = file ? strlen(file) : 0;
    struct filter *filter;

    if (action < BL_WARNING_DEFAULT || action > BL_WARNING_IGNORE)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown action: %d", (int)action);
    if (difference < BL_DIFFERENCE_NONE || difference > BL_DIFFERENCE_KEEPDIM)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown difference: %d", (int)difference);
    filter = malloc(sizeof *filter + length + 1);
    if (!filter)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a filter");
    filter->action = action;
    filter->difference = difference;
    memcpy(filter->file, file ? file : "", length + 1);
    pthread_mutex_lock(&lock);
    filter->next = filters;
    filters = filter;
    atomic_store_explicit(&exists, true, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    return BL_OK;
}

bool bli_filter_exists(void)
{
    return atomic_load_explicit(&exists, memory_order_relaxed);
}

void bli_filter_reset(void)
{
    pthread_mutex_lock(&lock);
    while (filters) {
        struct filter *const next = filters->next;

        free(filters);
        filters = next;
    }
    atomic_store_explicit(&exists, false, memory_order_relaxed);
    free(told);
    told = NULL;
    told_room = told_count = 0;
    pthread_mutex_unlock(&lock);
}

/* Whether a path is that file, or ends in it behind a slash. */
static bool ends_in(const char *path, const char *file)
{
    const size_t length = strlen(path), end = strlen(file);

    return length >= end && strcmp(path + length - end, file) == 0 &&
           (length == end || path[length - end - 1] == '/');
}

static bool is_about(const struct filter *filter, const bl_warning *warning)
{
    if (filter->difference != BL_DIFFERENCE_NONE &&
        (int32_t)filter->difference != warning->difference)
        return false;
    return filter->file[0] == '\0' ||
           (warning->file && ends_in(warning->file, filter->file));
}

/* ---- what was told ---- */

/* FNV-1a. */
static uint64_t mix(uint64_t key, const void *bytes, size_t size)
{
    const unsigned char *const at = bytes;

    for (size_t i = 0; i < size; i++)
        key = (key ^ at[i]) * UINT64_C(1099511628211);
    return key;
}

/* What makes a warning another one: its difference and function, and its place. */
static uint64_t key_of(const bl_warning *warning, bool has_place)
{
    uint64_t key = UINT64_C(14695981039346656037);

    key = mix(key, &has_place, sizeof has_place);
    key = mix(key, &warning->difference, sizeof warning->difference);
    key = mix(key, warning->function, strlen(warning->function) + 1);
    if (has_place && warning->file)
        key = mix(key, warning->file, strlen(warning->file));
    if (has_place && warning->file)
        key = mix(key, &warning->line, sizeof warning->line);
    else if (has_place)
        key = mix(key, &warning->address, sizeof warning->address);
    return key | 1;
}

static uint64_t *find(uint64_t *set, size_t room, uint64_t key)
{
    size_t at = (size_t)(key >> 8) & (room - 1);

    while (set[at] != 0 && set[at] != key)
        at = (at + 1) & (room - 1);
    return &set[at];
}

/* Room for one key more; without memory what is new is told each time. */
static bool grow(void)
{
    const size_t room = told_room > 0 ? 2 * told_room : 64;
    uint64_t *set;

    if (2 * (told_count + 1) <= told_room)
        return true;
    set = calloc(room, sizeof *set);
    if (!set)
        return false;
    for (size_t i = 0; i < told_room; i++)
        if (told[i] != 0)
            *find(set, room, told[i]) = told[i];
    free(told);
    told = set;
    told_room = room;
    return true;
}

/* Whether it is the first time; remembers the key. */
static bool is_first(uint64_t key)
{
    uint64_t *place;

    if (!grow())
        return true;
    place = find(told, told_room, key);
    if (*place == key)
        return false;
    *place = key;
    told_count++;
    return true;
}

bl_warning_action bli_filter_decide(const bl_warning *warning)
{
    bl_warning_action action = BL_WARNING_DEFAULT;

    pthread_mutex_lock(&lock);
    for (const struct filter *filter = filters; filter; filter = filter->next)
        if (is_about(filter, warning)) {
            action = filter->action;
            break;
        }
    if (action == BL_WARNING_DEFAULT || action == BL_WARNING_ONCE)
        action = is_first(key_of(warning, action == BL_WARNING_DEFAULT))
                     ? BL_WARNING_ALWAYS
                     : BL_WARNING_IGNORE;
    pthread_mutex_unlock(&lock);
    return action;
}
