/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reducers of each instruction set.
 */
#include "config.h"

#include "kernels/reduce/reduce.h"

#include <assert.h>

#define BLI_ISA(name, has)                                                             \
    extern const struct bli_isa bli_isa_##name;                                        \
    extern const struct bli_reducers bli_reducers_##name;
#include "kernels/isa.def"
#undef BLI_ISA

const struct bli_reducers *bli_isa_reducers(const struct bli_isa *isa)
{
#define BLI_ISA(name, has)                                                             \
    if (isa == &bli_isa_##name)                                                        \
        return &bli_reducers_##name;
#include "kernels/isa.def"
#undef BLI_ISA
    assert(!"an instruction set of isa.def");
    return &bli_reducers_base;
}

const struct bli_reducer *bli_reducer(const struct bli_reducers *reducers,
                                      enum bli_fold fold, bl_dtype dtype)
{
    const struct bli_reducer *reducer = &reducers->of[fold][dtype];

    if (reducer->adding && !bli_machine_is_amd())
        reducer = reducer->adding;
    return reducer->lanes > 0 ? reducer : NULL;
}
