/* SPDX-License-Identifier: BSD-3-Clause */
/* The slots of a thread's cache of plans. */
#include "core/slots.h"
#include "core/thread.h"

#include <errno.h>
#include <stdlib.h>

struct bli_slots *bli_slots_own(void **place, void (*close)(void *slots))
{
    struct bli_slots *slots = *place;

    if (slots)
        return slots;
    slots = bli_thread_own(place, sizeof *slots);
    if (slots) {
        slots->last = slots->slot;
        bli_thread_on_end(slots, close);
    }
    return slots;
}

void bli_slots_free(void *slots)
{
    struct bli_slot *const slot = ((struct bli_slots *)slots)->slot;

    for (int k = 0; k < BLI_SLOTS; k++)
        free(slot[k].entry);
}

/* How late a slot makes room: after those without a plan, after those not used lately.
 */
static int32_t lateness(const struct bli_slot *slot)
{
    return slot->hash == 0 ? 0 : slot->is_recent ? 2 : 1;
}

/*
 * The slot that makes room, of those that are not in use; NULL: there is none.  Of
 * slots that make room as early as each other it is one at random: programs make the
 * same calls in turn, and where these are more than fit, the plan that was used longest
 * ago is the one needed next.
 */
static struct bli_slot *choose(struct bli_slots *slots, uint32_t hash)
{
    struct bli_slot *chosen = NULL;
    uint32_t first;

    slots->random = slots->random * UINT64_C(6364136223846793005) + 1;
    first = (uint32_t)(slots->random >> 32);
    for (uint32_t k = 0; k < BLI_SLOT_WAYS; k++) {
        struct bli_slot *const slot =
            bli_slots_way(slots, hash, (first + k) % BLI_SLOT_WAYS);

        if (slot->uses == 0 && (!chosen || lateness(slot) < lateness(chosen)))
            chosen = slot;
    }
    if (chosen && lateness(chosen) == 2)
        for (uint32_t way = 0; way < BLI_SLOT_WAYS; way++)
            bli_slots_way(slots, hash, way)->is_recent = false;
    return chosen;
}

struct bli_slot *bli_slots_reserve(struct bli_slots *slots, uint32_t hash, size_t bytes)
{
    struct bli_slot *const slot = choose(slots, hash);

    if (!slot)
        return NULL;
    if (!slot->entry) {
        const int saved = errno;

        slot->entry = calloc(1, bytes);
        errno = saved;
    }
    if (!slot->entry)
        return NULL;
    slot->hash = 0;
    bli_slot_use(slots, slot);
    return slot;
}
