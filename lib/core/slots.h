/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slots of a thread's cache of plans: in which of them a plan may be, by a hash of
 * its signature, and which one makes room for a new plan.
 *
 * A plan may be in one of four slots, each given by bits of its own of the hash, so
 * that after a few rounds 64 calls in turn all find theirs.
 */
#ifndef BLI_SLOTS_H
#define BLI_SLOTS_H

#include "core/core.h"

enum {
    BLI_SLOT_BITS = 7,
    BLI_SLOTS = 1 << BLI_SLOT_BITS, /* that a thread has */
    BLI_SLOT_WAYS = 4               /* that a plan may be in */
};

struct bli_slot {
    void *entry;           /* memory of the plan and its signature; NULL: none yet */
    uint32_t hash;         /* of the signature; 0: the slot has no plan */
    int32_t uses;          /* calls under way with it: a callback may call again */
    bool is_recent;        /* used since it was last passed over */
    struct bli_slot *next; /* that was used after this one, the last time */
};

struct bli_slots {
    uint64_t random;       /* which slot makes room next */
    struct bli_slot *last; /* that was used */
    struct bli_slot slot[BLI_SLOTS];
};

/* A plan is in use until it is returned. */
static inline void bli_slot_use(struct bli_slots *slots, struct bli_slot *slot)
{
    slots->last->next = slot;
    slots->last = slot;
    slot->is_recent = true;
    slot->uses++;
}

static inline void bli_slot_return(struct bli_slot *slot)
{
    slot->uses--;
}

/* The hash of a signature's parts put together. */
static inline uint32_t bli_slot_hash(uint64_t parts)
{
    return (uint32_t)((parts ^ parts >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 1;
}

/* A part of a signature: extents. */
static inline uint64_t bli_slot_extents(int32_t rank, const int64_t *extent)
{
    uint64_t part = (uint64_t)rank;

    for (int32_t d = 0; d < rank; d++)
        part ^= (uint64_t)extent[d] << (9 * d & 63);
    return part;
}

/*
 * The slot that a program's loop uses next, if it goes on as the last time; NULL where
 * no plan is in it.
 */
static inline struct bli_slot *bli_slots_expected(const struct bli_slots *slots)
{
    struct bli_slot *const next = slots->last->next;

    return next && next->hash != 0 ? next : NULL;
}

/* One of the BLI_SLOT_WAYS slots that a plan with this hash may be in. */
static inline struct bli_slot *bli_slots_way(struct bli_slots *slots, uint32_t hash,
                                             uint32_t way)
{
    const uint32_t lowest = 32 - BLI_SLOT_BITS * BLI_SLOT_WAYS;

    return &slots->slot[hash >> (lowest + BLI_SLOT_BITS * way) & (BLI_SLOTS - 1)];
}

/* Whether an entry has a signature; the hash of a signature. */
typedef bool bli_slot_match(const void *entry, const void *signature);
typedef uint32_t bli_slot_hasher(const void *signature);

/* The slot with the plan of a signature; NULL: there is none. */
static inline struct bli_slot *bli_slots_find(struct bli_slots *slots,
                                              const void *signature,
                                              bli_slot_match *matches,
                                              bli_slot_hasher *hash_of)
{
    struct bli_slot *const expected = bli_slots_expected(slots);
    uint32_t hash;

    if (expected && matches(expected->entry, signature))
        return expected;
    hash = hash_of(signature);
    for (uint32_t way = 0; way < BLI_SLOT_WAYS; way++) {
        struct bli_slot *const slot = bli_slots_way(slots, hash, way);

        if (slot->hash == hash && matches(slot->entry, signature))
            return slot;
    }
    return NULL;
}

/*
 * The calling thread's slots, at the thread-local pointer `*place`, made now if they
 * are not: `close` is called with them when the thread ends.  NULL out of memory.
 */
struct bli_slots *bli_slots_own(void **place, void (*close)(void *slots));

/* Such a `close`: frees the entries. */
void bli_slots_free(void *slots);

/*
 * Use a slot for a plan with this hash that is to be made, with an entry of `bytes`
 * bytes, the same for all slots.  It has no plan until its hash is set.  NULL where all
 * are in use, or out of memory.
 */
struct bli_slot *bli_slots_reserve(struct bli_slots *slots, uint32_t hash,
                                   size_t bytes);

#endif
