/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: one register machine. It runs a program for a group of elements at a time,
 * at least one; values stay in banks of registers from instruction to instruction. The
 * last group of a row ends where its elements do. Groups that begin before others end
 * compute elements again.
 *
 *   BLI_T          f32 or f64
 *   BLI_COMPUTES   32 or 64
 *   BLI_BANKS      1 or 3
 *   BLI_BANK       BLI_BANK_2, BLI_BANK_4 or BLI_BANK_8, by the registers of a bank
 *   BLI_MACHINE    name of the function
 *
 * All are undefined at the end.
 */
#define BLI_VECTOR         PASTE(vector_, BLI_T)
#define BLI_F(f)           PASTE3(PASTE(lanes_, f), _, BLI_T)
#define BLI_SIZE           (BLI_COMPUTES / 8)
#define BLI_LANE_COUNT     (BLI_WIDE / BLI_SIZE)
#define BLI_PLUS_ONE(...)  +1
#define BLI_REGISTERS      (0 BLI_BANK(BLI_PLUS_ONE, ))
#define BLI_GROUP_ELEMENTS (BLI_REGISTERS * BLI_LANE_COUNT)
#define BLI_GROUP                                                                      \
    (BLI_REGISTERS == 2 ? BLI_GROUP_FEW                                                \
     : BLI_WIDE == 64   ? BLI_GROUP_WIDE                                               \
                        : BLI_GROUP_USUAL)

/* Where the group's elements of `size` bytes are; a still or a slot, with 0. */
#define BLI_MEMORY(size) (places.memory[step] + at * (size))

#if BLI_BANKS == 3
#define BLI_OF_TREE(...) __VA_ARGS__
#else
#define BLI_OF_TREE(...)
#endif
#if BLI_BANKS == 3 && BLI_COMPUTES == 32 && !BLI_HAS_F16
#define BLI_SAVED float saved_a[BLI_WIDE], saved_b[BLI_WIDE], saved_c[BLI_WIDE];
#else
#define BLI_SAVED
#endif

/* With `prepares` only its instructions' addresses are found. */
void BLI_MACHINE(struct run *run, char *const *data, struct bli_program *prepares)
{
    __attribute__((unused)) static const int32_t offset[BLI_CODES] = {
#define BLI_BOTH(kind, name, form) BLI_OFFSET(BLI_CODE(name, form, BLI_D))
#include "kernels/registers/each_bank.h"
    };
    if (prepares) {
        BLI_PREPARE
        return;
    }
#define BLI_OPEN(k, bank) BLI_VECTOR bank##k = {0};
    BLI_BANK(BLI_OPEN, a)
    BLI_OF_TREE(BLI_BANK(BLI_OPEN, b) BLI_BANK(BLI_OPEN, c))
#undef BLI_OPEN
    BLI_SAVED
    __attribute__((unused)) const void *const *const label =
        run->program->label[BLI_GROUP];
    __attribute__((unused)) const uint64_t prefetches = run->program->prefetches;
    struct places places;
    const int64_t count = run->count;
    int64_t at = 0, next = run->second, step = 0;

    place_steps(&places, run, data, BLI_REGISTERS * BLI_WIDE);
    BLI_FIRST
    BLI_LABEL(code_end)
    {
        at += next;
        next = BLI_GROUP_ELEMENTS;
        if (__builtin_expect(at >= count, 0)) {
            if (--run->rows.count <= 0)
                return;
            advance_steps(&places, run->program->steps);
            at = 0;
        } else if (at > count - BLI_GROUP_ELEMENTS) {
            at = count - BLI_GROUP_ELEMENTS;
        }
        step = 0;
        if (BLI_GROUPS_PREFETCH && run->streams != 0 && (prefetches & 1) != 0) {
            BLI_BANK(BLI_PREFETCH_NEXT, BLI_MEMORY(BLI_SIZE))
        }
        BLI_AGAIN
    }
#define BLI_BOTH(kind, name, form)                                                     \
    BLI_LABEL(BLI_CODE(name, form, BLI_D)){                                            \
        BLI_OPEN_##kind(name, form) BLI_BANK(BLI_DO_##kind, name, form) BLI_NEXT}
#include "kernels/registers/each_bank.h"
    BLI_LAST
}

#undef BLI_OF_TREE
#undef BLI_SAVED
#undef BLI_VECTOR
#undef BLI_F
#undef BLI_SIZE
#undef BLI_LANE_COUNT
#undef BLI_PLUS_ONE
#undef BLI_REGISTERS
#undef BLI_GROUP_ELEMENTS
#undef BLI_GROUP
#undef BLI_MEMORY
#undef BLI_T
#undef BLI_COMPUTES
#undef BLI_BANKS
#undef BLI_BANK
#undef BLI_MACHINE
