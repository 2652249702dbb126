/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processors that this process may use: OpenMP's places or the affinity masks.
 */
#include "config.h"

#include "machine/discovery.h"

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#define WORD_BITS (sizeof(unsigned long) * CHAR_BIT)

void bli_processors_add(struct bli_processors *set, int32_t processor)
{
    if (processor >= 0 && processor < BLI_MASK_BYTES * CHAR_BIT)
        set->word[(size_t)processor / WORD_BITS] |= 1ul
                                                    << (size_t)processor % WORD_BITS;
}

bool bli_processors_has(const struct bli_processors *set, int32_t processor)
{
    return processor >= 0 && processor < BLI_MASK_BYTES * CHAR_BIT &&
           (set->word[(size_t)processor / WORD_BITS] >> (size_t)processor % WORD_BITS &
            1);
}

static int32_t count_of(const struct bli_processors *set)
{
    int32_t count = 0;

    for (size_t i = 0; i < BLI_MASK_WORDS; i++)
        for (unsigned long rest = set->word[i]; rest != 0; rest &= rest - 1)
            count++;
    return count;
}

/* Add a thread's affinity mask to a set, 0 for the calling thread; false if unknown. */
static bool add_mask(struct bli_processors *set, pid_t thread)
{
    struct bli_processors mask = {{0}};
    const int error = errno;
    const bool known = sched_getaffinity(thread, sizeof mask, (cpu_set_t *)&mask) == 0;

    errno = error;
    for (size_t i = 0; known && i < BLI_MASK_WORDS; i++)
        set->word[i] |= mask.word[i];
    return known;
}

/*
 * Add the processors of OpenMP's places to a set; false if there are none.  With
 * places, the runtime has bound the first thread to one of them, so that its mask does
 * not show what the process has.
 */
static bool add_places(struct bli_processors *set)
{
    const int places = omp_get_num_places();
    int32_t found = 0;

    for (int place = 0; place < places; place++) {
        const int count = omp_get_place_num_procs(place);
        int *const number = count > 0 ? malloc((size_t)count * sizeof *number) : NULL;

        if (!number)
            continue;
        omp_get_place_proc_ids(place, number);
        for (int i = 0; i < count; i++)
            bli_processors_add(set, number[i]);
        found += count;
        free(number);
    }
    return found > 0;
}

bool bli_processors_of_process(struct bli_processors *set)
{
    *set = (struct bli_processors){{0}};
    if (add_places(set))
        return true;
    const bool first = add_mask(set, getpid());

    return add_mask(set, 0) || first;
}

int32_t bli_mask_processors(void)
{
    struct bli_processors set = {{0}};
    const bool known = add_places(&set) || add_mask(&set, 0);

    return known && count_of(&set) > 0 ? count_of(&set) : omp_get_num_procs();
}
