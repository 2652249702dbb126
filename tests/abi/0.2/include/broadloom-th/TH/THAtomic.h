/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic counters of type int, long and ptrdiff_t.
 */
#ifndef TH_ATOMIC_INC
#define TH_ATOMIC_INC

#include "THGeneral.h"

/*
 * Set stores.  Get loads.  Add adds and returns the value before.  IncrementRef adds 1.
 * DecrementRef subtracts 1 and returns whether 0 is left.  CompareAndSwap stores if the
 * value is the old one, and returns whether it was.
 */
#define TH_ATOMIC_(type, suffix)                                                       \
    static inline void THAtomicSet##suffix(type volatile *a, type value)               \
    {                                                                                  \
        __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                  \
    }                                                                                  \
    static inline type THAtomicGet##suffix(type volatile *a)                           \
    {                                                                                  \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                   \
    }                                                                                  \
    static inline type THAtomicAdd##suffix(type volatile *a, type value)               \
    {                                                                                  \
        return __atomic_fetch_add(a, value, __ATOMIC_SEQ_CST);                         \
    }                                                                                  \
    static inline type THAtomicCompareAndSwap##suffix(type volatile *a, type before,   \
                                                      type after)                      \
    {                                                                                  \
        return __atomic_compare_exchange_n(a, &before, after, 0, __ATOMIC_SEQ_CST,     \
                                           __ATOMIC_SEQ_CST);                          \
    }

TH_ATOMIC_(int, )
TH_ATOMIC_(long, Long)
TH_ATOMIC_(ptrdiff_t, Ptrdiff)

static inline void THAtomicIncrementRef(int volatile *a)
{
    THAtomicAdd(a, 1);
}

static inline int THAtomicDecrementRef(int volatile *a)
{
    return THAtomicAdd(a, -1) == 1;
}

#endif
