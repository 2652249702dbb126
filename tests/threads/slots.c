/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slots of a thread's cache of plans: hashes of signatures spread over them, what
 * is in use stays, and what comes next in a loop is expected.
 */
#include <errno.h>
#include <stdint.h>

#include "core/slots.h"
#include "harness/tap.h"

enum { BYTES = 40, PLANS = 64 };

static _Thread_local void *place;

/* Have no plan in any slot. */
static void clear(struct bli_slots *slots)
{
    for (int k = 0; k < BLI_SLOTS; k++) {
        slots->slot[k].hash = 0;
        slots->slot[k].uses = 0;
    }
}

/* Put a plan in a slot, and hand it back. */
static struct bli_slot *put(struct bli_slots *slots, uint32_t hash)
{
    struct bli_slot *const slot = bli_slots_reserve(slots, hash, BYTES);

    if (!slot)
        return NULL;
    slot->hash = hash;
    bli_slot_return(slot);
    return slot;
}

static bool is_there(struct bli_slots *slots, uint32_t hash)
{
    bool found = false;

    for (uint32_t way = 0; way < BLI_SLOT_WAYS; way++)
        found = found || bli_slots_way(slots, hash, way)->hash == hash;
    return found;
}

/* ---- families of signatures ---- */

static uint32_t of_lines(int k)
{
    const int64_t extent[] = {k + 1};

    return bli_slot_hash(bli_slot_extents(1, extent));
}

static uint32_t of_squares(int k)
{
    const int64_t extent[] = {16 * (k + 1), 16 * (k + 1)};

    return bli_slot_hash(bli_slot_extents(2, extent));
}

static uint32_t of_images(int k)
{
    const int64_t extent[] = {32, 8 << k % 8, 7 << k / 8 % 4, 7 << k / 8 % 4};

    return bli_slot_hash(bli_slot_extents(4, extent) ^ (uint64_t)(k / 32) << 33);
}

static uint32_t of_operators(int k)
{
    const int64_t extent[] = {20, 200};

    return bli_slot_hash(bli_slot_extents(2, extent) ^ (uint64_t)k << 32);
}

static void test_spread(struct bli_slots *slots)
{
    static const struct {
        const char *name;
        uint32_t (*hash)(int k);
    } families[] = {{"lines", of_lines},
                    {"squares", of_squares},
                    {"images", of_images},
                    {"operators", of_operators}};

    for (size_t n = 0; n < sizeof families / sizeof families[0]; n++) {
        int found = 0;

        clear(slots);
        for (int k = 0; k < PLANS; k++)
            (void)put(slots, families[n].hash(k));
        for (int k = 0; k < PLANS; k++)
            found += is_there(slots, families[n].hash(k));
        tap_ok(found >= PLANS - 2, "%s: %d of %d plans are kept", families[n].name,
               found, PLANS);
    }
}

/* ---- which slot makes room ---- */

/* A hash whose slots are different ones. */
static uint32_t hash_of_four(struct bli_slots *slots)
{
    for (int k = 0;; k++) {
        const uint32_t hash = of_lines(k);
        bool differ = true;

        for (uint32_t i = 0; i < BLI_SLOT_WAYS; i++)
            for (uint32_t j = 0; j < i; j++)
                differ = differ &&
                         bli_slots_way(slots, hash, i) != bli_slots_way(slots, hash, j);
        if (differ)
            return hash;
    }
}

static void test_room(struct bli_slots *slots)
{
    const uint32_t hash = hash_of_four(slots);
    struct bli_slot *used[BLI_SLOT_WAYS];
    bool pass = true;

    clear(slots);
    for (int k = 0; k < BLI_SLOT_WAYS; k++) {
        used[k] = bli_slots_reserve(slots, hash, BYTES);
        pass = pass && used[k] && used[k]->entry && used[k]->uses == 1;
        for (int j = 0; pass && j < k; j++)
            pass = used[j] != used[k];
    }
    tap_ok(pass, "a hash has %d slots", BLI_SLOT_WAYS);
    tap_ok(!bli_slots_reserve(slots, hash, BYTES), "none where all are in use");
    bli_slot_return(used[2]);
    tap_ok(bli_slots_reserve(slots, hash, BYTES) == used[2],
           "but one that is returned");
    used[0]->hash = used[1]->hash = used[2]->hash = used[3]->hash = hash;
    for (int k = 0; k < BLI_SLOT_WAYS; k++)
        bli_slot_return(used[k]);
    used[1]->hash = 0;
    tap_ok(put(slots, hash) == used[1], "one without a plan makes room first");
    for (int k = 0; k < BLI_SLOT_WAYS; k++)
        used[k]->is_recent = k != 3;
    tap_ok(put(slots, hash) == used[3], "then one that was not used lately");

    bool turns[BLI_SLOT_WAYS] = {false};

    for (int k = 0; k < 100; k++)
        for (int j = 0; j < BLI_SLOT_WAYS; j++)
            turns[j] = turns[j] || put(slots, hash) == used[j];
    tap_ok(turns[0] && turns[1] && turns[2] && turns[3], "any of them does in the end");
}

/* Five plans in turn, for four slots. */
static void test_overflow(struct bli_slots *slots)
{
    const uint32_t hash = hash_of_four(slots);
    int found = 0;

    clear(slots);
    for (uint32_t k = 0; k < 500; k++) {
        const uint32_t next = hash ^ k % 5 * 2; /* bits that choose no slot */
        const bool is_kept = is_there(slots, next);

        found += is_kept;
        if (!is_kept)
            (void)put(slots, next);
    }
    tap_ok(found >= 100, "of five plans in turn for four slots, %d of 500 are found",
           found);
}

/* ---- what comes next ---- */

static void test_expected(struct bli_slots *slots)
{
    struct bli_slot *turn[3];
    bool pass = true;

    clear(slots);
    for (int k = 0; k < 3; k++)
        turn[k] = put(slots, of_lines(k));
    for (int k = 0; k < 6; k++) {
        pass = pass && (k < 3 || bli_slots_expected(slots) == turn[k % 3]);
        bli_slot_use(slots, turn[k % 3]);
        bli_slot_return(turn[k % 3]);
    }
    tap_ok(pass, "in a loop the next plan is the expected one");
    turn[0]->hash = 0;
    tap_ok(!bli_slots_expected(slots), "none where it is gone");
}

int main(void)
{
    static _Thread_local void *other;
    struct bli_slots *const slots = bli_slots_own(&place, bli_slots_free);

    tap_plan();
    tap_ok(slots && place == slots && bli_slots_own(&place, bli_slots_free) == slots,
           "a thread has its slots once");
    test_spread(slots);
    test_room(slots);
    test_overflow(slots);
    test_expected(slots);

    struct bli_slots *const empty = bli_slots_own(&other, bli_slots_free);

    errno = 7;
    tap_ok(empty && !bli_slots_reserve(empty, of_lines(0), SIZE_MAX / 2) &&
               errno == 7 && bli_slots_reserve(empty, of_lines(0), BYTES),
           "no slot without memory for it, and one again with it");
    return tap_done();
}
