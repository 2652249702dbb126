/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What machine.tmpl.h makes instructions of.
 *
 * An instruction is a label, its operation on each register of bank d, and a jump to
 * the next one, whose address is in the program. Addresses of labels are an extension
 * of C; with BLI_NO_LABELS a `switch` stands in.
 */
#ifndef BLI_MACHINE_H
#define BLI_MACHINE_H

#include "core/float_control.h"
#include "kernels/registers/instructions.h"
#include "kernels/registers/run.h"

#if defined(__GNUC__) && !defined(BLI_NO_LABELS)
#pragma GCC diagnostic ignored "-Wpedantic"
#define BLI_LABEL_(code) label_##code:
#define BLI_LABEL(code)  BLI_LABEL_(code)
#define BLI_FIRST        goto *(label[step]);
#define BLI_AGAIN        BLI_FIRST
#define BLI_NEXT                                                                       \
    step++;                                                                            \
    BLI_FIRST
#define BLI_LAST
#define BLI_PREPARE                                                                    \
    label_steps(prepares, BLI_GROUP, (const char *)&&label_code_end, offset);
/* Unlike addresses, offsets need no relocation. */
#define BLI_OFFSET_(code)                                                              \
    [code] = (int32_t)((const char *)&&label_##code - (const char *)&&label_code_end),
#define BLI_OFFSET(code) BLI_OFFSET_(code)
#else
#define BLI_PREPARE
#define BLI_OFFSET(code) [code] = 0,
#define BLI_LABEL(code)  case code:
#define BLI_FIRST                                                                      \
    for (;;)                                                                           \
        switch (run->program->step[step].number) {
#define BLI_AGAIN continue;
#define BLI_NEXT                                                                       \
    step++;                                                                            \
    continue;
#define BLI_LAST                                                                       \
    default:                                                                           \
        return;                                                                        \
        }
#endif

/* Register k of bank d, and of those after it. */
#define BLI_REGISTER(k) PASTE(BLI_D, k)
#define BLI_IN_X(k)     PASTE(BLI_X, k)
#define BLI_IN_Y(k)     PASTE(BLI_Y, k)

/*
 * A step that reads a stream from memory prefetches the lines that come 3 groups later:
 * with 512 bits streams take .75 of the time (Zen 5), with three banks of 256 bits
 * trees .4 to .55 (Zen 3). From the caches prefetches take time: (a - b) / c * d + e of
 * rows of 1024 f32 took 1.2 of it, (a * b + b * c) * (c - a) of f32[262144] 1.23, a
 * polynomial of three steps 1.15 (Zen 4, 512 bits).
 */
#define BLI_PREFETCHES                                                                 \
    (BLI_WIDE == 64 || (BLI_WIDE == 32 && BLI_BANKS == 3 && BLI_REGISTERS > 2))
#define BLI_PREFETCH_LINE(k, q)                                                        \
    if (k * BLI_WIDE % 64 == 0)                                                        \
        __builtin_prefetch((q) + 1536 + k * BLI_WIDE);
#define BLI_PREFETCH(q)                                                                \
    if (BLI_PREFETCHES && (prefetches >> step & 1) != 0) {                             \
        BLI_BANK(BLI_PREFETCH_LINE, q)                                                 \
    }

/*
 * With one bank of 256 bits a group whose results are written with non-temporal stores,
 * or added to lanes, prefetches what its first stream has 2048 bytes later: on Zen 3
 * rows of f32[16384,1024] take .75 of the time, a * 2 + 1 from memory .85. On Zen 4
 * a * b + c of f32[2048,8192] and two rows, which are read from L2, takes .83 of it,
 * two threads .69; but a * 2.5 + b from memory 1.0 and 1.37, sum(a * b) 1.2 and 1.26.
 */
#define BLI_GROUPS_PREFETCH (BLI_WIDE == 32 && BLI_BANKS == 1 && BLI_REGISTERS > 2)
#define BLI_PREFETCH_NEXT(k, q)                                                        \
    if (k * BLI_WIDE % 64 == 0)                                                        \
        __builtin_prefetch((q) + 2048 + k * BLI_WIDE);

/*
 * Forms: what comes before an instruction, its other operand for register k, and the
 * order of the two.
 */
#define BLI_BEFORE_M                                                                   \
    const char *const q = BLI_MEMORY(BLI_SIZE);                                        \
    BLI_PREFETCH(q)
#define BLI_BEFORE_S const BLI_VECTOR still = BLI_F(still)(BLI_MEMORY(0));
#define BLI_BEFORE_X
#define BLI_BEFORE_Y
#define BLI_BEFORE_RM BLI_BEFORE_M
#define BLI_BEFORE_RS BLI_BEFORE_S
#define BLI_BEFORE_RX
#define BLI_BEFORE_RY
#define BLI_OTHER_M(k) BLI_F(load)(q + k * BLI_WIDE)
#define BLI_OTHER_S(k) still
#define BLI_OTHER_X    BLI_IN_X
#define BLI_OTHER_Y    BLI_IN_Y
#define BLI_PAIR_M(k)  BLI_REGISTER(k), BLI_OTHER_M(k)
#define BLI_PAIR_S(k)  BLI_REGISTER(k), still
#define BLI_PAIR_X(k)  BLI_REGISTER(k), BLI_IN_X(k)
#define BLI_PAIR_Y(k)  BLI_REGISTER(k), BLI_IN_Y(k)
#define BLI_PAIR_RM(k) BLI_OTHER_M(k), BLI_REGISTER(k)
#define BLI_PAIR_RS(k) still, BLI_REGISTER(k)
#define BLI_PAIR_RX(k) BLI_IN_X(k), BLI_REGISTER(k)
#define BLI_PAIR_RY(k) BLI_IN_Y(k), BLI_REGISTER(k)

/*
 * Keeps what is computed with a register between the volatile statements before and
 * after: compilers take no notice of the rounding that those change.
 */
#if defined(__x86_64__) || defined(__i386__)
#define BLI_PIN(v) __asm__ volatile("" : "+v"(v))
#elif defined(__aarch64__)
#define BLI_PIN(v) __asm__ volatile("" : "+w"(v))
#else
#define BLI_PIN(v) __asm__ volatile("" : "+m"(v))
#endif

/* Kinds: what comes before an instruction, and what it does with register k. */
#define BLI_OPEN_BINARY(name, form) BLI_BEFORE_##form
#define BLI_OPEN_UNARY(name, form)
/* All that it does: what comes after it is never reached. */
#define BLI_OPEN_NEAREST(name, form)                                                   \
    uint32_t own = 0;                                                                  \
    if (run->is_directed) {                                                            \
        own = BLI_READ_CONTROL();                                                      \
        bli_float_word_set(own & ~BLI_NOT_NEAREST);                                    \
    }                                                                                  \
    BLI_BANK(BLI_DO_PINNED, name, form)                                                \
    if (run->is_directed)                                                              \
        bli_float_word_set(own);                                                       \
    BLI_NEXT
#define BLI_DO_NEAREST(k, name, form)
#define BLI_DO_PINNED(k, name, form)                                                   \
    BLI_PIN(BLI_REGISTER(k));                                                          \
    BLI_DO_UNARY(k, name, form)                                                        \
    BLI_PIN(BLI_REGISTER(k));
#define BLI_OPEN_MUL(name, form)                                                       \
    const char *const p = BLI_MEMORY(BLI_SIZE);                                        \
    BLI_PREFETCH(p)                                                                    \
    step++;                                                                            \
    BLI_BEFORE_##form
#define BLI_DO_MUL(k, name, form)                                                      \
    BLI_REGISTER(k) =                                                                  \
        BLI_F(add)(BLI_F(mul)(BLI_REGISTER(k), BLI_F(load)(p + k * BLI_WIDE)),         \
                   BLI_OTHER_##form(k));
#define BLI_OPEN_TWICE(name, form)                                                     \
    BLI_OPEN_MUL(name, form)                                                           \
    step += 2;                                                                         \
    const BLI_VECTOR second = BLI_F(still)(BLI_MEMORY(0));
#define BLI_DO_TWICE(k, name, form)                                                    \
    {                                                                                  \
        const BLI_VECTOR x = BLI_F(load)(p + k * BLI_WIDE);                            \
        BLI_REGISTER(k) = BLI_F(add)(BLI_F(mul)(BLI_REGISTER(k), x), still);           \
        BLI_REGISTER(k) = BLI_F(add)(BLI_F(mul)(BLI_REGISTER(k), x), second);          \
    }
#define BLI_OPEN_WHERE_X(name, form) BLI_BEFORE_##form
#define BLI_OPEN_WHERE_Y(name, form) BLI_BEFORE_##form
#define BLI_OPEN_LOAD(name, form)    BLI_BEFORE_##form
#define BLI_OPEN_WIDEN(name, form)   const char *const q = BLI_MEMORY(BLI_BYTES_##name);
#define BLI_OPEN_STORE(name, form)   char *const q = BLI_MEMORY(BLI_BYTES_##name);
#define BLI_IS_STREAMED                                                                \
    (run->streams != 0 && (run->streams >> run->program->step[step].operand & 1) != 0)
#define BLI_OPEN_STREAM(name, form)                                                    \
    char *const q = BLI_MEMORY(BLI_BYTES_##name);                                      \
    if (BLI_IS_STREAMED) {                                                             \
        BLI_BANK(BLI_DO_NT, name, form)                                                \
        BLI_NEXT                                                                       \
    }
/*
 * Machines for few elements have no lanes: rows that are added are not short. Of the
 * last group, which ends where the row does, only what others do not have is added.
 */
#define BLI_OPEN_FOLD(name, form)                                                      \
    char *const q = BLI_MEMORY(BLI_SIZE);                                              \
    if (BLI_REGISTERS > 2 && BLI_IS_STREAMED) {                                        \
        vector_f64 *const sums = (void *)places.memory[step];                          \
        const int64_t rest = count & (BLI_GROUP_ELEMENTS - 1);                         \
        if (__builtin_expect(rest != 0 && at == count - BLI_GROUP_ELEMENTS, 0)) {      \
            char last[BLI_REGISTERS * BLI_WIDE];                                       \
            BLI_BANK(BLI_DO_LAST, name, form)                                          \
            PASTE(fold_rest_, BLI_T)                                                   \
            (sums, last + sizeof last - (size_t)(rest * BLI_SIZE), rest);              \
            BLI_NEXT                                                                   \
        }                                                                              \
        vector_f64 lanes[FOLD_REGISTERS];                                              \
        for (int32_t k = 0; k < FOLD_REGISTERS; k++)                                   \
            lanes[k] = sums[k];                                                        \
        BLI_BANK(BLI_DO_ADD, name, form)                                               \
        for (int32_t k = 0; k < FOLD_REGISTERS; k++)                                   \
            sums[k] = lanes[k];                                                        \
        BLI_NEXT                                                                       \
    }
#define BLI_OPEN_FILL(name, form)    const char *const q = BLI_MEMORY(0);
#define BLI_OPEN_SPILL(name, form)   char *const q = BLI_MEMORY(0);
#define BLI_DO_BINARY(k, name, form) BLI_REGISTER(k) = BLI_F(name)(BLI_PAIR_##form(k));
#define BLI_DO_UNARY(k, name, form)                                                    \
    BLI_REGISTER(k) = BLI_F(name)(BLI_REGISTER(k), BLI_REGISTER(k));
#define BLI_DO_WHERE_X(k, name, form)                                                  \
    BLI_REGISTER(k) = BLI_F(where)(BLI_IN_X(k), BLI_PAIR_##form(k));
#define BLI_DO_WHERE_Y(k, name, form)                                                  \
    BLI_REGISTER(k) = BLI_F(where)(BLI_IN_Y(k), BLI_PAIR_##form(k));
#define BLI_DO_LOAD(k, name, form) BLI_REGISTER(k) = BLI_OTHER_##form(k);
#define BLI_DO_WIDEN(k, name, form)                                                    \
    BLI_REGISTER(k) = BLI_F(name)(q + k * BLI_LANE_COUNT * BLI_BYTES_##name);
#define BLI_DO_STORE(k, name, form)                                                    \
    BLI_F(name)(q + k * BLI_LANE_COUNT * BLI_BYTES_##name, BLI_REGISTER(k));
#define BLI_DO_STREAM              BLI_DO_STORE
#define BLI_DO_ADD(k, name, form)  BLI_F(name)(lanes, BLI_REGISTER(k), k);
#define BLI_DO_LAST(k, name, form) BLI_F(store)(last + k * BLI_WIDE, BLI_REGISTER(k));
#define BLI_DO_FOLD(k, name, form) BLI_F(store)(q + k * BLI_WIDE, BLI_REGISTER(k));
#define BLI_DO_NT(k, name, form)                                                       \
    BLI_F(nt_##name)(q + k * BLI_LANE_COUNT * BLI_BYTES_##name, BLI_REGISTER(k));
#define BLI_DO_FILL(k, name, form)  BLI_REGISTER(k) = BLI_F(load)(q + k * BLI_WIDE);
#define BLI_DO_SPILL(k, name, form) BLI_F(store)(q + k * BLI_WIDE, BLI_REGISTER(k));

/* f16: by instructions, or by calls of half_lanes.h with the banks in memory. */
#if BLI_HAS_F16
#define BLI_OPEN_F16_LOAD  BLI_OPEN_WIDEN
#define BLI_OPEN_F16_STORE BLI_OPEN_STREAM
#define BLI_OPEN_F16_ROUND BLI_OPEN_UNARY
#define BLI_DO_F16_LOAD    BLI_DO_WIDEN
#define BLI_DO_F16_STORE   BLI_DO_STREAM
#define BLI_DO_F16_ROUND   BLI_DO_UNARY
#else
#define BLI_SAVE(k, bank) memcpy(saved_##bank + k * BLI_LANE_COUNT, &bank##k, BLI_WIDE);
#define BLI_RESTORE(k, bank)                                                           \
    memcpy(&bank##k, saved_##bank + k * BLI_LANE_COUNT, BLI_WIDE);
#define BLI_OPEN_F16_LOAD(name, form)                                                  \
    BLI_BANK(BLI_SAVE, a)                                                              \
    BLI_BANK(BLI_SAVE, b)                                                              \
    BLI_BANK(BLI_SAVE, c) call_##name((void *)BLI_MEMORY(2), PASTE(saved_, BLI_D));    \
    BLI_BANK(BLI_RESTORE, a) BLI_BANK(BLI_RESTORE, b) BLI_BANK(BLI_RESTORE, c)
#define BLI_OPEN_F16_STORE BLI_OPEN_F16_LOAD
#define BLI_OPEN_F16_ROUND BLI_OPEN_F16_LOAD
#define BLI_DO_F16_LOAD(...)
#define BLI_DO_F16_STORE(...)
#define BLI_DO_F16_ROUND(...)
#endif

#define BLI_BYTES_load_f32   4
#define BLI_BYTES_load_f16   2
#define BLI_BYTES_load_bf16  2
#define BLI_BYTES_load_i32   4
#define BLI_BYTES_load_u8    1
#define BLI_BYTES_load_bool  1
#define BLI_BYTES_store      BLI_SIZE
#define BLI_BYTES_stream     BLI_SIZE
#define BLI_BYTES_store_f32  4
#define BLI_BYTES_store_f16  2
#define BLI_BYTES_store_bf16 2
#define BLI_BYTES_store_u8   1
#define BLI_BYTES_store_bool 1

#endif
